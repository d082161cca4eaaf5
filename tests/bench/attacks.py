"""Measure a game under attack: ``python -m tests.bench.attacks [--seconds 60] [KIND ...]``.

Needs root to create network namespaces. Each kind of ``tests.attack.stranger``, then all together, attacks a fresh
service with 2,000 connections from 60 addresses. Prints one line of JSON for each; times in milliseconds.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from tests.attack.clients import Clients, outcome
from tests.attack.network import Network, command, network
from tests.attack.stranger import KINDS, SLOW
from tests.attack.supervised import supervised


def attacked(net: Network, kinds: str, connections: int, seconds: float) -> dict[str, Any]:
    """The measurements of a game in peace and of one under that attack."""

    with (
        tempfile.TemporaryDirectory() as folder,
        supervised(Path(folder), "--host", "0.0.0.0", "--port", "0", prefix=command(net.service)) as service,  # noqa: S104 - in its own network
    ):
        clients = Clients(net, service)
        peace = clients.play(5)
        before_kb = service.memory_kb
        attack = clients.attack(kinds, connections=connections)
        game = clients.play(seconds)
        strangers = outcome(attack)
        is_well = service.is_well
        memory_kb = service.memory_kb - before_kb if is_well else None
    return {
        "attack": kinds,
        "is_well": is_well,
        "peace": {how: peace[how] for how in ("kept", "anew")},
        "game": game,
        "strangers": strangers,
        "more_memory_kb": memory_kb,
    }


def main() -> None:
    """Attack, and print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", help="kinds of attack, or several at once, separated by commas")
    parser.add_argument("--connections", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=60)
    wanted = parser.parse_args()
    for kinds in wanted.kinds or [*KINDS, ",".join(SLOW), ",".join(KINDS)]:
        with network() as net:
            found = attacked(net, kinds, wanted.connections, wanted.seconds)
        print(json.dumps(found), flush=True)  # noqa: T201 - prints its results


if __name__ == "__main__":
    main()
