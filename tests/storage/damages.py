"""Kinds of damage to the folder ``data/folder-0.1``, and what a service that starts on it can save.

Its games begin at the events 1, 78, 88 (deleted) and 89 (on the table); the last event is 106.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from companion.storage.recovery.daily_copies import DailyCopies
from companion.storage.restore import GAMES, NEWEST
from companion.storage.store import Store

Harm = Callable[[Path], object]
PAGE = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """One kind. rescued: games that can be saved, of four; None if the table is served anyway."""

    harm: Harm
    rescued: int | None
    copy: bool = True


def sound_folder(place: Path) -> Path:
    """A table's folder with the four games and a daily copy of them."""
    folder = shutil.copytree(Path(__file__).parents[1] / "data" / "folder-0.1", place / "games")
    with closing(Store(folder)) as store:
        daily = DailyCopies(folder, copy=store.copy, last=lambda: store.last)
        while daily.step():
            pass
    return folder


@contextmanager
def opened(folder: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(folder / GAMES, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        yield db
        db.execute("PRAGMA journal_mode = WAL")


def sql(*statements: str) -> Harm:
    """Damage that SQLite itself can do."""

    def harm(folder: Path) -> None:
        with opened(folder) as db:
            for statement in statements:
                db.execute(statement)

    return harm


def put(at: int, data: bytes, name: str = GAMES) -> Harm:
    """Overwrite a file at this offset."""

    def harm(folder: Path) -> None:
        content = bytearray((folder / name).read_bytes())
        content[at : at + len(data)] = data
        (folder / name).write_bytes(content)

    return harm


def cut(length: int, name: str = GAMES) -> Harm:
    """Truncate a file to this length."""
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:length])


def page_of(folder: Path, name: str) -> int:
    """Offset of the first page of a table or an index."""
    with opened(folder) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
    return (int(page) - 1) * PAGE


def leaf_of(folder: Path, text: bytes) -> int:
    """Offset of the page that holds this text."""
    return (folder / GAMES).read_bytes().index(text) // PAGE * PAGE


def rubbish(length: int = PAGE) -> bytes:
    return Random(7).randbytes(length)


def page(name: str, data: bytes, at: int = 0) -> Harm:
    """Overwrite the first page of a table or an index."""
    return lambda folder: put(page_of(folder, name) + at, data)(folder)


def leaf(text: bytes, data: bytes) -> Harm:
    """Overwrite the page with this text."""
    return lambda folder: put(leaf_of(folder, text), data)(folder)


def in_log(harm: Harm) -> Harm:
    """Damage the write-ahead log that a kill has left."""

    def done(folder: Path) -> None:
        for name in (GAMES, f"{GAMES}-wal"):
            shutil.copy(Path(__file__).parents[1] / "data" / "folder-0.1" / name, folder)
        harm(folder)

    return done


def restoring(plan: str | None, *, with_games: bool = True) -> Harm:
    """An interrupted restore with these notes."""

    def harm(folder: Path) -> None:
        (folder / "restoring").mkdir()
        if with_games:
            shutil.copy(folder / GAMES, folder / "restoring")
        if plan is not None:
            (folder / "restoring" / "plan.json").write_text(plan)

    return harm


def directory(name: str) -> Harm:
    """A folder in place of a file."""

    def harm(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        (folder / name).mkdir()

    return harm


def gone(name: str) -> Harm:
    """A file or folder is missing."""
    return lambda folder: (folder / name).rename(folder.with_name(f"gone-{name}"))


def both(one: Harm, other: Harm) -> Harm:
    return lambda folder: (one(folder), other(folder))


def write(name: str, content: bytes) -> Harm:
    return lambda folder: (folder / name).write_bytes(content)


def each_case(name: str, content: bytes) -> Harm:
    def harm(folder: Path) -> None:
        for case in (folder / "cases").rglob(name):
            case.write_bytes(content)

    return harm


PLAN = json.dumps({"names": [GAMES], "aside": "before-restore-1"})
ALL, LAST = 4, 106
DAMAGES: dict[str, Damage] = {
    # The file as a whole.
    "empty": Damage(harm=cut(0), rescued=0),
    "missing": Damage(harm=gone(GAMES), rescued=0),
    "ends in its header": Damage(harm=cut(50), rescued=0),
    "ends after its header": Damage(harm=cut(100), rescued=0),
    "ends after a page": Damage(harm=cut(PAGE), rescued=0),
    "ends in the middle": Damage(harm=cut(13 * PAGE), rescued=1),
    "lacks its last bytes": Damage(harm=lambda folder: cut((folder / GAMES).stat().st_size - 900)(folder), rescued=2),
    "is a text": Damage(harm=write(GAMES, b"Dear Ana, I have borrowed your games. " * 200), rescued=0),
    "is zeros": Damage(harm=lambda folder: (folder / GAMES).write_bytes(bytes(40960)), rescued=0),
    "is rubbish": Damage(harm=write(GAMES, rubbish(40960)), rescued=0),
    # Its header.
    "header without its magic word": Damage(harm=put(0, b"SQLight"), rescued=ALL),
    "header with another page size": Damage(harm=put(16, b"\x02\x00"), rescued=0),
    "header with an impossible page size": Damage(harm=put(16, b"\x77\x77"), rescued=ALL),
    "header of another format": Damage(harm=put(18, b"\x09\x09"), rescued=ALL),
    "header with reserved bytes": Damage(harm=put(20, b"\xff"), rescued=ALL),
    "header with another encoding": Damage(harm=put(56, b"\0\0\0\3"), rescued=ALL),
    "header with a lower version": Damage(harm=put(60, b"\0\0\0\2"), rescued=ALL),
    "header with a negative version": Damage(harm=put(60, b"\xff\xff\xff\xff"), rescued=ALL),
    "first page zeroed": Damage(harm=put(0, bytes(PAGE)), rescued=ALL),
    "first page garbled": Damage(harm=put(0, rubbish()), rescued=ALL),
    # Its inner structure.
    "schema garbled": Damage(harm=put(PAGE - 600, rubbish(600)), rescued=ALL),
    "inner page garbled": Damage(harm=page("events", rubbish()), rescued=ALL),
    "inner page zeroed": Damage(harm=page("events", bytes(PAGE)), rescued=ALL),
    "inner page points in a circle": Damage(
        harm=lambda folder: put(page_of(folder, "events") + 8, (page_of(folder, "events") // PAGE + 1).to_bytes(4))(
            folder
        ),
        rescued=ALL,
    ),
    "cell count garbled": Damage(harm=page("events", b"\xff\xff", 3), rescued=ALL),
    "index garbled": Damage(harm=page("events_by_game", rubbish()), rescued=ALL),
    "index zeroed": Damage(harm=page("events_by_kind", bytes(PAGE)), rescued=ALL),
    "index without an event": Damage(
        harm=sql(
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_master SET sql = 'CREATE INDEX events_by_game ON events (game, number) WHERE number < 9'"
            " WHERE name = 'events_by_game'",
            "PRAGMA writable_schema = RESET",
            "REINDEX events_by_game",
        ),
        rescued=ALL,
    ),
    "list of games garbled": Damage(harm=page("games", rubbish()), rescued=ALL),
    "pictures garbled": Damage(harm=page("pictures", rubbish()), rescued=ALL),
    "page of the first game garbled": Damage(harm=leaf(b'"seed"', rubbish()), rescued=3),
    "page of the first game zeroed": Damage(harm=leaf(b'"seed"', bytes(PAGE)), rescued=3),
    "every second page garbled": Damage(
        harm=lambda folder: [
            put(at, rubbish())(folder) for at in range(PAGE, (folder / GAMES).stat().st_size, 2 * PAGE)
        ],
        rescued=3,
    ),
    # Tables that are not ours.
    "a table is missing": Damage(harm=sql("DROP TABLE throws"), rescued=ALL),
    "all events are missing": Damage(harm=sql("DROP TABLE events"), rescued=0),
    "an index is missing": Damage(harm=sql("DROP INDEX events_by_game"), rescued=ALL),
    "a foreign table": Damage(harm=sql("CREATE TABLE more (a)"), rescued=ALL),
    "a foreign view": Damage(harm=sql("CREATE VIEW more AS SELECT * FROM events"), rescued=ALL),
    "a foreign trigger": Damage(
        harm=sql("CREATE TRIGGER more AFTER INSERT ON events BEGIN DELETE FROM events; END"), rescued=ALL
    ),
    # What stands in them.
    "an event without JSON": Damage(harm=sql("UPDATE events SET body = '{' WHERE number = 95"), rescued=ALL),
    "an event with the wrong facts": Damage(
        harm=sql("""UPDATE events SET body = '{"marked": "many"}' WHERE number = 95"""), rescued=ALL
    ),
    "an event of an unknown kind": Damage(
        harm=sql("UPDATE events SET kind = 'Cheated' WHERE number = 95"), rescued=ALL
    ),
    "an event in bytes": Damage(harm=sql("UPDATE events SET body = x'ff' WHERE number = 95"), rescued=ALL),
    "an event in a wrong encoding": Damage(
        harm=sql("UPDATE events SET body = CAST(x'ff' AS TEXT) WHERE number = 95"), rescued=ALL
    ),
    "an event that does not fit": Damage(
        harm=sql("UPDATE events SET kind = 'Passed', body = '{}' WHERE number = 92"), rescued=ALL
    ),
    "a game without its start": Damage(harm=sql("DELETE FROM events WHERE number = 89"), rescued=3),
    "a start of no known game": Damage(
        harm=sql("UPDATE events SET body = replace(body, '\"puluc\"', '\"poker\"') WHERE number = 89"),
        rescued=3,
    ),
    "a game of nobody": Damage(
        harm=sql("UPDATE events SET body = replace(body, 'Ana', '') WHERE number = 89", "DELETE FROM games"),
        rescued=3,
    ),
    "options without JSON": Damage(harm=sql("UPDATE events SET body = '' WHERE kind = 'OptionsSet'"), rescued=ALL),
    "an old game without JSON": Damage(harm=sql("UPDATE events SET body = '' WHERE number = 20"), rescued=None),
    "an old game of an unknown kind": Damage(
        harm=sql("UPDATE events SET kind = 'Cheated' WHERE number = 20"), rescued=None
    ),
    "a game that is on no list": Damage(harm=sql("DELETE FROM games WHERE number = 1"), rescued=None),
    "a game on no list that does not read": Damage(
        harm=sql("DELETE FROM games WHERE number = 1", "UPDATE events SET body = '' WHERE number = 20"), rescued=ALL
    ),
    "a listed game without its players": Damage(harm=sql("UPDATE games SET jade = '[' WHERE number = 1"), rescued=ALL),
    "a listed game of no known rules": Damage(
        harm=sql("UPDATE games SET variant = 'poker' WHERE number = 1"), rescued=ALL
    ),
    "a listed game won by nobody": Damage(harm=sql("UPDATE games SET winner = 'fate' WHERE number = 1"), rescued=ALL),
    "a throw counted by nobody": Damage(harm=sql("UPDATE throws SET teller = 'fate'"), rescued=ALL),
    "a reading with unknown faces": Damage(
        harm=sql("UPDATE verdicts SET kept = 0, faces = '[\"upside\"]'"), rescued=ALL
    ),
    "a label for what is no reading": Damage(
        harm=sql(
            "INSERT INTO pictures VALUES (1, x'ffd8')",
            "INSERT INTO verdicts (picture, marked, faces) VALUES (1, 1, '[]')",
        ),
        rescued=ALL,
    ),
    # Its log.
    "log with a garbled header": Damage(harm=in_log(put(0, rubbish(32), f"{GAMES}-wal")), rescued=None),
    "log cut short": Damage(harm=in_log(cut(20_000, f"{GAMES}-wal")), rescued=None),
    "log garbled in the middle": Damage(harm=in_log(put(30_000, rubbish(900), f"{GAMES}-wal")), rescued=None),
    "log garbled in the middle, its end noted": Damage(
        harm=both(in_log(put(30_000, rubbish(900), f"{GAMES}-wal")), write(NEWEST, b"%020d" % LAST)), rescued=ALL
    ),
    "log with a garbled frame's head, its end noted": Damage(
        harm=both(in_log(put(32 + 4120 * 9, rubbish(24), f"{GAMES}-wal")), write(NEWEST, b"%020d" % LAST)), rescued=ALL
    ),
    "log cut short, its end noted": Damage(
        harm=both(in_log(cut(20_000, f"{GAMES}-wal")), write(NEWEST, b"%020d" % LAST)), rescued=ALL
    ),
    "log gone, its end noted": Damage(
        harm=both(in_log(gone(f"{GAMES}-wal")), write(NEWEST, b"%020d" % LAST)), rescued=ALL
    ),
    "note garbled": Damage(harm=write(NEWEST, rubbish(20)), rescued=None),
    "note of an older event": Damage(harm=write(NEWEST, b"%020d" % (LAST - 9)), rescued=None),
    "log without the games": Damage(harm=in_log(gone(GAMES)), rescued=2),
    "log of other games": Damage(harm=write(f"{GAMES}-wal", rubbish(9000)), rescued=None),
    "index of the log garbled": Damage(harm=write(f"{GAMES}-shm", rubbish(32768)), rescued=None),
    "journal of rubbish": Damage(harm=write(f"{GAMES}-journal", rubbish(9000)), rescued=None),
    # A restore that was interrupted.
    "plan half written": Damage(harm=restoring(PLAN[: len(PLAN) // 2]), rescued=ALL),
    "plan empty": Damage(harm=restoring(""), rescued=ALL),
    "plan of another shape": Damage(harm=restoring("[]"), rescued=ALL),
    "plan that leads outside": Damage(
        harm=restoring(json.dumps({"names": ["../x"], "aside": "../../elsewhere"})), rescued=ALL
    ),
    "plan half written, games moved": Damage(harm=both(restoring("{"), gone(GAMES)), rescued=ALL),
    "plan of zeros": Damage(harm=restoring("\0" * 50), rescued=ALL),
    "restore without its games": Damage(harm=restoring(None, with_games=False), rescued=None),
    # Copies and what lies beside the games.
    "copies garbled as well": Damage(
        harm=lambda folder: [
            page("events", rubbish())(folder),
            *(copy.write_bytes(rubbish(9000)) for copy in (folder / "copies").iterdir()),
        ],
        rescued=ALL,
        copy=False,
    ),
    "no copies": Damage(harm=both(put(0, rubbish()), gone("copies")), rescued=ALL, copy=False),
    "nothing left": Damage(harm=both(cut(300), gone("copies")), rescued=0, copy=False),
    "code garbled": Damage(harm=write("code", rubbish(9)), rescued=None),
    "credentials garbled": Damage(harm=write("door.json", rubbish(90)), rescued=None),
    "profile garbled": Damage(harm=write("profile-simulated/profile.npz", rubbish(9000)), rescued=None),
    "cases garbled": Damage(harm=each_case("case.json", rubbish(90)), rescued=None),
    "pictures of cases garbled": Damage(harm=each_case("picture.*", rubbish(90)), rescued=None),
}
