"""Checks from within whether the companion's own page still answers."""

from __future__ import annotations

import http.client
import logging
import socket
from collections.abc import Callable
from contextlib import closing

from companion.access.invitation import EVERYWHERE

log = logging.getLogger("puluc")

TIMEOUT_S = 5.0
"""Seconds that one answer may take."""
FAILURES = 4
"""Answers that must fail to come, one after the other, before the page is given up. Fewer let a busy moment end the
table, more keep up a table for longer that nobody can use."""


def request_health(host: str, port: int, expect: Callable[[int], object]) -> None:
    """Ask for ``/healthz``. Raises OSError or HTTPException where there is no answer; any status is one.

    expect: told from which port of this computer the request will come, before it does.
    """
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with closing(http.client.HTTPConnection(host, port)) as page:
        page.sock = socket.socket(family, kind, protocol)
        page.sock.settimeout(TIMEOUT_S)
        # Nobody else on this computer gets this port meanwhile.
        page.sock.bind(("", 0))
        expect(page.sock.getsockname()[1])
        page.sock.connect(address)
        page.request("GET", "/healthz")
        page.getresponse().read()


class HealthCheck:
    """Asks for the page of this computer again and again. host, port: where it is served; ``ask`` asks there."""

    def __init__(self, host: str, port: int, *, ask: Callable[[str, int], object]) -> None:
        # Through this computer itself, whatever becomes of the network.
        self._host, self._port = "127.0.0.1" if host in EVERYWHERE else host, port
        self._failures, self._ask = 0, ask

    def step(self) -> None:
        """Ask once. Raises OSError or HTTPException once the page has failed to answer FAILURES times in a row."""
        try:
            self._ask(self._host, self._port)
        except (OSError, http.client.HTTPException) as error:
            self._failures += 1
            log.warning("The page did not answer its health check, %d of %d: %r", self._failures, FAILURES, error)
            if self._failures >= FAILURES:
                raise
        else:
            self._failures = 0
