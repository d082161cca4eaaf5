"""Tables' folders with something in them."""

from __future__ import annotations

from pathlib import Path

from companion.backup.packing import packed
from companion.referee.copies import copied
from companion.referee.events import GameStarted, ThrowEntered
from companion.referee.referee import Referee
from companion.referee.store import Store

FIRST = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=5)


def table(folder: Path, *throws: int, name: str = "Ana") -> Path:
    """A folder with a game in which these counts were thrown, sticks and a case."""
    referee = Referee(Store(folder), first=GameStarted(variant="puluc", jade=(name,), obsidian=("Beto",), seed=5))
    for marked in throws:
        referee.submit(ThrowEntered(marked))
    referee.close()
    (folder / "profile").mkdir()
    (folder / "profile" / "profile.npz").write_bytes(name.encode() * 1000)
    (folder / "cases" / "3-abc").mkdir(parents=True)
    (folder / "cases" / "3-abc" / "case.json").write_text("{}")
    (folder / "cases" / ".old-2-abc").mkdir()
    (folder / "cases" / ".old-2-abc" / "case.json").write_text("{}")
    (folder / "tables").mkdir()
    (folder / "tables" / "puluc.table").write_bytes(b"large")
    (folder / "code").write_text("secret22")
    return folder


def thrown(folder: Path) -> list[int]:
    """The counts thrown in the game that is on the table there."""
    store = Store(folder)
    try:
        return [event.marked for _, event in store.game(store.current() or 1) if isinstance(event, ThrowEntered)]
    finally:
        store.close()


def backup_of(folder: Path, file: Path) -> Path:
    """A backup of that folder, in that file."""
    copy = file.with_name("copy.sqlite3")
    with file.open("wb") as writing:
        for piece in packed(folder, copied(folder, copy)):
            writing.write(piece)
    copy.unlink()
    return file
