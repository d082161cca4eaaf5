"""The page shown while a table cannot be served: the reason and the remedy. It reloads until the table is up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask, Response, jsonify, make_response, redirect, render_template, request
from flask_openapi3.openapi import OpenAPI
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as BaseResponse

from companion.backup.recovery import Choice, Recovery, Way
from companion.errors import CompanionError, Unknown
from companion.i18n import _, languages, retranslate
from web.app import guard, status_of
from web.page_language import add_languages
from web.routes.host.settings import add_phone_settings
from web.security.access import Access

RELOAD_S = 5
"""Seconds after which the page is asked for anew."""


def waiting_app(problem: str, recovery: Recovery | None = None, access: Access | None = None) -> Flask:
    """An application that answers every request with the problem and status 503, as a page or as JSON.

    problem: a sentence for the people at the table, with the cure in it.
    recovery: what can be done for damaged games, chosen by those whom ``access`` lets play; None where they are sound.
    """
    app = OpenAPI("web", doc_ui=False)
    add_phone_settings(app)
    add_languages(app, languages())
    guard(app)

    def answer(status: int = 503, refusal: str = "") -> Response:
        said = retranslate(problem)
        if "text/html" in request.headers.get("Accept", ""):
            page = render_template(
                "waiting.html",
                problem=said,
                refusal=refusal,
                seconds=RELOAD_S,
                recovery=recovery,
                play=access is not None and access.may_play(request),
            )
            answered = make_response(page)
        else:
            facts: dict[str, Any] = {"status": "waiting", "problem": refusal or said}
            if recovery is not None:
                found = recovery.choices
                facts["choices"] = None if found is None else [_as_dict(choice) for choice in found]
            answered = jsonify(facts)
        answered.status_code = status
        answered.headers["Retry-After"] = str(RELOAD_S)
        return answered

    def why(_error: HTTPException) -> Response:
        return answer()

    def refused(error: CompanionError) -> Response:
        return answer(status_of(error), str(error))

    app.register_error_handler(HTTPException, why)
    app.register_error_handler(CompanionError, refused)
    if recovery is not None and access is not None:
        _add_recovery(app, recovery, access, answer)
    return app


def _add_recovery(app: Flask, recovery: Recovery, access: Access, answer: Callable[[int], Response]) -> None:
    """Let players choose. They show the code as at a table that is served."""

    @app.before_request
    def only_players_choose() -> BaseResponse | None:
        access.enter(request)
        code = request.args.get("code") if request.path == "/" else None
        return entered() if code is not None and access.judge(request, code) else None

    def entered() -> BaseResponse:
        inside = make_response(redirect("/", 303))
        access.remember(request, inside)
        return inside

    @app.post("/join")
    def show_code() -> BaseResponse:
        """Accept the typed code."""
        code = request.form.get("code", "")
        if not access.judge(request, code):
            raise Unknown(_("That is not this table's code. Check it again: it never has a 0, 1, i, l or o."))
        return entered()

    @app.post("/recovery")
    def choose() -> BaseResponse:
        """Replace the damaged games by the chosen way out."""
        way = request.form.get("way", "")
        if way not in list(Way):
            raise Unknown(_("You can't do that now. Check the options again."))
        recovery.take(Way(way))
        # No redirect, because the server is about to stop until the table is up.
        return answer(202)


def _as_dict(choice: Choice) -> dict[str, Any]:
    holds = choice.holds
    if holds is None:
        return {"way": choice.way}
    return {"way": choice.way, "games": holds.games, "cut": holds.cut, "lost": holds.lost, "newest": holds.newest}
