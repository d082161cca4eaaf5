"""The same page over TLS on a second port, within the same limits."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from threading import Thread

import pytest
from flask import Flask, request

from companion.access.certificate import own_certificate
from companion.errors import SettingsUnusable
from web.serving.limits.admission import PER_LOOPBACK, REQUEST_BYTES
from web.serving.server import SecurePort, Server

BODY = 40_000


@pytest.fixture
def echo() -> Flask:
    """An application that says how it was asked."""
    app = Flask("echo")

    @app.route("/", methods=["GET", "POST"])
    def ask() -> dict[str, object]:
        return {"secure": request.is_secure, "bytes": len(request.get_data())}

    return app


@pytest.fixture
def server(echo: Flask, tmp_path: Path) -> Iterator[Server]:
    files = own_certificate(tmp_path)
    secure = SecurePort(port=0, certificate=files.certificate, key=files.key)
    server = Server(echo, host="127.0.0.1", port=0, secure=secure)
    thread = Thread(target=server.run)
    thread.start()
    yield server
    server.close()
    thread.join(10)
    assert not thread.is_alive()


def trusting(folder: Path) -> ssl.SSLContext:
    """A client that knows the table's certificate, and checks its name."""
    return ssl.create_default_context(cafile=own_certificate(folder).certificate)


def test_both_ports_serve_the_same(server: Server, tmp_path: Path) -> None:
    """A client that knows the certificate trusts it for this address; the other port stays as it was."""
    assert server.secure_port is not None
    answers = []
    for line in (
        HTTPConnection("127.0.0.1", server.port, timeout=10),
        HTTPSConnection("127.0.0.1", server.secure_port, timeout=10, context=trusting(tmp_path)),
    ):
        with closing(line):
            line.request("GET", "/")
            answers.append(line.getresponse().read().decode())

    assert ['"secure":false' in answers[0], '"secure":true' in answers[1]] == [True, True]


def test_a_connection_over_tls_lasts(server: Server, tmp_path: Path) -> None:
    """What TLS adds to many requests does not add up until the server hangs up."""
    assert server.secure_port is not None
    with closing(HTTPSConnection("127.0.0.1", server.secure_port, timeout=10, context=trusting(tmp_path))) as line:
        line.connect()
        # Small records, as browsers send them at first: each adds 22 bytes.
        rounds = 2 * REQUEST_BYTES // (BODY // 400 * 22) + 2
        for _ in range(rounds):
            line.putrequest("POST", "/")
            line.putheader("Content-Length", str(BODY))
            line.endheaders()
            for _piece in range(BODY // 400):
                line.send(bytes(400))
            answer = line.getresponse().read().decode()

    assert f'"bytes":{BODY}' in answer


def test_both_ports_share_their_limits(server: Server) -> None:
    """An address does not get twice the places by using both."""
    assert server.secure_port is not None
    lines = [
        HTTPConnection("127.0.0.1", port, timeout=10) for port in (server.port, server.secure_port) for _ in range(60)
    ]
    for line in lines:
        line.connect()
    probe = HTTPConnection("127.0.0.1", server.port, timeout=10)
    probe.request("GET", "/")
    probe.getresponse().read()

    assert len(server._admission) <= PER_LOOPBACK
    for line in (*lines, probe):
        line.close()


def test_one_port_of_a_client_may_be_connected_to_both(server: Server) -> None:
    """Each connection has a place of its own, so that one cannot hide behind the other."""
    assert server.secure_port is not None
    with socket.socket() as one, socket.socket() as other:
        for line, port in ((one, server.port), (other, server.secure_port)):
            line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            line.bind(one.getsockname() if line is other else ("127.0.0.1", 0))
            line.connect(("127.0.0.1", port))
        # Taken in after those before it.
        with closing(HTTPConnection("127.0.0.1", server.port, timeout=10)) as probe:
            probe.request("GET", "/")
            probe.getresponse().read()
            held = len(server._admission)

    assert held == 3


def test_a_taken_port_is_named(echo: Flask, server: Server, tmp_path: Path) -> None:
    """Nothing stays open behind."""
    assert server.secure_port is not None
    files = own_certificate(tmp_path)
    secure = SecurePort(port=server.secure_port, certificate=files.certificate, key=files.key)

    with pytest.raises(SettingsUnusable, match=rf"{server.secure_port}: .*--https-port"):
        Server(echo, host="127.0.0.1", port=0, secure=secure)
