"""Play Expert against itself over solved tables: ``python tests/bench/perfect_games.py [--data DIR] [ID...]``.

100,000 games of each game named (puluc, unless told) must be won by who begins as often as the table says, within
four standard errors. Not a test of every run, as it needs the tables; ``puluc solve`` makes them. Exit status: 0 all
were, 1 one was not, 2 a table is missing.
"""

# ruff: noqa: T201 - a table on the terminal is what this is for

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from companion.advice.advisers import Advisers
from companion.advice.levels import EXPERT
from companion.advice.odds import FAIR
from companion.advice.playout import Players
from companion.commands.game import table_folders
from companion.rules.unit import Side
from companion.rules.variant import variant

GAMES = 100_000
MOST_ERRORS = 4


def main(ids: list[str], data: Path | None, seed: int) -> int:
    """One line a game."""
    advisers = Advisers(*table_folders(data))
    status = 0
    for name in ids:
        table = advisers.table(variant(name), FAIR)
        if table is None:
            print(f"{name}: no table; make it with puluc solve --variant {name}")
            status = 2
            continue
        players = Players(table)
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
    parser.add_argument("--data", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    sys.exit(main(given.ids or ["puluc"], given.data, given.seed))
