"""The web server: uvicorn, in this process, on a thread of the caller's, behind admission control."""

from __future__ import annotations

import asyncio
import logging
import socket
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock

import uvicorn
from flask import Flask

from companion.errors import SettingsUnusable
from web.serving.event_stream import STREAMS, EventStreams
from web.serving.http_protocol import HTTPProtocol
from web.serving.limits.admission import PLAYER_PATIENCE_S, Admission
from web.serving.listening_socket import ListeningSocket
from web.serving.wsgi_adapter import WSGIAdapter

SWEEP_S = 1.0
"""Seconds between two looks for connections that are overdue. They are dropped up to that much late."""
GRACE_S = 2
"""Seconds that requests are given to end when the server is closed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurePort:
    """A second port, on which the same application is served over TLS. certificate, key: PEM files."""

    port: int
    certificate: Path
    key: Path


class Server:
    """Serves ``app`` once ``run`` is called, on ``host`` and ``port`` (0: any free one; see ``port``).

    It also runs the application's event streams, if any. Both ports share the limits of admission control.
    secure: to serve it over TLS as well; see ``secure_port``. Raises SettingsUnusable if a port is not available.
    """

    def __init__(self, app: Flask, *, host: str, port: int, secure: SecurePort | None = None) -> None:
        self._admission = Admission()
        self._listening = [_bound(host, port)]
        if secure is not None:
            try:
                self._listening.append(_bound(host, secure.port, "--https-port"))
            except SettingsUnusable:
                self._listening[0].close()
                raise
        for one in self._listening:
            one.prepare(self._admission)
        self.port: int = self._listening[0].getsockname()[1]
        self.secure_port: int | None = self._listening[1].getsockname()[1] if secure else None
        self._streams: EventStreams | None = app.extensions.get(STREAMS)
        self._adapter = WSGIAdapter(app, self._admission)
        # It warns about every request that is not HTTP, with which anybody could fill the log.
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
        self._servers = [uvicorn.Server(_config(self._adapter))]
        if secure is not None:
            files = {"ssl_certfile": str(secure.certificate), "ssl_keyfile": str(secure.key)}
            self._servers.append(uvicorn.Server(_config(self._adapter, **files)))
        self._lock, self._stopped = Lock(), Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_closed = False

    def expect(self, port: int) -> None:
        """Find room for this program's own connection from that port, however many others there are."""
        self._admission.expected = port

    def run(self) -> None:
        """Serve until closed."""
        asyncio.run(self._serve())

    def close(self) -> None:
        """Stop serving, end every stream, and release the port. Any other thread may call it, repeatedly."""
        with self._lock:
            self._is_closed, loop = True, self._loop
        if loop is None:
            self._stop_listening()
            self._adapter.close()
            return
        with suppress(RuntimeError):  # it has ended by itself
            loop.call_soon_threadsafe(self._stop)
        self._stopped.wait(10)

    def _stop(self) -> None:
        for one in self._servers:
            one.should_exit = True
        if self._streams is not None:
            self._streams.close()

    async def _serve(self) -> None:
        with self._lock:
            if self._is_closed:
                return
            self._loop = asyncio.get_running_loop()
        try:
            if self._streams is not None:
                self._streams.open_on(self._loop)
            async with asyncio.TaskGroup() as tasks:
                sweeping = tasks.create_task(self._sweep())
                serving = [
                    tasks.create_task(server.serve(sockets=[listening]))
                    for server, listening in zip(self._servers, self._listening, strict=True)
                ]
                await asyncio.gather(*serving)
                sweeping.cancel()
        finally:
            self._stop_listening()
            self._adapter.close()
            self._admission.drop_all()
            await asyncio.sleep(0)  # for the connections to notice
            self._stopped.set()

    def _stop_listening(self) -> None:
        for one in self._listening:
            one.close()

    async def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(SWEEP_S)
            self._admission.drop_overdue(loop.time())


def _config(adapter: WSGIAdapter, **files: str) -> uvicorn.Config:
    return uvicorn.Config(
        adapter,
        interface="asgi3",
        http=HTTPProtocol,
        ws="none",
        lifespan="off",
        loop="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=int(PLAYER_PATIENCE_S),
        timeout_graceful_shutdown=GRACE_S,
        **files,  # type: ignore[arg-type]  # two of the many that it takes
    )


def _bound(host: str, port: int, option: str = "--port") -> ListeningSocket:
    """A socket bound there. option: by which another port is chosen. Raises SettingsUnusable."""
    if not 0 <= port <= 65535:  # the resolver would take it modulo 65536
        raise SettingsUnusable(_cannot_serve(host, port, "there is no such port", option))
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = ListeningSocket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise SettingsUnusable(_cannot_serve(host, port, getattr(error, "strerror", "no such host"), option)) from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except OSError as error:
        listening.close()
        raise SettingsUnusable(_cannot_serve(host, port, error.strerror, option)) from error
    return listening


def _cannot_serve(host: str, port: int, why: str | None, option: str) -> str:
    return (
        f"Cannot serve on {host}, port {port}: {why}. Choose another with --host and {option}; port 0 is any free one."
    )
