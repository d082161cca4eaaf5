"""The real board from a phone: checking it, setting the game by it, and teaching it with a drawn camera."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from companion.board_assembly import WatchedBoard, board_with_teaching
from companion.calibration.board_mailbox import BoardMailbox
from companion.calibration.board_prompts import board_sentence
from companion.calibration.board_session import BoardStage, BoardTeaching
from companion.calibration.mailbox import StepSuperseded
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
from companion.rules.unit import Side
from companion.rules.variants import variant
from companion.storage.store import Store
from hardware.cameras.locked_controls import LockedControls
from tests.hardware.board.drawn_board import CORNERS, DrawnBoard
from tests.hardware.tracking.board.test_board_watcher import BoardCamera
from tests.web.conftest import CODE
from web.app import create_app
from web.security.access import HostWanted, Visitor
from web.security.host_only import TEACHING, check_host

FIRST = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1, begins=Side.JADE)


class LockableBoardCamera(BoardCamera):
    """The same with controls that can be locked."""

    is_locked = False

    def lock(self) -> LockedControls:
        assert self.stills == 0
        self.is_locked = True
        return LockedControls(exposure_us=9000)


class TaughtTable:
    """A table with a drawn camera, whose thread is stepped by hand after each tap, and the phone of a player."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.camera = BoardCamera()
        # Ahead of the real clock, so that no frame is too old to be checked, however slow the machine.
        self.camera.now = time.monotonic() + 3600
        self.referee = Referee(Store(folder), first=FIRST)
        self.referee.submit(CameraChanged(state=CameraState.WATCHING))
        self.board: WatchedBoard
        self.board, service = board_with_teaching(folder / "board", self.referee)
        self.phone: FlaskClient = create_app(self.referee, code=CODE, board=service).test_client()
        self.phone.get(f"/?code={CODE}")

    def frames(self, count: int = 10) -> None:
        for _ in range(count):
            self.board.observe(self.camera, self.camera.next_frame())

    def tap(self, path: str, status: int = 200, **body: Any) -> Any:
        answer = self.phone.post(f"/api/board/{path}", json=body)
        assert answer.status_code == status, answer.json
        return answer.json

    def state(self) -> Any:
        self.frames()
        return self.phone.get("/api/board/teach").json

    def teach(self) -> Any:
        self.tap("teach")
        self.camera.board = DrawnBoard()
        self.tap("teach/empty")
        self.frames()
        self.tap("teach/corners", corners=CORNERS)
        self.frames()
        self.camera.shows("J.......O", bases=(4, 4))
        self.tap("teach/pieces")
        return self.state()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TaughtTable]:
    one = TaughtTable(tmp_path)
    yield one
    one.referee.close()


@pytest.fixture
def reopened(table: TaughtTable) -> Iterator[Callable[[], TaughtTable]]:
    """Closes the table, and opens it again in its folder."""
    opened: list[TaughtTable] = []

    def reopen() -> TaughtTable:
        table.referee.close()
        opened.append(TaughtTable(table.folder))
        return opened[0]

    yield reopen
    for one in opened:
        one.referee.close()


def test_a_board_is_taught_and_known_after_a_restart(table: TaughtTable, reopened: Callable[[], TaughtTable]) -> None:
    """Each step says what to do; what is seen is shown space by space; the profile is loaded at the next start."""
    begun = table.tap("teach")
    table.camera.board = DrawnBoard()
    waiting = table.tap("teach/empty", step=begun["step"])
    empty = table.state()
    table.tap("teach/corners", step=empty["step"], corners=CORNERS)
    corners = table.state()
    table.camera.shows("J.......O", bases=(4, 4))
    table.tap("teach/pieces", step=corners["step"])
    shown = table.state()
    pictures = [table.phone.get(f"/api/board/teach/picture?which={which}").mimetype for which in ("empty", "pieces")]
    table.tap("teach/accept", step=shown["step"])
    done = table.state()

    assert table.referee.snapshot().board_seen is not None
    assert [one["stage"] for one in (begun, empty, corners, shown, done)] == [
        "empty",
        "corners",
        "pieces",
        "shown",
        "done",
    ]
    assert (waiting["busy"], empty["busy"], empty["width"], empty["height"]) == ("still", None, 640, 480)
    assert (shown["position"], shown["clear"], shown["problem"]) == ("4/J7O/4 0:0 J", True, "")
    assert [one["found"] for one in shown["spaces"]] == ["jade", *["empty"] * 7, "obsidian"]
    assert pictures == ["image/jpeg", "image/jpeg"]
    assert (done["taught"], done["open"]) == (True, False)
    again = reopened()
    assert again.state()["taught"]
    assert again.tap("check")["sentence"].startswith("Jade's piece is missing") is False
    assert again.tap("forget")["taught"] is False
    assert again.referee.snapshot().board_seen is None
    assert again.tap("check", 409)["problem"] == "I don't know this board yet. Teach it to me, from the menu."


def test_what_goes_wrong_is_said_and_can_be_repeated(table: TaughtTable) -> None:
    """Crossed corners, a missing piece, a faulty position and a step too early are refused with the reason."""
    table.tap("teach")
    table.camera.board = DrawnBoard()
    early = table.tap("teach/accept", 409)
    table.tap("teach/empty")
    table.frames()
    table.tap("teach/corners", corners=[CORNERS[0], CORNERS[3], CORNERS[2], CORNERS[0]])
    crossed = table.state()
    table.tap("teach/corners", corners=CORNERS)
    table.frames()
    faulty = table.tap("teach/pieces", 422, position="nonsense")
    table.camera.shows("J........", bases=(4, 5))
    table.tap("teach/pieces")
    missing = table.state()
    table.camera.shows("J.......O", bases=(4, 4))
    table.tap("teach/pieces")

    assert early["problem"].startswith("That comes at another step.")
    assert (crossed["stage"], crossed["problem"][:18]) == ("corners", "These four corners")
    assert "nonsense" in faulty["problem"]
    assert (missing["stage"], missing["problem"][:23]) == ("pieces", "I don't see Obsidian's ")
    assert table.state()["stage"] == "shown"
    assert table.tap("teach/cancel")["stage"] == "closed"


def test_both_pictures_are_taken_in_one_exposure(table: TaughtTable) -> None:
    """Exposure is locked before the first, unless the tray was taught with it."""
    table.camera = camera = LockableBoardCamera()

    assert table.teach()["stage"] == "shown"
    assert camera.is_locked
    assert table.tap("teach/cancel")["stage"] == "closed"
    assert table.teach()["stage"] == "shown"


def test_the_board_is_compared_and_trusted(table: TaughtTable) -> None:
    """The check lists what differs; "The board is right" takes back what the board does not show."""
    table.teach()
    table.tap("teach/accept")
    table.frames()
    for event in (ThrowEntered(3), MoveChosen(None, 3), ThrowEntered(2), MoveChosen(None, 8)):
        table.referee.submit(event)
    table.camera.shows("..J....O.", bases=(4, 4))
    table.frames()
    same = table.tap("check")
    agreed = table.tap("right", 409)
    table.camera.shows("..J......", bases=(4, 5))
    table.frames()
    differs = table.tap("check")
    trusted = table.tap("right")
    table.camera.shows("....JJ...", bases=(3, 5))
    table.frames()
    unreachable = table.tap("right", 409)

    assert (same["status"], same["sentence"]) == ("unchanged", "The board and the game agree.")
    assert agreed["problem"] == "The board and the game agree already."
    assert differs["differences"] == [{"space": 8, "expected": "obsidian", "found": "empty"}]
    assert differs["sentence"] == "Obsidian is missing on space 8."
    assert (trusted["position"], trusted["phase"]) == ("4/2J6/5 0:0 O", "move")
    assert (
        unreachable["problem"]
        == "Neither undoing nor a legal move gives this board. Put the pieces back as the game has them."
    )


def test_a_board_that_is_right_plays_the_legal_move_that_it_shows(table: TaughtTable) -> None:
    """Also a move that does not count by itself, such as one whose look was objected to."""
    table.teach()
    table.tap("teach/accept")
    table.frames()
    table.referee.submit(OptionsSet(Options(ask=True)))
    table.referee.submit(ThrowEntered(3))
    table.camera.shows("..J......", bases=(4, 5))
    table.frames()
    played = table.tap("right")
    stale = table.tap("right", 409, step=played["step"] - 1)

    assert (played["position"], played["phase"]) == ("4/2J6/5 0:0 O", "throw")
    assert stale["problem"]


def test_a_moving_board_is_not_compared(table: TaughtTable) -> None:
    """It says what to do."""
    table.teach()
    table.tap("teach/accept")
    table.frames(1)

    assert table.tap("check")["reason"] == "moving"
    assert table.tap("right", 409)["problem"].startswith("I can't look at the board now.")


def test_without_a_camera_there_is_no_board(table: TaughtTable) -> None:
    """It says so, and nothing is started. Whoever has not shown the code may only look."""
    plain = create_app(table.referee, code=CODE).test_client()
    stranger = create_app(table.referee, code=CODE).test_client()
    plain.get(f"/?code={CODE}")

    assert plain.get("/api/board/teach").json["possible"] is False  # type: ignore[index]  # it is JSON
    assert plain.post("/api/board/teach").status_code == 409
    assert stranger.post("/api/board/check").status_code == 401
    assert stranger.get("/api/board/teach").status_code == 200


def test_only_the_host_teaches_while_here(table: TaughtTable) -> None:
    """Every address that changes what is known of the board is the host's; checking it is everyone's."""
    guest = Visitor(plays=True, phone="guest", is_host=False, leads=False)
    shown = table.referee.snapshot()

    assert set(table.phone.application.view_functions) >= TEACHING
    for endpoint in TEACHING:
        with pytest.raises(HostWanted):
            check_host(guest, endpoint, shown)
    check_host(guest, "board_check", shown)


def test_a_picture_of_teaching_that_was_stopped_is_not_shown() -> None:
    """It was taken while somebody stopped, and belongs to no step of the next teaching."""
    mailbox = BoardMailbox(clock=lambda: 0.0, taught=False, look=lambda _expected: None, forgotten=lambda: None)
    stopped = mailbox.begin(variant("puluc"), {}).step
    mailbox.cancel()
    begun = mailbox.begin(variant("puluc"), {}).step

    with pytest.raises(StepSuperseded):
        mailbox.publish_picture(stopped, "empty", b"old")
    assert mailbox.picture("empty") is None
    mailbox.publish_picture(begun, "empty", b"new")
    assert mailbox.picture("empty") == b"new"


@pytest.mark.parametrize(
    ("angle", "side"), [(0, "on the left"), (90, "at the top"), (180, "on the right"), (270, "at the bottom")]
)
def test_it_is_told_at_which_side_of_the_picture_jade_is(angle: float, side: str) -> None:
    """The camera may lie at any side of the table, and the drawing shows Jade at one only."""
    turn = np.exp(1j * np.radians(angle))
    corners = [turn * corner for corner in (0 + 0j, 0 + 1j, 9 + 0j, 9 + 1j)]
    state = BoardTeaching(stage=BoardStage.PIECES, corners=tuple((one.real, one.imag) for one in corners))

    assert board_sentence(state).endswith(f"in their bases. In the picture, Jade is {side}.")
