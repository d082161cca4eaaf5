"""The chance of each throw, compared with plain counting."""

from fractions import Fraction
from itertools import product

import pytest

from companion.errors import Unknown
from companion.rules.odds import LOTS, odds, parse_chance, turn_odds
from companion.rules.variants import VARIANTS, variant


@pytest.mark.parametrize("marked", [Fraction(1, 2), Fraction(53, 100)])
@pytest.mark.parametrize("id", VARIANTS)
def test_the_chances_of_a_throw_sum_to_one(id: str, marked: Fraction) -> None:  # noqa: A002 - the field's own name
    """The sum is exact, for one throw and for a whole turn."""
    assert sum(odds(variant(id), marked).values()) == 1
    assert sum(turn_odds(variant(id), marked).values()) == 1


def test_counts_worth_the_same_are_added() -> None:
    """If several counts have the same value, their chances are added."""
    assert odds(variant("puluc").changed({"values": "2,1,2,1,2"})) == {2: Fraction(1, 2), 1: Fraction(1, 2)}


def test_a_turn_of_two_throws_agrees_with_counting_every_lot() -> None:
    """Each outcome of the eight lots is weighted by its chance."""
    rules, marked = variant("aj-sayil"), Fraction(2, 3)
    counted: dict[tuple[int, ...], Fraction] = {}
    for lots in product((0, 1), repeat=2 * LOTS):
        one, two = rules.values[sum(lots[:LOTS])], rules.values[sum(lots[LOTS:])]
        chance = marked ** sum(lots) * (1 - marked) ** (2 * LOTS - sum(lots))
        pair = (min(one, two), max(one, two))
        counted[pair] = counted.get(pair, Fraction(0)) + chance

    assert turn_odds(rules, marked) == counted


@pytest.mark.parametrize("text", ["0", "1", "-0.1", "half", "1/0", "0.12345678901", "nan", "1e-999999999"])
def test_what_is_no_chance_is_refused(text: str) -> None:
    """The message repeats the input."""
    with pytest.raises(Unknown, match=text):
        parse_chance(text)
