"""The statistics of the players' own sticks, as a screen and as JSON."""

from __future__ import annotations

from typing import Any

from flask import Response, make_response, render_template, request
from flask_openapi3.openapi import OpenAPI
from markupsafe import Markup
from pydantic import BaseModel

from companion.i18n import _
from companion.referee.referee import Referee
from companion.referee.snapshots.stick_view import StickSetView, decimal, stick_sets
from web.diagrams.svg import WIDTH, Drawing
from web.routes.game.page import PAGE
from web.security.access import Access

ENOUGH = 30
"""Throws from which the page suggests using the statistics for advice. Fewer are mostly chance."""
HEIGHT, FOOT, TOP = 132.0, 22.0, 18.0
"""Height of the chart, and the room below and above its bars for text."""


class Sets(BaseModel):
    """Every set of sticks thrown here, most recently thrown first."""

    sets: list[StickSetView]


def add_sticks(app: OpenAPI, referee: Referee, access: Access) -> None:
    """Add the routes of the sticks to ``app``."""

    @app.get("/api/sticks", responses={200: Sets})
    def counted() -> dict[str, Any]:
        """Return each set's throw counts, and whether its sticks are even."""
        return Sets(sets=stick_sets(referee.tallies())).model_dump(mode="json")

    @app.get("/sticks", responses={200: PAGE})
    def screen() -> Response:
        """Show how the sticks fall, with a button that makes the advice use it."""
        sets = [
            (one, Markup(chart(one)))  # noqa: S704 - our own drawing, of numbers alone
            for one in stick_sets(referee.tallies())
        ]
        return make_response(
            render_template(
                "screens/sticks.html",
                sets=sets,
                play=access.may_play(request),
                used=decimal(referee.state().marked),
                enough=ENOUGH,
            )
        )


def chart(one: StickSetView) -> str:
    """An SVG chart with a bar for each count, and lines for even sticks."""
    picture = Drawing(_("How often each count came up"), HEIGHT)
    most = max(*one.counts, *one.fair, 1)
    step = WIDTH / len(one.counts)
    for marked, (count, fair) in enumerate(zip(one.counts, one.fair, strict=True)):
        left, full = step * marked, HEIGHT - FOOT - TOP
        height = full * count / most
        picture.box("count", left + step * 0.2, HEIGHT - FOOT - height, step * 0.6, height, 2)
        level = HEIGHT - FOOT - full * fair / most
        picture.line("even", f"M {left + step * 0.1:.4g} {level:.4g} h {step * 0.8:.4g}", 3)
        picture.note(left + step / 2, HEIGHT - FOOT - max(height, full * fair / most) - 5, str(count), 13)
        picture.note(left + step / 2, HEIGHT - 6, f"{marked}", 14)
    return picture.text()
