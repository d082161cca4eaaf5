"""A table with a board that the camera knows, for tests."""

from __future__ import annotations

from pathlib import Path

from companion.referee.board.expected import expected_board
from companion.referee.board.sightings import (
    BoardSighting,
    BoardUnchanged,
    MoveSeen,
)
from companion.referee.countdown import BOARD_S
from companion.referee.events import (
    CameraChanged,
    CameraState,
    Event,
    GameStarted,
    Picture,
    ThrowSeen,
)
from companion.referee.game_state import GameState
from companion.referee.referee import Referee
from companion.referee.snapshots.table_view import BoardSeenView, Snapshot
from companion.rules.notation import parse, write
from companion.rules.position import Position
from companion.rules.unit import Side
from companion.rules.variants import variant
from companion.storage.store import Store

ANA = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1, begins=Side.JADE)
EASY = GameStarted(variant="puluc", jade=("Ana",), obsidian=("easy",), seed=1, begins=Side.OBSIDIAN)
WATCHING = CameraChanged(state=CameraState.WATCHING)
READ = ThrowSeen(marked=3, confidence=0.9, lots=(), picture=Picture(jpeg=b"jpeg", width=640, height=480))


class WatchedBoard:
    """A table whose board shows what a test says. Its countdowns run on a clock that the test sets."""

    def __init__(self, folder: Path, game: GameStarted = ANA, spaces: int = 9) -> None:
        self.now = 100.0
        self.referee = Referee(Store(folder), first=game)
        self.referee.start_countdowns(lambda: self.now)
        self.referee.know_board(spaces)
        self.referee.submit(WATCHING)

    def play(self, *events: Event) -> Snapshot:
        return [self.referee.submit(event) for event in events][-1]

    def see(self, sighting: BoardSighting | None) -> Snapshot:
        self.referee.see_board(sighting, seen=self.state.step)
        return self.referee.snapshot()

    def shows(self, text: str) -> Snapshot:
        """The board shows one of the expected positions."""
        expected = expected_board(self.state)
        if expected.before.places == position(text).places:
            return self.see(BoardUnchanged())
        [result] = [one for one in expected.results if one.places == position(text).places]
        return self.see(MoveSeen(result))

    def rest(self, seconds: float = BOARD_S) -> Snapshot:
        self.now += seconds
        self.referee.end_countdown(wait_s=0)
        return self.referee.snapshot()

    @property
    def state(self) -> GameState:
        return self.referee.state()

    @property
    def now_at(self) -> str:
        return write(self.state.position)


def position(text: str) -> Position:
    return parse(text, variant("puluc"))


def seen_view(shown: Snapshot) -> BoardSeenView:
    assert shown.board_seen is not None
    return shown.board_seen
