"""Compile the solver's loops on the disk: ``python -m tests.advice.solver.compile solving|matches``.

They take 80 s of processor time, which the tests' workers would otherwise each spend at the same time.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from companion.advice.solver.playing.exact_wins import exact_wins
from companion.advice.solver.playing.match_player import MatchPlayer
from companion.advice.solver.playing.playout import CompiledMatches
from companion.advice.solver.ranking import Ranking
from companion.advice.solver.solved_table import SolvedTable
from companion.advice.solver.solver import solve
from companion.rules.odds import FAIR
from tests.rules.games import game


def main(part: str) -> None:
    rules = game("puluc spaces=5 pieces=1")
    if part == "solving":
        # What games with two throws a turn need in addition is part of the matches.
        with TemporaryDirectory() as folder:
            for compact in (False, True):
                solve(rules, FAIR, Path(folder, str(compact)), compact=compact)
    else:
        MatchPlayer(rules, FAIR, "hard", "easy", longest=50, table=None).play(["1"])
        size = Ranking(rules).positions
        # Any table will do, and solving one would compile the other part, too.
        even = SolvedTable(Path(), rules, FAIR, size, 0.0, 0.5, np.full(size, 1 << 15, np.uint16))
        CompiledMatches(even).play("fair", "random", games=1, seed=1)
        exact_wins(even, "easy")


if __name__ == "__main__":
    main(sys.argv[1])
