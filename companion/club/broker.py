"""A connection to an MQTT broker that reconnects by itself and never blocks."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import unquote, urlsplit

# The library's callbacks take Any, so it is imported in this file only.
from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage, MQTTMessageInfo
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.errors import SettingsUnusable

log = logging.getLogger("puluc.club")

PORTS = {"mqtt": 1883, "mqtts": 8883}
KEEP_ALIVE_S = 15
"""MQTT keep-alive in seconds. The broker reports a table as gone after one and a half times that. Lower notices sooner
and sends more."""
RETRY_S = (1, 30)
"""Shortest and longest delay between attempts to connect, in seconds. Lower reconnects sooner and wakes more often."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerAddress:
    """The address of a broker and the account to use. ``str`` leaves out the password."""

    host: str
    port: int
    tls: bool = False
    user: str | None = None
    password: str | None = field(default=None, repr=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        """``mqtt://[user:password@]host[:port]``, or ``mqtts://`` for an encrypted one. Raises SettingsUnusable.

        >>> print(BrokerAddress.parse("mqtt://ana:secret@broker.local"))
        mqtt://broker.local:1883
        """
        try:
            parts = urlsplit(text)
            port = parts.port
        except ValueError:
            parts, port = urlsplit(""), None
        if parts.scheme not in PORTS or not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment:
            # The text is not shown, because it may contain a password.
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
    """A connection to a broker. It connects on its own thread as soon as it is made, and never gives up.

    name: prefix of the client id. will: the topic and payload that the broker publishes when the connection is lost.
    follow: the topics to subscribe to.
    on_message: called with each message, on the connection's thread; must not raise.
    """

    def __init__(
        self,
        address: BrokerAddress,
        *,
        name: str,
        will: tuple[str, str] | None = None,
        follow: tuple[str, ...] = (),
        on_message: Callable[[str, bytes], object] = lambda _topic, _payload: None,
    ) -> None:
        self._address, self._follow, self._on_message = address, follow, on_message
        # Two clients with one id would disconnect each other for ever.
        self._client = Client(CallbackAPIVersion.VERSION2, client_id=f"{name}-{secrets.token_hex(4)}")
        self._client.on_connect = self._linked
        self._client.on_disconnect = self._lost
        self._client.on_connect_fail = self._not_found
        self._client.on_message = self._received
        self._client.reconnect_delay_set(*RETRY_S)
        if address.user is not None:
            self._client.username_pw_set(address.user, address.password)
        if address.tls:
            self._client.tls_set()
        if will is not None:
            self._client.will_set(will[0], will[1], qos=1, retain=True)
        self.links = 0
        """Number of times it has connected."""
        self._missed = False
        self._leaving: MQTTMessageInfo | None = None
        self._client.connect_async(address.host, address.port, keepalive=KEEP_ALIVE_S)
        self._client.loop_start()

    @property
    def is_linked(self) -> bool:
        """Whether it is connected now."""
        return self._client.is_connected()

    @property
    def is_free(self) -> bool:
        """Whether the last message was sent, so that none pile up while the broker takes nothing."""
        return self._leaving is None or self._leaving.is_published()

    def publish(self, topic: str, payload: str | bytes) -> None:
        """Publish a retained message. Never blocks; dropped while there is no connection."""
        if self.is_linked:
            self._leaving = self._client.publish(topic, payload, qos=0, retain=True)

    def close(self, last: tuple[str, str] | None = None) -> None:
        """Publish a last message and disconnect, within about a second."""
        if last is not None and self.is_linked:
            self._client.publish(last[0], last[1], qos=0, retain=True).wait_for_publish(1.0)
        self._client.disconnect()
        self._client.loop_stop()

    def _linked(
        self, client: Client, _data: Any, _flags: ConnectFlags, reason: ReasonCode, _properties: Properties | None
    ) -> None:
        if reason.is_failure:
            if not self._missed:
                log.warning("The broker at %s refused the connection: %s.", self._address, str(reason).lower())
            self._missed = True
            return
        log.info("Connected to the broker at %s.", self._address)
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
            log.warning("The connection to the broker at %s was lost. The game goes on; reconnecting.", self._address)

    def _not_found(self, _client: Client, _data: Any) -> None:
        if not self._missed:
            self._missed = True
            log.warning("There is no broker at %s. The game goes on; trying again.", self._address)

    def _received(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        self._on_message(message.topic, bytes(message.payload))
