"""The health check fails only after the page has not answered several times."""

from __future__ import annotations

import socket
from select import select
from threading import Thread

import pytest
from flask import Flask

from companion.service.health_check import FAILURES, HealthCheck, request_health
from tests.web.conftest import served


def test_one_late_answer_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """Only failures in a row count, each is logged, and the last one is raised."""
    answers: list[bool] = []

    def ask(_host: str, _port: int) -> None:
        if not answers.pop(0):
            raise TimeoutError("timed out")

    health = HealthCheck("0.0.0.0", 8080, ask=ask)  # noqa: S104 - nothing listens there
    for _ in range(3):
        answers += [False] * (FAILURES - 1) + [True]
        for _ in range(FAILURES):
            health.step()
    answers += [False] * FAILURES
    for _ in range(FAILURES - 1):
        health.step()
    with pytest.raises(TimeoutError):
        health.step()

    assert len(caplog.records) == 4 * FAILURES - 3


def test_any_answer_will_do() -> None:
    """The waiting page's answer counts as well."""
    app = Flask(__name__)
    with served(app) as server:
        request_health("127.0.0.1", server.port, server.expect)


def test_it_says_from_which_port_it_will_ask() -> None:
    """Before it does: the server keeps a place for it, which it would not find among many connections."""
    told: list[int] = []
    early: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(30)

        def expect(port: int) -> None:
            told.append(port)
            early.extend(select([server], [], [], 0.1)[0])

        asking = Thread(target=request_health, args=("127.0.0.1", server.getsockname()[1], expect))
        asking.start()
        connection, address = server.accept()
        with connection:
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            asking.join(30)

    assert told == [address[1]]
    assert early == []


def test_no_answer_is_a_failure() -> None:
    """Nothing listens on the port any more."""
    with socket.socket() as gone:
        gone.bind(("127.0.0.1", 0))
        port = gone.getsockname()[1]
    with pytest.raises(OSError, match="refused"):
        request_health("127.0.0.1", port, lambda _port: None)
