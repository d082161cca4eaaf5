"""A power cut at any moment, on a disk that loses everything not synced, loses nothing that was acknowledged."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from companion.access.credentials import table_code
from companion.referee.events import GameStarted
from companion.referee.referee import Referee
from companion.rules.notation import write
from companion.storage.store import Store
from tests.backup.tables import backup_of, table, thrown
from tests.power.disk import Disk, lay_out
from tests.power.traced import Op, Said, Synced, traced

WAYS = ("nothing", "all", "names", "chance")
STATES = 400
"""Disks looked at, spread over all moments. --power-states looks at more."""
OTHER = GameStarted(variant="culin", jade=("Mia",), obsidian=("Leo",), seed=9)


def needs_strace() -> None:
    """Skip if programs cannot be traced; CI installs strace."""
    found = shutil.which("strace")
    if found is None or subprocess.run([found, sys.executable, "-c", ""], capture_output=True, check=False).returncode:
        pytest.skip("strace is not installed (sudo apt install strace), or may not trace here")


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Op]]:
    """A folder with a game, and all changes made to it."""
    needs_strace()
    place = tmp_path_factory.mktemp("played")
    folder = place / "data"
    folder.mkdir()
    return folder, traced(["-m", "tests.power.played", str(folder)], place / "trace", folder)


def test_nothing_acknowledged_is_lost(
    played: tuple[Path, list[Op]], tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """Every acknowledged event is there, each game replays, and at most one unacknowledged event is there as well."""
    folder, ops = played
    wanted = int(pytestconfig.getoption("--power-states")) or STATES
    chance, disk = Random(7), Disk(folder)
    answers: list[str] = []
    code = ""
    seen = extra = 0
    every = max(1, len(ops) * len(WAYS) // wanted)
    for moment, op in enumerate(ops):
        disk.happen(op)
        if isinstance(op, Said):
            if op.line.startswith("code"):
                code = op.line.split()[1]
            else:
                answers.append(op.line)
        for number, way in enumerate(WAYS):
            if (moment * len(WAYS) + number) % every:
                continue
            place = lay_out(disk.after_a_cut(way, chance), folder, tmp_path / f"{moment}-{way}")
            extra += check(place, answers, code, f"{way} at {moment} of {len(ops)}: {type(op).__name__}")
            shutil.rmtree(place)
            seen += 1

    print(f"{len(ops)} changes, {len(answers)} acknowledged events, {seen} disks, {extra} with an event more")  # noqa: T201 - for -s
    assert len(answers) > 50
    assert seen > wanted / 2
    assert sum(isinstance(op, Synced) for op in ops) > len(answers)


def check(place: Path, answers: list[str], code: str, when: str) -> int:
    """The folder opens, and holds every acknowledged event. Returns how many it holds beyond them."""
    referee = Referee(Store(place), first=OTHER)
    try:
        numbers = [int(line.split()[1]) for line in answers]
        last = max(numbers, default=0)
        assert referee._store.last >= last, when
        if answers:
            (number, kind, position) = answers[-1].split(maxsplit=3)[1:]
            events = dict(referee._store.game(referee.snapshot().game))
            kinds = [type(events[at]).__name__ for at in (last - 1, last) if at in events]
            assert {"GameAgain": "GameStarted"}.get(kind, kind) in kinds, when
            if referee.snapshot().number == int(number):
                assert write(referee.state().position) == position, when
        for entry in referee.games():
            referee.load_game(entry.number)
        if code:
            assert table_code(place) == code, when
        # One event, and the computer player's move that follows from it.
        beyond = referee._store.last - last
        assert beyond <= (2 if answers else 3), when
        return int(beyond > 0)
    finally:
        referee.close()


def test_the_disk_here_does_forget(played: tuple[Path, list[Op]], tmp_path: Path) -> None:
    """If the log is never synced, events are lost: the test above can fail."""
    folder, ops = played
    disk, answered = Disk(folder), 0
    for op in ops:
        if not isinstance(op, Synced) or not op.path.endswith("-wal"):
            disk.happen(op)
        answered += isinstance(op, Said) and op.line.startswith("event")
        if answered == 2:
            break
    store = Store(lay_out(disk.after_a_cut("nothing", Random(1)), folder, tmp_path / "cut"))
    last = store.last
    store.close()

    assert last < 3


def test_a_restore_is_whole_or_has_not_been(tmp_path: Path) -> None:
    """Games and sticks are both as they were, or both as in the backup; and once reported, as in the backup."""
    needs_strace()
    folder = table(tmp_path / "data", 4, 1, name="Ana")
    backup = backup_of(table(tmp_path / "other", 3, name="Mia"), tmp_path / "backup.zip")
    before = shutil.copytree(folder, tmp_path / "before")
    ops = traced(["-m", "tests.power.restored", str(folder), str(backup)], tmp_path / "trace", folder)
    chance, disk, done = Random(3), Disk(folder, before), False
    seen = set()
    for moment, op in enumerate(ops):
        disk.happen(op)
        done = done or isinstance(op, Said)
        for way in WAYS[moment % 2 :: 2]:
            place = lay_out(disk.after_a_cut(way, chance), folder, tmp_path / f"{moment}-{way}")
            found = thrown(place), (place / "profile" / "profile.npz").read_bytes()[:3]
            assert found in ((([3], b"Mia"),) if done else (([3], b"Mia"), ([4, 1], b"Ana"))), (way, moment, op)
            seen.add(str(found))
            shutil.rmtree(place)

    assert done
    assert len(seen) == 2
