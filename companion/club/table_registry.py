"""The tables of a club, from their messages at the broker."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from threading import Condition
from types import MappingProxyType
from typing import Any

from companion.club.topics import ABOUT, HERE, LONGEST_NAME, ONLINE, ROOT, TABLE

MAX_TABLES = 24
"""Most tables shown at once. More would be too small on any screen."""
MAX_BYTES = 256 * 1024
"""Largest snapshot accepted, in bytes; a long game of fourteen players has 40 kB."""
NEEDED = ("board", "rules", "players", "teams", "prompt", "number", "turn", "position", "moves")


@dataclass(frozen=True, slots=True)
class ClubTable:
    """The last known state of a table. word: its name in topics. here: whether it is online."""

    word: str
    name: str
    here: bool
    table: Mapping[str, Any] | None


class TableRegistry:
    """Keeps the newest message of each table. Thread-safe."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._tables: dict[str, ClubTable] = {}
        self._number = 0

    def hear(self, topic: str, payload: bytes) -> None:
        """Handle a message. Messages of other programs are ignored."""
        root, _, rest = topic.partition("/")
        word, _, what = rest.partition("/")
        if root != ROOT or len(payload) > MAX_BYTES:
            return
        with self._changed:
            seen = self._tables.get(word, ClubTable(word, word, False, None))
            updated = _with(seen, what, payload)
            if updated == seen or (word not in self._tables and not self._make_room()):
                return
            self._tables[word] = updated
            self._number += 1
            self._changed.notify_all()

    def _make_room(self) -> bool:
        """Whether another table fits, perhaps in the place of one that is gone: the broker keeps its messages."""
        gone = (word for word, seen in self._tables.items() if not seen.here)
        if len(self._tables) >= MAX_TABLES:
            self._tables.pop(next(gone, ""), None)
        return len(self._tables) < MAX_TABLES

    def tables(self) -> tuple[int, list[ClubTable]]:
        """The number of changes so far, and the tables that have a snapshot, sorted by name."""
        with self._changed:
            shown = [seen for seen in self._tables.values() if seen.table is not None]
            return self._number, sorted(shown, key=lambda seen: (seen.name.casefold(), seen.word))

    def changed(self, since: int, timeout: float) -> bool:
        """Wait for a change after number ``since``; returns whether there was one within ``timeout`` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: self._number != since, timeout)


def _with(seen: ClubTable, what: str, payload: bytes) -> ClubTable:
    """The table after one more message."""
    if what == ONLINE:
        return replace(seen, here=payload == HERE.encode())
    if what == ABOUT:
        name = payload.decode("utf-8", "replace").strip()
        return replace(seen, name=name) if name.isprintable() and 1 <= len(name) <= LONGEST_NAME else seen
    if what == TABLE:
        try:
            table = json.loads(payload)
            # Browsers cannot read NaN and infinity, which Python can.
            json.dumps(table, allow_nan=False)
        except (ValueError, RecursionError):
            return seen
        if isinstance(table, dict) and all(key in table for key in NEEDED):
            return replace(seen, table=MappingProxyType(table))
    return seen
