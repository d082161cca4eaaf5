"""The web application of one table: what it is made of, and how it refuses."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from flask import Flask, Response, jsonify, make_response, render_template, request
from flask_openapi3.models.info import Info
from flask_openapi3.models.security_scheme import SecurityScheme
from flask_openapi3.openapi import OpenAPI
from pydantic import BaseModel, ValidationError
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from companion.backup.desk import BackupDesk
from companion.calibration import NO_CAMERA, NoTeaching, Teaching
from companion.doctor.serving import Doctor, NoDoctor
from companion.door import Door
from companion.errors import CompanionError, NotationError, Unknown
from companion.panel import NoPanel, PanelDesk
from companion.referee.referee import Referee
from companion.referee.reviews import Reviews
from companion.window import Window
from companion.words import Language, _, languages, later
from web.access import COOKIE, Access, CodeWanted, ForeignPage, HostWanted
from web.api import add_api
from web.backup import add_backup
from web.bodies import JsonRequest, sentence
from web.calibration import add_calibration
from web.camera import add_camera
from web.compressing import add_compressing
from web.doctor import add_doctor
from web.events import Streams, TooManyListeners
from web.guesses import TooManyGuesses
from web.hosting import check_host
from web.joining import add_joining
from web.library import add_library
from web.names import UnknownName
from web.page import add_page
from web.panel import add_panel
from web.review import add_review
from web.screens import add_screens
from web.settings import add_settings, know_phones
from web.sheets import add_sheets
from web.sticks import add_sticks
from web.words import add_words

LIVE = "puluc.live"
"""Under which of the application's extensions the server finds the streams that it keeps going."""
LARGEST_BODY = 64 * 1024
LARGER = {"/api/records": 1024 * 1024}
"""Where more than that is taken in: a record is some 60 bytes a turn, and games may go on for a whole evening."""
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
    Unknown: 422,
    NotationError: 422,
    TooManyListeners: 503,
}
"""How each refusal is answered; every other one 409, because it does not fit what is so now."""
KINDS = ("application/json", "text/html")
"""As what a refusal is said; the first where both will do. Browsers ask for more, some of it put more closely."""
PLAIN = {
    404: later("There is nothing at this address."),
    405: later("This address cannot be asked that way."),
    413: later("The body is larger than {most} kB."),
    500: later("Something broke inside the companion; its log says what. What is on the table has not changed."),
}
ABOUT = """One table, as its page speaks to it.

Sentences for people, such as `prompt` and `problem`, are in English unless the request asks for another language, by
the header `Accept-Language` or, before that, by the cookie `lang`; the answer's `Content-Language` says which it is.
Everything else is the same in every language."""
SCHEMES: dict[str, SecurityScheme | dict[str, Any]] = {
    "code": {"type": "http", "scheme": "bearer", "description": "The table's code"},
    "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE, "description": "Set by the printed address"},
}


class Problem(BaseModel):
    """Why something was refused: one sentence for the people at the table."""

    problem: str


def create_app(
    referee: Referee,
    *,
    code: str | Door | None,
    served_on: str = "127.0.0.1",
    names: Collection[str] = (),
    reviews: Reviews | None = None,
    teaching: Teaching | None = None,
    window: Window | None = None,
    panel: PanelDesk | None = None,
    backups: BackupDesk | None = None,
    doctor: Doctor | None = None,
    heartbeat: float = 10.0,
    streams: int = 200,
    lifetime: float = 3600.0,
    speaking: Mapping[str, Language] | None = None,
) -> Flask:
    """The page and the interface of one table. Build as many as you like; they share nothing.

    code: what a phone must show to play, or the door that keeps it and knows the phones that have; None for an open
        table.
    served_on: the host that the server listens on, from which the address for phones is made.
    names: names by which browsers may call this table, besides numbers and those that only a local network has.
    reviews: who thinks out the reviews of games; None where nobody can.
    teaching: who teaches the camera new sticks; None where there is no camera.
    window: what shows the camera's picture; None where there is no camera.
    panel: the buttons and the lamp; None where there are none.
    backups: who makes backups of all that is kept, and brings them back; None where nobody does.
    doctor: who looks whether all is well; None where nobody does.
    heartbeat, lifetime: seconds between a stream's signs of life, and after which it ends; the page comes back.
    streams: pages that may listen at once; each holds a connection of the server.
    speaking: the languages that phones may choose from, by code; None for all there are catalogues for.
    """
    app = OpenAPI(
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
    live = Streams(referee, heartbeat=heartbeat, limit=streams, lifetime=lifetime)
    app.extensions[LIVE] = live
    access = Access(code if isinstance(code, Door) else Door(code), hears=live.hears, names=names)
    # First, so that whatever is refused after it is refused in the phone's language.
    speaking = languages() if speaking is None else speaking
    add_words(app, speaking)

    @app.before_request
    def only_players_change_the_game() -> None:
        request.max_content_length = LARGER.get(request.path, LARGEST_BODY)
        access.enter(request)
        check_host(access.visitor(request), request.endpoint, referee.snapshot())

    know_phones(app)
    add_api(app, referee, access, live)
    add_library(app, referee)
    add_page(app, referee, access)
    add_joining(app, access, live, served_on=served_on)
    add_screens(app, referee, access)
    add_settings(app, referee, access, speaking)
    add_sticks(app, referee, access)
    add_review(app, referee, access, reviews)
    teaching = teaching or NoTeaching(NO_CAMERA)
    add_calibration(app, access, teaching)
    add_doctor(app, access, doctor or NoDoctor())
    add_camera(app, referee, access, teaching, window)
    add_panel(app, referee, access, panel or NoPanel())
    add_backup(app, access, backups, is_open=access.door.code is None)
    app.register_error_handler(CompanionError, _refused)
    app.register_error_handler(HTTPException, _failed)
    add_compressing(app)
    guard(app)
    return app


def guard(app: Flask) -> None:
    """Have every answer of ``app`` say what a browser may do with it, and its templates know the sheets in the page."""
    app.after_request(partial(_guarded, {**HEADERS, "Content-Security-Policy": POLICY.format(styles=add_sheets(app))}))


def _said_wrong(error: ValidationError) -> Response:
    answer = jsonify(problem=sentence(error))
    answer.status_code = 422
    return answer


def _said(problem: str, status: int) -> Response:
    """The refusal as a page where a browser was to show one, else for a program."""
    read = request.method == "GET" and not request.path.startswith("/api/")
    if read and request.accept_mimetypes.best_match(KINDS) == "text/html":
        answer = make_response(render_template("problem.html", problem=problem))
    else:
        answer = jsonify(problem=problem)
    answer.status_code = status
    return answer


def _refused(error: CompanionError) -> Response:
    status = next((status for kind, status in STATUS.items() if isinstance(error, kind)), 409)
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
