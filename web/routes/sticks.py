"""How the players' own sticks fall: a screen, and the same for programs."""

from __future__ import annotations

from typing import Any

from flask import Response, make_response, render_template, request
from flask_openapi3.openapi import OpenAPI
from markupsafe import Markup
from pydantic import BaseModel

from companion.referee.referee import Referee
from companion.referee.sticks_view import SetView, decimal, sets_of
from companion.words import _
from web.access import Access
from web.picture import WIDTH, Picture
from web.screens import PAGE

ENOUGH = 30
"""Throws from which on using them for advice is what the page proposes. Fewer says more about chance than sticks."""
HEIGHT, FOOT, TOP = 132.0, 22.0, 18.0
"""Of the chart: its height, and the room below the bars and above them for words."""


class Sets(BaseModel):
    """Every set of sticks that was thrown here, the one thrown last first."""

    sets: list[SetView]


def add_sticks(app: OpenAPI, referee: Referee, access: Access) -> None:
    """Teach ``app`` the addresses that tell of the sticks."""

    @app.get("/api/sticks", responses={200: Sets})
    def counted() -> dict[str, Any]:
        """Tell how each set of sticks has fallen, and whether evenly."""
        return Sets(sets=sets_of(referee.tallies())).model_dump(mode="json")

    @app.get("/sticks", responses={200: PAGE})
    def screen() -> Response:
        """Show how the sticks fall, with one tap to have advice reckon with it."""
        sets = [
            (one, Markup(chart(one)))  # noqa: S704 - our own drawing, of numbers alone
            for one in sets_of(referee.tallies())
        ]
        return make_response(
            render_template(
                "sticks.html",
                sets=sets,
                play=access.may_play(request),
                used=decimal(referee.table().marked),
                enough=ENOUGH,
            )
        )


def chart(one: SetView) -> str:
    """The SVG: a bar for each count, and a line where even sticks would have it."""
    picture = Picture(_("How often each count came"), HEIGHT)
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
