"""A WSGI application behind the real server: its environ, and which clients occupy threads."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator, MutableMapping
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from typing import Any

import pytest
from flask import Flask, Response, request

from tests.web.conftest import served
from web.serving.limits.admission import Admission
from web.serving.wsgi_adapter import PLAYERS_THREADS, POSTPONEMENT, SMALL_BODY, TAKEN_AT_ONCE, WSGIAdapter


@pytest.fixture
def plain() -> Flask:
    """A minimal application."""
    plain = Flask(__name__)

    @plain.route("/echo", methods=["GET", "POST", "HEAD"])
    def echo() -> dict[str, Any]:
        return {
            "query": request.query_string.decode(),
            "headers": [list(item) for item in request.headers.items()],
            "cookies": dict(request.cookies),
            "host": request.host,
            "from": request.remote_addr,
            "body": len(request.get_data()),
        }

    @plain.get("/path/<path:path>")
    def path(path: str) -> str:
        return ascii(path)

    return plain


@contextmanager
def connected(port: int) -> Iterator[HTTPConnection]:
    with closing(HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        yield connection


def exchange(port: int, sent: bytes) -> bytes:
    """The server's response up to the end of the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        line.sendall(sent)
        return b"".join(iter(lambda: line.recv(65536), b""))


def test_a_request_arrives_as_it_was_sent(plain: Flask) -> None:
    """This includes the query, cookies in two headers and the client's address; a header with an underscore does not
    replace another.
    """
    with served(plain) as server:
        sent = (
            b"GET /echo?a=%C3%A9&b HTTP/1.1\r\nHost: table.local:8080\r\nCookie: a=1\r\nCookie: b=2\r\n"
            b"X_Real: no\r\nX-Real: yes\r\nConnection: close\r\n\r\n"
        )
        environ = json.loads(exchange(server.port, sent).partition(b"\r\n\r\n")[2])

    assert (environ["query"], environ["cookies"], environ["host"]) == (
        "a=%C3%A9&b",
        {"a": "1", "b": "2"},
        "table.local:8080",
    )
    assert environ["from"] == "127.0.0.1"
    assert ["X-Real", "yes"] in environ["headers"]


@pytest.mark.parametrize("shown", ["/path/a%20b", "/path/%C3%A9", "/path/%ff", "/path/%2e%2e/x"])
def test_any_path_arrives(plain: Flask, shown: str) -> None:
    """Its bytes may be arbitrary."""
    with served(plain) as server, connected(server.port) as connection:
        connection.request("GET", shown)
        answer = connection.getresponse()
        answer.read()

    assert answer.status == 200


@pytest.mark.parametrize("size", [0, 1, SMALL_BODY, SMALL_BODY + 1, 3 * 1024 * 1024])
def test_bodies_of_any_size_arrive(plain: Flask, size: int) -> None:
    """Small ones arrive at once, long ones while they are read; the connection then serves the next request."""
    with served(plain) as server, connected(server.port) as connection:
        for _ in range(2):
            connection.request("POST", "/echo", b"x" * size)
            assert json.loads(connection.getresponse().read())["body"] == size


def test_a_head_has_no_body(plain: Flask) -> None:
    """It has the Content-Length of the body."""
    with served(plain) as server, connected(server.port) as connection:
        for method in ("HEAD", "GET"):
            connection.request(method, "/echo")
            answer = connection.getresponse()
            assert bool(answer.read()) is (method == "GET")
            assert answer.headers["Content-Length"]


def test_slow_senders_hold_no_thread(plain: Flask) -> None:
    """There are more of them than threads, and the next request is served at once."""
    with served(plain) as server:
        slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(40)]
        for line in slow[:20]:
            line.sendall(b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf")
        for line in slow[20:]:
            line.sendall(b"GET /echo HTTP/1.1\r\nHost")
        with connected(server.port) as connection:
            connection.request("GET", "/echo")
            assert connection.getresponse().status == 200
        for line in slow:
            line.close()


def test_slow_readers_hold_no_thread(plain: Flask) -> None:
    """A response larger than the socket buffer waits without a thread, and its resources are closed."""
    closed: list[str] = []

    @plain.get("/large")
    def large() -> Response:
        def pieces() -> Iterator[bytes]:
            try:
                for _ in range(64):
                    yield b"x" * TAKEN_AT_ONCE
            finally:
                closed.append("")

        return Response(pieces())

    with served(plain) as server:
        slow = []
        for _ in range(20):
            line = socket.socket()
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            line.connect(("127.0.0.1", server.port))
            line.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
            slow.append(line)
        with connected(server.port) as connection:
            connection.request("GET", "/echo")
            assert connection.getresponse().status == 200
        for line in slow:
            line.close()

    assert len(closed) == 20


def test_a_large_answer_arrives_whole(plain: Flask) -> None:
    """The application yields it in parts."""
    size = 3 * TAKEN_AT_ONCE + 7

    @plain.get("/large")
    def large() -> Response:
        return Response(b"x" * count for count in (size, 0, 5))

    with served(plain) as server, connected(server.port) as connection:
        connection.request("GET", "/large")

        assert connection.getresponse().read() == b"x" * (size + 5)


def test_a_client_that_has_the_whole_answer_may_ask_again(plain: Flask) -> None:
    """The application may not have ended its iterator yet."""
    asked_again = threading.Event()

    @plain.get("/late")
    def late() -> Response:
        def pieces() -> Iterator[bytes]:
            yield bytes(TAKEN_AT_ONCE)
            assert asked_again.wait(30)

        return Response(pieces(), headers={"Content-Length": str(TAKEN_AT_ONCE)})

    with served(plain) as server, connected(server.port) as connection:
        connection.request("GET", "/late")
        first = connection.getresponse().read()
        connection.request("GET", "/echo")
        threading.Timer(0.1, asked_again.set).start()
        second = connection.getresponse().status

    assert (len(first), second) == (TAKEN_AT_ONCE, 200)


def test_a_postponed_request_is_asked_again_and_holds_no_thread(plain: Flask) -> None:
    """It waits as long as the application wants, while others are served."""
    asked: list[str] = []

    @plain.get("/later")
    def later() -> str:
        asked.append("")
        if len(asked) <= 20:
            request.environ[POSTPONEMENT].wait_s = 0.3
        return "now"

    def ask() -> None:
        with connected(server.port) as connection:
            connection.request("GET", "/later")
            answers.append(connection.getresponse().read())

    answers: list[bytes] = []
    with served(plain) as server:
        waiting = [threading.Thread(target=ask) for _ in range(20)]
        for one in waiting:
            one.start()
        with connected(server.port) as connection:
            connection.request("GET", "/echo")
            assert connection.getresponse().status == 200
        for one in waiting:
            one.join(10)

    assert answers == [b"now"] * 20
    assert len(asked) == 40
    assert PLAYERS_THREADS < 20


def test_a_client_that_leaves_in_the_middle_is_let_go(plain: Flask) -> None:
    """It leaves during a long body that the application is reading."""
    with served(plain) as server:
        for _ in range(12):
            with socket.create_connection(("127.0.0.1", server.port)) as line:
                line.sendall(b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n" + b"x" * 70_000)
        with connected(server.port) as connection:
            connection.request("GET", "/echo")

            assert connection.getresponse().status == 200


def test_a_flood_of_requests_is_refused_before_the_application_sees_it(plain: Flask) -> None:
    """The address gets the time after which to retry."""
    admission, sent = Admission(), list[MutableMapping[str, Any]]()
    adapter = WSGIAdapter(plain, admission)
    scope = {
        "type": "http",
        "client": ("10.0.0.9", 1),
        "server": ("10.0.0.1", 80),
        "headers": [],
        "method": "GET",
        "raw_path": b"/echo",
        "scheme": "http",
    }
    while admission.announce(("10.0.0.9", 1, "10.0.0.1", 80), 0, 0.0):
        pass

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    async def ask() -> None:
        asyncio.get_running_loop().time = lambda: 0.0  # type: ignore[method-assign]
        await adapter({**scope, "query_string": b""}, lambda: asyncio.sleep(0, {}), send)

    asyncio.run(ask())
    adapter.close()

    assert sent[0]["status"] == 429
    assert (b"retry-after", b"5") in sent[0]["headers"]
