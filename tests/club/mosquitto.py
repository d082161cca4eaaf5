"""A real Mosquitto broker for the duration of a test."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.service.companion_process import free_port

FOUND = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


def needed() -> str:
    """The path of Mosquitto. Skips the test if it is not installed, except in CI, which installs it."""
    if FOUND is None:
        if os.environ.get("CI"):
            pytest.fail("CI installs mosquitto, and it is not there")
        pytest.skip("mosquitto is not installed (sudo apt install mosquitto)")
    return FOUND


class Mosquitto:
    """A broker on loopback, with one user if named."""

    def __init__(self, folder: Path, port: int, user: str = "", password: str = "") -> None:
        self._program, self._folder, self.port = needed(), folder, port
        lines = [f"listener {port} 127.0.0.1", "persistence false", f"allow_anonymous {'false' if user else 'true'}"]
        if user:
            passwords = folder / "passwords"
            passwords.touch(mode=0o600)
            made = shutil.which("mosquitto_passwd") or "mosquitto_passwd"
            subprocess.run([made, "-b", str(passwords), user, password], check=True, capture_output=True)
            lines.append(f"password_file {passwords}")
        # Started by root it would switch to another user, who cannot read the test's folder.
        if os.getuid() == 0:
            lines.append("user root")
        (folder / "mosquitto.conf").write_text("\n".join(lines))
        self.start()

    def start(self) -> None:
        """Start it, and wait until it listens."""
        words = [self._program, "-c", str(self._folder / "mosquitto.conf")]
        self._process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = monotonic() + 30
        while monotonic() < end:
            with suppress(OSError), closing(socket.create_connection(("127.0.0.1", self.port), 1)):
                return
            sleep(0.02)
        raise AssertionError("mosquitto does not listen")

    def freeze(self) -> None:
        """Stop responding without closing connections."""
        self._process.send_signal(signal.SIGSTOP)

    def kill(self) -> None:
        """Kill it."""
        self._process.kill()
        self._process.wait()


@contextmanager
def mosquitto(folder: Path, user: str = "", password: str = "") -> Iterator[Mosquitto]:
    """A broker that is stopped at the end of the block."""
    broker = Mosquitto(folder, free_port(), user, password)
    try:
        yield broker
    finally:
        broker.kill()
