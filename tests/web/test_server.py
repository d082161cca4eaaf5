"""The real server: it has a port, gives it back, and says why it cannot have one."""

from __future__ import annotations

from http.client import HTTPConnection
from threading import Thread

import pytest
from flask import Flask

from companion.errors import SettingsUnusable
from tests.web.conftest import Listener, served
from web.server import Server


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


def test_closing_before_running_is_harmless(app: Flask) -> None:
    """A server that never ran can be closed, and running it afterwards ends at once."""
    server = Server(app, host="127.0.0.1", port=0)
    server.close()
    server.close()
    thread = Thread(target=server.run)
    thread.start()
    thread.join(5)

    assert not thread.is_alive()
