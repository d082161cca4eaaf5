"""Check solved tables by playing: ``python -m tests.bench.perfect_play [--data DIR] [ID...]``.

In 100,000 games of Expert against itself, the side that begins must win as often as the table says, within four
standard errors. The tables must exist; ``puluc solve`` makes them. Exit status: 0 all agree, 1 one does not, 2 a table
is missing.
"""

# ruff: noqa: T201 - prints its results

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from companion.advice.levels import EXPERT
from companion.advice.solver.playing.playout import CompiledMatches
from companion.advice.table_adviser import AdviserFactory
from companion.commands.data_option import usual_folder
from companion.commands.game_options import table_folders
from companion.rules.odds import FAIR
from companion.rules.unit import Side
from companion.rules.variants import variant

GAMES = 100_000
MOST_ERRORS = 4


def main(ids: list[str], data: Path, seed: int) -> int:
    """Check each game and print a line for it."""
    advisers = AdviserFactory(*table_folders(data))
    status = 0
    for name in ids:
        table = advisers.table(variant(name), FAIR)
        if table is None:
            print(f"{name}: no table; make it with puluc solve --variant {name}")
            status = 2
            continue
        players = CompiledMatches(table)
        players.play(EXPERT, EXPERT, games=1, seed=seed)
        begun = time.perf_counter()
        played = players.play(EXPERT, EXPERT, games=GAMES, seed=seed)
        seconds = time.perf_counter() - begun
        wanted = sum(map(players.start, Side)) / 2
        errors = (played.begun.value - wanted) / played.begun.error
        print(
            f"{name}: the table says {wanted:.5f}, {GAMES:,} games say {played.begun.value:.5f} "
            f"± {played.begun.error:.5f}: {errors:+.2f} standard errors; {played.draws.value:.3%} drawn, "
            f"{played.turns.value:.2f} turns a game, {seconds:.1f} s"
        )
        if abs(errors) > MOST_ERRORS:
            status = max(status, 1)
    return status


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("ids", nargs="*", metavar="ID")
    parser.add_argument("--data", type=Path, default=usual_folder())
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    sys.exit(main(given.ids or ["puluc"], given.data, given.seed))
