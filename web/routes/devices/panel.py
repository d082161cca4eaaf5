"""The panel on the page: the state and meaning of its buttons and lamp, and virtual presses."""

from __future__ import annotations

from itertools import cycle
from typing import Any, assert_never

from flask import Response, make_response, render_template, request
from flask_openapi3.openapi import OpenAPI
from pydantic import BaseModel

from companion.i18n import _
from companion.panel import Button, LampSignal, PanelAction, PanelControl, PanelKind, PanelState
from companion.referee.referee import Referee
from web.routes.game.api import PLAYERS
from web.routes.game.page import PAGE
from web.schemas import ButtonRequest
from web.security.access import Access

STRIP_S = 10.0
"""Seconds of a rhythm that are drawn as a strip: one round of the slowest."""


class KeyView(BaseModel):
    """A button: its name, whether it is down, and what a short and a long press of it do."""

    button: Button
    name: str
    down: bool
    short: str
    held: str


class PanelView(BaseModel):
    """The complete state of buttons and lamp; the newest replaces all before.

    kind: gpio (real pins), mock (pins in memory, which phones press) or none.
    light: the lamp's signal; null if there is no lamp. prompt: the table's present request.
    hold_s: seconds from which a press is a long one. off: the buttons that end the companion when held for off_s.
    """

    kind: PanelKind
    light: LampSignal | None
    keys: list[KeyView]
    prompt: str
    hold_s: float
    off: list[Button]
    off_s: float


def add_panel(app: OpenAPI, referee: Referee, access: Access, desk: PanelControl) -> None:
    """Add the routes of the panel to ``app``."""

    def shown() -> PanelView:
        return view(desk.state(), referee.snapshot().prompt)

    @app.get("/panel", responses={200: PAGE})
    def panel() -> Response:
        """Show buttons and lamp, to learn and to try."""
        state = desk.state()
        return make_response(
            render_template(
                "screens/panel.html",
                now=view(state, referee.snapshot().prompt),
                moods=[(light, strip(light)) for light in state.language],
                strip_s=STRIP_S,
                named=named,
                play=access.may_play(request),
            )
        )

    @app.get("/api/panel", responses={200: PanelView})
    def panel_state() -> dict[str, Any]:
        """Return the state of buttons and lamp."""
        return shown().model_dump(mode="json")

    @app.post("/api/panel", responses={200: PanelView}, security=PLAYERS)
    def panel_press(body: ButtonRequest) -> dict[str, Any]:
        """Press or release a button of a panel without real pins. A press that is not repeated is released."""
        desk.press(Button(body.button), body.down)
        return shown().model_dump(mode="json")


def view(state: PanelState, prompt: str) -> PanelView:
    """The panel as JSON."""
    return PanelView(
        kind=state.kind,
        light=state.light,
        keys=[
            KeyView(
                button=key.button, name=named(key.button), down=key.down, short=does(key.short), held=does(key.held)
            )
            for key in state.keys
        ],
        prompt=prompt,
        hold_s=state.hold_s,
        off=list(state.off),
        off_s=state.off_s,
    )


def named(button: Button) -> str:
    """The button's name."""
    match button:
        case Button.CONFIRM:
            return _("Confirm")
        case Button.NEXT:
            return _("Next")
        case Button.BACK:
            return _("Back")
        case _:
            assert_never(button)


def does(act: PanelAction) -> str:
    """What a press does."""
    match act:
        case PanelAction.YES:
            return _("Yes to what is shown")
        case PanelAction.LOOK:
            return _("Look at the tray again")
        case PanelAction.NEXT:
            return _("Next move, or one more marked side")
        case PanelAction.PASS:
            return _("Pass")
        case PanelAction.UNDO:
            return _("Take back the last step")
        case PanelAction.AGAIN:
            return _("Play again, when the game is over")
        case PanelAction.NOTHING:
            return _("Nothing")
        case _:
            assert_never(act)


def strip(light: LampSignal) -> list[tuple[float, float]]:
    """The start and duration, in seconds, of each time the lamp is lit within STRIP_S; the last may end later.

    >>> strip(LampSignal(mood="", says="", rhythm="", colour="", beats=((1.0, 4.5),), fade=False))
    [(0.0, 1.0), (5.5, 1.0)]
    """
    lit_at: list[tuple[float, float]] = []
    at = 0.0
    for lit, dark in cycle(light.beats):
        before = lit_at[-1] if lit_at else (-1.0, 0.0)
        # Merge beats without a gap, or the drawing would show a seam.
        start = before[0] if sum(before) == at else at
        if start != at:
            lit_at.pop()
        lit_at.append((round(start, 2), round(at + lit - start, 2)))
        at = round(at + lit + dark, 2)
        if at >= STRIP_S:
            return lit_at
    raise AssertionError("A rhythm has beats.")
