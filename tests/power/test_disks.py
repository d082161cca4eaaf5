"""Full and read-only disks, clocks that jump, and two companions on one folder."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import pytest

from companion.referee.events import GameStarted, ThrowEntered
from companion.referee.referee import Referee
from companion.storage import store as store_module
from companion.storage.store import Store
from tests.service.companion_process import running_companion

FIRST = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=5)
FULL = """
import resource, sys
from companion.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
sys.argv = ["puluc", *sys.argv[1:]]
main()
"""


def test_a_full_disk_refuses_and_loses_nothing(tmp_path: Path) -> None:
    """An event that cannot be stored is refused with a message; the table stays up, and the game goes on once there is
    room.
    """
    with running_companion(tmp_path, "--open", "--camera", "none") as companion:
        table = companion.ask("POST", "/api/throw", {"marked": 4})
        process = companion.process.pid
        # The kernel then refuses every byte beyond, as it does on a disk without room.
        resource.prlimit(process, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
        refused = [companion.request("POST", "/api/throw", {"marked": 1}) for _ in range(3)]
        seen = companion.ask("GET", "/api/table")
        assert companion.ask("GET", "/healthz")["status"] == "ok"
        resource.prlimit(process, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        after = companion.ask("POST", "/api/throw", {"marked": 1})

    assert [status for status, _ in refused] == [409] * 3
    assert "so it was not done" in refused[0][1]["problem"]
    assert seen["number"] == table["number"]
    assert after["number"] == table["number"] + 1


def test_a_disk_that_was_full_at_the_start_says_so(tmp_path: Path) -> None:
    """It prints one line without a traceback and exits with status 2."""
    words = ["play", "--port", "0", "--camera", "none", "--no-solve", "--data", str(tmp_path / "data")]
    done = subprocess.run(
        [sys.executable, "-c", FULL.format(limit=100), *words], capture_output=True, text=True, check=False, timeout=60
    )

    assert done.returncode == 2
    assert "cannot be kept" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 700 kB. Skips if none can be mounted, as in most containers."""
    place, mount = tmp_path / "disk", shutil.which("mount")
    place.mkdir()
    words = [str(mount), "-t", "tmpfs", "-o", "size=700k", "tmpfs", str(place)]
    if mount is None or subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here; it takes root")
    yield place
    subprocess.run([str(shutil.which("umount")), "--lazy", str(place)], check=True)


def test_a_disk_fills_and_empties_in_mid_game(small_disk: Path) -> None:
    """On a real disk, events are refused while it is full; after making room the game goes on without a loss."""
    with running_companion(small_disk / "data", "--open", "--camera", "none") as companion:
        companion.ask("POST", "/api/throw", {"marked": 4})
        ballast = small_disk / "ballast"
        with suppress(OSError), ballast.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))
        answered = 1
        refused: list[str] = []
        while not refused:
            status, answer = companion.request("POST", "/api/throw", {"marked": answered % 5})
            answered += status == 200
            refused += [answer["problem"]] if status != 200 else []
        assert companion.request("POST", "/api/undo")[0] == 409
        ballast.unlink()
        number = companion.ask("POST", "/api/throw", {"marked": 2})["number"]
        companion.process.kill()
    with running_companion(small_disk / "data", "--open", "--camera", "none") as companion:
        assert companion.ask("GET", "/api/table")["number"] == number

    assert "the disk has room" in refused[0]


def test_a_disk_that_turns_read_only_is_reported(small_disk: Path) -> None:
    """A worn card does that. The next start says why it cannot go on, and changes nothing."""
    data = small_disk / "data"
    referee = Referee(Store(data), first=FIRST)
    referee.submit(ThrowEntered(1))
    referee.close()
    mount = [str(shutil.which("mount")), "-o", "remount,ro", str(small_disk)]
    subprocess.run(mount, check=True)
    words = ["play", "--port", "0", "--camera", "none", "--no-solve", "--data", str(data)]
    done = subprocess.run(
        [sys.executable, "-m", "companion", *words], capture_output=True, text=True, check=False, timeout=60
    )
    subprocess.run([*mount[:2], "remount,rw", str(small_disk)], check=True)

    again = Store(data)
    last = again.last
    again.close()

    assert last == 2
    assert done.returncode == 2
    assert "its disk is read-only" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_that_may_not_be_written_says_so() -> None:
    """The start says so and names the option to change, before a throw is lost."""
    words = ["play", "--port", "0", "--camera", "none", "--data", "/proc/none/here"]
    done = subprocess.run(
        [sys.executable, "-m", "companion", *words], capture_output=True, text=True, check=False, timeout=60
    )

    assert done.returncode == 2
    assert "--data" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_clock_that_jumps_by_years_disturbs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Pi without a network starts in another year, and its clock is set in mid-game: events are ordered by number."""

    class Clock(datetime):
        year_now = 2026

        @classmethod
        def now(cls, tz: object = None) -> Self:  # noqa: ARG003 - as the real one
            return cls(cls.year_now, 3, 1, tzinfo=UTC)

    monkeypatch.setattr(store_module, "datetime", Clock)
    for year, marked in ((2026, 4), (1970, 1), (2038, 2), (2099, 1), (2000, 3)):
        Clock.year_now = year
        referee = Referee(Store(tmp_path), first=FIRST)
        referee.submit(ThrowEntered(marked))
        (game,) = referee.games()
        referee.close()
        assert game.updated.startswith(str(year))
    store = Store(tmp_path)
    numbers = [number for number, _ in store.game(1)]
    counts = [event.marked for _, event in store.game(1) if isinstance(event, ThrowEntered)]
    store.close()

    assert numbers == sorted(numbers) == list(range(1, 7))
    assert counts == [4, 1, 2, 1, 3]


def test_a_second_companion_says_why_not_and_leaves_the_first_alone(tmp_path: Path) -> None:
    """It prints one line and exits with status 2; the first goes on."""
    with running_companion(tmp_path, "--open", "--camera", "none") as first:
        words = ["play", "--port", "0", "--camera", "none", "--no-solve", "--data", str(tmp_path)]
        second = subprocess.run(
            [sys.executable, "-m", "companion", *words], capture_output=True, text=True, check=False, timeout=60
        )
        number = first.ask("POST", "/api/throw", {"marked": 4})["number"]

    assert second.returncode == 2
    assert "another companion runs" in second.stderr
    assert second.stdout == ""
    assert len(second.stderr.strip().splitlines()) == 1
    assert number == 2
