"""Measure the solver's inner loop and a table look-up: ``pytest tests/bench --benchmark-enable``.

``extra_info`` has counts and ratios: the compiled moves are compared with those of the rules in the same run.
"""

import time
from pathlib import Path
from random import Random

import numpy as np
from pytest_benchmark.fixture import BenchmarkFixture

from companion.advice.solver.compiled_results import expand, move_buffers
from companion.advice.solver.ranking import Ranking
from companion.advice.solver.rule_arrays import rule_arrays
from companion.advice.solver.solved_table import SolvedTable
from companion.rules.odds import FAIR, turn_odds
from companion.rules.turns import Turn
from companion.rules.variants import variant
from tests.advice.solver.games import some_positions

PULUC = variant("puluc")
RANKING = Ranking(PULUC)
COUNT = 8192


def test_moves_of_positions(benchmark: BenchmarkFixture) -> None:
    """The results of every throw in 8192 positions of puluc's largest layer."""
    game, odds = rule_arrays(RANKING), turn_odds(PULUC)
    rolls = np.array([(*values, -1) for values in odds], np.int32)
    room, ends, found = move_buffers(game), np.zeros(COUNT * len(odds) + 1, np.int64), np.zeros(COUNT * 64, np.uint32)
    layer = len(RANKING.layers) - 1
    done = benchmark(expand, game, room, layer, 2_000_000, ends, rolls, found)

    assert done == COUNT
    benchmark.extra_info["addresses_a_position"] = int(ends[-1]) / COUNT
    positions = [*some_positions(PULUC, 200, Random(1))]
    begun = time.perf_counter()
    for position in positions:
        for values in odds:
            Turn(position, values).results()
    of_the_rules = (time.perf_counter() - begun) / len(positions)
    if benchmark.stats:
        benchmark.extra_info["times_as_fast_as_the_rules"] = of_the_rules / (benchmark.stats["mean"] / COUNT)


def test_look_into_a_table(benchmark: BenchmarkFixture) -> None:
    """The chance of one position, on average over a hundred."""
    table = SolvedTable(Path(), PULUC, FAIR, RANKING.positions, 0.0, 0.5, np.zeros(RANKING.positions, np.uint16))
    positions = [*some_positions(PULUC, 100, Random(1))]

    def look() -> list[float | None]:
        return [table.win(position) for position in positions]

    assert benchmark(look) == [0.0] * len(positions)
