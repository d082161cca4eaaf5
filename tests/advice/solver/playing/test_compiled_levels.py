"""The compiled levels choose among the same steps as companion.advice.levels."""

from bisect import bisect_right
from collections import Counter
from random import Random

import pytest

from companion.advice.levels import LEVELS
from companion.advice.solver.compiled_moves import START, TO, WHICH
from companion.advice.solver.compiled_results import move_buffers, place
from companion.advice.solver.jit import argument
from companion.advice.solver.playing.compiled_levels import (
    AFTER,
    ENEMY,
    ENEMY_AFTER,
    ENEMYS,
    NO_VALUE,
    NOW,
    NUMBERS,
    OWN,
    VALUE,
    LevelBuffers,
    choices,
    level_arrays,
    level_buffers,
    take,
)
from companion.advice.solver.ranking import Ranking
from companion.advice.solver.rule_arrays import OFF_HIGHWAY, RuleArrays, rule_arrays
from companion.rules.notation import write
from companion.rules.odds import turn_odds
from companion.rules.turns import Step, Turn
from companion.rules.unit import Side
from companion.rules.variant import Variant
from companion.rules.variants import VARIANTS, variant
from tests.advice.solver.games import custom_games, some_positions
from tests.advice.solver.recording_random import RecordingRandom

PLAYERS = {NUMBERS[name]: level for name, level in LEVELS.items()}
"""The levels by their compiled numbers."""
CUSTOM = custom_games(30, Random(11), spaces=(5, 9), pieces=(1, 4))
Told = tuple[int, int | None, int | str | None, int, int]
"""A step: its value, start and end as own distances, and the moving unit's own pieces and captives."""


@pytest.mark.parametrize("id", VARIANTS)
def test_they_choose_like_the_levels(id: str) -> None:  # noqa: A002 - the field's own name
    """They agree in random games of every variant, for every throw."""
    rules = variant(id)
    agree(rules, 16 // rules.throws)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(CUSTOM)))
def test_they_choose_like_the_levels_in_custom_games(number: int) -> None:
    """They agree in random custom games."""
    agree(CUSTOM[number], 6)


def test_what_is_compiled_does_not_depend_on_a_constant() -> None:
    """Numba would compile a function anew for each plain number that it is passed, here twice as much in all."""
    passed = (NO_VALUE, NOW, AFTER, ENEMY, ENEMY_AFTER, OWN, ENEMYS)

    assert [one for one in passed if isinstance(one, int)] == []


def agree(rules: Variant, count: int) -> None:
    ranking, odds = Ranking(rules), turn_odds(rules)
    game = rule_arrays(ranking)
    space, at_work = level_buffers(game), move_buffers(game)
    known = level_arrays(rules)
    bases = [ranking.bases[layer] for layer in ranking.layers]
    compared = 0
    for position in some_positions(rules, count, Random(count)):
        address = ranking.address(position)
        assert address is not None
        layer = bisect_right(bases, address) - 1
        for values in odds:
            for number, level in PLAYERS.items():
                place(game, at_work, layer, address - bases[layer], True)
                space.held[NOW], space.counts[NOW] = at_work.held[0], at_work.counts[0]
                turn = Turn(position, values)
                while turn.values and turn.steps():
                    chance = RecordingRandom()
                    level(turn, chance)
                    one, two = map(argument, (*turn.values, NO_VALUE)[:2])
                    kept = choices(game, space, number, one, two, known)
                    found = [_compiled(game, ranking, space, at) for at in range(kept)]
                    wanted = [_told(step, position.turn, rules) for step in chance.options]

                    assert Counter(found) == Counter(wanted), (rules.rules(), write(position), values, number)
                    take(game, space, 0)
                    turn = turn.after(chance.options[wanted.index(found[0])])
                    compared += 1
    assert compared > count


def _compiled(game: RuleArrays, ranking: Ranking, space: LevelBuffers, at: int) -> Told:
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
