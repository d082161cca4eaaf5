"""A listening socket that accepts only the connections that admission control has a place for."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from web.serving.limits.admission import Admission, Peer, Place

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer as Buffer

BACKLOG = 1024
"""Connections that the system keeps until they are accepted; above it, new ones have to try again after a second."""
ACCEPTED_AT_ONCE = 8
"""Connections accepted before requests that are there already get their turn. More lets a flood of connections hold
up the table, fewer slows down a room full of phones that come at once."""
UNHEARD_MS = 20_000
"""Milliseconds for which a phone may leave what was sent unacknowledged. Shorter hangs up on phones that sleep for a
moment, longer counts those that are out of reach among the present."""
SENDING = 64 * 1024
"""Bytes that the system takes for a connection before it counts as slow. More lets a slow phone lag behind."""
_RESET = struct.pack("ii", 1, 0)
"""The value of SO_LINGER with which closing leaves nothing behind in the system's tables."""


class Connection(socket.socket):
    """An accepted connection that releases its place when it is closed."""

    place: Place | None = None
    released: Callable[[], object] | None = None

    def recv(self, bufsize: int, flags: int = 0) -> bytes:
        """Read some of the available bytes; none, as at the end of a stream, if the client has sent too much."""
        count = self._readable(bufsize)
        data = super().recv(count, flags) if count else b""
        self._has_read(len(data))
        return data

    def recv_into(self, buffer: Buffer, nbytes: int = 0, flags: int = 0) -> int:
        """The same, as TLS reads."""
        size = memoryview(buffer).nbytes
        count = self._readable(min(nbytes or size, size))
        read = super().recv_into(buffer, count, flags) if count else 0
        self._has_read(read)
        return read

    def _readable(self, wanted: int) -> int:
        return wanted if self.place is None else min(wanted, self.place.readable)

    def _has_read(self, count: int) -> None:
        if self.place is not None:
            self.place.received += count

    def close(self) -> None:
        """Close it."""
        super().close()
        if self.released is not None:
            self.released()
            self.released = None

    def hang_up(self) -> None:
        """End the connection from this side; its owner notices, and closes it."""
        with suppress(OSError):
            self.shutdown(socket.SHUT_RDWR)


class ListeningSocket(socket.socket):
    """Listens, and asks ``admission`` about every connection. asyncio may use it like any other listening socket."""

    admission: Admission
    _accepted = 0

    def prepare(self, admission: Admission) -> None:
        """Begin to listen; the connections that will be accepted inherit the settings made here."""
        self.admission = admission
        self.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENDING)
        self.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        unheard = getattr(socket, "TCP_USER_TIMEOUT", None)  # Linux only
        if unheard is not None:
            self.setsockopt(socket.IPPROTO_TCP, unheard, UNHEARD_MS)
        self.listen(BACKLOG)

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept the next connection that gets a place; those before it are reset.

        Raises BlockingIOError if there is none, or if pending requests should be served first.
        """
        loop = asyncio.get_running_loop()
        while True:
            if self._accepted == 0:
                loop.call_soon(self._begin_again)
            elif self._accepted >= ACCEPTED_AT_ONCE:
                raise BlockingIOError
            self._accepted += 1
            plain, address = super().accept()
            connection = Connection(plain.family, plain.type, plain.proto, plain.detach())
            peer: Peer = (*address[:2], *connection.getsockname()[:2])
            connection.place = self.admission.admit(peer, connection.hang_up, loop.time())
            if connection.place is not None:
                connection.released = partial(self.admission.release, peer)
                return connection, address
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            connection.close()

    def _begin_again(self) -> None:
        self._accepted = 0
