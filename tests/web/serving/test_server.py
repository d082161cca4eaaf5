"""The real server: opening, serving and releasing its port, and refusing bad requests."""

from __future__ import annotations

import json
import socket
from http.client import HTTPConnection
from threading import Thread

import pytest
from flask import Flask, request

from companion.errors import SettingsUnusable
from tests.attack.stranger import LARGE
from tests.web.conftest import CODE, StreamClient, served
from web.app import LARGEST_BODY
from web.serving.server import Server


def test_a_free_port_is_found_and_served(app: Flask) -> None:
    """Port 0 becomes a real one, and /healthz answers on it."""
    with served(app) as server:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("GET", "/healthz")
        answer = connection.getresponse()
        body = answer.read()
        connection.close()

    assert answer.status == 200
    assert b'"status":"ok"' in body


def test_a_port_in_use_is_refused_with_a_sentence(app: Flask) -> None:
    """The message for a second server on the same port has a remedy."""
    with served(app) as server, pytest.raises(SettingsUnusable, match=rf"port {server.port}: Address already in use"):
        Server(app, host="127.0.0.1", port=server.port)


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", 70000), ("no.such.host.invalid", 0)])
def test_an_impossible_address_is_refused(app: Flask, host: str, port: int) -> None:
    """An invalid port or host is refused likewise, without a traceback."""
    with pytest.raises(SettingsUnusable, match="Cannot serve on"):
        Server(app, host=host, port=port)


def test_closing_ends_streams_and_frees_the_port(app: Flask) -> None:
    """Closing ends the stream of a listening phone, and the port can be opened again at once."""
    with served(app) as server:
        port = server.port
        phone = StreamClient(port)
        phone.event()
        phone.event()
    with pytest.raises((EOFError, OSError)):
        phone.event()
    phone.hang_up()

    with served(app, port) as again:
        assert again.port == port


@pytest.mark.parametrize("size", [LARGEST_BODY + 1, 8 * 1024 * 1024])
def test_too_large_a_body_is_answered(app: Flask, size: int) -> None:
    """The sender gets a message after sending it, instead of a broken connection."""
    with served(app) as server:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("POST", "/api/throw", b" " * size, {"Authorization": f"Bearer {CODE}"})
        answer = connection.getresponse()
        body = json.loads(answer.read())
        connection.close()

    assert answer.status == 413
    assert list(body) == ["problem"]


@pytest.mark.parametrize(
    "request_",
    [
        b"POST /api/throw HTTP/1.1\r\nHost: localhost\r\nContent-Length: many\r\n\r\n",
        b"POST /api/throw HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\n",
        b"POST /api/throw HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n",
        b"\x16\x03\x01 no HTTP at all\r\n\r\n",
    ],
)
def test_what_is_no_request_is_refused(
    app: Flask, request_: bytes, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """It gets 400 before it reaches the application, without the software's name, and does not fill the log."""
    with served(app) as server, socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        line.sendall(request_)
        head, _, body = b"".join(iter(lambda: line.recv(4096), b"")).partition(b"\r\n\r\n")

    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"uvicorn" not in head.lower()
    assert body
    assert not caplog.records
    assert capfd.readouterr() == ("", "")


def test_a_request_that_never_ends_is_cut_off(app: Flask) -> None:
    """The parser keeps what it received, so it must not grow without end; bodies announce their length."""
    endless = b"GET / HTTP/1.1\r\nHost: localhost\r\n" + (b"X: " + b"y" * 1000 + b"\r\n") * 16_000
    with (
        served(app) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=30) as line,
        pytest.raises(ConnectionError),
    ):
        line.sendall(endless)


def test_requests_sent_without_waiting_for_answers_end_the_connection(app: Flask) -> None:
    """They would pile up in memory and cost the server more than the sender; none is processed."""
    request_ = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with served(app) as server, socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        line.sendall(request_ * 200)
        try:
            answers = b"".join(iter(lambda: line.recv(65536), b""))
        except ConnectionResetError:
            answers = b""

    assert b"200 OK" not in answers


@pytest.mark.parametrize("rest", [b"0\r\n\r\n", b"0\r\nX: y\r\n", b"2\r\n{}\r\n0\r\n\r\n", b""])
def test_a_body_in_chunks_is_refused_before_it_is_read(app: Flask, rest: bytes) -> None:
    """Otherwise a stranger could decide how long reading takes; the refusal is immediate and ends the connection."""
    head = b"POST /api/throw HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with served(app) as server, socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        line.sendall(head + rest)
        head, _, body = b"".join(iter(lambda: line.recv(4096), b"")).partition(b"\r\n\r\n")

    assert head.startswith(b"HTTP/1.1 411 ")
    assert b"onnection: close" in head
    assert list(json.loads(body)) == ["problem"]


@pytest.mark.parametrize("path", ["/api/table", LARGE])
def test_a_proxy_cannot_be_made_up(app: Flask, path: str) -> None:
    """Forwarded headers from a client are ignored: limits use the real address."""
    seen = []
    app.before_request(lambda: seen.append((request.remote_addr, request.scheme)))
    with served(app) as server:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("GET", path, headers={"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https"})
        answer = connection.getresponse()
        answer.read()
        connection.close()

    assert answer.status == 200
    assert seen == [("127.0.0.1", "http")]


def test_closing_what_has_ended_is_harmless(app: Flask) -> None:
    """After its loop has ended there is nothing to close."""
    with served(app) as server:
        server.close()
        server.close()


def test_closing_before_running_is_harmless(app: Flask) -> None:
    """A server that never ran can be closed, and running it afterwards ends at once."""
    server = Server(app, host="127.0.0.1", port=0)
    server.close()
    server.close()
    thread = Thread(target=server.run)
    thread.start()
    thread.join(5)

    assert not thread.is_alive()
