"""One page for a projector, with all the tables of a club."""

from __future__ import annotations

import json
from collections.abc import Callable

from flask import Response, make_response, render_template, send_from_directory
from flask_openapi3.openapi import OpenAPI
from pydantic import BaseModel, Field

from companion.club.table_registry import TableRegistry
from companion.i18n import languages
from web.app import guard
from web.page_language import add_languages
from web.routes.game.page import StaticFile
from web.routes.host.settings import add_phone_settings
from web.serving.compression import add_compression


class Since(BaseModel):
    """What the page has seen."""

    since: str = Field("", description="the state that the page shows; empty answers in any case")


def create_club_app(hall: TableRegistry, *, linked: Callable[[], bool]) -> OpenAPI:
    """The page of many tables. hall: who knows them. linked: whether the broker is there now."""
    app = OpenAPI("web", doc_ui=False, static_folder=None)
    add_phone_settings(app)
    add_languages(app, languages())

    def state() -> tuple[str, str]:
        """A token that differs after each change, and the present state as JSON."""
        number, tables = hall.tables()
        there = linked()
        shown = [
            {"word": one.word, "name": one.name, "here": one.here, "table": dict(one.table or {})} for one in tables
        ]
        word = f"{number}-{int(there)}"
        return word, json.dumps({"state": word, "linked": there, "tables": shown})

    @app.get("/")
    def boards() -> Response:
        """Show all tables."""
        _number, tables = hall.tables()
        return make_response(render_template("screens/club_wall.html", tables=tables, linked=linked()))

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
    def static(path: StaticFile) -> Response:
        """Hand out a part of the page."""
        return send_from_directory(f"{app.root_path}/static", path.name)

    add_compression(app)
    guard(app)
    return app
