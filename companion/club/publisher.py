"""Publishes this table's snapshots to the club's broker."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.club.broker import Broker, BrokerAddress
from companion.club.topics import ABOUT, GONE, HERE, ONLINE, TABLE, TableName, discovery_message
from companion.referee.referee import WAIT_S, Referee
from companion.referee.snapshots.snapshot import Snapshot

PACE_S = 0.2
"""Shortest time between two messages, in seconds. Lower keeps the broker busy for no visible gain."""


class Publisher:
    """Publishes the newest snapshot after each change while the broker is connected. One thread calls ``step``.

    Snapshots that could not be sent are dropped: each is complete.
    """

    def __init__(
        self,
        referee: Referee,
        address: BrokerAddress,
        table: TableName,
        *,
        version: str,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        self._referee, self._table, self._version, self._pause = referee, table, version, pause
        self._broker = Broker(address, name=f"puluc-{table.word}", will=(table.topic(ONLINE), GONE))
        self._links = 0
        self._sent: Snapshot | None = None

    def step(self) -> None:
        """Publish the newest snapshot, if it is new and the broker is connected, or wait briefly."""
        if not self._broker.is_linked or not self._broker.is_free:
            self._pause(WAIT_S)
            return
        if self._links != (links := self._broker.links):
            # The broker may have lost its retained messages.
            self._links, self._sent = links, None
            self._broker.publish(self._table.discovery, discovery_message(self._table, self._version))
            self._broker.publish(self._table.topic(ABOUT), self._table.name)
            self._broker.publish(self._table.topic(ONLINE), HERE)
        snapshot = self._referee.newer(self._sent, WAIT_S)
        if snapshot is not None:
            self._sent = snapshot
            self._broker.publish(self._table.topic(TABLE), snapshot.as_json)
            self._pause(PACE_S)

    def close(self) -> None:
        """Publish that the table is offline, and disconnect."""
        self._broker.close((self._table.topic(ONLINE), GONE))
