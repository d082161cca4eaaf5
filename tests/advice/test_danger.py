"""The danger on a space equals a plain count over the enemy's throws."""

from fractions import Fraction
from itertools import product

import pytest

from companion.advice.levels import danger
from companion.rules.notation import parse
from companion.rules.odds import odds
from companion.rules.position import Side
from companion.rules.turns import Turn
from companion.rules.variants import variant


@pytest.mark.parametrize(
    ("id", "text", "space"),
    [
        ("puluc", "4/7J1/5 0:0 J", 8),
        ("puluc", "4/3J1O3/4 0:0 J", 4),
        ("puluc-bell", "4/7J1/5 0:0 J", 8),
        ("aj-sayil", "4/14J4/5 0:0 J", 15),
        ("aj-sayil", "4/9J4O4/4 0:0 J", 10),
        ("aj-sinaanil", "4/9O4J4/4 0:0 J", 15),
        ("aj-tiwil", "4/14J4/5 0:0 J", 15),
    ],
)
def test_danger_is_the_chance_of_being_captured(id: str, text: str, space: int) -> None:  # noqa: A002 - the field's own name
    """It is the total chance of the throws with which the enemy can capture Jade's unit."""
    position = parse(text, variant(id))
    chances = odds(position.rules)
    total = Fraction(0)
    for values in product(chances, repeat=position.rules.throws):
        results = Turn(position.passed(), values).results()
        if any(unit.owner is Side.OBSIDIAN for after in results for unit in after.places[space]) or any(
            not after.places[space] for after in results
        ):
            chance = Fraction(1)
            for value in values:
                chance *= chances[value]
            total += chance

    assert danger(position, space) == total
    assert 0 < total < 1


def test_just_ahead_of_the_enemy_is_safe_with_bells_throws() -> None:
    """There, no throw has the value one (Psion manual, 4.2)."""
    assert danger(parse("4/3JO4/4 0:0 J", variant("puluc-bell")), 4) == 0
    assert danger(parse("4/3JO4/4 0:0 J", variant("puluc")), 4) == Fraction(1, 4)


def test_every_enemy_player_follows() -> None:
    """With two enemy players, it is the chance that at least one of them can capture."""
    one = danger(parse("4/14J4/5 0:0 J", variant("aj-sayil")), 15)
    both = danger(parse("4,5/14J4/5,5 0,0:0,0 J", variant("aj-sayil").changed({"players": "2"})), 15)

    assert both == 1 - (1 - one) ** 2
