"""One page for a projector, with all the tables of a club."""

from __future__ import annotations

import json
from collections.abc import Callable

from flask import Response, make_response, render_template, send_from_directory
from flask_openapi3.openapi import OpenAPI
from pydantic import BaseModel, Field

from companion.club.hall import Hall
from companion.words import languages
from web.app import guard
from web.compressing import add_compressing
from web.settings import know_phones
from web.words import add_words


class Since(BaseModel):
    """What the page has seen."""

    since: str = Field("", description="the state that the page shows; empty answers in any case")


class FileName(BaseModel):
    """Which file."""

    name: str


def create_boards(hall: Hall, *, linked: Callable[[], bool]) -> OpenAPI:
    """The page of many tables. hall: who knows them. linked: whether the broker is there now."""
    app = OpenAPI(__name__, doc_ui=False, static_folder=None)
    know_phones(app)
    add_words(app, languages())

    def state() -> tuple[str, str]:
        """A word for what is so now, another after each change, and all of it as JSON."""
        number, tables = hall.seen()
        there = linked()
        shown = [
            {"word": one.word, "name": one.name, "here": one.here, "table": dict(one.table or {})} for one in tables
        ]
        word = f"{number}-{int(there)}"
        return word, json.dumps({"state": word, "linked": there, "tables": shown})

    @app.get("/")
    def boards() -> Response:
        """Show all tables."""
        _number, tables = hall.seen()
        return make_response(render_template("boards.html", tables=tables, linked=linked()))

    @app.get("/api/boards")
    def newest(query: Since) -> Response:
        """Tell how all tables stand, unless the page shows that already."""
        word, body = state()
        if query.since == word:
            return make_response("", 204)
        return Response(body, mimetype="application/json")

    @app.get("/healthz")
    def healthz() -> Response:
        """Tell that the page is served."""
        return Response(json.dumps({"status": "ok", "linked": linked()}), mimetype="application/json")

    @app.get("/static/<path:name>")
    def static(path: FileName) -> Response:
        """Hand out a part of the page."""
        return send_from_directory(f"{app.root_path}/static", path.name)

    add_compressing(app)
    guard(app)
    return app
