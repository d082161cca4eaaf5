"""A second camera that looks at nothing but the board: a phone, which comes and goes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.board_assembly import WatchedBoard
from companion.calibration.board_mailbox import BoardMailbox
from companion.live_preview import Preview
from companion.phone_camera.absence import SENTENCES, Absence, Subject
from companion.phone_camera.mailbox import Mode, PhoneMailbox, Wanted
from companion.referee.events import CameraChanged, CameraState, GameStarted, ThrowEntered
from companion.referee.referee import Referee
from companion.referee.snapshots.table_view import BoardSeenView
from companion.rules.notation import write
from companion.rules.unit import Side
from companion.storage.store import Store
from hardware.board.board_reader import BoardReader
from hardware.cameras.camera import Camera, Pixels
from hardware.cameras.phone_camera import PhoneCamera
from hardware.tracking.board.board_camera_worker import BoardCameraWorker
from hardware.tracking.board.board_teacher import BoardTeacher
from hardware.tracking.board.board_watcher import BoardWatcher
from hardware.tracking.board.corrections import BoardLearner
from hardware.tracking.camera_worker import FrameObserver
from tests.hardware.board.drawn_board import profile
from tests.hardware.tracking.board.test_board_watcher import BoardCamera
from tests.hardware.tracking.test_camera_worker import ObservedFrames
from tests.phone_camera.answering_phone import answering

FPS = 10


class TableWithBoardCamera:
    """A table without a camera over the tray. The phone over its board is a drawn one; time passes by the picture."""

    def __init__(self, folder: Path, reader: BoardReader) -> None:
        first = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1, begins=Side.JADE)
        self.referee = Referee(Store(folder), first=first)
        self.pictures = 0
        self.referee.start_countdowns(self.clock)
        self.referee.know_board(9)
        watcher = BoardWatcher(table=self.referee.state, see=self.referee.see_board, reader=reader)
        lessons = BoardMailbox(clock=self.clock, taught=True, look=watcher.check, forgotten=lambda: None)
        self.drawn = BoardCamera()
        self.mailbox = PhoneMailbox(clock=self.clock, subject=Subject.BOARD)
        self.worker = self.worker_for(
            WatchedBoard(watcher, BoardTeacher(lessons, use=lambda *_: None), BoardLearner(lambda *_: None))
        )

    def worker_for(
        self, board: FrameObserver, camera: Camera | None = None, preview: Preview | None = None
    ) -> BoardCameraWorker:
        return BoardCameraWorker(
            open_camera=lambda: PhoneCamera(self.mailbox),
            camera=camera,
            board=board,
            preview=preview or Preview(clock=time.monotonic),
            tell=self.referee.see_board_with,
            clock=self.clock,
            pause=lambda _: None,
            retry_s=0.0,
        )

    def clock(self) -> float:
        return self.pictures / FPS

    def picture(self, _wanted: Wanted) -> Pixels:
        self.pictures += 1
        return self.drawn.next_frame().pixels

    def advance(self, seconds: float = 1.0) -> BoardSeenView:
        until = self.clock() + seconds
        while self.clock() < until:
            self.worker.step()
            self.referee.end_countdown(wait_s=0)
        return self.seen()

    def seen(self) -> BoardSeenView:
        seen = self.referee.snapshot().board_seen
        assert seen is not None
        return seen


@pytest.fixture(scope="module")
def reader() -> BoardReader:
    return BoardReader(profile())


@pytest.fixture
def table(tmp_path: Path, reader: BoardReader) -> Iterator[TableWithBoardCamera]:
    one = TableWithBoardCamera(tmp_path, reader)
    yield one
    one.worker.close()
    one.referee.close()


def test_a_phone_over_the_board_sees_the_moves(table: TableWithBoardCamera) -> None:
    """Once it leaves, its sentence says so and moves are tapped; back again, it goes on where the board is."""
    table.worker.step()
    before = table.seen()
    with answering(table.mailbox, table.picture) as page:
        start = table.advance()
        table.referee.submit(ThrowEntered(3))
        table.drawn.shows("..J......", bases=(4, 5))
        table.advance(2.5)
    position = write(table.referee.state().position)
    table.mailbox.leave(page, Absence.HIDDEN)
    table.worker.step()
    away = table.seen()
    with answering(table.mailbox, table.picture):
        back = table.advance()

    assert (before.status, before.sentence) == ("lost", SENTENCES[Subject.BOARD][Absence.NEVER])
    assert start.status == "unchanged"
    assert position == "4/2J6/5 0:0 O"
    assert (away.status, away.sentence) == ("lost", SENTENCES[Subject.BOARD][Absence.HIDDEN])
    assert back.status == "unchanged"


def test_the_tray_is_another_cameras_business(table: TableWithBoardCamera) -> None:
    """The board is watched while the tray's camera is gone, and the other way round."""
    with answering(table.mailbox, table.picture):
        table.advance()
        table.referee.submit(CameraChanged(state=CameraState.LOST, message="/dev/video0 is gone"))
        tray_lost = table.advance()
    told = table.referee.snapshot().camera.message
    table.referee.see_board_with(CameraChanged(state=CameraState.LOST, message="/dev/video1 is gone"))
    lost = table.seen()

    assert tray_lost.status == "unchanged"
    assert "counts" in told
    assert "moves" not in told
    assert lost.status == "lost"
    assert "I've lost the camera over the board" in lost.sentence


def test_a_phone_that_only_takes_photographs_cannot_follow_the_board(table: TableWithBoardCamera) -> None:
    """The table says what would help."""
    table.mailbox.open_page(Mode.PHOTOS)
    table.worker.step()

    assert table.seen().sentence == SENTENCES[Subject.BOARD][Absence.PHOTOS]


def test_the_camera_is_closed_while_nobody_needs_it(table: TableWithBoardCamera) -> None:
    """Without a taught board it is only opened for whoever watches the picture."""
    idle, camera, preview = ObservedFrames(), BoardCamera(), Preview(clock=time.monotonic)
    camera.next_frame()
    table.worker_for(idle, camera, preview).step()
    unwatched = camera.now
    preview.picture()
    table.worker_for(idle, camera, preview).step()

    assert (unwatched, idle.frames) == (0.0, 1)
    assert preview.picture() is not None
