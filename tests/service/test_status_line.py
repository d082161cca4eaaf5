from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.referee.events import CameraChanged, CameraState, GameStarted, ThrowEntered
from companion.referee.referee import Referee
from companion.service.status_line import StatusLine
from companion.storage.store import Store


class StatusBench:
    """A table, and the status messages sent to systemd."""

    def __init__(self, folder: Path) -> None:
        first = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1)
        self.referee = Referee(Store(folder), first=first)
        self.lines: list[str] = []
        self.status = StatusLine(self.referee, self.lines.append, wait_s=0)

    def camera(self, state: CameraState, message: str = "") -> None:
        self.referee.submit(CameraChanged(state=state, message=message))
        self.status.step()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[StatusBench]:
    made = StatusBench(tmp_path)
    yield made
    made.referee.close()


def test_lost_camera_stands_in_status_and_log(bench: StatusBench, caplog: pytest.LogCaptureFixture) -> None:
    """It is reported once when it is lost, with the remedy, and once when it is back."""
    with caplog.at_level("INFO", "puluc"):
        bench.camera(CameraState.WATCHING)
        bench.camera(CameraState.LOST, "Check its ribbon, at both ends.")
        bench.camera(CameraState.WATCHING)

    assert bench.lines == [
        "STATUS=The table is served, and the camera watches.",
        "STATUS=Check its ribbon, at both ends.",
        "STATUS=The table is served, and the camera watches.",
    ]
    assert [record.getMessage() for record in caplog.records] == [
        "The camera is lost, so counts are tapped. Check its ribbon, at both ends.",
        "The camera is back.",
    ]


def test_throws_are_no_news(bench: StatusBench) -> None:
    """Neither throws nor movement change the status."""
    bench.camera(CameraState.WATCHING)
    bench.camera(CameraState.MOVING)
    bench.referee.submit(ThrowEntered(3))
    bench.status.step()
    bench.status.step()

    assert len(bench.lines) == 1


def test_table_without_a_camera(bench: StatusBench) -> None:
    bench.camera(CameraState.NONE)

    assert bench.lines == ["STATUS=The table is served."]
