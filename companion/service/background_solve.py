"""Solve the game on the table in the background, at low priority and only if it is no burden."""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from threading import Thread

import click

from companion.advice.solver.solver import SolveRequirements, available_cores, check_capacity, requirements, solve
from companion.errors import NotAllowed, NotSolvable
from companion.rules.variant import Variant

MOST_POSITIONS = 40_000_000
"""The largest game, in positions, that is solved unasked. One core of a desktop computer solved about 0.1 million
positions a second beside a game (puluc, 8.2 million, in 78 s), so this takes some seven minutes there, and at most half
an hour on a small computer, which is several times slower. The next larger known game, buul, has 86 million and needs 3
GB. ``puluc solve`` solves whatever fits."""
ROOM = 2
"""Free memory and disk required, as a multiple of what solving takes: the game, the camera and the page come first."""

LOOK_AGAIN_S = 1.0
"""Seconds between two checks whether another process has finished solving the same game."""


def solve_beside_a_game(rules: Variant, marked: Fraction, folder: Path) -> int:
    """Solve the game at low priority, and report lines such as ``{"done": 0.42}`` on standard output.

    It exits when its standard input is closed, so it never outlives its parent process, however that ends. Returns the
    exit status: 1 if the game is too large to be solved unasked, reported as ``{"too_large": why}``.
    """
    give_way()
    Thread(target=_end_with_input, daemon=True).start()
    needed = requirements(rules)
    try:
        if needed.positions > MOST_POSITIONS:
            raise NotSolvable(f"{rules.name} has {needed.positions:,} positions; puluc solve would solve it.")
        check_capacity(rules, SolveRequirements(needed.positions, ROOM * needed.memory, ROOM * needed.disk), folder)
    except NotSolvable as error:
        _tell(too_large=str(error))
        return 1
    reported = 0.0
    _tell(done=reported)

    def progress(done: float) -> None:
        nonlocal reported
        if done - reported >= 0.001:
            reported = done
            _tell(done=round(done, 4))

    while True:
        try:
            solve(rules, marked, folder, progress=progress, threads=max(1, available_cores() - 1))
        except NotAllowed:
            # Another process is solving it. Afterwards the table exists, or a checkpoint to continue from.
            _tell(waiting=True)
            time.sleep(LOOK_AGAIN_S)
        else:
            return 0


def give_way() -> None:
    """Run at the lowest priority, and be killed first if memory runs out. A service's restrictions may prevent it."""
    if hasattr(os, "nice"):
        with suppress(PermissionError):
            os.nice(19)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def _tell(**facts: object) -> None:
    click.echo(json.dumps(facts))
    sys.stdout.flush()


def _end_with_input() -> None:
    # Not through sys.stdin, which could then not be closed when the work is done first.
    while os.read(0, 1024):
        pass
    # Not an orderly end, which would wait for the work; whatever is kept can be gone on from at any moment.
    os._exit(0)
