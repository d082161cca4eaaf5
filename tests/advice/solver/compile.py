"""Compile the solver's loops on the disk: ``python -m tests.advice.solver.compile``.

They take 55 s of processor time, which the tests' workers would otherwise each spend at the same time. A sixth more
would go in looking for garbage, of which compiling leaves little.
"""

import gc
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.advice.solver.playing.exact_wins import exact_wins
from companion.advice.solver.playing.match_player import MatchPlayer
from companion.advice.solver.playing.playout import CompiledMatches
from companion.advice.solver.solver import solve
from companion.rules.odds import FAIR
from tests.rules.games import game


def main() -> None:
    rules = game("puluc spaces=5 pieces=1")
    with TemporaryDirectory() as folder:
        for compact in (False, True):
            table = solve(rules, FAIR, Path(folder, str(compact)), compact=compact)
        MatchPlayer(rules, FAIR, "hard", "easy", longest=50, table=None).play(["1"])
        CompiledMatches(table).play("fair", "random", games=1, seed=1)
        exact_wins(table, "easy")


if __name__ == "__main__":
    gc.disable()
    main()
