"""The real server: it has a port, gives it back, and says why it cannot have one."""

from __future__ import annotations

import json
import socket
from http.client import HTTPConnection
from threading import Thread

import pytest
from flask import Flask

from companion.errors import SettingsUnusable
from tests.web.conftest import CODE, Listener, served
from web.app import LARGEST_BODY
from web.server import LARGEST_REQUEST, Server


def test_a_free_port_is_found_and_served(app: Flask) -> None:
    """Port 0 becomes a real one, and /healthz answers on it."""
    with served(app) as server:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=5)
        connection.request("GET", "/healthz")
        answer = connection.getresponse()
        body = answer.read()
        connection.close()

    assert answer.status == 200
    assert b'"status":"ok"' in body


def test_a_port_in_use_is_refused_with_a_sentence(app: Flask) -> None:
    """A second server on the same port is told what to do instead."""
    with served(app) as server, pytest.raises(SettingsUnusable, match=rf"port {server.port}: Address already in use"):
        Server(app, host="127.0.0.1", port=server.port)


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", 70000), ("no.such.host.invalid", 0)])
def test_an_impossible_address_is_refused(app: Flask, host: str, port: int) -> None:
    """A port or host that there is not is refused likewise, without a traceback."""
    with pytest.raises(SettingsUnusable, match="Cannot serve on"):
        Server(app, host=host, port=port)


def test_closing_ends_streams_and_frees_the_port(app: Flask) -> None:
    """With a phone listening, closing ends its stream, and the same port can be had again at once."""
    with served(app) as server:
        port = server.port
        phone = Listener(port)
        phone.event()
        phone.event()
    with pytest.raises((EOFError, OSError)):
        phone.event()
    phone.hang_up()

    with served(app, port) as again:
        assert again.port == port


@pytest.mark.parametrize("size", [LARGEST_BODY + 1, LARGEST_REQUEST, 2 * LARGEST_REQUEST])
def test_too_large_a_body_is_answered(app: Flask, size: int) -> None:
    """Whoever sends far too much reads a sentence once it is sent, instead of a broken connection."""
    with served(app) as server:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=5)
        connection.request("POST", "/api/throw", b" " * size, {"Authorization": f"Bearer {CODE}"})
        answer = connection.getresponse()
        body = json.loads(answer.read())
        connection.close()

    assert answer.status == 413
    assert list(body) == ["problem"]


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET /" + b"x" * 300_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 431),
        (b"POST /api/throw HTTP/1.1\r\nHost: localhost\r\nContent-Length: many\r\n\r\n", 400),
        (b"POST /api/throw HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
    ],
)
def test_what_is_no_request_is_answered(app: Flask, request_: bytes, status: int) -> None:
    """What the server refuses before the page sees it is said in a sentence, without naming the software."""
    with served(app) as server, socket.create_connection(("127.0.0.1", server.port), timeout=5) as line:
        line.sendall(request_)
        line.shutdown(socket.SHUT_WR)
        head, _, body = b"".join(iter(lambda: line.recv(4096), b"")).partition(b"\r\n\r\n")

    assert head.startswith((b"HTTP/1.1 %d " % status, b"HTTP/1.0 %d " % status))
    assert b"waitress" not in head.lower()
    assert list(json.loads(body)) == ["problem"]


def test_closing_what_ends_by_itself_is_harmless(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop may see that it is to end, and close the pipe it is woken by, before it is woken."""
    with served(app) as server:

        def late() -> None:
            assert server._stopped.wait(10)
            raise OSError(9, "Bad file descriptor")

        monkeypatch.setattr(server._server, "pull_trigger", late)
        server.close()

        assert server._stopped.is_set()


def test_closing_before_running_is_harmless(app: Flask) -> None:
    """A server that never ran can be closed, and running it afterwards ends at once."""
    server = Server(app, host="127.0.0.1", port=0)
    server.close()
    server.close()
    thread = Thread(target=server.run)
    thread.start()
    thread.join(5)

    assert not thread.is_alive()
