"""Watch the board during a game: look at it whenever it is at rest, and tell the referee what it shows."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from companion.errors import PictureUnusable
from companion.referee.board.expected import ExpectedBoard, expected_board
from companion.referee.board.sightings import ILLEGAL, BoardSighting, BoardUnchanged, BoardUnclear, MoveSeen
from companion.referee.game_state import GameState, Phase
from hardware.board.board_reader import BoardReader, BoardSight
from hardware.board.move_matching import BoardStatus
from hardware.cameras.camera import Camera, Frame, Pixels
from hardware.tracking.board.board_cover import BoardCover
from hardware.tracking.board.corrections import Correction, Corrections
from hardware.tracking.settling import GAP_S, SettlingDetector

LOOKS = 2
"""Pictures of a rest that have to show the same. More catches rarer errors and takes longer."""

LOOK_AGAIN_S = 2.0
"""Seconds after which a board at rest that shows no legal position is looked at again, and for which a hand may lie
still. Lower costs time, 30 ms each, and takes more hands over a knocked board for a board that has moved."""


class See(Protocol):
    """``Referee.see_board``."""

    def __call__(self, sighting: BoardSighting | None, *, seen: int) -> None: ...


class BoardWatcher:
    """Looks at one board. The camera's thread calls ``observe``; others may call ``check``, and ``use`` to forget it.

    table, see: ``Referee.state`` and ``Referee.see_board``. reader: of the taught board; None for none.
    learn: receives what players have put right. clock: returns monotonic seconds, as in the frames.
    """

    def __init__(
        self,
        *,
        table: Callable[[], GameState],
        see: See,
        reader: BoardReader | None = None,
        learn: Callable[[Correction], object] = lambda _correction: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._table, self._see, self._learn, self._clock = table, see, learn, clock
        self.use(reader)

    def use(self, reader: BoardReader | None) -> None:
        """Watch another board from now on, or none."""
        self._reader = reader
        self._cover = cover = None if reader is None else BoardCover(reader.profile.road, reader.profile.empty)
        self._motion = SettlingDetector() if cover is None else SettlingDetector(view=cover.crop)
        self._motions, self._last_at, self._moved_at, self._looked_at = -1, float("-inf"), 0.0, 0.0
        self._sights: tuple[BoardSight | str, ...] = ()
        self._rests = 0
        self._better: BoardReader | None = None
        self._corrections = Corrections(self._learn)
        # The step of the game and the rest that the referee was told about; the rest is 0 for no sight.
        self._told: tuple[int, int] | None = None
        self._doubts = False

    def adopt(self, reader: BoardReader) -> None:
        """Read with a better reader of the same board from the next frame on. For other threads."""
        self._better = reader

    @property
    def reader(self) -> BoardReader | None:
        """The reader of the board that is watched."""
        return self._reader

    def hide(self, pixels: Pixels, tray: Pixels) -> Pixels:
        """Return the picture with the board replaced by what ``tray``, the picture of the empty tray, shows there.

        So moves on the board are no motion in the tray.
        """
        cover = self._cover
        return pixels if cover is None else cover.hide(pixels, tray)

    def observe(self, camera: Camera, frame: Frame) -> None:
        """Take a frame, and look at the board if it has come to rest.

        Raises CameraLost.
        """
        if self._better is not None:
            self.use(self._better)
        table, reader = self._table(), self._reader
        if reader is None or not table.options.board:
            self._sights, self._told = (), None
            return
        if not 0 <= frame.taken_at - self._last_at <= GAP_S:
            # The camera was away, and the referee has forgotten what it saw.
            self._sights, self._told = (), None
        self._last_at = frame.taken_at
        settled = self._motion.update(frame)
        if self._motion.motions != self._motions:
            self._motions, self._moved_at, self._sights = self._motion.motions, frame.taken_at, ()
        if settled and len(self._sights) < LOOKS:
            self._look(reader, camera, frame.taken_at)
        self._tell(reader, table, frame.taken_at)

    def check(self, expected: ExpectedBoard) -> BoardSighting | None:
        """Return which of the positions the board shows; None if it is not at rest, or not in view now."""
        reader, sights = self._reader, self._sights
        if reader is None or len(sights) < LOOKS or self._clock() - self._last_at > GAP_S:
            return None
        return _combined([_sighting(reader, sight, expected) for sight in sights])

    def _look(self, reader: BoardReader, camera: Camera, now: float) -> None:
        try:
            self._picture = camera.still().pixels
            sight = reader.sight(self._picture)
            if sight == "hand" and now - self._moved_at > LOOK_AGAIN_S and not reader.is_in_place(self._picture):
                sight = "moved"  # a hand does not lie still for so long
        except PictureUnusable:
            sight = "picture"
        self._sights, self._looked_at = (*self._sights, sight), now
        self._rests += len(self._sights) == LOOKS

    def _tell(self, reader: BoardReader, table: GameState, now: float) -> None:
        """Tell the referee what is seen, once for each rest and step of the game."""
        sights = self._sights
        if 0 < len(sights) < LOOKS:
            return
        now_told = (table.step, self._rests if sights else 0)
        if now_told != self._told:
            sighting = self._seen(reader, sights, table) if sights else None
            self._doubts = isinstance(sighting, BoardUnclear)
            self._told = now_told
            if sighting is not None:
                self._corrections.observe(reader, self._motions, self._picture, sighting, table)
            self._see(sighting, seen=table.step)
        elif self._doubts and now - self._looked_at > LOOK_AGAIN_S:
            self._sights = ()

    def _seen(self, reader: BoardReader, sights: tuple[BoardSight | str, ...], table: GameState) -> BoardSighting:
        expected = expected_board(table)
        seen = _combined([_sighting(reader, sight, expected) for sight in sights])
        if isinstance(seen, BoardUnclear) and table.phase is Phase.THROW and expected.results:
            # With no move due, what is wrong is told from the game's position alone.
            alone = _combined([_sighting(reader, sight, ExpectedBoard(table.position)) for sight in sights])
            return alone if isinstance(alone, BoardUnclear) else seen
        return seen


def _sighting(reader: BoardReader, sight: BoardSight | str, expected: ExpectedBoard) -> BoardSighting:
    match = reader.match(sight, expected)
    if match.status is BoardStatus.PLAYED:
        assert match.result is not None
        return MoveSeen(match.result, match.tops)
    if match.status is BoardStatus.UNCHANGED:
        return BoardUnchanged(match.tops)
    if match.status is BoardStatus.ILLEGAL:
        return BoardUnclear(reason=ILLEGAL, tops=match.tops, differences=match.differences, nearest=match.nearest)
    return BoardUnclear(reason=match.reason or "unclear", tops=match.tops)


def _combined(sightings: list[BoardSighting]) -> BoardSighting:
    """Return what all pictures show; unclear if they show different things."""
    first = sightings[0]
    if all(_meaning(one) == _meaning(first) for one in sightings):
        return first
    return BoardUnclear(reason="unclear", tops=first.tops)


def _meaning(sighting: BoardSighting) -> object:
    match sighting:
        case MoveSeen(result):
            return result
        case BoardUnclear():
            return sighting.reason, sighting.differences
    return None
