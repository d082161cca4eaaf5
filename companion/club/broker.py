"""The link to an MQTT broker: it comes back by itself, and nobody ever waits for it."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import unquote, urlsplit

# The broker's library has types, but its callbacks are Any. Outside this file nobody sees it.
from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage, MQTTMessageInfo
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.errors import SettingsUnusable

log = logging.getLogger("puluc.club")

PORTS = {"mqtt": 1883, "mqtts": 8883}
KEEP_ALIVE_S = 15
"""Seconds of silence after which each side asks whether the other is there; after one and a half times that the broker
tells all that a table is gone. Lower tells it sooner and talks more."""
RETRY_S = (1, 30)
"""Seconds between the first and between later tries to reach the broker. Lower comes back sooner, and wakes more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a broker is, and as whom to speak to it. Written out, it leaves the password away."""

    host: str
    port: int
    tls: bool = False
    user: str | None = None
    password: str | None = field(default=None, repr=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        """``mqtt://[user:password@]host[:port]``, or ``mqtts://`` for an encrypted one. Raises SettingsUnusable.

        >>> print(Address.parse("mqtt://ana:secret@broker.local"))
        mqtt://broker.local:1883
        """
        try:
            parts = urlsplit(text)
            port = parts.port
        except ValueError:
            parts, port = urlsplit(""), None
        if parts.scheme not in PORTS or not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment:
            # What was typed is not shown: there may be a password in it.
            raise SettingsUnusable("--mqtt takes mqtt://HOST, mqtt://HOST:PORT or mqtt://USER:PASSWORD@HOST:PORT.")
        return cls(
            host=parts.hostname,
            port=port or PORTS[parts.scheme],
            tls=parts.scheme == "mqtts",
            user=unquote(parts.username) if parts.username else None,
            password=unquote(parts.password) if parts.password else None,
        )

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'mqtts' if self.tls else 'mqtt'}://{host}:{self.port}"


class Broker:
    """A link to a broker. Made, it begins at once to look for it, on a thread of its own, and never gives up.

    name: tells its links apart from others'. will: a topic, and what the broker tells there once the link is lost.
    follow: the topics to hear of; heard: is told each message there, on the link's thread, and must not raise.
    """

    def __init__(
        self,
        address: Address,
        *,
        name: str,
        will: tuple[str, str] | None = None,
        follow: tuple[str, ...] = (),
        heard: Callable[[str, bytes], object] = lambda _topic, _payload: None,
    ) -> None:
        self._address, self._follow, self._heard = address, follow, heard
        # Two links of one name would put each other out for ever.
        self._client = Client(CallbackAPIVersion.VERSION2, client_id=f"{name}-{secrets.token_hex(4)}")
        self._client.on_connect = self._linked
        self._client.on_disconnect = self._lost
        self._client.on_connect_fail = self._not_found
        self._client.on_message = self._told
        self._client.reconnect_delay_set(*RETRY_S)
        if address.user is not None:
            self._client.username_pw_set(address.user, address.password)
        if address.tls:
            self._client.tls_set()
        if will is not None:
            self._client.will_set(will[0], will[1], qos=1, retain=True)
        self.links = 0
        """How often it was reached so far."""
        self._missed = False
        self._leaving: MQTTMessageInfo | None = None
        self._client.connect_async(address.host, address.port, keepalive=KEEP_ALIVE_S)
        self._client.loop_start()

    @property
    def is_linked(self) -> bool:
        """Whether the broker can be told anything now."""
        return self._client.is_connected()

    @property
    def is_free(self) -> bool:
        """Whether the last that was told has left. While a broker takes nothing, nothing piles up here."""
        return self._leaving is None or self._leaving.is_published()

    def tell(self, topic: str, payload: str) -> None:
        """Tell that, for good: who comes later hears it as well. Lost where there is no link; never waits."""
        if self.is_linked:
            self._leaving = self._client.publish(topic, payload, qos=0, retain=True)

    def close(self, last: tuple[str, str] | None = None) -> None:
        """Say a last word, and leave. Returns within a second or so, whatever the broker does."""
        if last is not None and self.is_linked:
            self._client.publish(last[0], last[1], qos=0, retain=True).wait_for_publish(1.0)
        self._client.disconnect()
        self._client.loop_stop()

    def _linked(
        self, client: Client, _data: Any, _flags: ConnectFlags, reason: ReasonCode, _properties: Properties | None
    ) -> None:
        if reason.is_failure:
            if not self._missed:
                log.warning("The broker at %s refuses: %s.", self._address, str(reason).lower())
            self._missed = True
            return
        log.info("The broker at %s is reached.", self._address)
        self._missed, self._leaving = False, None
        for topic in self._follow:
            client.subscribe(topic, qos=0)
        self.links += 1

    def _lost(
        self, _client: Client, _data: Any, _flags: DisconnectFlags, reason: ReasonCode, _properties: Properties | None
    ) -> None:
        self._leaving = None
        if reason.is_failure and not self._missed:
            self._missed = True
            log.warning("The broker at %s is gone. The table goes on without it, and looks for it.", self._address)

    def _not_found(self, _client: Client, _data: Any) -> None:
        if not self._missed:
            self._missed = True
            log.warning("The broker at %s is not there. The table goes on without it, and looks for it.", self._address)

    def _told(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        self._heard(message.topic, bytes(message.payload))
