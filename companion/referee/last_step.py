"""The last step of the game, and taps that cross with it, from phones that have not seen it yet."""

from __future__ import annotations

from dataclasses import dataclass

from companion.errors import CompanionError
from companion.referee.events import (
    Confirmed,
    CountdownEnded,
    Event,
    GameAgain,
    MoveChosen,
    Passed,
    Resigned,
    ThrowAgain,
    ThrowEntered,
    Undone,
)
from companion.referee.game_state import GameState
from companion.referee.reducer import apply

CROSSING_S = 1.0
"""Seconds after a countdown in which a tap that names no step still means what was counted."""

_PLAYS = Confirmed | CountdownEnded | MoveChosen | Passed | ThrowEntered
_AGREEABLE = _PLAYS | ThrowAgain | Undone | GameAgain | Resigned


@dataclass(frozen=True, slots=True)
class LastStep:
    """The event that last changed the game, the state before it, and when it came, on the referee's clock.

    by_board: it was seen on the board.
    """

    event: Event
    before: GameState
    at: float
    by_board: bool = False

    @property
    def is_counted(self) -> bool:
        """Whether a countdown made this step, not a player."""
        return isinstance(self.event, CountdownEnded)

    def is_crossed_by(self, event: Event, seen: int | None, step: int, now: float) -> bool:
        """Whether the sender of ``event``, who saw the step ``seen``, did not know of this one. step: the present one.

        A confirmation without a step also counts as crossing for a moment after a countdown.
        """
        if seen is None:
            yes = isinstance(event, Confirmed | MoveChosen | Passed)
            return yes and self.is_counted and now - self.at < CROSSING_S
        return seen == self.before.step != step

    def is_agreed(self, event: Event) -> bool:
        """Whether this step did what ``event`` asks for."""
        if not isinstance(event, _AGREEABLE):
            return False
        if event == self.event or (self.by_board and isinstance(event, Confirmed)):
            return True
        wanted = self._outcome(event) if isinstance(event, _PLAYS) else None
        return wanted is not None and wanted == self._outcome(self.event)

    def _outcome(self, event: Event) -> object:
        """What players see of the event's result; None if it is not allowed."""
        try:
            after = apply(self.before, event, self.before.step + 1)
        except CompanionError:
            return None
        throws = [*after.thrown, *(throw for _, throw in after.opening)]
        return after.phase, after.position, [throw.marked for throw in throws], len(after.turns), len(after.made)
