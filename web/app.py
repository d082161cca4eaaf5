"""The web application of one table, and how it answers refused requests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from time import monotonic
from typing import Any

from flask import Flask, Request, Response, jsonify, make_response, render_template, request
from flask_openapi3.models.info import Info
from flask_openapi3.models.security_scheme import SecurityScheme
from pydantic import BaseModel, ValidationError
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from companion.access.credentials import Credentials
from companion.access.start_command import StartCommand
from companion.backup.transfers import BackupTransfers
from companion.calibration.board_mailbox import BoardService, NoBoard
from companion.calibration.session import NO_CAMERA, CalibrationService, NoCalibration
from companion.doctor.live_checks import Doctor, NoDoctor
from companion.errors import CompanionError, NotationError, PictureUnusable, RulesUnfit, Unknown
from companion.i18n import N_, Language, _, languages
from companion.live_preview import Preview
from companion.panel import NoPanel, PanelControl
from companion.referee.history.review_queue import ReviewQueue
from companion.referee.referee import Referee
from companion.referee.workers.player_strengths import PlayerStrengths
from web.lazy_openapi import LazyOpenAPI
from web.new_game_form import rules_problem
from web.page_language import add_languages
from web.routes.devices.board import add_board
from web.routes.devices.calibration import add_calibration
from web.routes.devices.camera import add_camera
from web.routes.devices.panel import add_panel
from web.routes.devices.phone_camera import add_phone_camera
from web.routes.devices.phone_link import PhoneLink
from web.routes.game.api import add_api
from web.routes.game.guided_game import add_guided_game
from web.routes.game.library import add_library
from web.routes.game.page import add_page
from web.routes.game.review import add_review
from web.routes.game.screens import add_screens
from web.routes.game.sticks import add_sticks
from web.routes.host.backup import add_backup
from web.routes.host.doctor import add_doctor
from web.routes.host.joining import add_joining
from web.routes.host.settings import add_phone_settings, add_settings
from web.schemas import JsonRequest, sentence
from web.security.access import COOKIE, Access, CodeWanted, ForeignPage, HostWanted
from web.security.host_header import UnknownName
from web.security.host_only import check_host
from web.security.rate_limit import TooManyGuesses
from web.serving.compression import add_compression
from web.serving.event_stream import STREAMS, EventStreams, TooManyListeners
from web.serving.inline_css import add_sheets

LARGEST_BODY = 64 * 1024
LARGER = {"/api/records": 1024 * 1024}
"""Paths that accept more: a record may have a million characters."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src {styles}; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
STATUS: dict[type[CompanionError], int] = {
    CodeWanted: 401,
    ForeignPage: 403,
    HostWanted: 403,
    UnknownName: 421,
    TooManyGuesses: 429,
    PictureUnusable: 422,
    Unknown: 422,
    NotationError: 422,
    TooManyListeners: 503,
}
"""The status of each refusal. All others are answered 409: they conflict with the state of the game."""
KINDS = ("application/json", "text/html")
"""The media types of a refusal; the first is used where both are accepted."""
PLAIN = {
    404: N_("There is nothing at this address."),
    405: N_("This address does not accept that kind of request."),
    413: N_("The body is larger than {most} kB."),
    500: N_(
        "Something went wrong. Check what the table shows, then try again. If it happens again, restart the table; "
        "its log says why."
    ),
}
ABOUT = """One table, as its page speaks to it.

Sentences for people, such as `prompt` and `problem`, are in English unless the request asks for another language, by
the header `Accept-Language` or, before that, by the cookie `lang`; the answer's `Content-Language` says which it is.
Everything else is the same in every language."""
SCHEMES: dict[str, SecurityScheme | dict[str, Any]] = {
    "code": {"type": "http", "scheme": "bearer", "description": "The table's code"},
    "cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": f"{COOKIE}_MARK",
        "description": "Set by the printed address, which gives MARK",
    },
}


class Problem(BaseModel):
    """Why something was refused, in a sentence. rules: the rules of a custom game that do not fit, if that is why."""

    problem: str
    rules: list[str] = []


def create_app(
    referee: Referee,
    *,
    code: str | Credentials | None,
    served_on: str = "127.0.0.1",
    start_command: StartCommand | None = None,
    names: Collection[str] = (),
    certified: Sequence[str] = (),
    reviews: ReviewQueue | None = None,
    strengths: PlayerStrengths | None = None,
    calibration: CalibrationService | None = None,
    board: BoardService | None = None,
    preview: Preview | None = None,
    board_preview: Preview | None = None,
    phones: Sequence[PhoneLink] = (),
    panel: PanelControl | None = None,
    backups: BackupTransfers | None = None,
    doctor: Doctor | None = None,
    heartbeat: float = 10.0,
    streams: int = 200,
    lifetime: float = 3600.0,
    offered: Mapping[str, Language] | None = None,
    simulated: bool = False,
    clock: Callable[[], float] = monotonic,
) -> Flask:
    """The page and the interface of one table. Build as many as you like; they share nothing.

    code: what a phone must show to play, or the credentials of the table; None for an open
        table.
    served_on: the host that the server listens on, from which the address for phones is made.
    start_command: what started the table, shown to players who want other options; None for ``puluc play``.
    names: names by which browsers may call this table, besides numbers and those that only a local network has.
    certified: names in a certificate that browsers know, by which the secure page is to be opened.
    reviews: computes the reviews of games; None without an adviser.
    strengths: knows which level plays about as well as a player; None without an adviser.
    calibration: calibrates the camera; None without a camera.
    board: teaches and checks the real board; None without a camera.
    preview, board_preview: live pictures of the tray, and of the board; None without a camera.
    phones: connect the phones that are cameras, one for each subject.
    panel: the buttons and the lamp; None where there are none.
    backups: makes and restores backups of the table; None for none.
    doctor: makes the table's checks; None for a table without them.
    heartbeat, lifetime: seconds between a stream's signs of life, and after which it ends; the page comes back.
    streams: pages that may listen at once; each holds a connection of the server.
    offered: the languages that phones may choose from, by code; None for all there are catalogues for.
    simulated: whether the camera only draws its throws. clock: monotonic seconds.
    """
    app = LazyOpenAPI(
        __name__,
        info=Info(title="Puluc Companion", version="1", description=ABOUT),
        doc_ui=False,
        static_folder=None,
        validation_error_model=Problem,
        validation_error_callback=_said_wrong,
        responses={"4XX": Problem, 422: Problem, "5XX": Problem},
        security_schemes=SCHEMES,
    )
    app.request_class = JsonRequest
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    live = EventStreams(referee, heartbeat=heartbeat, limit=streams, lifetime=lifetime, clock=clock)
    app.extensions[STREAMS] = live
    credentials = code if isinstance(code, Credentials) else Credentials(code)

    def is_guest(request: Request) -> bool:
        return any(phone.is_guest(request) for phone in phones)

    access = Access(
        credentials, is_present=live.is_present, note=live.note, is_guest=is_guest, names=names, clock=clock
    )
    # First, so that whatever is refused after it is refused in the phone's language.
    offered = languages() if offered is None else offered
    add_languages(app, offered)

    @app.before_request
    def only_players_change_the_game() -> None:
        request.max_content_length = LARGER.get(request.path, LARGEST_BODY)
        access.enter(request)
        check_host(access.visitor(request), request.endpoint, referee.snapshot())

    @app.after_request
    def players_stay_in(answer: Response) -> Response:
        access.prolong_daily(request, answer)
        return answer

    @app.context_processor
    def rank() -> dict[str, Any]:
        visitor = access.visitor(request)
        # Its options name files and settings, which are shown to players only.
        shown = (start_command or StartCommand()) if visitor.plays else None
        return {"leads": visitor.leads, "start_command": shown}

    add_phone_settings(app)
    add_api(app, referee, access, live)
    add_library(app, referee, strengths)
    add_page(app, referee, access, simulated=simulated)
    add_guided_game(app)
    add_joining(app, access, live, served_on=served_on, certified=certified)
    add_screens(app, referee, access)
    add_settings(app, referee, access, offered)
    add_sticks(app, referee, access)
    add_review(app, referee, access, reviews)
    calibration = calibration or NoCalibration(NO_CAMERA)
    add_calibration(app, access, calibration)
    add_doctor(app, access, doctor or NoDoctor())
    add_camera(app, referee, access, calibration, preview)
    board = board or NoBoard()
    add_board(app, referee, access, board, board_preview)
    add_phone_camera(app, referee, access, calibration, board, phones, served_on, certified, clock)
    add_panel(app, referee, access, panel or NoPanel())
    add_backup(app, access, backups, is_open=access.credentials.code is None)
    app.register_error_handler(CompanionError, _refused)
    app.register_error_handler(HTTPException, _failed)
    add_compression(app)
    guard(app)
    return app


def guard(app: Flask) -> None:
    """Add the security headers to every answer of ``app``, and the inline style sheets to its templates."""
    app.after_request(partial(_guarded, {**HEADERS, "Content-Security-Policy": POLICY.format(styles=add_sheets(app))}))


def _said_wrong(error: ValidationError) -> Response:
    answer = jsonify(problem=sentence(error))
    answer.status_code = 422
    return answer


def _said(problem: str, status: int, **details: object) -> Response:
    """The refusal, as a page if a browser asked for one, otherwise as JSON. details: more fields of the JSON."""
    read = request.method == "GET" and not request.path.startswith("/api/")
    if read and request.accept_mimetypes.best_match(KINDS) == "text/html":
        answer = make_response(render_template("problem.html", problem=problem))
    else:
        answer = jsonify(problem=problem, **details)
    answer.status_code = status
    return answer


def status_of(error: CompanionError) -> int:
    """The status with which a refusal is answered."""
    return next((status for kind, status in STATUS.items() if isinstance(error, kind)), 409)


def _refused(error: CompanionError) -> Response:
    status = status_of(error)
    if isinstance(error, RulesUnfit):
        return _said(rules_problem(error), status, rules=error.rules)
    answer = _said(str(error), status)
    if isinstance(error, CodeWanted):
        answer.headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, TooManyListeners):
        answer.headers["Retry-After"] = "2"
    if isinstance(error, TooManyGuesses):
        answer.headers["Retry-After"] = str(error.wait_s)
    return answer


def _failed(error: HTTPException) -> Response:
    status = error.code or 500
    written = error.description if error.description != type(error).description else None
    answer = _said(written or _plain(status, error.name), status)
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        answer.headers["Allow"] = ", ".join(error.valid_methods)
    return answer


def _plain(status: int, name: str) -> str:
    if status in PLAIN:
        return _(PLAIN[status], most=(request.max_content_length or LARGEST_BODY) // 1024)
    return _("That cannot be done: {reason}.", reason=name)


def _guarded(headers: Mapping[str, str], answer: Response) -> Response:
    answer.headers.update(headers)
    answer.headers.setdefault("Cache-Control", "no-store")
    return answer
