"""Client programs in their own network namespace."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.attack.network import SERVICE, Network, command
from tests.attack.supervised import Supervised

PATIENCE_S = 120.0
"""Seconds that a client program may take beyond its game."""


class Clients:
    """Runs programs in the clients' namespace."""

    def __init__(self, net: Network, service: Supervised) -> None:
        self._net, self._service = net, service

    def start(self, program: str, *words: object) -> subprocess.Popen[str]:
        """Start a program; its first arguments are the service's address."""
        address = (SERVICE, str(self._service.port))
        # Real strangers have their own computers, so their load on this processor must not count.
        nice = ("nice", "-n", "29") if program == "stranger" else ()
        program_words = (*nice, sys.executable, "-m", f"tests.attack.{program}", *address, *map(str, words))
        return subprocess.Popen(
            command(self._net.clients, *program_words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )

    def run(self, program: str, *words: object) -> dict[str, Any]:
        """The output of a program, once it has ended."""
        return outcome(self.start(program, *words))

    def attack(self, *kinds: str, connections: int) -> subprocess.Popen[str]:
        """Start strangers, wait until all have connected, and let them go on until their outcome is asked for."""
        attack = self.start("stranger", "--kinds", ",".join(kinds), "--connections", connections)
        assert attack.stdout is not None
        assert attack.stdout.readline() == "All have connected.\n"
        return attack

    def play(self, seconds: float) -> dict[str, Any]:
        """Play as a phone for that long, and return the measurements."""
        playing = self.start("player", self._service.code, "--seconds", seconds)
        return outcome(playing, seconds + PATIENCE_S)

    def call(self, method: str, path: str, *file: Path) -> dict[str, Any]:
        """Send a request with the right code and return the answer."""
        return self.run("caller", self._service.code, method, path, *file)


def outcome(process: subprocess.Popen[str], timeout_s: float = PATIENCE_S) -> dict[str, Any]:
    """The parsed output of a client program. Closes its standard input, which ends an attack."""
    printed, _ = process.communicate(timeout=timeout_s)
    assert process.returncode == 0
    return dict(json.loads(printed))
