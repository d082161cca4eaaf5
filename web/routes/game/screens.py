"""The screens of saved games, scores, rules, and of teaching the board."""

from __future__ import annotations

import re

from flask import Response, make_response, render_template, request
from flask_openapi3.openapi import OpenAPI
from markupsafe import Markup

from companion.referee.player_names import display_team
from companion.referee.referee import Referee
from companion.referee.saved_games import SavedGame
from companion.rules.rules_text import tell
from companion.rules.variant import Variant
from companion.rules.variants import VARIANTS
from web.diagrams.rule_diagrams import drawing
from web.routes.game.page import PAGE
from web.security.access import Access

_ALL_IN_BASE = re.compile(r"\d+/\d+/\d+ 0:0 ")
"""Begins a position, as docs/notation.md defines it, in which no piece is on the highway and none slain."""


def add_screens(app: OpenAPI, referee: Referee, access: Access) -> None:
    """Add the routes of these screens to ``app``."""

    app.jinja_env.filters["players"] = display_team

    def screen(name: str, **facts: object) -> Response:
        table = referee.snapshot()
        return make_response(
            render_template(name, table=table, variants=VARIANTS, play=access.may_play(request), **facts)
        )

    @app.get("/games", responses={200: PAGE})
    def saved_games() -> Response:
        """Show the saved games, to resume, rename or delete them, and where a game's record is imported."""
        return screen("screens/games.html", games=referee.games(), begun=_is_begun)

    @app.get("/scores", responses={200: PAGE})
    def score_table() -> Response:
        """Show the scores, and those of the match on the table."""
        return screen("screens/scores.html", scores=referee.scores())

    @app.get("/teach-board", responses={200: PAGE})
    def teach_board() -> Response:
        """Guide through teaching the camera your board."""
        return screen("screens/teach_board.html")

    @app.get("/rules", responses={200: PAGE})
    def rules() -> Response:
        """Show the rules of the current game, each with a drawing."""
        played = referee.state().rules
        paragraphs = [
            (rule, Markup(drawing(rule.drawing, played)) if rule.drawing else "")  # noqa: S704 - our own drawing
            for rule in tell(played)
        ]
        return screen("screens/rules.html", paragraphs=paragraphs, changed=_is_changed(played))

    @app.get("/solved", responses={200: PAGE})
    def solved() -> Response:
        """Show the article on what perfect play is worth."""
        return screen("screens/solved.html")


def _is_begun(game: SavedGame) -> bool:
    """Whether a piece has come out of its base, by the last position. To replay each game would take a long time."""
    return not _ALL_IN_BASE.match(game.position)


def _is_changed(rules: Variant) -> bool:
    """Whether a game is played otherwise than its source says; the sizes are agreed at every table."""
    told, played = VARIANTS[rules.id].rules(), rules.rules()
    return any(played[name] != told[name] for name in played if name not in ("spaces", "pieces", "players"))
