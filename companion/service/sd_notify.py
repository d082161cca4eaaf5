"""The protocol by which a service reports its status to systemd: sd_notify(3) and sd_watchdog_enabled(3)."""

from __future__ import annotations

import socket
from collections.abc import Callable, MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from math import inf


@dataclass(frozen=True, slots=True)
class ServiceManager:
    """The program that has started the service, such as systemd.

    address: where it listens; None where nobody does. watchdog_s: seconds within which it must hear that all is well,
    or it restarts the service; None where it does not watch.
    """

    address: str | None = None
    watchdog_s: float | None = None

    @classmethod
    def from_environ(cls, environ: MutableMapping[str, str], pid: int) -> ServiceManager:
        """The one that has started this process.

        Its variables are taken out of the environment, so that no child process speaks in the service's name.
        pid: this process. A watchdog that is meant for another one is not ours to feed.
        """
        address = environ.pop("NOTIFY_SOCKET", None)
        allowed = environ.pop("WATCHDOG_USEC", "")
        watched = environ.pop("WATCHDOG_PID", "") or str(pid)
        is_watched = allowed.isdigit() and int(allowed) > 0 and watched == str(pid)
        return cls(address or None, int(allowed) / 1_000_000 if is_watched else None)

    def notify(self, text: str) -> None:
        """Send ``READY=1``, ``STATUS=...``, ``WATCHDOG=1`` or ``STOPPING=1``. Does nothing without a listener."""
        if self.address is None:
            return
        # A leading @ means a name in no folder.
        address = "\0" + self.address[1:] if self.address.startswith("@") else self.address
        # A shell may inherit the variable of a stopped service; that must not end a game.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to_manager:
            to_manager.connect(address)
            to_manager.sendall(text.encode())


class Watchdog:
    """Feeds the service manager's watchdog, but only while every worker makes progress.

    A worker that waits (for a camera that is lost, for a button) makes progress too, as long as its loop goes round.
    Workers call ``progress`` on their own threads; one thread calls ``step``.

    notify: sends one text to the service manager.
    interval_s: seconds between two feedings while all is well.
    """

    def __init__(self, notify: Callable[[str], object], interval_s: float) -> None:
        self._notify, self._interval_s = notify, interval_s
        self._fed_at = -inf
        self._expected: set[str] = set()
        self._progressed: set[str] = set()

    def expect(self, name: str) -> None:
        """Require progress from this worker from now on."""
        self._expected.add(name)

    def progress(self, name: str) -> None:
        """Note that this worker has completed a step. Raises KeyError for an unexpected worker."""
        if name not in self._expected:
            raise KeyError(f"{name} makes progress but was never expected; expected are {sorted(self._expected)}")
        self._progressed.add(name)

    def step(self, now: float) -> None:
        """Feed it if it is time and every worker has made progress since the last feeding. now: monotonic seconds."""
        if now - self._fed_at >= self._interval_s and self._expected <= self._progressed:
            self._notify("WATCHDOG=1")
            self._fed_at = now
            self._progressed.clear()
