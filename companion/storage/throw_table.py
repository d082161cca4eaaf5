"""The throws that count and the readings that players labelled, in tables of their own beside the events."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from pathlib import Path

from companion.errors import NotStored
from companion.i18n import _
from companion.referee.events import Face, ThrowSeen, ThrowUnreadable
from companion.referee.labelled_reading import LabelledReading
from companion.referee.throw_tally import CountedThrow, CountSource, ThrowTally
from companion.storage.database import checked_rows, transaction
from companion.storage.event_json import parse_event


class ThrowTable:
    """The counted throws and labelled readings of an open store. Used by the store's thread alone."""

    def __init__(self, db: sqlite3.Connection, folder: Path) -> None:
        self._db, self._folder = db, folder

    def write(self, thrown: Sequence[CountedThrow]) -> None:
        """Write the throws, within the transaction that writes their events."""
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
            labelled = {"picture": throw.picture, "marked": throw.marked, "faces": json.dumps(throw.faces)}
            self._db.execute(
                "UPDATE verdicts SET kept = 0, marked = :marked, faces = :faces"
                " WHERE picture = :picture AND (marked, faces) <> (:marked, :faces)",
                labelled,
            )

    def uncounted_games(self) -> list[int]:
        """The first events of games played before throws were counted."""
        return [int(game) for (game,) in self._db.execute("SELECT game FROM uncounted ORDER BY game")]

    def count_uncounted(self, game: int, thrown: Sequence[CountedThrow]) -> None:
        """Count the throws of a game played before throws were counted."""
        with transaction(self._db):
            self.write(thrown)
            self._db.execute("DELETE FROM uncounted WHERE game = ?", (game,))

    def tallies(self) -> list[ThrowTally]:
        """How often each count was thrown, by set of lots; the most recently thrown set first."""
        with checked_rows(self._folder):
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
        """The oldest labelled reading that has not become a case and whose picture is still kept, or None."""
        with checked_rows(self._folder):
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
            true_faces = tuple(map(Face, json.loads(faces)))
            return LabelledReading(
                number=number, at=at, reading=reading, jpeg=bytes(jpeg), marked=marked, faces=true_faces
            )

    def mark_case_kept(self, reading: LabelledReading) -> None:
        """Note that this reading has become a case, unless players relabelled it since. Raises NotStored."""
        faces = json.dumps(reading.faces)
        try:
            self._db.execute(
                "UPDATE verdicts SET kept = 1 WHERE picture = ? AND marked = ? AND faces = ?",
                (reading.number, reading.marked, faces),
            )
        except sqlite3.Error as error:
            raise NotStored(
                _(
                    "The note that a case was kept could not be saved ({error}). Check that the disk has room and "
                    "can be written to, then try again.",
                    error=str(error),
                )
            ) from error

    def mark_cases_kept(self, pictures: Collection[int]) -> None:
        """Note that these pictures have already become cases."""
        self._db.executemany("UPDATE verdicts SET kept = 1 WHERE picture = ?", [(number,) for number in pictures])
