"""All the tables of a club, as the broker tells of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from threading import Condition
from types import MappingProxyType
from typing import Any

from companion.club.topics import ABOUT, HERE, LONGEST_NAME, ONLINE, ROOT, TABLE

MOST_TABLES = 24
"""Tables shown at once. More would be too small on any wall."""
LARGEST = 256 * 1024
"""Bytes of a table's snapshot at most; a long game for fourteen comes to 40 kB."""
NEEDED = ("board", "rules", "players", "teams", "prompt", "number", "turn", "position", "moves")


@dataclass(frozen=True, slots=True)
class Seen:
    """A table as it was told of last. word: its word at the broker. here: whether it is there now."""

    word: str
    name: str
    here: bool
    table: Mapping[str, Any] | None


class Hall:
    """Listens to what tables tell, and knows the newest of each. Any thread may call it."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._tables: dict[str, Seen] = {}
        self._number = 0

    def hear(self, topic: str, payload: bytes) -> None:
        """Take a message of the broker's. What is not a table's is passed over: others may talk there as well."""
        root, _, rest = topic.partition("/")
        word, _, what = rest.partition("/")
        if root != ROOT or len(payload) > LARGEST:
            return
        with self._changed:
            seen = self._tables.get(word, Seen(word, word, False, None))
            heard = _with(seen, what, payload)
            if heard == seen or (word not in self._tables and len(self._tables) >= MOST_TABLES):
                return
            self._tables[word] = heard
            self._number += 1
            self._changed.notify_all()

    def seen(self) -> tuple[int, list[Seen]]:
        """How often anything changed so far, and the tables there is anything to show of, by name."""
        with self._changed:
            shown = [seen for seen in self._tables.values() if seen.table is not None]
            return self._number, sorted(shown, key=lambda seen: (seen.name.casefold(), seen.word))

    def changed(self, since: int, timeout: float) -> bool:
        """Whether anything has changed since, or does within that many seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: self._number != since, timeout)


def _with(seen: Seen, what: str, payload: bytes) -> Seen:
    """What is known of a table, with that as well."""
    if what == ONLINE:
        return replace(seen, here=payload == HERE.encode())
    if what == ABOUT:
        name = payload.decode("utf-8", "replace").strip()
        return replace(seen, name=name) if name.isprintable() and 1 <= len(name) <= LONGEST_NAME else seen
    if what == TABLE:
        try:
            table = json.loads(payload)
        except (ValueError, RecursionError):
            return seen
        if isinstance(table, dict) and all(key in table for key in NEEDED):
            return replace(seen, table=MappingProxyType(table))
    return seen
