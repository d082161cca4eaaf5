"""Tells the club's broker how this table stands, and that it is there."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.club.broker import Address, Broker
from companion.club.topics import ABOUT, GONE, HERE, ONLINE, TABLE, TableName, discovered
from companion.referee.referee import Referee
from companion.referee.snapshot import Snapshot

WAIT_S = 0.5
"""Seconds that a step waits for something new, so that whoever stops the companion need not wait longer."""
PACE_S = 0.2
"""Seconds between two tellings. Lower follows the game closer than any eye and keeps the broker busy."""


class Publisher:
    """Publishes the newest snapshot whenever it has changed and the broker is there. One thread calls ``step``.

    Older ones that the broker did not take are forgotten: the newest says all.
    """

    def __init__(
        self,
        referee: Referee,
        address: Address,
        table: TableName,
        *,
        version: str,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        self._referee, self._table, self._version, self._pause = referee, table, version, pause
        self._broker = Broker(address, name=f"puluc-{table.word}", will=(table.topic(ONLINE), GONE))
        self._links = 0
        self._told: Snapshot | None = None

    def step(self) -> None:
        """Tell what is new, if anybody can be told, and wait a moment."""
        if not self._broker.is_linked or not self._broker.is_free:
            self._pause(WAIT_S)
            return
        if self._links != (links := self._broker.links):
            # A broker that was away may have forgotten all.
            self._links, self._told = links, None
            self._broker.tell(self._table.discovery, discovered(self._table, self._version))
            self._broker.tell(self._table.topic(ABOUT), self._table.name)
            self._broker.tell(self._table.topic(ONLINE), HERE)
        snapshot = self._referee.newer(self._told, WAIT_S)
        if snapshot is not None:
            self._told = snapshot
            self._broker.tell(self._table.topic(TABLE), snapshot.model_dump_json(by_alias=True))
            self._pause(PACE_S)

    def close(self) -> None:
        """Say that the table is gone, and leave."""
        self._broker.close((self._table.topic(ONLINE), GONE))
