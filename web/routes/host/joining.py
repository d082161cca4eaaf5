"""Joining the table: the screen with the QR code, the code to enter, and the host role."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from flask import Request, Response, make_response, redirect, render_template, request
from flask_openapi3.openapi import OpenAPI
from markupsafe import Markup
from pydantic import BaseModel, BeforeValidator, Field
from werkzeug.wrappers import Response as BaseResponse

from companion.access.credentials import readable
from companion.access.invitation import EVERYWHERE, is_alone, is_loopback, local_name, qr_svg, shown_host
from companion.errors import NotAllowed
from companion.i18n import _
from web.routes.game.api import PLAYERS
from web.routes.game.page import PAGE
from web.schemas import HostRequest, StepRequest
from web.security.access import Access, HostWanted, Visitor
from web.security.host_header import hostname, is_number
from web.security.rate_limit import TooManyGuesses
from web.serving.event_stream import EventStreams


class Welcome(BaseModel):
    """The asking phone's role, and who else is here.

    play: whether it may play, or only watch. host: whether it is the host. host_here: whether the host's page is open.
    players: phones that may play and have the page open. watching: pages that only watch.
    """

    play: bool
    host: bool
    host_here: bool
    players: int
    watching: int


class CodeTyped(BaseModel):
    """The code as somebody typed it."""

    code: Annotated[str, BeforeValidator(str)] = Field("", description="the table's code, as it was typed")


class Invitation(BaseModel):
    """The address of this table. page: by number. name: by name, or None. code: None for an open table."""

    page: str
    name: str | None
    code: str | None

    @property
    def address(self) -> str:
        """The address that lets a phone play."""
        return f"{self.page}?code={self.code}" if self.code else self.page

    @property
    def is_for_others(self) -> bool:
        """Whether other computers can reach it."""
        return not is_alone(self.page)


def reached_at(asking: Request, served_on: str, certified: Sequence[str]) -> str:
    """The host by which other phones reach this table.

    served_on: the host that the server listens on. certified: the names to reach it by, where a certificate is given.
    """
    asked = hostname(asking.host)
    if certified and not is_loopback(served_on):
        return next((name for name in certified if hostname(name) == asked), certified[0])
    # Where it was asked for by number, that number leads here from where the asking phone is.
    known = is_number(asked) and not is_loopback(asked) and asked not in EVERYWHERE
    return shown_host(asked if known else served_on)


def add_joining(
    app: OpenAPI, access: Access, streams: EventStreams, *, served_on: str, certified: Sequence[str]
) -> None:
    """Add the routes for joining to ``app``.

    served_on: the host that the server listens on. certified: names in the certificate of the secure page.
    """

    def invitation() -> Invitation:
        scheme, port = request.scheme, request.environ.get("SERVER_PORT", "80")
        host = reached_at(request, served_on, certified if request.is_secure else ())
        name = local_name(host)
        return Invitation(
            page=f"{scheme}://{host}:{port}/",
            name=f"{scheme}://{name}:{port}/" if name else None,
            code=access.credentials.code,
        )

    def join_page(problem: str | None = None) -> Response:
        visitor = access.visitor(request)
        facts: dict[str, Any] = {"visitor": visitor, "here": welcome_of(visitor), "problem": problem}
        facts["has_host"] = access.credentials.host is not None
        if visitor.plays:
            invited = invitation()
            picture = Markup(qr_svg(invited.address))  # noqa: S704 - drawn from our own address alone
            facts |= {"invited": invited, "picture": picture}
            facts["code"] = readable(invited.code) if invited.code else None
        return make_response(render_template("screens/join.html", **facts))

    def welcome_of(visitor: Visitor) -> Welcome:
        # The invitation opens no stream, but the player who looks at it is here.
        players, watching = streams.present(also=access.name_of(request))
        return Welcome(
            play=visitor.plays,
            host=visitor.is_host,
            host_here=access.host_is_here(),
            players=players,
            watching=watching,
        )

    @app.get("/join", responses={200: PAGE})
    def join() -> Response:
        """Show players how others join, and ask everyone else for the code."""
        return join_page()

    @app.post("/join", responses={200: PAGE, 401: PAGE, 429: PAGE})
    def show_code(form: CodeTyped) -> Response | BaseResponse:  # noqa: ARG001 - describes the form
        """Take the code that was typed, and let the phone play from then on."""
        try:
            # As it was typed: the library makes a number of what looks like one, and 3e456789 is a code.
            right = access.judge(request, request.form.get("code", ""))
        except TooManyGuesses as error:
            answer = join_page(str(error))
            answer.status_code = 429
            answer.headers["Retry-After"] = str(error.wait_s)
            return answer
        if not right:
            answer = join_page(_("That is not this table's code. Check it again: it never has a 0, 1, i, l or o."))
            answer.status_code = 401
            return answer
        inside = make_response(redirect("/", 303))
        access.remember(request, inside)
        return inside

    @app.get("/api/welcome", responses={200: Welcome})
    def welcome() -> dict[str, Any]:
        """Return the phone's role, and who else is here."""
        return welcome_of(access.visitor(request)).model_dump()

    @app.post("/api/host", responses={200: Welcome}, security=PLAYERS)
    def set_host(body: HostRequest) -> dict[str, Any]:
        """Hand over the host role, or take it if the host is away or has given it up."""
        visitor = access.visitor(request)
        if body.host == "free":
            _only_the_host(visitor)
            access.credentials.set_host(None)
        elif not visitor.leads:
            raise HostWanted(_("The host is here. Only the host can hand over that role."))
        elif visitor.phone is None:
            raise NotAllowed(_("Only a phone that has entered the code can be the host."))
        else:
            access.credentials.set_host(visitor.phone)
        return welcome_of(access.visitor(request)).model_dump()

    @app.post("/api/code", responses={200: Welcome}, security=PLAYERS)
    def renew(body: StepRequest) -> Response:  # noqa: ARG001 - any body is taken, as everywhere
        """Make a new code. Every other phone can only watch until it shows it."""
        visitor = access.visitor(request)
        if access.credentials.code is None:
            raise NotAllowed(_("This table is open to everyone, so there is no code."))
        _only_the_host(visitor)
        if visitor.phone is None:
            # A program that knows the code would shut itself out.
            raise HostWanted(_("Only the host's phone can make a new code, on the page."))
        access.credentials.renew_code(host=visitor.phone)
        streams.end_players(but=visitor.phone)
        answer = make_response(welcome_of(visitor).model_dump())
        access.give_pass(answer, visitor.phone)
        return answer


def _only_the_host(visitor: Visitor) -> None:
    if not visitor.is_host:
        raise HostWanted(_("Only the host's phone can do that. If the host is not here, become the host first."))
