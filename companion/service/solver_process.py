"""Solves the game on the table in a separate process, so that the advice becomes exact."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

from companion.advice.solver.ranking import is_two_sided
from companion.i18n import _
from companion.referee.advice_state import SolvingProgress
from companion.referee.game_state import GameState
from companion.referee.referee import WAIT_S, Referee
from companion.rules.variant import Variant
from companion.rules.variant_fields import Teams
from companion.service.child_process import ChildProcess

log = logging.getLogger("puluc")

LEAST_DONE = 0.02
"""Share that must be done before the remaining time is estimated. Lower estimates sooner but less accurately."""

Game = tuple[Variant, Fraction]


def command(table: GameState, data: Path) -> list[str]:
    """The command that solves the game on that table; ``data`` as for ``puluc play``."""
    changes = dict(table.game.changes)
    if table.rules.teams is not Teams.NONE:
        changes["players"] = str(table.rules.players)
    words = [sys.executable, "-m", "companion", "solve", "--background", "--variant", table.game.variant]
    words += [word for name, value in changes.items() for word in ("--set", f"{name}={value}")]
    return [*words, "--marked", str(table.marked), "--data", str(data)]


class BackgroundSolver:
    """Starts, watches and ends the process that solves the game on the table. Only its own thread calls ``step``.

    Another game on the table ends it; solving resumes when the game is back. A game that is too large, or whose solving
    failed, is not tried again before the companion is restarted.
    missing: whether that game has no table yet. words: the command that solves the game on a table. solved: called when
    a game has been solved.
    """

    def __init__(
        self,
        referee: Referee,
        missing: Callable[[Variant, Fraction], bool],
        words: Callable[[GameState], Sequence[str]],
        *,
        solved: Callable[[], object] = lambda: None,
        wait_s: float = WAIT_S,
    ) -> None:
        self._referee, self._missing, self._words = referee, missing, words
        self._solved, self._wait_s = solved, wait_s
        self._work: _Work | None = None
        self._given_up: set[Game] = set()

    def step(self) -> None:
        """Supervise the process, report its progress, and wait briefly for a change of the game."""
        snapshot, table = self._referee.snapshot(), self._referee.state()
        game = table.rules, table.marked
        if self._work is not None and self._work.game != game:
            self.close()
        if self._work is not None:
            self._look(self._work)
        elif is_two_sided(table.rules) and game not in self._given_up and self._missing(*game):
            self._begin(game, table)
        self._referee.newer(snapshot, self._wait_s)

    def _begin(self, game: Game, table: GameState) -> None:
        log.info("Solving %s beside the game, if it is not too large.", table.rules.name)
        try:
            self._work = _Work(game, self._words(table))
        except OSError as error:
            self._given_up.add(game)
            log.warning("Solving cannot be started: %s", error)

    def close(self) -> None:
        """End the process, if there is one; its results so far are kept."""
        if self._work is not None:
            self._work.process.close()
            self._work = None
            self._referee.show_solving(None)

    def _look(self, work: _Work) -> None:
        status = work.process.status()
        if status is None:
            if work.done is not None:
                self._referee.show_solving(SolvingProgress(*work.game, done=round(work.done, 2), left_s=work.left_s()))
            return
        self.close()
        rules = work.game[0]
        if status == 0 and not self._missing(*work.game):
            log.info("%s is solved.", rules.name)
            self._solved()
            return
        self._given_up.add(work.game)
        if work.too_large:
            log.info("Not solved beside the game: %s", work.too_large)
            return
        log.warning("Solving %s failed with status %s: %s", rules.name, status, work.last_words)
        said = work.last_words.removeprefix("puluc: ")
        self._referee.show_solving(
            SolvingProgress(*work.game, trouble=said or _("Solving it ended with status {status}.", status=status))
        )


class _Work:
    """A process that solves a game, and its reports. done: the share that is solved; None until it has begun."""

    def __init__(self, game: Game, words: Sequence[str]) -> None:
        self.game = game
        self.done: float | None = None
        self.too_large = self.last_words = ""
        self._first: tuple[float, float] | None = None
        self.process = ChildProcess(words, on_line=self._read)

    def left_s(self) -> float | None:
        """Estimated seconds left at the present rate; None if it is too early to tell."""
        if self.done is None or self._first is None or self.done - self._first[1] < LEAST_DONE:
            return None
        begun_at, begun = self._first
        return (time.monotonic() - begun_at) * (1 - self.done) / (self.done - begun)

    def _read(self, line: str) -> None:
        try:
            message = json.loads(line)
        except ValueError:
            self.last_words = line.strip() or self.last_words
            return
        self.too_large = message.get("too_large", "")
        done = message.get("done", self.done)
        if done:
            # Progress kept by a stopped run is reported at once, so timing starts at the first new result.
            self._first = self._first or (time.monotonic(), done)
        self.done = done
