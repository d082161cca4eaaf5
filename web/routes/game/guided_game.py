"""The guided game: six throws that teach entering, capturing and bringing home, each on a page of its own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from flask import Response, make_response, render_template
from flask_openapi3.openapi import OpenAPI
from pydantic import BaseModel, Field

from companion.i18n import N_
from companion.referee.events import Event, GameStarted, MoveChosen, ThrowEntered
from companion.referee.game_state import GameState, new_game
from companion.referee.reducer import apply
from companion.referee.snapshots.snapshot import render_snapshot
from companion.rules.position import Place
from companion.rules.unit import Side
from web.diagrams.opening_diagrams import throw
from web.routes.game.page import PAGE

GAME = GameStarted(
    variant="puluc", changes={"pieces": "2"}, jade=("Jade",), obsidian=("Obsidian",), seed=1, begins=Side.JADE
)


@dataclass(frozen=True, slots=True)
class GuidedThrow:
    """A throw of the guided game: the count, the move that is made with it, and what it teaches."""

    marked: int
    start: Place
    to: Place
    teaches: str


LESSONS = (
    GuidedThrow(2, None, 2, N_("You play Jade. Two marked sides are up, so a piece enters on space 2.")),
    GuidedThrow(4, None, 6, N_("Obsidian enters from the other end: 4 spaces from there is space 6.")),
    GuidedThrow(4, 2, 6, N_("Land on an enemy piece to capture it. Your piece stands on top and carries it along.")),
    GuidedThrow(1, None, 9, N_("Obsidian enters its last piece. With a 3 it could capture yours next.")),
    GuidedThrow(4, 6, None, N_("March off the far end with your captive: it is out, and your piece is back in base.")),
    GuidedThrow(
        0, 9, 4, N_("If no marked side is up, the throw is worth five. Whoever has lost all pieces has lost the game.")
    ),
)


class GuidedGameQuery(BaseModel):
    """Which throw of the guided game to show."""

    throw: str = Field("", description="its number, from 1; one more than there are is the end")

    def among(self, lessons: int) -> int:
        """The requested throw; the first if no number is given."""
        digits = self.throw[:3]
        number = int(digits) if digits.isascii() and digits.isdigit() else 1
        return max(1, min(number, lessons + 1))


def state_before(number: int) -> GameState:
    """The guided game when that throw has come, and its move is due; after the last throw, the end."""
    events: list[Event] = []
    for lesson in LESSONS[: number - 1]:
        events += [ThrowEntered(lesson.marked), MoveChosen(lesson.start, lesson.to)]
    events += [ThrowEntered(lesson.marked) for lesson in LESSONS[number - 1 : number]]
    return reduce(lambda state, event: apply(state, event, state.step + 1), events, new_game(GAME, 1))


def add_guided_game(app: OpenAPI) -> None:
    """Add the route of the guided game to ``app``."""

    @app.get("/learn", responses={200: PAGE})
    def learn(query: GuidedGameQuery) -> Response:
        """Show one throw of a game that teaches how to play; it is not the game on the table."""
        number = query.among(len(LESSONS))
        state = state_before(number)
        table = render_snapshot(0, state, game=1)
        lesson = LESSONS[number - 1] if number <= len(LESSONS) else None
        due = next(
            (move for move in table.moves if lesson and (move.start, move.to) == (_start(lesson), _end(lesson))), None
        )
        return make_response(
            render_template(
                "screens/learn.html",
                table=table,
                lesson=lesson,
                number=number,
                throws=len(LESSONS),
                move=due,
                ends=due.ends if due else (),
                sticks=throw(state.rules, lesson.marked).text() if lesson else "",
            )
        )


def _start(lesson: GuidedThrow) -> object:
    return "base" if lesson.start is None else lesson.start


def _end(lesson: GuidedThrow) -> object:
    return "home" if lesson.to is None else lesson.to
