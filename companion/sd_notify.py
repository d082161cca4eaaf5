"""What systemd is told: that the companion serves, what it is doing, and that none of its workers hangs."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import inf


def notify(text: str, environ: Mapping[str, str]) -> None:
    """Send ``READY=1``, ``STATUS=...``, ``WATCHDOG=1`` or ``STOPPING=1`` to systemd; nothing where it did not start us.

    environ: where NOTIFY_SOCKET is looked up; a leading @ means a name in no folder (sd_notify(3)).
    """
    address = environ.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    # A shell hands down the variable of a service long gone; that must not end a game.
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to_systemd:
        to_systemd.connect(address)
        to_systemd.sendall(text.encode())


def watchdog_interval(environ: Mapping[str, str]) -> float | None:
    """Seconds between two feedings of the watchdog, half of what systemd allows; None when it does not watch."""
    allowed = environ.get("WATCHDOG_USEC")
    return int(allowed) / 2_000_000 if allowed else None


class Watchdog:
    """Feeds systemd's watchdog, but only while every worker gets on with its work.

    A worker that waits (for a camera that is lost, for a button) gets on as well, as long as its loop goes round.
    Workers call ``progress`` on their own threads; one thread calls ``step``.

    notify: sends one text to systemd.
    interval_s: feed no more often than this, and no less while all is well.
    """

    def __init__(self, notify: Callable[[str], None], interval_s: float) -> None:
        self._notify, self._interval_s = notify, interval_s
        self._fed_at = -inf
        self._expected: set[str] = set()
        self._progressed: set[str] = set()

    def expect(self, name: str) -> None:
        """From now on this worker has to show progress."""
        self._expected.add(name)

    def progress(self, name: str) -> None:
        """This worker has gone once round its loop. Raises KeyError for one that nobody expects."""
        if name not in self._expected:
            raise KeyError(f"{name} shows progress but was never expected; expected are {sorted(self._expected)}")
        self._progressed.add(name)

    def step(self, now: float) -> None:
        """Feed if it is time and everyone has shown progress since the last feeding; monotonic seconds."""
        if now - self._fed_at >= self._interval_s and self._expected <= self._progressed:
            self._notify("WATCHDOG=1")
            self._fed_at = now
            self._progressed.clear()
