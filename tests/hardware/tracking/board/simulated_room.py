"""A room with a simulated camera over tray and board, people who move drawn pieces, and a clock that a test steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from companion.calibration.board_session import proposed_position
from companion.referee.board.expected import due_turn
from companion.referee.events import Face, GameStarted, Lot, ThrowSeen, ThrowUnreadable
from companion.referee.game_state import GameState, Phase
from companion.referee.referee import Referee
from companion.referee.snapshots.table_view import BoardSeenView
from companion.rules.position import Position
from companion.storage.store import Store
from hardware.board.board_profile import BoardProfile
from hardware.board.board_reader import BoardReader
from hardware.cameras.camera import Camera, Frame, Pixels
from hardware.cameras.simulated_board import BoardScene, SimulatedBoard
from hardware.cameras.simulated_camera import SimulatedCamera
from hardware.tracking.board.board_watcher import BoardWatcher
from hardware.tracking.settling import SettlingDetector
from hardware.tracking.throw_watcher import ThrowWatcher

BUSY_S, IDLE_S = 0.1, 0.45
"""Seconds between frames while something moves, and while everybody waits."""


class LaidThrows(SimulatedCamera):
    """Sticks are laid down at random, which takes no frames, instead of tumbling for a second.

    holds: the next thrower keeps the sticks in hand for now.
    """

    holds = False

    def throw(self) -> None:
        if self.holds:
            self.place([])
            return
        faces = [Face.MARKED if self._chance.random() < 0.5 else Face.PLAIN for _ in range(4)]
        self.place(faces)


class SimulatedRoom:
    """The referee, the camera's watchers, and the board. Throws are read from the camera's own truth."""

    def __init__(self, folder: Path, game: GameStarted) -> None:
        self.now = 0.0
        self.step_s = BUSY_S
        self.referee = Referee(Store(folder), first=game, seeds=lambda: 1)
        rules = self.referee.state().rules
        taught = self.referee.state().position
        self.board = SimulatedBoard(rules.spaces, BoardScene.of(taught))
        self.camera = LaidThrows(game.seed, width=640, board=self.board, clock=self.clock, sleep=self._sleep)
        self.watcher = BoardWatcher(
            table=self.referee.state, see=self.referee.see_board, reader=BoardReader(self._lesson(taught))
        )
        tray = self.camera.calibration()[0]

        def hide(pixels: Pixels) -> Pixels:
            return self.watcher.hide(pixels, tray)

        self._throws = ThrowWatcher(
            open_camera=lambda: self.camera,
            reader=self,
            detector=lambda: SettlingDetector(tray, view=hide),
            table=self.referee.state,
            submit=self.referee.submit,
            clock=self.clock,
            pause=lambda _seconds: None,
            on_frame=self._look,
            hide=hide,
        )
        self.referee.know_board(rules.spaces)
        self.referee.start_countdowns(self.clock)

    def clock(self) -> float:
        return self.now

    def read(self, pixels: Pixels) -> ThrowSeen | ThrowUnreadable:  # noqa: ARG002 - PictureReader's signature
        truth = self.camera.truth
        if truth is None:
            return ThrowUnreadable(reason="count")
        lots = [Lot(x=one.x, y=one.y, angle=one.angle, face=one.face, confidence=1) for one in truth.sticks]
        return ThrowSeen(marked=truth.marked, confidence=0.99, lots=tuple(lots))

    def advance(self, seconds: float) -> BoardSeenView:
        """Let frames pass."""
        end = self.now + seconds
        while self.now < end:
            before = self.now
            self._throws.step()
            self.referee.end_countdown(wait_s=0)
            self.now = max(self.now, before + self.step_s)
        return self.seen

    def until(self, done: Callable[[], bool], *, most_s: float = 12.0) -> None:
        """Let frames pass until something is so, slowly while there is something to see."""
        end = self.now + most_s
        while not done():
            assert self.now < end, (self.state.phase, self.seen)
            idle = self.referee.countdown() is not None
            self.step_s = IDLE_S if idle else BUSY_S
            self.advance(self.step_s)
        self.step_s = BUSY_S

    def put(self, position: Position) -> None:
        """Somebody's hand passes over the board, and then it shows that position."""
        self.shows(replace(self.board.scene, hand=True))
        self.advance(0.2)
        self.shows(replace(BoardScene.of(position), shift=self.board.scene.shift))

    def shows(self, scene: BoardScene) -> None:
        self.board.scene = scene

    def move_due(self) -> bool:
        return self.state.phase is Phase.MOVE and bool(self.state.steps())

    def over(self) -> bool:
        return self.state.phase is Phase.OVER

    def right_results(self) -> list[Position]:
        """The positions that the board should show after the move that is due."""
        state = self.state
        if state.level is not None and state.chosen is not None and state.turn is not None:
            after = state.turn.after(state.chosen)
            return [after.position if after.steps() else after.handed_over()]
        turn = due_turn(state)
        return list(turn.ends()) if turn else []

    @property
    def state(self) -> GameState:
        return self.referee.state()

    @property
    def seen(self) -> BoardSeenView:
        seen = self.referee.snapshot().board_seen
        assert seen is not None
        return seen

    def close(self) -> None:
        self._throws.close()
        self.referee.close()

    def _sleep(self, seconds: float) -> None:
        self.now += seconds

    def _look(self, camera: Camera, frame: Frame) -> None:
        self.watcher.observe(camera, frame)

    def _lesson(self, start: Position) -> BoardProfile:
        position = proposed_position(start.rules)
        self.board.scene = BoardScene.of(position)
        empty, pieces, corners = self.camera.board_lesson()
        self.board.scene = BoardScene.of(start)
        return BoardProfile.taught_from(empty, pieces, position, corners=corners)


def shifted(scene: BoardScene, right: float, down: float) -> BoardScene:
    """The scene on a board that was knocked. In widths of the picture."""
    return replace(scene, shift=(scene.shift[0] + right, scene.shift[1] + down))
