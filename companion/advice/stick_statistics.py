"""What counted throws tell of the lots: how often they fall marked side up, whether evenly, and whether all alike."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import comb, erfc, sqrt

from companion.advice.beta import below, quantile
from companion.advice.odds import FAIR, LOTS

Counts = tuple[int, int, int, int, int]
"""Throws that showed 0, 1, 2, 3 and 4 marked faces."""

CREDIBLE = 0.95
"""Share of what the chance may be, given the throws, that the interval holds."""

VERY_SURE, SURE, LEANING = 0.999, 0.975, 0.9
"""How probable one direction must be for each verdict. At SURE the interval no longer holds one half: the same claim in
two ways. Fair lots reach it by chance in one case of twenty, VERY_SURE in one of five hundred."""

NARROW = 0.05
"""How far the interval may reach from one half for lots to count as even, as nearly as can be told. Reaching it takes a
hundred throws or more; lower would ask players for evenings of patience, higher would call uneven sticks even."""

ENOUGH_TO_COMPARE = 30
"""Throws from which it is said whether the lots fall alike."""

ENOUGH_PAIRS = 10
"""Pairs of faces of the rarer kind to be expected in these throws, likewise. With both, lots that are alike are called
odd in 0.8 to 1.0 of 100 cases, as ODD says, for chances from 0.15 to 0.5 (simulated; tests/advice/test_sticks.py)."""

ODD = 0.01
"""How rare counts must be among lots that are alike for it to be said that these are not."""


class Verdict(StrEnum):
    """Whether the lots fall evenly, as far as the throws tell."""

    UNEVEN = "uneven"
    PROBABLY_UNEVEN = "probably_uneven"
    LEANING = "leaning"
    EVEN = "even"
    OPEN = "open"


class Likeness(StrEnum):
    """Whether the counts are those of four lots alike that do not heed each other.

    together: counts far from the middle are more frequent, as if lots stuck to each other. different: they are rarer,
    as where some lots fall mostly one way and some the other.
    """

    ALIKE = "alike"
    TOGETHER = "together"
    DIFFERENT = "different"
    OPEN = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sticks:
    """The chance of a marked face, as far as the throws tell.

    throws: how many. marked: the best guess, from 0 to 1. low, high: the interval that holds it with CREDIBLE
    probability. above: the probability that it is above one half.
    spread: how much the counts vary, as a share of what four lots alike would; None where that cannot be said.
    odd: how often lots alike would give counts at least so strange; None likewise.
    """

    counts: Counts
    throws: int
    marked: float
    low: float
    high: float
    above: float
    verdict: Verdict
    likeness: Likeness
    spread: float | None = None
    odd: float | None = None

    @property
    def sure(self) -> float:
        """The probability of the direction in which the lots are more likely to lean."""
        return max(self.above, 1 - self.above)


def sticks(counts: Counts) -> Sticks:
    """What these throws tell. Before any throw every chance is held to be equally likely (Bayes 1763, Laplace 1774).

    Then after M marked of n faces the chance has the distribution Beta(1 + M, 1 + n - M), whose mean is the guess. That
    takes the faces to be independent; ``likeness`` says whether they look it.
    """
    throws, faces = sum(counts), LOTS * sum(counts)
    marked = sum(number * count for number, count in enumerate(counts))
    a, b = 1 + marked, 1 + faces - marked
    low, high = quantile((1 - CREDIBLE) / 2, a, b), quantile((1 + CREDIBLE) / 2, a, b)
    above = below(0.5, b, a)
    likeness, spread, odd = compared(counts)
    return Sticks(
        counts=counts,
        throws=throws,
        marked=a / (a + b),
        low=low,
        high=high,
        above=above,
        verdict=_verdict(low, high, max(above, 1 - above)),
        likeness=likeness,
        spread=spread,
        odd=odd,
    )


def expected(throws: int, marked: Fraction = FAIR) -> tuple[float, ...]:
    """How many of so many throws show 0, 1, 2, 3 and 4 marked faces on average, with lots of that chance.

    >>> expected(16)
    (1.0, 4.0, 6.0, 4.0, 1.0)
    """
    return tuple(
        float(throws * comb(LOTS, number) * marked**number * (1 - marked) ** (LOTS - number))
        for number in range(LOTS + 1)
    )


def hundredths(chance: float | Fraction) -> Fraction:
    """The chance as advice reckons with it: a whole number of hundredths, from 1 to 99.

    Finer would have every game solved anew after every few throws, for what the throws do not tell so sharply.

    >>> hundredths(0.5271), hundredths(0.001)
    (Fraction(53, 100), Fraction(1, 100))
    """
    return Fraction(min(max(round(100 * Fraction(chance)), 1), 99), 100)


def _verdict(low: float, high: float, sure: float) -> Verdict:
    if sure >= VERY_SURE:
        return Verdict.UNEVEN
    if sure >= SURE:
        return Verdict.PROBABLY_UNEVEN
    if sure >= LEANING:
        return Verdict.LEANING
    return Verdict.EVEN if low >= 0.5 - NARROW and high <= 0.5 + NARROW else Verdict.OPEN


def compared(counts: Counts) -> tuple[Likeness, float | None, float | None]:
    """Whether the lots fall alike, with the ``spread`` and ``odd`` of Sticks: Tarone's test, Biometrika 66 (1979) 585.

    It is left open where too few throws, or too one-sided ones, make the test's normal approximation coarse.
    """
    throws = sum(counts)
    mean = sum(number * count for number, count in enumerate(counts)) / max(throws, 1)
    variance = mean * (1 - mean / LOTS)
    rarer = min(mean, LOTS - mean) / LOTS
    if throws < ENOUGH_TO_COMPARE or throws * comb(LOTS, 2) * rarer**2 < ENOUGH_PAIRS:
        return Likeness.OPEN, None, None
    squares = sum(count * (number - mean) ** 2 for number, count in enumerate(counts))
    spread = squares / throws / variance
    z = (spread - 1) * sqrt(throws * LOTS / (2 * (LOTS - 1)))
    odd = erfc(abs(z) / sqrt(2))
    if odd >= ODD:
        return Likeness.ALIKE, spread, odd
    return Likeness.TOGETHER if spread > 1 else Likeness.DIFFERENT, spread, odd
