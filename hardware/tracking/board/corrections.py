"""Find out from what players do which pictures of the board were read wrongly, and learn from them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, Full, Queue

from companion.referee.board.sightings import BoardSighting, BoardUnchanged, BoardUnclear, Top
from companion.referee.game_state import GameState, Phase
from companion.rules.position import Position
from hardware.board.board_profile import BoardLesson, scaled
from hardware.board.board_reader import BoardReader
from hardware.board.learning import improved
from hardware.cameras.camera import Pixels

REMEMBERED = 4
"""Pictures read right that learning must not change. Higher protects better against wrong corrections, and takes 4 MB
of memory each."""

WAIT_S = 0.5
"""Longest wait of one step for a lesson, in seconds. Stopping the companion takes up to this long."""


@dataclass(frozen=True, slots=True, eq=False)
class Correction:
    """A picture that was not read as players say, by that reader; known: pictures that it read right lately."""

    reader: BoardReader
    lesson: BoardLesson
    known: tuple[BoardLesson, ...]


class Corrections:
    """Watches rests of the board, on the camera's thread, and passes on what was put right.

    After a doubt, when players have tapped the move and thrown again while nobody has touched the board, it shows the
    game's position. Pictures that were read right are remembered.
    """

    def __init__(self, learn: Callable[[Correction], object]) -> None:
        self._learn = learn
        self._rest, self._turns, self._doubted = -1, 0, False
        self._began: Position | None = None
        self._known: deque[BoardLesson] = deque(maxlen=REMEMBERED)

    def observe(
        self, reader: BoardReader, rest: int, picture: Pixels, sighting: BoardSighting, table: GameState
    ) -> None:
        """Take what is seen at a step of the game. rest: its number, until something moves; picture: taken in it."""
        if rest != self._rest:
            self._rest, self._began, self._turns, self._doubted = rest, table.position, len(table.turns), False
        self._doubted |= isinstance(sighting, BoardUnclear)
        if self._began is None or table.made or table.phase not in (Phase.READING, Phase.MOVE):
            return
        lesson = BoardLesson(scaled(picture), Top.of_all(table.position))
        if isinstance(sighting, BoardUnchanged) and not self._doubted:
            if all(one.tops != lesson.tops for one in self._known):
                self._known.append(lesson)
        elif len(table.turns) > self._turns and table.position.places != self._began.places:
            self._learn(Correction(reader, lesson, tuple(self._known)))
            self._began = None


class BoardLearner:
    """Learns from corrections, one at a time. Its own thread calls ``step``; another one may submit.

    use: receives the reader that a correction was for, and the better one.
    """

    def __init__(self, use: Callable[[BoardReader, BoardReader], object], *, wait_s: float = WAIT_S) -> None:
        self._use, self._wait_s = use, wait_s
        self._inbox: Queue[Correction] = Queue(1)

    def submit(self, correction: Correction) -> None:
        """Learn from this, unless something is being learnt."""
        with suppress(Full):
            self._inbox.put_nowait(correction)

    def step(self) -> None:
        """Learn from a correction, or wait briefly for one."""
        try:
            correction = self._inbox.get(timeout=self._wait_s)
        except Empty:
            return
        better = improved(correction.reader, correction.lesson, correction.known)
        if better is not None:
            self._use(correction.reader, better)
