"""The compiled moves are the same as those of companion.rules."""

from bisect import bisect_right
from random import Random

import numpy as np
import pytest

from companion.advice.adviser import terminal_value
from companion.advice.solver.compiled_results import expand, move_buffers
from companion.advice.solver.ranking import DRAWN, LOST, WON, Ranking
from companion.advice.solver.rule_arrays import rule_arrays
from companion.rules.notation import write
from companion.rules.odds import turn_odds
from companion.rules.position import Position
from companion.rules.turns import Turn
from companion.rules.variant import Variant
from companion.rules.variants import VARIANTS, variant
from tests.advice.solver.games import custom_games, some_positions

OVER = {0.0: LOST, 0.5: DRAWN, 1.0: WON}
CUSTOM = custom_games(60, Random(5), spaces=(5, 9), pieces=(1, 4))


@pytest.mark.parametrize("id", VARIANTS)
def test_they_give_the_results_of_the_rules(id: str) -> None:  # noqa: A002 - the field's own name
    """They agree in random games of every variant, for every throw."""
    agree(variant(id), 80)


@pytest.mark.parametrize("number", range(len(CUSTOM)))
def test_they_give_the_results_of_the_rules_in_custom_games(number: int) -> None:
    """They agree in random custom games."""
    agree(CUSTOM[number], 40)


def agree(rules: Variant, count: int) -> None:
    ranking, odds = Ranking(rules), turn_odds(rules)
    game = rule_arrays(ranking)
    room, found = move_buffers(game), np.zeros(200_000, np.uint32)
    rolls = np.array([(*values, -1)[:2] for values in odds], np.int32)
    bases = [ranking.bases[layer] for layer in ranking.layers]
    for position in some_positions(rules, count, Random(count)):
        address = ranking.address(position)
        assert address is not None
        layer = bisect_right(bases, address) - 1
        ends = np.zeros(len(odds) + 1, np.int64)

        assert expand(game, room, layer, address - bases[layer], ends, rolls, found) == 1
        for roll, values in enumerate(odds):
            results = Turn(position, values).results() or {position.passed()}
            wanted = {_address(ranking, position, result) for result in results}
            assert set(found[ends[roll] : ends[roll + 1]].tolist()) == wanted, (rules.rules(), write(position), values)


def _address(ranking: Ranking, before: Position, after: Position) -> int | None:
    if after.is_decided() or before.is_drawn():
        over = terminal_value(after)
        assert over is not None
        return OVER[over]
    return ranking.address(after)
