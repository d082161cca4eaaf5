"""The server under the page: waitress, in this process, on a thread of the caller's."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from threading import Event
from time import monotonic

from flask import Flask
from waitress import wasyncore
from waitress.server import create_server

from companion.errors import SettingsUnusable
from web.app import LIVE
from web.channel import Channel
from web.events import Streams

THREADS = 8
"""Requests served at once; pages that listen hold none. More help only where requests wait for each other, and each
costs memory of its own."""
CONNECTIONS = 400
"""Open at once. A phone has up to six, one of them listening. Above it new ones wait; the system's usual limit of open
files, 1024, is the ceiling."""
IDLE_S = 60
"""Seconds after which a connection that says nothing is closed. Must be well above the streams' heartbeat."""
UNHEARD_MS = 20_000
"""Milliseconds for which a phone may leave what was sent unacknowledged. Shorter hangs up on phones that sleep for a
moment, longer counts those that are out of reach among the present."""
SENDING = 64 * 1024
"""Bytes that the system takes for a connection before it counts as slow. More lets a slow phone lag behind."""
TICK_S = 1.0
"""Seconds after which the loop looks at its listeners even if nothing happens: a heartbeat is late by up to that."""
LARGEST_REQUEST = 4 * 1024 * 1024
"""Bytes taken in before the application may say in a sentence that it is too much."""


class Server:
    """Serves ``app`` once ``run`` is called, on ``host`` and ``port`` (0: any free one; see ``port``).

    It keeps the application's streams going, where it has any. Raises SettingsUnusable where the port cannot be had.
    """

    def __init__(self, app: Flask, *, host: str, port: int) -> None:
        listening = _bound(host, port)
        self.port: int = listening.getsockname()[1]
        self._server = create_server(
            app,
            sockets=[listening],
            threads=THREADS,
            ident=None,
            max_request_body_size=LARGEST_REQUEST,
            connection_limit=CONNECTIONS,
            channel_timeout=IDLE_S,
        )
        self._server.channel_class = Channel
        self._server.adj.socket_options = _options()
        self._streams: Streams | None = app.extensions.get(LIVE)
        self._stop, self._stopped = Event(), Event()
        self._running = False

    def run(self) -> None:
        """Serve until closed."""
        self._running = True
        if self._streams is None:
            self._serve(TICK_S, lambda: None)
        else:
            streams = self._streams
            enough = streams.subscribe(self._server.pull_trigger)
            self._serve(min(TICK_S, streams.heartbeat), lambda: streams.step(monotonic()))
            enough()
        self._end()

    def _serve(self, tick_s: float, after_each: Callable[[], None]) -> None:
        sockets = self._server._map
        while not self._stop.is_set():
            wasyncore.loop(timeout=tick_s, use_poll=True, map=sockets, count=1)
            after_each()

    def close(self) -> None:
        """Stop serving, end every stream, and give the port back. Any other thread may call it, and more than once."""
        if self._stop.is_set():
            return
        self._stop.set()
        if self._running:
            # It may have ended by itself in between, and its pipe with it.
            with suppress(OSError):
                self._server.pull_trigger()
            self._stopped.wait(10)
        else:
            self._end()

    def _end(self) -> None:
        if self._stopped.is_set():
            return
        # Its own close would leave the connections open, and its threads writing into a closed pipe.
        wasyncore.dispatcher.close(self._server)
        for channel in list(self._server.active_channels.values()):
            channel.handle_close()
        self._server.task_dispatcher.shutdown()
        self._server.trigger.close()
        self._stopped.set()


def _options() -> list[tuple[int, int, int]]:
    """What every connection is set to, as far as this system knows it."""
    unheard = getattr(socket, "TCP_USER_TIMEOUT", None)
    return [
        (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
        (socket.SOL_SOCKET, socket.SO_SNDBUF, SENDING),
        *([(socket.IPPROTO_TCP, unheard, UNHEARD_MS)] if unheard is not None else []),
    ]


def _bound(host: str, port: int) -> socket.socket:
    """A socket bound there. Raises SettingsUnusable."""
    if not 0 <= port <= 65535:  # the resolver would take it modulo 65536
        raise SettingsUnusable(_cannot_serve(host, port, "there is no such port"))
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise SettingsUnusable(_cannot_serve(host, port, getattr(error, "strerror", "no such host"))) from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except OSError as error:
        listening.close()
        raise SettingsUnusable(_cannot_serve(host, port, error.strerror)) from error
    return listening


def _cannot_serve(host: str, port: int, why: str | None) -> str:
    return f"Cannot serve on {host}, port {port}: {why}. Choose another with --host and --port; port 0 is any free one."
