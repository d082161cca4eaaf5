"""A table without hardware, and programs that talk to it."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.referee.events import GameStarted
from companion.referee.referee import Referee
from companion.storage.store import Store
from web.app import create_app
from web.serving.server import Server

CODE = "maize-7"


def without_tags(page: str) -> str:
    """The text of a page."""
    return re.sub("<[^>]*>", "", page)


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Referee]:
    first = GameStarted(variant="puluc", jade=("Jade",), obsidian=("Obsidian",), seed=7)
    referee = Referee(Store(tmp_path), first=first)
    yield referee
    referee.close()


@pytest.fixture
def app(referee: Referee, clock: Clock) -> Flask:
    app = create_app(referee, code=CODE, clock=clock)
    app.testing = True
    return app


@pytest.fixture
def watcher(app: Flask) -> FlaskClient:
    """A phone that has not shown the code."""
    return app.test_client()


@pytest.fixture
def player(app: Flask) -> FlaskClient:
    """A phone that has opened the printed address."""
    client = app.test_client()
    client.get(f"/?code={CODE}")
    return client


@pytest.fixture
def post(player: FlaskClient) -> Any:
    """Post a body that must be accepted, and return the new table."""

    def post(path: str, **body: Any) -> Any:
        answer = player.post(path, json=body)
        assert answer.status_code == 200, answer.json
        return answer.json

    return post


@contextmanager
def served(app: Flask, port: int = 0) -> Iterator[Server]:
    """The application behind the real server for the duration of the block."""
    server = Server(app, host="127.0.0.1", port=port)
    thread = Thread(target=server.run)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join(10)
        assert not thread.is_alive()


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


class StreamClient:
    """A phone on /api/events, as one connection that reads line by line."""

    def __init__(self, port: int, buffer: int | None = None) -> None:
        """buffer: bytes that may arrive before they are read, where they are to be few."""
        self._connection = HTTPConnection("127.0.0.1", port, timeout=30)
        if buffer:
            self._connection.sock = socket.socket()
            self._connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
            self._connection.sock.settimeout(30)
            self._connection.sock.connect(("127.0.0.1", port))
        self._connection.request("GET", "/api/events")
        # The connection lets go of it, because the answer lasts as long as the connection does.
        self._line: socket.socket = self._connection.sock
        self.answer: HTTPResponse = self._connection.getresponse()

    def line(self) -> str:
        """The next line without its end; an empty one closes an event. Raises EOFError at the end of the stream."""
        line = self.answer.readline()
        if not line:
            raise EOFError
        return line.decode().rstrip("\n")

    def event(self) -> dict[str, str]:
        """The next event or comment by field; a comment's field is empty."""
        fields: dict[str, str] = {}
        while line := self.line():
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")
        return fields

    def send(self, data: bytes) -> None:
        """Send more to the server."""
        self._line.sendall(data)

    def hang_up(self) -> None:
        """Close the connection abruptly, as a phone out of reach does."""
        if self._connection.sock is not None:
            self._connection.sock.shutdown(socket.SHUT_RDWR)
        self.answer.close()
        self._connection.close()
