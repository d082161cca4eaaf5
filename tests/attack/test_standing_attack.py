"""A standing attack: the service as systemd starts it, in a network of its own, with all that was ever tried on it.

Every test leaves the service well, or the next one finds it ended. To add an attack, add a generator to
``tests.attack.stranger`` or a program beside it, and a test here; longer ones are run by ``tests/bench/attacks.py``.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.attack.network import SERVICE, Network, command, missing, network
from tests.attack.stranger import KINDS, SLOW
from tests.attack.supervised import Supervised, supervised

TAP_MS = 100
"""Milliseconds within which 19 of 20 taps are answered while strangers attack."""
BUSY = 4
"""Times as long as in peace they may take on a machine that is so busy that they are slow anyway."""
MUCH_MEMORY_KB = 80 * 1024
"""More than that no attack may make the service take."""
EVERYWHERE = ("--host", "0.0.0.0", "--port", "0")  # noqa: S104 - in a network of its own

pytestmark = [
    pytest.mark.skipif(missing() is not None, reason=str(missing())),
    pytest.mark.xdist_group("attack"),
]


@pytest.fixture(scope="module")
def net() -> Iterator[Network]:
    with network() as made:
        yield made


@pytest.fixture(scope="module")
def service(net: Network, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Supervised]:
    folder = tmp_path_factory.mktemp("service")
    with supervised(folder, *EVERYWHERE, prefix=command(net.service)) as service:
        yield service
        assert service.is_well, service.log


class Clients:
    """Programs in the clients' namespace, which speak to the service."""

    def __init__(self, net: Network, service: Supervised) -> None:
        self._net, self._service = net, service

    def start(self, program: str, *words: object) -> subprocess.Popen[str]:
        """Start one; its first words are the service's address."""
        address = (SERVICE, str(self._service.port))
        # Strangers have computers of their own: what they take of this one's processor must not count.
        nice = ("nice", "-n", "19") if program == "stranger" else ()
        program_words = (*nice, sys.executable, "-m", f"tests.attack.{program}", *address, *map(str, words))
        return subprocess.Popen(
            command(self._net.clients, *program_words),
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )

    def run(self, program: str, *words: object) -> dict[str, Any]:
        """What one has printed when it has ended."""
        return outcome(self.start(program, *words))

    def play(self, seconds: float) -> dict[str, Any]:
        """How a phone's game goes for so long."""
        return self.run("player", self._service.code, "--seconds", seconds)


def outcome(process: subprocess.Popen[str]) -> dict[str, Any]:
    """What a program of the clients prints."""
    printed, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return dict(json.loads(printed))


@pytest.fixture
def clients(net: Network, service: Supervised) -> Clients:
    return Clients(net, service)


def test_slow_strangers_do_not_slow_down_the_game(clients: Clients, service: Supervised) -> None:
    """2,000 connections from 60 addresses: silent, half-sent, slow headers, bodies and readers, and event streams."""
    peace = clients.play(3)
    memory_kb = service.memory_kb
    attack = clients.start("stranger", "--kinds", ",".join(SLOW), "--connections", 2000, "--seconds", 14)
    game = clients.play(10)
    attackers = outcome(attack)

    assert peace["is_host"]
    assert attackers["opened"] > 2000
    assert game["failed"] == []
    for how in ("kept", "anew"):
        assert game[how]["p95"] < max(TAP_MS, BUSY * peace[how]["p95"]), (how, peace, game)
    assert game["streams"] == 1, "the phone's stream was cut off, or found no place"
    assert game["events"] >= game["kept"]["taps"] + game["anew"]["taps"]
    assert service.memory_kb - memory_kb < MUCH_MEMORY_KB
    assert service.is_well, service.log


@pytest.mark.parametrize("kind", sorted(set(KINDS) - set(SLOW)))
def test_strangers_who_send_fast_do_not_stop_the_game(clients: Clients, service: Supervised, kind: str) -> None:
    """Endless trailers, bodies of tiny chunks, and good requests as fast as they go: every tap is answered."""
    memory_kb = service.memory_kb
    attack = clients.start("stranger", "--kinds", kind, "--connections", 100, "--seconds", 5)
    game = clients.play(3)
    outcome(attack)

    assert game["failed"] == []
    assert service.memory_kb - memory_kb < MUCH_MEMORY_KB
    assert service.is_well, service.log


def test_a_guesser_does_not_lock_out_who_knows_the_code(clients: Clients, service: Supervised) -> None:
    """Behind one address: every call with the right code is granted, and guessing gets no faster by that."""
    told = clients.run("guesser", service.code)

    assert set(told["right"]) == {"200"}
    assert told["checked_per_s"] < 100
    assert service.is_well, service.log


def test_strangers_cannot_fill_the_event_streams(clients: Clients) -> None:
    """Half of the places are kept for phones that play."""
    attack = clients.start("stranger", "--kinds", "streams", "--connections", 600, "--seconds", 6)
    game = clients.play(4)
    outcome(attack)

    assert game["streams"] == 1
    assert game["failed"] == []


def test_the_service_hears_when_it_is_stopped(net: Network, tmp_path: Path) -> None:
    """It ends by itself, with status 0, in the middle of an attack."""
    with supervised(tmp_path, *EVERYWHERE, prefix=command(net.service)) as service:
        clients = Clients(net, service)
        attack = clients.start("stranger", "--kinds", ",".join(SLOW), "--connections", 500, "--seconds", 4)
        clients.play(1)

        assert service.end() == 0
        assert service.heard[-1] == "STOPPING=1"
        outcome(attack)
