"""The watcher with the real reader on drawn boards: moves, hands, knocks, and a tray in the same picture."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.referee.board.expected import ExpectedBoard
from companion.referee.board.sightings import BoardUnchanged, BoardUnclear, MoveSeen
from companion.referee.events import (
    CameraChanged,
    CameraState,
    GameStarted,
    MoveChosen,
    Options,
    OptionsSet,
    ThrowEntered,
)
from companion.referee.referee import Referee
from companion.referee.snapshots.table_view import BoardSeenView
from companion.rules.notation import write
from companion.rules.unit import Side
from companion.storage.store import Store
from hardware.board.board_reader import BoardReader
from hardware.cameras.camera import Frame, Pixels
from hardware.tracking.board.board_watcher import LOOK_AGAIN_S, BoardWatcher
from hardware.tracking.board.corrections import BoardLearner
from hardware.tracking.settling import GAP_S
from tests.hardware.board.drawn_board import PAINT, DrawnBoard, profile

FPS = 10


class BoardCamera:
    """A camera over a drawn board. stills: the number of full pictures taken."""

    def __init__(self) -> None:
        self.board = DrawnBoard(bases=(5, 5))
        self.now, self.stills = 0.0, 0
        self._drawn: tuple[DrawnBoard, Pixels] | None = None

    def shows(self, tops: str, **how: object) -> None:
        """Put pieces on the spaces: J, O, or a dot for nothing."""
        sides = {at: Side.JADE if top == "J" else Side.OBSIDIAN for at, top in enumerate(tops, 1) if top != "."}
        self.board = DrawnBoard(tops=sides, **how)  # type: ignore[arg-type]  # its fields

    def next_frame(self) -> Frame:
        self.now += 1 / FPS
        if self._drawn is None or self._drawn[0] is not self.board:
            self._drawn = self.board, self.board.picture()
        return Frame(self._drawn[1], self.now)

    def still(self) -> Frame:
        self.stills += 1
        assert self._drawn is not None
        return Frame(self._drawn[1], self.now)

    def close(self) -> None:
        self.now = 0.0


@pytest.fixture(scope="module")
def reader() -> BoardReader:
    return BoardReader(profile())


class WatchedGame:
    """A referee, a camera over a drawn board, and the watcher between them, stepped by hand."""

    def __init__(self, folder: Path, reader: BoardReader) -> None:
        self.camera = BoardCamera()
        first = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1, begins=Side.JADE)
        self.referee = Referee(Store(folder), first=first)
        self.referee.start_countdowns(lambda: self.camera.now)
        self.referee.know_board(9)
        self.referee.submit(CameraChanged(state=CameraState.WATCHING))
        self.watcher = BoardWatcher(
            table=self.referee.state, see=self.referee.see_board, reader=reader, clock=lambda: self.camera.now
        )

    def advance(self, seconds: float = 1.0) -> BoardSeenView:
        for _ in range(round(seconds * FPS)):
            self.watcher.observe(self.camera, self.camera.next_frame())
            self.referee.end_countdown(wait_s=0)
        seen = self.referee.snapshot().board_seen
        assert seen is not None
        return seen

    @property
    def position(self) -> str:
        return write(self.referee.state().position)


@pytest.fixture
def game(tmp_path: Path, reader: BoardReader) -> Iterator[WatchedGame]:
    one = WatchedGame(tmp_path, reader)
    yield one
    one.referee.close()


def test_a_board_may_be_forgotten_while_it_is_looked_at(reader: BoardReader) -> None:
    """From a phone, whose request runs on another thread."""

    class ForgettingTable:
        step = 1

        @property
        def options(self) -> Options:
            watcher.use(None)
            return Options()

    camera = BoardCamera()
    watcher = BoardWatcher(
        table=ForgettingTable,  # type: ignore[arg-type]  # as much of it as is asked for
        see=lambda _sighting, *, seen: None,  # noqa: ARG005 - See's signature
        reader=reader,
    )
    watcher.observe(camera, camera.next_frame())

    assert watcher.reader is None


def test_a_move_is_seen_and_taken(game: WatchedGame) -> None:
    """The board is looked at once a rest; a move for the throw is taken, and the next rest is unchanged."""
    start = game.advance()
    game.referee.submit(ThrowEntered(3))
    game.camera.shows("..J......", bases=(4, 5))
    seen = game.advance()
    taken = game.advance(1.5)

    assert (start.status, seen.status, seen.sentence) == ("unchanged", "played", "I see: enter on 3.")
    assert (taken.status, game.position) == ("unchanged", "4/2J6/5 0:0 O")
    assert game.camera.stills == 4


@pytest.mark.parametrize(
    ("tops", "how", "status", "reason"),
    [
        ("....J....", {}, "illegal", ""),
        ("..J......", {"hand": True}, "unsure", "hand"),
        (".........", {"between": 3}, "unsure", "between"),
        ("..J......", {"shift": (0.0, 110.0)}, "unsure", "moved"),
    ],
)
def test_nothing_else_is_taken(game: WatchedGame, tops: str, how: dict[str, object], status: str, reason: str) -> None:
    """A wrong space, a hand that stays, a piece on a line and a board pushed away wait; put right, it goes on."""
    game.advance()
    game.referee.submit(ThrowEntered(3))
    game.camera.shows(tops, bases=(4, 5), **how)
    wrong = game.advance(3.0)
    stayed = game.position
    game.camera.shows("..J......", bases=(4, 5))
    game.advance(2.5)

    assert (wrong.status, wrong.reason, bool(wrong.sentence)) == (status, reason, True)
    assert (stayed, game.position) == ("5/9/5 0:0 J", "4/2J6/5 0:0 O")


def test_a_board_pushed_too_far_is_no_hand(game: WatchedGame) -> None:
    """What covers the road and lies still is the board itself, if it is not in its place; a hand stays a hand."""
    game.advance()
    game.camera.shows("..J......", shift=(110.0, 0.0))
    soon = game.advance()
    pushed = game.advance(LOOK_AGAIN_S + 1)
    game.camera.shows("..J......", hand=True)
    resting = game.advance(2 * LOOK_AGAIN_S + 1)

    assert (soon.reason, pushed.reason, resting.reason) == ("hand", "moved", "hand")
    assert pushed.sentence.startswith("The board isn't where you taught it.")


def test_a_knocked_board_is_followed(game: WatchedGame) -> None:
    """Pushed by a few millimetres with the move on it, it is read as before."""
    game.advance()
    game.referee.submit(ThrowEntered(3))
    game.camera.shows("..J......", bases=(4, 5), shift=(12.0, -7.0))
    game.advance(2.5)

    assert game.position == "4/2J6/5 0:0 O"


def test_a_doubt_is_looked_at_again(game: WatchedGame) -> None:
    """A board that shows nothing legal is read again after a while, although nothing moves; a clear one is not."""
    game.advance()
    clear = game.camera.stills
    game.advance(LOOK_AGAIN_S + 1)
    assert game.camera.stills == clear
    game.camera.shows("....J....", bases=(4, 5))
    game.advance()
    doubted = game.camera.stills
    game.advance(LOOK_AGAIN_S)

    assert game.camera.stills == doubted + 2


def test_before_the_next_throw_the_game_is_compared(game: WatchedGame) -> None:
    """What is wrong is told from the game's position, not from another result of the last turn."""
    game.advance()
    game.referee.submit(ThrowEntered(3))
    game.camera.shows("..J......", bases=(4, 5))
    game.advance(2.5)
    game.camera.shows("..J..J...", bases=(3, 5))
    seen = game.advance()

    assert [(one.space, one.expected, one.found) for one in seen.differences] == [(6, "empty", "jade")]
    assert seen.sentence.endswith("Put the pieces back as the drawing shows.")


def test_the_board_is_checked_at_any_time(game: WatchedGame) -> None:
    """It is compared with any position, once it is at rest, but not after the camera was unplugged."""
    position = ExpectedBoard(game.referee.state().position)
    moving = game.watcher.check(position)
    game.advance()
    same = game.watcher.check(position)
    game.referee.submit(ThrowEntered(3))
    game.referee.submit(MoveChosen(None, 3))
    other = game.watcher.check(ExpectedBoard(game.referee.state().position))
    game.camera.now += GAP_S + 0.1
    unplugged = game.watcher.check(ExpectedBoard(game.referee.state().position))

    assert moving is None
    assert isinstance(same, BoardUnchanged)
    assert isinstance(other, BoardUnclear)
    assert [one.space for one in other.differences] == [3]
    assert unplugged is None


def test_what_is_put_right_is_learnt(game: WatchedGame, reader: BoardReader) -> None:
    """Moves tapped on a board that nobody touches before the next throw show what its pieces look like."""
    learner = BoardLearner(lambda _before, better: game.watcher.adopt(better), wait_s=0)
    game.watcher = BoardWatcher(
        table=game.referee.state, see=game.referee.see_board, reader=reader, learn=learner.submit
    )
    for event in (ThrowEntered(3), MoveChosen(None, 3), ThrowEntered(2), MoveChosen(None, 8), ThrowEntered(2)):
        game.referee.submit(event)
    colours = {Side.JADE: (230, 230, 240), Side.OBSIDIAN: PAINT[Side.OBSIDIAN]}
    game.camera.shows(".JJ....O.", bases=(3, 4), paint=colours)
    doubted = game.advance()
    game.referee.submit(MoveChosen(None, 2))
    game.advance()
    learner.step()
    tapped = game.advance()
    game.referee.submit(ThrowEntered(2))
    game.advance()
    learner.step()

    assert (doubted.status, tapped.status) == ("unsure", "unsure")
    assert game.advance().status == "unchanged"


def test_a_camera_that_was_away_looks_again(game: WatchedGame) -> None:
    """What the referee forgot when the camera was lost is told anew."""
    game.advance()
    game.referee.submit(CameraChanged(state=CameraState.LOST))
    game.camera.now += 10
    game.referee.submit(CameraChanged(state=CameraState.WATCHING))

    assert game.advance().status == "unchanged"


def test_switched_off_it_does_not_look(game: WatchedGame) -> None:
    """No picture is taken."""
    game.referee.submit(OptionsSet(replace(Options(), board=False)))

    assert game.advance().status == "off"
    assert game.camera.stills == 0


def test_frames_between_cost_little(game: WatchedGame) -> None:
    """A frame in which nothing is read takes far less than a look. The promise, 1 ms, is kept by the fastest."""
    game.advance()
    frames = [replace(game.camera.next_frame(), taken_at=game.camera.now + at / FPS) for at in range(20)]
    took = []
    for frame in frames:
        began = time.process_time()
        game.watcher.observe(game.camera, frame)
        took.append(time.process_time() - began)

    assert min(took) < 0.001, took


def test_the_board_is_hidden_from_the_tray(reader: BoardReader) -> None:
    """Pieces on the board, and beside its ends, are no difference to the empty tray; what lies elsewhere is."""
    watcher = BoardWatcher(table=lambda: pytest.fail("not asked"), see=lambda *_, **__: None, reader=reader)
    empty = DrawnBoard().picture()
    camera = BoardCamera()
    camera.shows("J...O...J", bases=(1, 1), light=1.05)
    played = camera.next_frame().pixels.copy()
    played[30:60, 30:60] = 0
    hidden = watcher.hide(played, empty)

    lit = np.clip(empty * 1.05, 0, 255)
    differs = np.abs(hidden - lit).max(axis=2) > 25
    assert differs[30:60, 30:60].all()
    differs[30:60, 30:60] = False
    assert differs.mean() < 0.001


def test_move_seen_names_the_result(reader: BoardReader, game: WatchedGame) -> None:
    """What the referee is told is in the companion's words."""
    told: list[object] = []
    watcher = BoardWatcher(table=game.referee.state, see=lambda sighting, **_: told.append(sighting), reader=reader)
    game.referee.submit(ThrowEntered(3))
    game.camera.shows("..J......", bases=(4, 5))
    for _ in range(8):
        watcher.observe(game.camera, game.camera.next_frame())

    assert [type(one) for one in told] == [type(None), MoveSeen]
