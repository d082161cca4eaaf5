"""The server under the page: waitress, in this process, on a thread of the caller's."""

from __future__ import annotations

import socket
from threading import Event

from flask import Flask
from waitress import wasyncore  # type: ignore[import-untyped]  # waitress brings no types
from waitress.server import create_server  # type: ignore[import-untyped]

from companion.errors import SettingsUnusable

THREADS = 40
"""Requests served at once. Each listening phone holds one, so it stays well above the number of streams."""
LARGEST_REQUEST = 4 * 1024 * 1024
"""Bytes taken in before the application may say in a sentence that it is too much."""


class Server:
    """Serves ``app`` once ``run`` is called, on ``host`` and ``port`` (0: any free one; see ``port``).

    Raises SettingsUnusable where the port cannot be had.
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
            # Reading ahead is how waitress notices at once that a listening phone has gone.
            channel_request_lookahead=1,
        )
        self._stop, self._stopped = Event(), Event()
        self._running = False

    def run(self) -> None:
        """Serve until closed."""
        self._running = True
        sockets = self._server._map
        while not self._stop.is_set():
            wasyncore.loop(timeout=1.0, map=sockets, count=1)
        self._end()

    def close(self) -> None:
        """Stop serving, end every stream, and give the port back. Any other thread may call it, and more than once."""
        if self._stop.is_set():
            return
        self._stop.set()
        if self._running:
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
