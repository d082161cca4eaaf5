"""The companion as a service, started and watched as systemd does it."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path

WATCHDOG_S = 15.0
"""Half of the unit's limit, so that a test detects a hanging service."""
PATIENCE_S = 60.0
"""Seconds in which the service must answer after its start."""


class Supervised:
    """``puluc play --stay`` with a notify socket and a watchdog. It is not restarted: an exit is a failure.

    folder: its games. heard: its messages to the supervisor, without watchdog pings.
    """

    def __init__(self, folder: Path, *options: str, prefix: Sequence[str] = ()) -> None:
        """prefix: put before the command, such as ``ip netns exec``."""
        self.folder = folder / "games"
        self.notifications: list[str] = []
        self.longest_silence_s = 0.0
        self._fed_at = time.monotonic()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(folder / "notify"))
        self._log = (folder / "log").open("w+")
        words = ["play", "--data", str(self.folder), "--camera", "none", "--buttons", "none", "--no-solve"]
        self.process = subprocess.Popen(
            # systemd sets WATCHDOG_PID to the main process; the shell's $$ is that process, because exec keeps its ID.
            [
                *prefix,
                "sh",
                "-c",
                'WATCHDOG_PID=$$ exec "$@"',
                "sh",
                sys.executable,
                "-m",
                "companion",
                *words,
                "--stay",
                *options,
            ],
            env={
                **os.environ,
                "NOTIFY_SOCKET": str(folder / "notify"),
                "WATCHDOG_USEC": str(int(WATCHDOG_S * 1_000_000)),
            },
            cwd=Path(__file__).parents[2],
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        threading.Thread(target=self._listen, daemon=True).start()

    @cached_property
    def address(self) -> str:
        """The page's address including the code. Waits until the table is served."""
        assert self.process.stdout is not None
        address = self.process.stdout.readline().strip()
        assert address, self.log
        return address

    @property
    def port(self) -> int:
        """The port that serves the table."""
        return int(self.address.split(":")[2].split("/")[0])

    @property
    def code(self) -> str:
        """The table's code."""
        return self.address.partition("?code=")[2]

    @property
    def log(self) -> str:
        """The log so far."""
        self._log.flush()
        return Path(self._log.name).read_text()

    @property
    def is_well(self) -> bool:
        """Whether it is still running and has fed the watchdog in time since it was ready."""
        silence_s = max(self.longest_silence_s, time.monotonic() - self._fed_at)
        return self.process.poll() is None and "READY=1" in self.notifications and silence_s < WATCHDOG_S

    @property
    def memory_kb(self) -> int:
        """Its memory use."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])

    def request(self, port: int, method: str, path: str, body: str = "", **headers: str) -> tuple[int, str]:
        """Status and body of a request from this computer. Waits until the server answers."""
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as line:
                    line.request(method, path, body, headers)
                    answer = line.getresponse()
                    return answer.status, answer.read().decode()
            except (OSError, http.client.HTTPException):
                assert self.process.poll() is None, self.log
                assert time.monotonic() < until, self.log
                time.sleep(0.05)

    def end(self) -> int:
        """Stop it as systemd does. Returns its exit status."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
        self._socket.close()
        self._log.close()
        return self.process.returncode

    def _listen(self) -> None:
        while True:
            try:
                text = self._socket.recv(4096).decode()
            except OSError:
                return
            now = time.monotonic()
            if text in ("WATCHDOG=1", "READY=1"):
                if text == "WATCHDOG=1":
                    self.longest_silence_s = max(self.longest_silence_s, now - self._fed_at)
                self._fed_at = now
            if text != "WATCHDOG=1":
                self.notifications.append(text)


@contextmanager
def supervised(folder: Path, *options: str, prefix: Sequence[str] = ()) -> Iterator[Supervised]:
    """A service for the duration of a test."""
    service = Supervised(folder, *options, prefix=prefix)
    try:
        yield service
    finally:
        service.end()
