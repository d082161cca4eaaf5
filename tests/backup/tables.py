"""Data folders of tables with content."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from companion.backup.packing import pack_backup
from companion.referee.events import GameStarted, ThrowEntered
from companion.referee.referee import Referee
from companion.storage.database_copy import copy_games
from companion.storage.restore import GAMES
from companion.storage.store import Store

FIRST = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=5)

ENDLESS = (
    "WITH RECURSIVE n (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM n)"
    " SELECT number, '' AS at, 'GameStarted' AS kind, '{}' AS body, 1 AS game FROM n"
)
ENDLESS_EVENTS = ("ALTER TABLE events RENAME TO kept", f"CREATE VIEW events AS {ENDLESS}")
"""SQL that makes reading the events take forever."""
DELETING = ("CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM events WHERE number > 2; END",)
"""SQL that deletes events played later."""


def table(folder: Path, *throws: int, name: str = "Ana") -> Path:
    """A folder with sticks, a board, a case, and a game in which these counts were thrown."""
    referee = Referee(Store(folder), first=GameStarted(variant="puluc", jade=(name,), obsidian=("Beto",), seed=5))
    for marked in throws:
        referee.submit(ThrowEntered(marked))
    referee.close()
    (folder / "profile").mkdir()
    (folder / "profile" / "profile.npz").write_bytes(name.encode() * 1000)
    (folder / "board").mkdir()
    (folder / "board" / "board.npz").write_bytes(b"board")
    (folder / "cases" / "3-abc").mkdir(parents=True)
    (folder / "cases" / "3-abc" / "case.json").write_text("{}")
    (folder / "cases" / ".old-2-abc").mkdir()
    (folder / "cases" / ".old-2-abc" / "case.json").write_text("{}")
    (folder / "tables").mkdir()
    (folder / "tables" / "puluc.table").write_bytes(b"large")
    (folder / "code").write_text("secret22")
    return folder


def thrown(folder: Path) -> list[int]:
    """The counts thrown in the current game of that folder."""
    store = Store(folder)
    try:
        return [event.marked for _, event in store.game(store.current() or 1) if isinstance(event, ThrowEntered)]
    finally:
        store.close()


def forged(file: Path, *changes: str) -> Path:
    """The backup with its games changed by SQL and a matching manifest."""
    place = file.with_name("forged")
    place.mkdir(exist_ok=True)
    with zipfile.ZipFile(file) as pack:
        held = {name: pack.read(name) for name in pack.namelist()}
    (place / GAMES).write_bytes(held[GAMES])
    with closing(sqlite3.connect(place / GAMES, isolation_level=None)) as db:
        for change in changes:
            db.execute(change)
    held[GAMES] = (place / GAMES).read_bytes()
    manifest = json.loads(held["manifest.json"])
    for one in manifest["files"]:
        one |= {"bytes": len(held[one["path"]]), "sha256": sha256(held[one["path"]]).hexdigest()}
    held["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(place / file.name, "w") as pack:
        for name, content in held.items():
            pack.writestr(name, content)
    return place / file.name


def backup_of(folder: Path, file: Path) -> Path:
    """Write a backup of that folder to that file."""
    copy = file.with_name("copy.sqlite3")
    with file.open("wb") as writing:
        for piece in pack_backup(folder, copy_games(folder, copy)):
            writing.write(piece)
    copy.unlink()
    return file
