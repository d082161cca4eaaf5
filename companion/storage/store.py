"""The events of a table in one SQLite file: appended durably, never changed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar, get_args

from filelock import FileLock, Timeout
from pydantic import TypeAdapter

from companion.errors import CompanionError, NotStored, SettingsUnusable, StoreDamaged
from companion.i18n import _
from companion.referee.events import (
    Event,
    Face,
    GameDeleted,
    GameRenamed,
    GameStarted,
    ScoresReset,
    ThrowSeen,
    ThrowUnreadable,
)
from companion.referee.labelled_reading import LabelledReading
from companion.referee.saved_games import SavedGame
from companion.referee.throw_tally import CountedThrow, CountSource, ThrowTally
from companion.rules.variants import VARIANTS
from companion.storage.atomic_file import to_disk
from companion.storage.database_copy import copies, copy_database, newest_number, verify
from companion.storage.error_messages import damaged_message, is_damage, unusable_message
from companion.storage.newest_number import note_newest, noted_newest
from companion.storage.restore import GAMES, LOCK, finish
from companion.storage.schema import migrate

PICTURES_KEPT = 100
"""Pictures of readings that are kept, the newest ones. Higher fills the card (150 kB each), lower loses them sooner."""

_KINDS: dict[str, TypeAdapter[Event]] = {kind.__name__: TypeAdapter(kind) for kind in get_args(Event)}
_SAVED_GAME = TypeAdapter(SavedGame)
_Kind = TypeVar("_Kind")


def parse_event(kind: str, body: str) -> Event:
    """Parse a stored event. Raises ValueError."""
    if kind not in _KINDS:
        raise ValueError(f"there are no events called {kind[:40]}")
    return _KINDS[kind].validate_json(body)


class Store:
    """The events in a table's folder. One process at a time may open it, and one thread at a time may use it.

    Raises SettingsUnusable if the folder is not writable or another companion has it open, and StoreDamaged if its file
    is damaged or not ours. Then nothing in it has changed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # It belongs to whoever opens the store, not to a thread.
        self._lock = FileLock(folder / LOCK, timeout=0, thread_local=False)
        try:
            fresh = [one for one in (folder.absolute(), *folder.absolute().parents) if not one.exists()]
            folder.mkdir(parents=True, exist_ok=True)
            # Files in a new folder are lost with it unless its own name is on the disk.
            for one in fresh:
                to_disk(one.parent)
            self._lock.acquire()
        except (OSError, Timeout) as error:
            raise SettingsUnusable(unusable_message(folder, error)) from error
        try:
            self._db = self._opened()
        except BaseException as error:
            self._lock.release()
            if isinstance(error, sqlite3.Error) and is_damage(error):
                raise StoreDamaged(damaged_message(folder, error), folder) from error
            if isinstance(error, OSError | sqlite3.Error):
                raise SettingsUnusable(unusable_message(folder, error)) from error
            raise
        try:
            self.last = int(self._db.execute("SELECT coalesce(max(number), 0) FROM events").fetchone()[0])
            # Checked now, because a worker that reads them later has nobody to tell.
            self._saved_games("1")
            self.tallies()
            self.oldest_labelled()
        except BaseException:
            self.close()
            raise

    def _opened(self) -> sqlite3.Connection:
        """The database, sound and of the present version. Raises OSError, StoreDamaged or sqlite3.Error."""
        finish(self.folder)
        file = self.folder / GAMES
        if not file.exists() or not file.stat().st_size:
            if any(copies(self.folder)):
                raise sqlite3.DatabaseError("the file is empty or missing")
        elif not (self.folder / f"{GAMES}-journal").exists():
            # Before anything is written to it: even closing a damaged file would change it.
            verify(file)
            noted = noted_newest(self.folder)
            if noted and (found := newest_number(file)) < noted:
                raise sqlite3.DatabaseError(f"of {noted} events, those after {found} are missing")
        db = sqlite3.connect(file, timeout=1, isolation_level=None, check_same_thread=False)
        try:
            # Full synchronisation survives the pulled plug.
            for pragma in ("journal_mode = WAL", "synchronous = FULL"):
                db.execute(f"PRAGMA {pragma}")
            migrate(db)
        except BaseException:
            db.close()
            raise
        return db

    def append(self, events: Sequence[Event], entry: SavedGame, thrown: Sequence[CountedThrow] = ()) -> None:
        """Append all of the events or none, durably, with the numbers after ``last``.

        entry: their game as the list shows it afterwards; a name given by players stays.
        thrown: the throws that these events make count.
        Raises NotStored if they cannot be written.
        """
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        try:
            with self._transaction():
                for number, event in enumerate(events, self.last + 1):
                    self._insert(number, at, entry.number, event)
                self._save_game(entry, at, self.last + len(events))
                self._count(thrown)
        except sqlite3.Error as error:
            raise NotStored(
                _("This could not be saved ({error}), so it was not done. Is the disk full?", error=str(error))
            ) from error
        self.last += len(events)
        note_newest(self.folder, self.last)

    @contextmanager
    def importing(self) -> Iterator[Callable[[int, str, SavedGame, Event, CountedThrow | None], None]]:
        """Yield a function that writes one event from another file; all of them are written, or none.

        It takes the number, the time, the game, the event and the throw that it makes count. Raises NotStored.
        """

        def write(number: int, at: str, entry: SavedGame, event: Event, throw: CountedThrow | None) -> None:
            self._insert(number, at, entry.number, event)
            self._save_game(entry, at, number)
            self._count([throw] if throw else [])
            self.last = number

        try:
            with self._transaction():
                yield write
        except sqlite3.Error as error:
            raise NotStored(
                _("The games could not be written ({error}). Is the disk full?", error=str(error))
            ) from error

    def mark_cases_kept(self, pictures: Collection[int]) -> None:
        """Note that a case was already made of these pictures."""
        self._db.executemany("UPDATE verdicts SET kept = 1 WHERE picture = ?", [(number,) for number in pictures])

    def add_to_list(self, entry: SavedGame) -> None:
        """List a game that was stored before there was a list."""
        self._save_game(entry, datetime.now(UTC).isoformat(timespec="milliseconds"), self.last)

    def uncounted_games(self) -> list[int]:
        """The starts of games played before throws were counted."""
        return [int(game) for (game,) in self._db.execute("SELECT game FROM uncounted ORDER BY game")]

    def count_throws(self, game: int, thrown: Sequence[CountedThrow]) -> None:
        """Count the throws of a game played before throws were counted."""
        with self._transaction():
            self._count(thrown)
            self._db.execute("DELETE FROM uncounted WHERE game = ?", (game,))

    def tallies(self) -> list[ThrowTally]:
        """How often each count was thrown, by set of lots; the set thrown last comes first."""
        with self._reading():
            rows = self._db.execute(
                "SELECT sticks, teller, sum(marked = 0), sum(marked = 1), sum(marked = 2), sum(marked = 3),"
                " sum(marked = 4), min(at), max(at), max(number) AS newest FROM throws JOIN events USING (number)"
                " GROUP BY sticks, teller ORDER BY newest DESC"
            )
            return [
                ThrowTally(
                    sticks=sticks,
                    teller=CountSource(teller),
                    counts=(zero, one, two, three, four),
                    first=first,
                    last=last,
                    newest=newest,
                )
                for sticks, teller, zero, one, two, three, four, first, last, newest in rows
            ]

    def oldest_labelled(self) -> LabelledReading | None:
        """The oldest reading that players labelled and no case was made of yet, or None.

        Only readings whose picture is still kept.
        """
        with self._reading():
            row = self._db.execute(
                "SELECT picture, marked, faces, at, kind, body, jpeg FROM verdicts JOIN pictures ON number = picture"
                " JOIN events USING (number) WHERE NOT kept ORDER BY picture LIMIT 1"
            ).fetchone()
            if row is None:
                return None
            number, marked, faces, at, kind, body, jpeg = row
            reading = parse_event(kind, body)
            if not isinstance(reading, ThrowSeen | ThrowUnreadable):
                raise ValueError(f"event {number} is no reading")
            told = tuple(map(Face, json.loads(faces)))
            return LabelledReading(number=number, at=at, reading=reading, jpeg=bytes(jpeg), marked=marked, faces=told)

    def mark_case_kept(self, reading: LabelledReading) -> None:
        """Note that a case was made of this reading, unless players relabelled it since. Raises NotStored."""
        faces = json.dumps(reading.faces)
        try:
            self._db.execute(
                "UPDATE verdicts SET kept = 1 WHERE picture = ? AND marked = ? AND faces = ?",
                (reading.number, reading.marked, faces),
            )
        except sqlite3.Error as error:
            raise NotStored(
                _("The note that a case was kept could not be saved ({error}). Is the disk full?", error=str(error))
            ) from error

    def game(self, start: int) -> Iterator[tuple[int, Event]]:
        """The numbered events of the game with that start, in order."""
        with self._reading():
            rows = self._db.execute("SELECT number, kind, body FROM events WHERE game = ? ORDER BY number", (start,))
            for number, kind, body in rows:
                yield number, parse_event(kind, body)

    def current(self) -> int | None:
        """The start of the game that is on the table, or None where none ever was."""
        row = self._db.execute("SELECT game FROM events ORDER BY number DESC LIMIT 1").fetchone()
        return int(row[0]) if row else None

    def unlisted_games(self) -> list[int]:
        """The starts of games that are not on the list yet."""
        listed = "SELECT number FROM games"
        rows = self._db.execute(
            f"SELECT number FROM events WHERE kind = ? AND number NOT IN ({listed})",  # noqa: S608 - no input
            (GameStarted.__name__,),
        )
        return [int(number) for (number,) in rows]

    def newest(self, kind: type[_Kind]) -> _Kind | None:
        """The newest event of that kind, or None."""
        with self._reading():
            row = self._db.execute(
                "SELECT body FROM events WHERE kind = ? ORDER BY number DESC LIMIT 1", (kind.__name__,)
            ).fetchone()
            return TypeAdapter(kind).validate_json(row[0]) if row else None

    def games(self) -> list[SavedGame]:
        """The saved games, the one played last first."""
        return self._saved_games("deleted = 0 ORDER BY newest DESC")

    def finished(self, *, match: int | None = None) -> list[SavedGame]:
        """Finished games: those of that match, or else all since the scores were last reset."""
        if match is not None:
            return self._saved_games("winner IS NOT NULL AND match = ? ORDER BY number", match)
        row = self._db.execute("SELECT max(number) FROM events WHERE kind = ?", (ScoresReset.__name__,)).fetchone()
        return self._saved_games("winner IS NOT NULL AND newest > ? ORDER BY number", row[0] or 0)

    def picture(self, number: int) -> bytes | None:
        """The JPEG of that event, or None if it had none or it is no longer kept."""
        with self._reading():
            row = self._db.execute("SELECT jpeg FROM pictures WHERE number = ?", (number,)).fetchone()
            return bytes(row[0]) if row else None

    def copy(self, to: Path) -> None:
        """Copy the whole store into a new file. Raises NotStored if it cannot be written."""
        try:
            copy_database(self._db, to)
        except sqlite3.Error as error:
            raise NotStored(
                _(
                    "The games could not be copied to '{folder}' ({error}). Is the disk full?",
                    folder=to,
                    error=str(error),
                )
            ) from error

    def close(self) -> None:
        """Close the file and let others open it. A second call does nothing."""
        self._db.close()
        self._lock.release()

    def _saved_games(self, which: str, *values: int) -> list[SavedGame]:
        columns = "number, name, variant, jade, obsidian, phase, winner, position, match, updated"
        with self._reading():
            rows = self._db.execute(f"SELECT {columns} FROM games WHERE {which}", values)  # noqa: S608 - written above
            games = [
                _SAVED_GAME.validate_python(
                    {
                        "number": number,
                        "name": name,
                        "variant": variant,
                        "jade": json.loads(jade),
                        "obsidian": json.loads(obsidian),
                        "phase": phase,
                        "winner": winner,
                        "position": position,
                        "match": match,
                        "updated": updated,
                    }
                )
                for number, name, variant, jade, obsidian, phase, winner, position, match, updated in rows
            ]
            if unknown := {game.variant for game in games} - VARIANTS.keys():
                raise ValueError(f"there is no variant {min(unknown)}")
            return games

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Raise StoreDamaged for what cannot be read as it was written."""
        try:
            yield
        except CompanionError:
            raise
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise StoreDamaged(damaged_message(self.folder, error), self.folder) from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Commit what is written within, or roll it back whatever is raised."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def _save_game(self, entry: SavedGame, at: str, newest: int) -> None:
        self._db.execute(
            "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0) ON CONFLICT (number) DO UPDATE SET"
            " phase = excluded.phase, winner = excluded.winner, position = excluded.position,"
            " updated = excluded.updated, newest = excluded.newest",
            (
                entry.number,
                entry.name,
                entry.variant,
                json.dumps(entry.jade),
                json.dumps(entry.obsidian),
                entry.phase,
                entry.winner,
                entry.position,
                entry.match,
                at,
                newest,
            ),
        )

    def _count(self, thrown: Sequence[CountedThrow]) -> None:
        for throw in thrown:
            facts = throw.sticks, throw.teller, throw.marked, throw.number
            if throw.fresh:
                self._db.execute(
                    "INSERT INTO throws (sticks, teller, marked, number) VALUES (?, ?, ?, ?) ON CONFLICT (number) DO"
                    " UPDATE SET sticks = excluded.sticks, teller = excluded.teller, marked = excluded.marked",
                    facts,
                )
            else:
                self._db.execute("UPDATE throws SET sticks = ?, teller = ?, marked = ? WHERE number = ?", facts)
            if throw.picture is None:
                continue
            if throw.fresh:
                self._db.execute(
                    "INSERT OR IGNORE INTO verdicts (picture, marked, faces) VALUES (?, -1, '')", (throw.picture,)
                )
            told = {"picture": throw.picture, "marked": throw.marked, "faces": json.dumps(throw.faces)}
            self._db.execute(
                "UPDATE verdicts SET kept = 0, marked = :marked, faces = :faces"
                " WHERE picture = :picture AND (marked, faces) <> (:marked, :faces)",
                told,
            )

    def _insert(self, number: int, at: str, game: int, event: Event) -> None:
        jpeg = b""
        if isinstance(event, ThrowSeen | ThrowUnreadable) and event.picture:
            jpeg, event = event.picture.jpeg, replace(event, picture=replace(event.picture, jpeg=b""))
        kind = type(event).__name__
        body = _KINDS[kind].dump_json(event).decode()
        self._db.execute(
            "INSERT INTO events (number, at, kind, body, game) VALUES (?, ?, ?, ?, ?)", (number, at, kind, body, game)
        )
        if isinstance(event, GameRenamed):
            self._db.execute("UPDATE games SET name = ? WHERE number = ?", (event.name, event.game))
        if isinstance(event, GameDeleted):
            self._db.execute("UPDATE games SET deleted = 1 WHERE number = ?", (event.game,))
        if jpeg:
            self._db.execute("INSERT INTO pictures VALUES (?, ?)", (number, jpeg))
            newest = "SELECT number FROM pictures ORDER BY number DESC LIMIT ?"
            self._db.execute(f"DELETE FROM pictures WHERE number NOT IN ({newest})", (PICTURES_KEPT,))  # noqa: S608 - no input
