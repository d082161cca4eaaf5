"""The compiled levels choose among the same steps as those that play at the table."""

from bisect import bisect_right
from collections import Counter
from random import Random

import numpy as np
import pytest

from companion.advice.levels import LEVELS
from companion.advice.odds import turn_odds
from companion.advice.solving.choosing import EASY, FAIR, HARD, NOW, OWN, RANDOM, VALUE, Room, choices, room, take
from companion.advice.solving.lookup import OFF_HIGHWAY, Lookup, lookup
from companion.advice.solving.moves import START, TO, WHICH, desk, place
from companion.advice.solving.ranking import Ranking
from companion.rules.notation import write
from companion.rules.ruleset import Variant
from companion.rules.turns import Step, Turn
from companion.rules.unit import Side
from companion.rules.variant import VARIANTS, variant
from tests.advice.listening import Listening
from tests.advice.solving.games import custom_games, some_positions

NUMBERS = {"random": RANDOM, "easy": EASY, "fair": FAIR, "hard": HARD}
CUSTOM = custom_games(30, Random(11), spaces=(5, 9), pieces=(1, 4))
Told = tuple[int, int | None, int | str | None, int, int]
"""A step: its value, from and to as own distances, and the own pieces and captives of what moves."""


@pytest.mark.parametrize("id", VARIANTS)
def test_they_choose_as_the_levels_do(id: str) -> None:  # noqa: A002 - the field's own name
    """In random games of every variant, with every throw."""
    agree(variant(id), 40)


@pytest.mark.parametrize("number", range(len(CUSTOM)))
def test_they_choose_as_the_levels_do_in_custom_games(number: int) -> None:
    """In combinations of fields that no source plays."""
    agree(CUSTOM[number], 12)


def agree(rules: Variant, count: int) -> None:
    ranking, odds = Ranking(rules), turn_odds(rules)
    game = lookup(ranking)
    space, at_work = room(game), desk(game)
    rolls = np.array([(*values, -1)[:2] for values in odds], np.int32)
    chances = np.array([float(chance) for chance in odds.values()])
    bases = [ranking.bases[layer] for layer in ranking.layers]
    compared = 0
    for position in some_positions(rules, count, Random(count)):
        address = ranking.address(position)
        assert address is not None
        layer = bisect_right(bases, address) - 1
        for values in odds:
            for name, number in NUMBERS.items():
                place(game, at_work, layer, address - bases[layer], True)
                space.held[NOW], space.counts[NOW] = at_work.held[0], at_work.counts[0]
                turn = Turn(position, values)
                while turn.values and turn.steps():
                    chance = Listening()
                    LEVELS[name](turn, chance)
                    one, two = (*turn.values, -1)[:2]
                    kept = choices(game, space, number, one, two, rolls, chances)
                    found = [_compiled(game, ranking, space, at) for at in range(kept)]
                    wanted = [_told(step, position.turn, rules) for step in chance.heard]

                    assert Counter(found) == Counter(wanted), (rules.rules(), write(position), values, name)
                    take(game, space, 0)
                    turn = turn.after(chance.heard[wanted.index(found[0])])
                    compared += 1
    assert compared > count


def _compiled(game: Lookup, ranking: Ranking, space: Room, at: int) -> Told:
    step = space.steps[OWN, at]
    start, to = int(step[START]), int(step[TO])
    unit = game.units[space.held[NOW, start], step[WHICH]] if start >= 0 else 0
    return (
        int(step[VALUE]),
        ranking.places[start] if start >= 0 else None,
        None if to == OFF_HIGHWAY else ranking.places[to],
        int(game.unit_own[unit]),
        int(game.unit_captives[unit]),
    )


def _told(step: Step, side: Side, rules: Variant) -> Told:
    def distance(place: int | str | None) -> int | None:
        if not isinstance(place, int):
            return rules.spaces + 1 if place == "field" else None
        return place if side is Side.JADE else rules.spaces + 1 - place

    move = step.move
    return step.value, distance(move.start), distance(move.to), move.unit.own, move.unit.captives
