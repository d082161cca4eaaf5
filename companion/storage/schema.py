"""The schema of the games' file: numbered migrations, and a comparison with their result."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache


def _first_tables(db: sqlite3.Connection) -> None:
    db.execute(
        "CREATE TABLE events (number INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL)"
    )
    db.execute("CREATE INDEX events_by_kind ON events (kind, number)")
    db.execute("CREATE TABLE pictures (number INTEGER PRIMARY KEY REFERENCES events (number), jpeg BLOB NOT NULL)")


def _many_games(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE events ADD COLUMN game INTEGER NOT NULL DEFAULT 0")
    starts = "SELECT max(number) FROM events AS start WHERE kind = 'GameStarted' AND start.number <= events.number"
    db.execute(f"UPDATE events SET game = ({starts})")  # noqa: S608 - no input
    db.execute("CREATE INDEX events_by_game ON events (game, number)")
    db.execute(
        "CREATE TABLE games (number INTEGER PRIMARY KEY, name TEXT NOT NULL, variant TEXT NOT NULL, jade TEXT NOT NULL,"
        " obsidian TEXT NOT NULL, phase TEXT NOT NULL, winner TEXT, position TEXT NOT NULL, match INTEGER NOT NULL,"
        " updated TEXT NOT NULL, newest INTEGER NOT NULL, deleted INTEGER NOT NULL DEFAULT 0)"
    )


def _counted_throws(db: sqlite3.Connection) -> None:
    db.execute(
        "CREATE TABLE throws (number INTEGER PRIMARY KEY REFERENCES events (number), sticks TEXT, teller TEXT NOT NULL,"
        " marked INTEGER NOT NULL)"
    )
    db.execute("CREATE TABLE uncounted (game INTEGER PRIMARY KEY)")
    db.execute("INSERT INTO uncounted SELECT number FROM events WHERE kind = 'GameStarted'")


def _true_readings(db: sqlite3.Connection) -> None:
    db.execute(
        "CREATE TABLE verdicts (picture INTEGER PRIMARY KEY REFERENCES events (number), marked INTEGER NOT NULL,"
        " faces TEXT NOT NULL, kept INTEGER NOT NULL DEFAULT 0)"
    )


def _people_not_levels(db: sqlite3.Connection) -> None:
    # These became names of levels after people may have played under them.
    for name in ("hasty", "timid", "greedy", "bold", "careful", "shrewd"):
        quoted = (f'"{name}"', f'"{name.capitalize()}"')
        db.execute("UPDATE events SET body = replace(body, ?, ?) WHERE kind = 'GameStarted'", quoted)
        db.execute("UPDATE games SET jade = replace(jade, ?, ?), obsidian = replace(obsidian, ?, ?)", quoted * 2)


MIGRATIONS = (_first_tables, _many_games, _counted_throws, _true_readings, _people_not_levels)
"""Each brings the file to the next version; SQLite's user_version counts them."""

Schema = frozenset[tuple[str, ...]]


class NewerSchema(sqlite3.DatabaseError):
    """A newer version of this program wrote the file."""


def checked_version(db: sqlite3.Connection) -> int:
    """The version of a file whose schema is exactly what the migrations up to it make; 0 for an empty file.

    No view, trigger or table of anyone else's is ever run that way. Raises NewerSchema, or sqlite3.DatabaseError.
    """
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise NewerSchema("a newer version of this program wrote it")
    if version < 0 or _schema_of(db) != _schema(version):
        raise sqlite3.DatabaseError("its tables are not those of this program")
    return int(version)


def migrate(db: sqlite3.Connection) -> None:
    """Bring the file up to the present version. Raises NewerSchema, or sqlite3.DatabaseError."""
    version = checked_version(db)
    for done, migration in enumerate(MIGRATIONS[version:], version + 1):
        db.execute("BEGIN EXCLUSIVE")
        migration(db)
        db.execute(f"PRAGMA user_version = {done}")
        db.execute("COMMIT")


@cache
def _schema(version: int) -> Schema:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        for migration in MIGRATIONS[:version]:
            migration(db)
        return _schema_of(db)


def _schema_of(db: sqlite3.Connection) -> Schema:
    rows = db.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master")
    return frozenset(tuple(" ".join(str(part).split()) for part in row) for row in rows)
