"""Connections that exhaust a server: ``python -m tests.attack.stranger HOST PORT --kinds KINDS``.

Each comes from one of the strangers' addresses, behaves as its kind prescribes, and reconnects when dropped.
It prints a line once all have connected, goes on until its standard input is closed, and prints the counts as JSON.
The tests run it inside their own namespace.
"""

from __future__ import annotations

import argparse
import json
import random
import selectors
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count

from tests.attack.network import STRANGERS

PAUSE_S = 2.0
"""Seconds after which a connection that was dropped or refused comes back."""
DRIP_S = 1.0
"""Seconds between two bytes of a slow client."""
LARGE = "/static/styles/board.css"
HEAD = b"Host: table.local\r\nAccept: */*\r\n"


def silent() -> Iterator[bytes]:
    """Connects and says nothing."""
    yield b""
    while True:
        yield b""


def half_sent() -> Iterator[bytes]:
    """Never ends its request."""
    yield b"GET / HTTP/1.1\r\n" + HEAD
    while True:
        yield b""


def slow_headers() -> Iterator[bytes]:
    """Sends one more header every second."""
    yield b"GET / HTTP/1.1\r\n" + HEAD
    for number in count():
        yield b"X-%d: y\r\n" % number


def slow_bodies() -> Iterator[bytes]:
    """Sends its body byte by byte."""
    yield b"POST /join HTTP/1.1\r\n" + HEAD + b"Content-Length: 60000\r\n\r\n"
    while True:
        yield b"x"


def slow_readers() -> Iterator[bytes]:
    """Requests a large answer every second and reads none of it. Several requests at once would be refused."""
    while True:
        yield b"GET %s HTTP/1.1\r\n" % LARGE.encode() + HEAD + b"\r\n"


def trailers() -> Iterator[bytes]:
    """Sends a chunked body whose trailers never end."""
    yield b"POST /api/throw HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n"
    while True:
        yield b"X: y\r\n" * 1000


def chunks() -> Iterator[bytes]:
    """Sends a body in chunks of one byte."""
    yield b"POST /api/throw HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
    while True:
        yield b"1\r\nx\r\n" * 1000


def requests() -> Iterator[bytes]:
    """Requests the table repeatedly without waiting for the answers."""
    while True:
        yield b"GET /api/table HTTP/1.1\r\n" + HEAD + b"\r\n"


def good_requests() -> Iterator[bytes]:
    """Requests the page at intervals, as a browser does."""
    while True:
        yield b"GET / HTTP/1.1\r\n" + HEAD + b"\r\n"


def streams() -> Iterator[bytes]:
    """Listens to the event stream and never leaves."""
    yield b"GET /api/events HTTP/1.1\r\n" + HEAD + b"\r\n"
    while True:
        yield b""


def deaf_streams() -> Iterator[bytes]:
    """Opens the event stream without reading it."""
    return streams()


KINDS: dict[str, Callable[[], Iterator[bytes]]] = {
    kind.__name__: kind
    for kind in (
        silent,
        half_sent,
        slow_headers,
        slow_bodies,
        slow_readers,
        trailers,
        chunks,
        requests,
        good_requests,
        streams,
        deaf_streams,
    )
}
DEAF = ("slow_readers", "deaf_streams")
FLOODS = ("trailers", "chunks", "requests")
"""These kinds send as fast as the server reads, not a little every second."""


@dataclass(slots=True)
class Connection:
    """One connection of a kind. due: time of its next action."""

    address: str
    kind: str
    due: float
    line: socket.socket | None = None
    doing: Iterator[bytes] | None = None


def attack(kinds: list[str], host: str, port: int, connections: int) -> Counter[str]:
    """Keep that many connections going until standard input is closed, and count the outcomes."""
    ready = selectors.DefaultSelector()
    begun = time.monotonic()
    all_of_them = [
        Connection(STRANGERS[number % len(STRANGERS)], kinds[number % len(kinds)], begun + random.random() * DRIP_S)
        for number in range(connections)
    ]
    seen: Counter[str] = Counter()

    def lose(one: Connection) -> None:
        assert one.line is not None
        with suppress(KeyError):
            ready.unregister(one.line)
        one.line.close()
        one.line, one.due = None, time.monotonic() + PAUSE_S
        seen["lost"] += 1

    def connect(one: Connection) -> None:
        one.line = socket.socket()
        one.line.setblocking(False)
        if one.kind in DEAF:
            one.line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        one.line.bind((one.address, 0))
        with suppress(BlockingIOError):
            one.line.connect((host, port))
        one.doing = KINDS[one.kind]()
        seen["opened"] += 1
        if one.kind not in DEAF:
            ready.register(one.line, selectors.EVENT_READ, one)

    ready.register(sys.stdin, selectors.EVENT_READ)
    is_announced = is_over = False
    while not is_over:
        if not is_announced and seen["opened"] >= connections:
            is_announced = True
            print("All have connected.", flush=True)  # noqa: T201 - whoever started it waits for it
        for key, _ in ready.select(0.02):
            if key.data is None:
                is_over = True
                continue
            try:
                gone = not key.data.line.recv(1 << 16)
            except BlockingIOError:
                continue
            except OSError:
                gone = True
            if gone:
                lose(key.data)
        now = time.monotonic()
        for one in all_of_them:
            if one.due > now:
                continue
            one.due = now + (0 if one.kind in FLOODS else DRIP_S)
            if one.line is None:
                connect(one)
                continue
            assert one.doing is not None
            try:
                one.line.send(next(one.doing))
            except BlockingIOError:
                continue
            except OSError:
                lose(one)
    seen["open_at_the_end"] = sum(one.line is not None for one in all_of_them)
    return seen


SLOW = ("silent", "half_sent", "slow_headers", "slow_bodies", "slow_readers", "streams", "deaf_streams")


def main() -> None:
    """Attack, and print the outcomes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("--kinds", default=",".join(KINDS), help="separated by commas")
    parser.add_argument("--connections", type=int, default=2000)
    wanted = parser.parse_args()
    json.dump(attack(wanted.kinds.split(","), wanted.host, wanted.port, wanted.connections), sys.stdout)


if __name__ == "__main__":
    main()
