"""Phones as cameras: the host's screen that lets them in, and the page on such a phone with its requests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from flask import Response, make_response, redirect, render_template, request
from flask_openapi3.models import RawModel
from flask_openapi3.openapi import OpenAPI
from markupsafe import Markup
from pydantic import BaseModel
from werkzeug.wrappers import Response as BaseResponse

from companion.access.invitation import is_alone, qr_svg
from companion.calibration import prompts
from companion.calibration.board_mailbox import BoardService
from companion.calibration.board_prompts import board_sentence, board_title
from companion.calibration.session import CalibrationService
from companion.errors import NotAllowed
from companion.i18n import _, retranslate
from companion.phone_camera.absence import SENTENCES, Absence, Subject
from companion.phone_camera.mailbox import Mode, Wanted
from companion.referee.events import CameraState
from companion.referee.referee import Referee
from web.page_language import YEAR_S
from web.routes.devices.camera import sentence, title
from web.routes.devices.phone_link import COOKIE, PICTURES_AT_ONCE, SECURE_COOKIE, PhoneLink
from web.routes.game.api import PLAYERS
from web.routes.game.page import PAGE
from web.routes.host.joining import reached_at
from web.schemas import (
    AbsenceQuery,
    CameraPageQuery,
    CameraPageRequest,
    PictureQuery,
    RemovePhoneRequest,
    TicketQuery,
    TicketRequest,
)
from web.security.access import PHONE_API, Access, CodeWanted, HostWanted
from web.serving.limits.token_buckets import TokenBuckets
from web.serving.picture_upload import LARGEST_PICTURE, check_picture


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
    """A phone that is a camera, and what it looks at: the tray or the board.

    let_in: whether a phone was let in. sends: whether it sends pictures. sentence: why not, or empty.
    """

    subject: Subject
    let_in: bool
    sends: bool
    sentence: str


class PhoneStates(BaseModel):
    """The phones that this table uses as cameras."""

    phones: list[PhoneState]


def add_phone_camera(
    app: OpenAPI,
    referee: Referee,
    access: Access,
    calibration: CalibrationService,
    board: BoardService,
    phones: Sequence[PhoneLink],
    host: str,
    certified: Sequence[str],
    clock: Callable[[], float],
) -> None:
    """Add the routes of the phones that are cameras to ``app``.

    host: that the server listens on. certified: names in the certificate of the secure page. clock: monotonic seconds.
    """
    rates = {link.subject: TokenBuckets(at_once=PICTURES_AT_ONCE, per_s=link.pictures_per_s) for link in phones}

    def sender() -> PhoneLink | None:
        return next((link for link in phones if link.is_phone(request)), None)

    def phone_only() -> PhoneLink:
        link = sender()
        if link is None:
            raise CodeWanted(_("This phone isn't the camera. Scan the QR code on the host's screen."))
        return link

    def invited_by(ticket: str | None) -> PhoneLink | None:
        return next((link for link in phones if link.pairing.is_ticket(ticket)), None)

    def address(scheme: str, port: str | int, ticket: str | None) -> str:
        name = reached_at(request, host, certified if scheme == "https" else ())
        return f"{scheme}://{name}:{port}/camera/phone" + (f"?ticket={ticket}" if ticket else "")

    def secure_address(link: PhoneLink, ticket: str | None) -> str | None:
        secure = link.secure()
        return address("https", secure.port, ticket) if secure and not request.is_secure else None

    def state(link: PhoneLink) -> PhoneState:
        absence = link.mailbox.absence()
        return PhoneState(
            subject=link.subject,
            let_in=link.pairing.has_phone,
            sends=absence is None,
            sentence=retranslate(SENTENCES[link.subject][absence]) if absence else "",
        )

    def states() -> dict[str, Any]:
        return PhoneStates(phones=list(map(state, phones))).model_dump(mode="json")

    def wanted_now(link: PhoneLink, wanted: Wanted | Literal["open"], number: int) -> dict[str, Any]:
        table = referee.snapshot()
        over_board = link.subject is Subject.BOARD
        what, how = (
            _on_the_board(referee, board) if over_board else _in_the_tray(referee, calibration, link.mailbox.mode)
        )
        return PictureWanted(
            wanted=wanted,
            number=number,
            title=what,
            sentence=how,
            table=table.unsure.sentence if table.unsure else table.prompt,
            hints=[retranslate(hint) for hint in link.mailbox.hints],
        ).model_dump(mode="json")

    def invitation(link: PhoneLink) -> dict[str, Any]:
        # A certificate that browsers know needs no explanation first.
        ticket, secure = link.pairing.ticket(), link.secure()
        invited = secure_address(link, ticket) if secure is not None and not secure.is_own else None
        if invited is None:
            scheme = "https" if request.is_secure else "http"
            invited = address(scheme, request.environ.get("SERVER_PORT", "80"), ticket)
        # The picture is drawn from our own address alone.
        return {"invited": invited, "alone": is_alone(invited), "picture": Markup(qr_svg(invited))}  # noqa: S704

    def setup_page(ticket: str | None) -> Response:
        facts: dict[str, Any] = {"secure": phones[0].secure() if phones else None}
        link, leads = invited_by(ticket), access.visitor(request).leads
        if ticket is not None and link is None and phones:
            facts["problem"] = _("This QR code was already used or has expired. Scan the new one on the host's screen.")
        if link is not None:
            facts |= {"ticket": ticket, "subject": link.subject, "secure_address": secure_address(link, ticket)}
        else:
            facts["cameras"] = [
                {"state": state(one)} | (invitation(one) if leads and not one.pairing.has_phone else {})
                for one in phones
            ]
            facts["no_camera"] = referee.state().camera.state is CameraState.NONE
        return make_response(render_template("screens/phone_camera_setup.html", **facts))

    @app.get("/camera/phone", responses={200: PAGE})
    def phone_camera(query: TicketQuery) -> Response:
        """Show the host how to let in phones as cameras, and show such a phone its page."""
        link = sender()
        if link is None:
            return setup_page(query.ticket)
        facts = {"subject": link.subject, "secure_address": secure_address(link, None)}
        return make_response(render_template("screens/phone_camera.html", **facts))

    @app.post("/camera/phone", responses={200: PAGE, 409: PAGE})
    def let_in(form: TicketRequest) -> Response | BaseResponse:
        """Let in the phone that shows the ticket. From then on it is that camera, and no other."""
        link = invited_by(form.ticket)
        try:
            token = link.pairing.redeem(form.ticket) if link else ""
        except NotAllowed:  # tapped twice
            token = ""
        if link is None or not token:
            refused = setup_page(form.ticket)
            refused.status_code = 409
            return refused
        link.mailbox.expect_phone()
        inside = make_response(redirect("/camera/phone", 303))
        # Lax, because a link from http to https on this computer counts as another site's.
        name = SECURE_COOKIE if request.is_secure else COOKIE
        inside.set_cookie(name, token, max_age=YEAR_S, httponly=True, samesite="Lax", secure=request.is_secure)
        return inside

    @app.get("/api/camera/phone", responses={200: PhoneStates})
    def phone_states() -> dict[str, Any]:
        """Return which phones are cameras, and whether they send pictures."""
        return states()

    @app.post("/api/camera/phone", responses={200: PhoneStates}, security=PLAYERS)
    def remove_phone(body: RemovePhoneRequest) -> dict[str, Any]:
        """Remove the phone that is the camera over the tray, or over the board."""
        if not access.visitor(request).leads:
            raise HostWanted(_("The host is here. Only the host can remove the phone."))
        link = next((one for one in phones if one.subject == body.subject), None)
        if link is None:
            raise NotAllowed(_("There's no such phone at this table."))
        link.pairing.end()
        link.mailbox.remove_phone()
        return states()

    @app.post(f"{PHONE_API}page", responses={200: CameraPage}, security=[])
    def open_camera_page(body: CameraPageRequest) -> dict[str, Any]:
        """Begin to send pictures from this page. An earlier page of the phone has to stop."""
        return CameraPage(page=phone_only().mailbox.open_page(Mode.LIVE if body.live else Mode.PHOTOS)).model_dump()

    @app.post(f"{PHONE_API}picture", responses={200: PictureWanted}, security=[])
    def phone_camera_picture(query: PictureQuery, raw: PhonePictureBody) -> dict[str, Any]:
        """Take the picture that was wanted, if any, and say which one is wanted next, after a moment."""
        link = phone_only()
        raw.max_content_length = LARGEST_PICTURE
        if not link.mailbox.has_page:
            return wanted_now(link, "open", 0)
        limit_rate(link)
        jpeg = raw.get_data()
        if jpeg:
            check_picture(jpeg)
        now = link.mailbox.exchange(query.page, query.number, jpeg or None, hold_s=link.hold_s)
        return wanted_now(link, now.wanted, now.number)

    @app.post(f"{PHONE_API}photo", responses={200: PictureWanted}, security=[])
    def phone_camera_photo(query: CameraPageQuery, raw: PhonePictureBody) -> dict[str, Any]:
        """Take a single photograph, to be read as a throw or for teaching."""
        link = phone_only()
        raw.max_content_length = LARGEST_PICTURE
        limit_rate(link)
        jpeg = raw.get_data()
        check_picture(jpeg)
        link.mailbox.photograph(query.page, jpeg)
        return wanted_now(link, Wanted.NOTHING, 0)

    @app.post(f"{PHONE_API}absence", responses={200: PhoneStates}, security=[])
    def phone_camera_absence(query: AbsenceQuery) -> dict[str, Any]:
        """Say why the page sends nothing for now. The next picture ends it."""
        phone_only().mailbox.leave(query.page, Absence(query.why))
        return states()

    def limit_rate(link: PhoneLink) -> None:
        if not rates[link.subject].take("phone", clock()):
            raise NotAllowed(_("The phone is sending too many pictures at once."))


def _in_the_tray(referee: Referee, calibration: CalibrationService, mode: Mode) -> tuple[str, str]:
    """A heading and a sentence for what the camera over the tray does."""
    taught, told = calibration.state(), referee.state().camera
    if taught.is_open:
        return prompts.title(taught), prompts.sentence(taught)
    if mode is Mode.PHOTOS and told.state in (CameraState.MOVING, CameraState.WATCHING):
        return _("Take a photo of each throw"), retranslate(told.message)
    return title(told.state, taught=False), sentence(told, taught=False)


def _on_the_board(referee: Referee, board: BoardService) -> tuple[str, str]:
    """A heading and a sentence for what the camera over the board does."""
    taught, seen = board.teaching(), referee.snapshot().board_seen
    if taught.is_open:
        return board_title(taught), board_sentence(taught)
    if seen is None:
        return _("I don't know this board yet"), _("To teach me, open the menu and tap Teach the board.")
    return _("I can't see the board") if seen.status == "lost" else _("I'm watching the board"), seen.sentence
