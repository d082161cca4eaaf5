"""The health check fails only after the page has not answered several times."""

from __future__ import annotations

import socket

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
        request_health("127.0.0.1", server.port)


def test_no_answer_is_a_failure() -> None:
    """Nothing listens on the port any more."""
    with socket.socket() as gone:
        gone.bind(("127.0.0.1", 0))
        port = gone.getsockname()[1]
    with pytest.raises(OSError, match="refused"):
        request_health("127.0.0.1", port)
