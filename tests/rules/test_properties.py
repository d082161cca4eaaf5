"""Properties of games with random fields: agreement with a naive implementation, and symmetry."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.camp import Camp
from companion.rules.notation import parse, write
from companion.rules.position import Position, Side, Unit
from companion.rules.turns import Turn
from companion.rules.variant import Variant
from companion.rules.variant_fields import BELL, Teams
from companion.rules.variants import VARIANTS
from tests.rules import naive
from tests.rules.games import random_game, random_variant

SEEDS = st.integers(0, 2**32)


def pieces(position: Position) -> Counter[tuple[Side, int]]:
    """All pieces, by side and player."""
    found: Counter[tuple[Side, int]] = Counter()
    for side, camp in zip(Side, position.camps, strict=True):
        for counts in (camp.base, camp.slain, camp.spent):
            found.update({(side, player): count for player, count in enumerate(counts, 1)})
    for units in position.places:
        for unit in units:
            found.update((unit.owner, player) for player in unit.mine)
            found.update((unit.owner.other, player) for player in unit.prey)
    return found


def mirrored(position: Position) -> Position:
    """The same position seen from the other end, with the sides swapped."""

    def other(unit: Unit) -> Unit:
        return unit._replace(owner=unit.owner.other)

    rules, (jade, obsidian) = position.rules, position.camps
    rules = replace(rules, fire=rules.fire and rules.spaces + 1 - rules.fire)
    places = tuple(tuple(sorted(map(other, units), key=str)) for units in reversed(position.places))
    return replace(position, rules=rules, places=places, camps=(obsidian, jade), turn=position.turn.other)


def plain(rules: Variant) -> dict[str, object]:
    """The fields as the naive implementation takes them: text, numbers, lists."""
    return {name: str(value) if isinstance(value, str) else value for name, value in rules.rules().items()}


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(SEEDS)
def test_a_second_reading_of_the_rules_agrees(seed: int) -> None:
    """A slow, plain implementation of the same page leads to the same positions, whatever the fields."""
    chance = Random(seed)
    rules = random_variant(chance)
    for position, values in random_game(rules, chance, turns=40):
        if values:
            results = sorted(map(write, Turn(position, values).results()))
            assert results == naive.results(plain(rules), write(position), list(values)), (rules, write(position))


@settings(max_examples=100, deadline=None)
@given(SEEDS)
def test_what_holds_in_every_game(seed: int) -> None:
    """Pieces are conserved, spelling round-trips, bases are never robbed, and mirroring commutes with moves."""
    chance = Random(seed)
    rules = random_variant(chance)
    all_pieces = pieces(Position.start(rules))
    for position, values in random_game(rules, chance, turns=60):
        assert pieces(position) == all_pieces
        assert parse(write(position), rules) == position
        if not values:
            continue
        results = Turn(position, values).results()
        assert {mirrored(after) for after in results} == Turn(mirrored(position), values).results()
        enemy = position.turn.other
        for after in results:
            assert after.in_base(enemy) >= position.in_base(enemy)
            assert after.resting(enemy) == position.resting(enemy)


@pytest.mark.parametrize("seed", range(40))
def test_every_game_ends(seed: int) -> None:
    """By chance alone every game is won or declared drawn; then nothing can be moved.

    Left out is Bell's table with exact_home: one space from home a unit then waits for a 1 that no throw is worth.
    """
    chance = Random(seed)
    rules = random_variant(chance)
    if rules.exact_home and rules.values == BELL:
        rules = replace(rules, exact_home=False)
    *_, (last, _) = random_game(rules, chance, turns=5000)

    assert last.is_over()
    assert (last.winner() is None) is last.is_drawn()
    assert all(not last.moves(value) for value in rules.values)


@pytest.mark.parametrize("id", VARIANTS)
def test_whole_games_of_every_variant(id: str) -> None:  # noqa: A002 - the field's own name
    """Each variant comes to an end, with one player a side and with several."""
    team = ["1"] if VARIANTS[id].teams is Teams.NONE else ["1", "3"]
    for players in team:
        rules = VARIANTS[id].changed({"players": players})
        *_, (last, _) = random_game(rules, Random(7), turns=20000)

        assert last.is_over()


def test_camps_start_full() -> None:
    """If players own their pieces each has a count; otherwise the side has one."""
    owned = VARIANTS["aj-sayil"].changed({"players": "3"})

    assert Camp.full(owned) == Camp((5, 5, 5), (0, 0, 0), (0, 0, 0))
    assert Camp.full(VARIANTS["puluc"]) == Camp((5,), (0,), (0,))
