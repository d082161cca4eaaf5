"""The probability of each throw, for any chance of a marked face."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb
from types import MappingProxyType

from companion.errors import Unknown
from companion.i18n import _
from companion.rules.variant import Variant

LOTS = 4
"""Lots of a throw."""
FAIR = Fraction(1, 2)
"""The chance of a marked face of even lots."""


def parse_chance(text: str) -> Fraction:
    """Parse the chance of a marked face, such as ``0.53`` or ``9/17``.

    Raises Unknown unless it lies inside (0, 1) and its terms have at most nine digits.

    >>> parse_chance("0.53")
    Fraction(53, 100)
    """
    try:
        # No powers of ten: "1e999999999" is short to write, and takes all memory to reckon with.
        if "e" in text.lower():
            raise ValueError(text)
        chance = Fraction(text.strip())
    except (ValueError, ZeroDivisionError) as error:
        raise Unknown(
            _("'{text}' is not a chance of a marked side. Write a number such as 0.53 or 9/17.", text=text[:40])
        ) from error
    if not 0 < chance < 1:
        raise Unknown(_("The chance of a marked side must be more than 0 and less than 1, not {text}.", text=text[:40]))
    if chance.denominator >= 10**9:
        raise Unknown(_("{text} has too many digits: nine are enough.", text=text[:40]))
    return chance


def odds(rules: Variant, marked: Fraction = FAIR) -> Mapping[int, Fraction]:
    """The chance of each value of a throw. The chances sum to exactly 1.

    marked: the chance that one lot falls marked side up.

    >>> from companion.rules.variants import variant
    >>> odds(variant("puluc"))[5], odds(variant("puluc-bell"))[0]
    (Fraction(1, 16), Fraction(1, 4))
    """
    return _odds(rules.values, marked)


@lru_cache(maxsize=64)
def _odds(values: tuple[int, ...], marked: Fraction) -> Mapping[int, Fraction]:
    chances: dict[int, Fraction] = {}
    for faces, value in enumerate(values):
        # Two counts may be worth the same, so add, never assign.
        chance = comb(LOTS, faces) * marked**faces * (1 - marked) ** (LOTS - faces)
        chances[value] = chances.get(value, Fraction(0)) + chance
    return MappingProxyType(chances)


def turn_odds(rules: Variant, marked: Fraction = FAIR) -> Mapping[tuple[int, ...], Fraction]:
    """The chance of each value, or sorted pair of values, of a whole turn. The chances sum to 1.

    Which of two throws came first makes no difference to a turn, so a pair stands for both orders.

    >>> from companion.rules.variants import variant
    >>> turn_odds(variant("aj-sayil"))[1, 2]
    Fraction(3, 16)
    """
    single = odds(rules, marked)
    if rules.throws == 1:
        return {(value,): chance for value, chance in single.items()}
    chances: dict[tuple[int, ...], Fraction] = {}
    for one, chance in single.items():
        for two, other in single.items():
            pair = (min(one, two), max(one, two))
            chances[pair] = chances.get(pair, Fraction(0)) + chance * other
    return chances
