"""The table's page, the projector's page, static files, and the pictures of throws."""

from __future__ import annotations

import re
import secrets
from io import BytesIO
from typing import Any

from flask import Response, make_response, render_template, request, send_file, send_from_directory
from flask_openapi3.openapi import OpenAPI
from markupsafe import Markup
from pydantic import BaseModel, Field
from werkzeug.exceptions import NotFound

from companion.advice.levels import LEVEL_NAMES
from companion.advice.styles import OPPONENTS
from companion.i18n import _
from companion.referee.referee import Referee
from companion.referee.snapshots.prompts import capitalized
from companion.rules.variants import VARIANTS
from web.game_tiles import SENTENCES, tile_icon
from web.new_game_form import PRESETS, SETTINGS
from web.page_language import YEAR_S
from web.security.access import Access
from web.serving.thumbnails import lighter

LINE = 28
"""Letters for which a phone has room in a line of its headline."""
PAGE: dict[str, Any] = {"description": "The page", "content": {"text/html": {"schema": {"type": "string"}}}}
FILE = {"description": "A file of the page", "content": {"*/*": {"schema": {"type": "string"}}}}
JPEG = {"description": "The picture", "content": {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}}}


def in_sentences(text: str) -> str:
    """A text whose lines end between its sentences, if each fits a line; as in static/common/dom.js."""
    sentences = re.split("(?<=[.?!…]) ", text)
    if max(map(len, sentences)) > LINE:
        return text
    return Markup(" ").join(Markup("<span class=sentence>{}</span>").format(sentence) for sentence in sentences)


class PageQuery(BaseModel):
    """The query of the page's address."""

    code: str | None = Field(None, description="the table's code; a phone that shows it may play from then on")


class PictureNumber(BaseModel):
    """The picture in the path."""

    number: str = Field(description="the number of the event that brought it")


class StaticFile(BaseModel):
    """The file in the path."""

    name: str = Field(description="its name below /static")


def add_page(app: OpenAPI, referee: Referee, access: Access, *, simulated: bool) -> None:
    """Add the routes of the pages to ``app``. simulated: whether the camera only draws its throws."""
    # Numbers begin anew in a new data folder; this keeps a browser from showing a picture of the old one.
    visit = secrets.token_hex(4)
    app.jinja_env.filters |= {"capitalized": capitalized, "in_sentences": in_sentences}

    @app.get("/", responses={200: PAGE})
    def page(query: PageQuery) -> Response:
        """Show the table. With the code in the address, remember this phone; the page then hides the code."""
        # Without a redirect, which would take as long as the page on a slow network.
        shown = query.code is not None and access.judge(request, query.code)
        play = shown or access.may_play(request)
        snapshot = referee.snapshot()
        view = render_template(
            "table/table.html",
            table=snapshot,
            play=play,
            wrong_code=query.code is not None and not play,
            game_names={id_: _(variant.name) for id_, variant in VARIANTS.items()},
            simulated=simulated,
            visit=visit,
        )
        answer = make_response(view)
        if shown:
            access.remember(request, answer)
        else:
            access.prolong_pass(request, answer)
        return answer

    @app.get("/api/new-game", responses={200: PAGE})
    def new_game_dialog() -> Response:
        """Show the dialog for a new game, which the table's page loads when somebody opens it."""
        return make_response(
            render_template(
                "table/new_game.html",
                table=referee.snapshot(),
                variants=VARIANTS,
                presets=PRESETS,
                settings=SETTINGS,
                levels=LEVEL_NAMES,
                opponents=OPPONENTS.values(),
                sentences=SENTENCES,
                tile_icon=tile_icon,
            )
        )

    @app.get("/board", responses={200: PAGE})
    def board() -> Response:
        """Show the board, the throw and the chances for a whole room, to watch."""
        return make_response(render_template("table/projector.html", table=referee.snapshot(), visit=visit))

    @app.get("/static/<path:name>", responses={200: FILE})
    def static(path: StaticFile) -> Response:
        """Serve a static file of the page."""
        return send_from_directory(f"{app.root_path}/static", path.name)

    @app.get("/pictures/<string(maxlength=15):number>.jpg", responses={200: JPEG})
    def picture(path: PictureNumber) -> Response:
        """Show the picture that a reading came with. It never changes."""
        return lasting(kept(path.number))

    @app.get("/pictures/light/<string(maxlength=15):number>.jpg", responses={200: JPEG})
    def light_picture(path: PictureNumber) -> Response:
        """Show a smaller version of that picture, for slow networks."""
        return lasting(lighter(kept(path.number)))

    def kept(number: str) -> bytes:
        jpeg = referee.picture(int(number)) if number.isascii() and number.isdigit() else None
        if jpeg is None:
            raise NotFound(_("That picture doesn't exist, or is no longer kept."))
        return jpeg

    def lasting(jpeg: bytes) -> Response:
        answer = send_file(BytesIO(jpeg), mimetype="image/jpeg")
        answer.headers["Cache-Control"] = f"public, max-age={YEAR_S}, immutable"
        return answer
