"""Events lost by a damaged log are noticed."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from companion.errors import StoreDamaged
from companion.referee.events import ThrowEntered, Undone
from companion.referee.referee import Referee
from companion.storage.newest_event import noted_newest
from companion.storage.restore import GAMES, NEWEST
from companion.storage.store import Store
from tests.backup.tables import FIRST
from tests.storage.damages import put, rubbish


def test_each_event_is_noted_and_missed(tmp_path: Path) -> None:
    """After a kill with an intact log everything is there; with a garbled part the table says what is missing."""
    folder = tmp_path / "data"
    with closing(Referee(Store(folder), first=FIRST)) as referee:
        for _ in range(10):
            referee.submit(ThrowEntered(3))
            last = referee.submit(Undone()).number
        sound = shutil.copytree(folder, tmp_path / "sound")
        damaged = shutil.copytree(folder, tmp_path / "damaged")
    log = damaged / f"{GAMES}-wal"
    put(log.stat().st_size // 2, rubbish(9), log.name)(damaged)
    before = log.read_bytes()

    assert noted_newest(folder) == last
    with closing(Store(sound)) as store:
        assert store.last == last
    with pytest.raises(StoreDamaged, match=f"of {last} events, those after \\d+ are missing"):
        Store(damaged)
    assert log.read_bytes() == before


def test_a_note_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    """The note is only an aid; here a folder has its name."""
    (tmp_path / NEWEST).mkdir()
    with closing(Referee(Store(tmp_path), first=FIRST)) as referee:
        referee.submit(ThrowEntered(3))
    with closing(Store(tmp_path)) as store:
        assert store.last == 2
    assert noted_newest(tmp_path) == 0
