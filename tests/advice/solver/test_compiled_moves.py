"""The compiled moves are those of the rules."""

from bisect import bisect_right
from random import Random

import numpy as np
import pytest

from companion.advice.adviser import settled
from companion.advice.odds import turn_odds
from companion.advice.solving.lookup import lookup
from companion.advice.solving.moves import desk, expand
from companion.advice.solving.ranking import DRAWN, LOST, WON, Ranking
from companion.rules.notation import write
from companion.rules.position import Position
from companion.rules.ruleset import Variant
from companion.rules.turns import Turn
from companion.rules.variant import VARIANTS, variant
from tests.advice.solving.games import custom_games, some_positions

OVER = {0.0: LOST, 0.5: DRAWN, 1.0: WON}
CUSTOM = custom_games(60, Random(5), spaces=(5, 9), pieces=(1, 4))


@pytest.mark.parametrize("id", VARIANTS)
def test_they_lead_where_the_rules_lead(id: str) -> None:  # noqa: A002 - the field's own name
    """In random games of every variant, with every throw."""
    agree(variant(id), 80)


@pytest.mark.parametrize("number", range(len(CUSTOM)))
def test_they_lead_where_the_rules_lead_in_custom_games(number: int) -> None:
    """In combinations of fields that no source plays."""
    agree(CUSTOM[number], 40)


def agree(rules: Variant, count: int) -> None:
    ranking, odds = Ranking(rules), turn_odds(rules)
    game = lookup(ranking)
    room, found = desk(game), np.zeros(200_000, np.uint32)
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
        over = settled(after)
        assert over is not None
        return OVER[over]
    return ranking.address(after)
