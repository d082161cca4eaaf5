"""The ways out of damaged games are offered in the order of what they lose."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from companion.backup.recovery import Recovery, Way
from companion.referee.events import ThrowEntered
from companion.referee.referee import Referee
from companion.storage.database_copy import COPIES
from companion.storage.restore import GAMES
from companion.storage.store import Store
from tests.backup.tables import FIRST, table


def test_the_way_that_loses_least_comes_first(tmp_path: Path) -> None:
    """It does so after a clock that jumped back, too: the events since the copy then have earlier times."""
    folder = table(tmp_path / "data", 4, 1)
    (folder / COPIES).mkdir()
    with closing(Referee(Store(folder), first=FIRST)) as referee:
        referee.copy(folder / COPIES / "0001-2026-06-01-3.sqlite3")
        referee.submit(ThrowEntered(2))
        last = referee.snapshot().number
    with closing(sqlite3.connect(folder / GAMES, isolation_level=None)) as db:
        db.execute("UPDATE events SET at = '2026-05-01T20:00:00.000+00:00' WHERE number = ?", (last,))
    (folder / GAMES).write_bytes(bytes(16) + (folder / GAMES).read_bytes()[16:])
    recovery = Recovery(folder)
    recovery.survey()

    assert [choice.way for choice in recovery.choices or ()] == [Way.RESCUE, Way.COPY, Way.EMPTY]
    assert [choice.holds.events for choice in recovery.choices or () if choice.holds] == [last, 3]
