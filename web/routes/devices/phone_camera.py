"""A phone as the camera: the host's screen that lets one in, and the page on that phone with its requests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any, Literal

from flask import Request, Response, make_response, redirect, render_template, request
from flask_openapi3.models import RawModel
from flask_openapi3.openapi import OpenAPI
from markupsafe import Markup
from pydantic import BaseModel
from werkzeug.wrappers import Response as BaseResponse

from companion.access.invitation import drawn, is_alone
from companion.calibration.session import CalibrationService
from companion.errors import NotAllowed
from companion.i18n import _, retranslate
from companion.phone_camera.absence import SENTENCES, Absence
from companion.phone_camera.mailbox import HOLD_S, Mode, PhoneMailbox, Wanted
from companion.phone_camera.pairing import PhonePairing
from companion.referee.referee import Referee
from web.routes.devices.camera import sentence, title
from web.routes.game.api import PLAYERS
from web.routes.game.page import PAGE
from web.routes.host.joining import reached_at
from web.schemas import (
    AbsenceQuery,
    CameraPageQuery,
    CameraPageRequest,
    PictureQuery,
    StepRequest,
    TicketQuery,
    TicketRequest,
)
from web.security.access import Access, CodeWanted, HostWanted
from web.serving.limits.token_buckets import TokenBuckets
from web.serving.picture_upload import LARGEST_PICTURE, check_picture
from web.serving.wsgi_adapter import PLAYS

COOKIE = "puluc_camera"
YEAR = 365 * 24 * 3600
API = "/api/camera/phone/"
PICTURES_AT_ONCE, PICTURES_PER_S = 40, 30.0
"""Requests that the phone may make one after the other, and each second in the long run. Ten pictures a second are
wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurePage:
    """Where the page is served over TLS. fingerprint: of its certificate. is_own: made by this table itself."""

    port: int
    fingerprint: str
    is_own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneLink:
    """A table's connection to the phone that is its camera. secure: where its page is served over TLS, if it is."""

    mailbox: PhoneMailbox
    pairing: PhonePairing
    secure: Callable[[], SecurePage | None] = lambda: None
    hold_s: float = HOLD_S
    pictures_per_s: float = PICTURES_PER_S

    def is_guest(self, request: Request) -> bool:
        """Whether that is a request of the camera phone's page."""
        shows_pass = request.path.startswith(API) and self.pairing.is_phone(request.cookies.get(COOKIE))
        if shows_pass:
            # The server would slow down a stranger who sends that much.
            request.environ[PLAYS] = True
        return shows_pass


class PhonePictureBody(RawModel):
    """A picture, or nothing if none was wanted."""

    mimetypes = ["image/jpeg"]  # noqa: RUF012 - as the library has it


class CameraPage(BaseModel):
    """The page's number, to be sent with all its requests."""

    page: int


class PictureWanted(BaseModel):
    """What the phone should do now.

    wanted: nothing, small or large; open if the page should open itself again, as after a restart of the table.
    number: to be sent with the picture. title, sentence: what the camera does, in words. table: what players should do.
    hints: what could be better about the picture.
    """

    wanted: Wanted | Literal["open"]
    number: int
    title: str
    sentence: str
    table: str
    hints: list[str]


class PhoneState(BaseModel):
    """Whether a phone was let in, and whether it sends pictures. sentence: why not, or empty."""

    let_in: bool
    sends: bool
    sentence: str


def add_phone_camera(
    app: OpenAPI, referee: Referee, access: Access, calibration: CalibrationService, link: PhoneLink | None, host: str
) -> None:
    """Add the routes of the phone camera to ``app``. link: None without one. host: that the server listens on."""
    rate = TokenBuckets(at_once=PICTURES_AT_ONCE, per_s=link.pictures_per_s if link else 0)

    def linked() -> PhoneLink:
        if link is None:
            raise NotAllowed(_("This table isn't set up to use a phone as the camera. Start it with --camera phone."))
        return link

    def phone_only() -> PhoneLink:
        if link is None or not link.pairing.is_phone(request.cookies.get(COOKIE)):
            raise CodeWanted(_("This phone isn't the camera. Scan the QR code on the host's screen."))
        return link

    def address(scheme: str, port: str | int, ticket: str | None) -> str:
        return f"{scheme}://{reached_at(request, host)}:{port}/camera/phone" + (f"?ticket={ticket}" if ticket else "")

    def secure_address(ticket: str | None) -> str | None:
        secure = link.secure() if link else None
        return address("https", secure.port, ticket) if secure and not request.is_secure else None

    def state() -> PhoneState:
        if link is None:
            return PhoneState(let_in=False, sends=False, sentence="")
        absence = link.mailbox.absence()
        return PhoneState(
            let_in=link.pairing.has_phone,
            sends=absence is None,
            sentence=retranslate(SENTENCES[absence]) if absence else "",
        )

    def wanted_now(wanted: Wanted | Literal["open"], number: int) -> dict[str, Any]:
        told, taught = referee.state().camera, calibration.state().is_open
        return PictureWanted(
            wanted=wanted,
            number=number,
            title=title(told.state, taught=taught),
            sentence=sentence(told, taught=taught),
            table=referee.snapshot().prompt,
            hints=[retranslate(hint) for hint in linked().mailbox.hints],
        ).model_dump(mode="json")

    def setup_page(ticket: str | None, problem: str = "") -> Response:
        facts: dict[str, Any] = {"state": state(), "link": link, "problem": problem, "secure": None, "invited": None}
        if link is not None:
            facts["secure"] = secure = link.secure()
            if ticket is not None and link.pairing.is_ticket(ticket):
                facts |= {"ticket": ticket, "secure_address": secure_address(ticket)}
            elif ticket is not None:
                facts["problem"] = problem or _(
                    "This QR code was already used or has expired. Scan the new one on the host's screen."
                )
            elif access.visitor(request).leads and not link.pairing.has_phone:
                # A certificate that browsers know needs no explanation first.
                fresh, skip = link.pairing.ticket(), secure is not None and not secure.is_own
                port = request.environ.get("SERVER_PORT", "80")
                scheme = "https" if request.is_secure else "http"
                invited = secure_address(fresh) if skip else None
                invited = invited or address(scheme, port, fresh)
                facts["invited"] = invited
                facts["alone"] = is_alone(invited)
                facts["picture"] = Markup(drawn(invited))  # noqa: S704 - drawn from our own address alone
        return make_response(render_template("screens/phone_camera_setup.html", **facts))

    @app.get("/camera/phone", responses={200: PAGE})
    def phone_camera(query: TicketQuery) -> Response:
        """Show the host how to let in a phone as the camera, and show that phone its page."""
        if link is not None and link.pairing.is_phone(request.cookies.get(COOKIE)):
            return make_response(render_template("screens/phone_camera.html", secure_address=secure_address(None)))
        return setup_page(query.ticket)

    @app.post("/camera/phone", responses={200: PAGE, 409: PAGE})
    def let_in(form: TicketRequest) -> Response | BaseResponse:
        """Let in the phone that shows the ticket. From then on it is the camera, and no other."""
        try:
            token = linked().pairing.redeem(form.ticket)
        except NotAllowed as error:
            refused = setup_page(None, str(error))
            refused.status_code = 409
            return refused
        linked().mailbox.expect_phone()
        inside = make_response(redirect("/camera/phone", 303))
        # Lax, because a link from http to https on this computer counts as another site's.
        inside.set_cookie(COOKIE, token, max_age=YEAR, httponly=True, samesite="Lax", secure=request.is_secure)
        return inside

    @app.get("/api/camera/phone", responses={200: PhoneState})
    def phone_state() -> dict[str, Any]:
        """Return whether a phone is the camera, and whether it sends pictures."""
        return state().model_dump()

    @app.post("/api/camera/phone", responses={200: PhoneState}, security=PLAYERS)
    def remove_phone(body: StepRequest) -> dict[str, Any]:  # noqa: ARG001 - any body is taken, as everywhere
        """Remove the phone that is the camera."""
        if not access.visitor(request).leads:
            raise HostWanted(_("The host is here. Only the host can remove the phone."))
        linked().pairing.end()
        linked().mailbox.remove_phone()
        return state().model_dump()

    @app.post(f"{API}page", responses={200: CameraPage}, security=[])
    def open_camera_page(body: CameraPageRequest) -> dict[str, Any]:
        """Begin to send pictures from this page. An earlier page of the phone has to stop."""
        return CameraPage(page=phone_only().mailbox.open_page(Mode.LIVE if body.live else Mode.PHOTOS)).model_dump()

    @app.post(f"{API}picture", responses={200: PictureWanted}, security=[])
    def camera_phone_picture(query: PictureQuery, raw: PhonePictureBody) -> dict[str, Any]:
        """Take the picture that was wanted, if any, and say which one is wanted next, after a moment."""
        mailbox = phone_only().mailbox
        raw.max_content_length = LARGEST_PICTURE
        if not mailbox.has_page:
            return wanted_now("open", 0)
        limit_rate()
        jpeg = raw.get_data()
        if jpeg:
            check_picture(jpeg)
        now = mailbox.exchange(query.page, query.number, jpeg or None, hold_s=linked().hold_s)
        return wanted_now(now.wanted, now.number)

    @app.post(f"{API}photo", responses={200: PictureWanted}, security=[])
    def camera_phone_photo(query: CameraPageQuery, raw: PhonePictureBody) -> dict[str, Any]:
        """Take a single photograph, to be read as a throw or for teaching."""
        mailbox = phone_only().mailbox
        raw.max_content_length = LARGEST_PICTURE
        limit_rate()
        jpeg = raw.get_data()
        check_picture(jpeg)
        mailbox.photograph(query.page, jpeg)
        return wanted_now(Wanted.NOTHING, 0)

    @app.post(f"{API}absence", responses={200: PhoneState}, security=[])
    def camera_phone_absence(query: AbsenceQuery) -> dict[str, Any]:
        """Say why the page sends nothing for now. The next picture ends it."""
        phone_only().mailbox.leave(query.page, Absence(query.why))
        return state().model_dump()

    def limit_rate() -> None:
        if not rate.take("phone", monotonic()):
            raise NotAllowed(_("The phone is sending too many pictures at once."))
