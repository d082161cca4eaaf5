"""Statistics of a set of lots from counted throws: the chance of a marked face, fairness, and dispersion."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import comb, erfc, sqrt

from companion.advice.beta_distribution import cdf, quantile
from companion.rules.odds import FAIR, LOTS

Counts = tuple[int, int, int, int, int]
"""Throws that showed 0, 1, 2, 3 and 4 marked faces."""

CREDIBLE = 0.95
"""Posterior probability of the credible interval."""

VERY_SURE, SURE, LEANING = 0.999, 0.975, 0.9
"""How probable one direction must be for each verdict. At SURE the credible interval just excludes one half. Fair lots
reach it by chance in one case of twenty, and VERY_SURE in one of five hundred."""

NARROW = 0.05
"""How far from one half the interval of even lots may reach. It takes a hundred throws or more to get there; a lower
value would take whole evenings, a higher one would call uneven sticks even."""

ENOUGH_TO_COMPARE = 30
"""Minimum number of throws for a statement on whether the lots are alike."""

ENOUGH_PAIRS = 10
"""Minimum expected number of pairs of rarer faces, likewise. With both limits, the test rejects lots that are alike in
0.8 to 1.0 of 100 cases, as ODD demands, for chances from 0.15 to 0.5 (simulated in test_stick_statistics.py)."""

ODD = 0.01
"""Significance level: the p-value below which lots are said not to be alike."""


class Fairness(StrEnum):
    """Whether the lots are fair, as far as the throws show."""

    UNEVEN = "uneven"
    PROBABLY_UNEVEN = "probably_uneven"
    LEANING = "leaning"
    EVEN = "even"
    OPEN = "open"


class Likeness(StrEnum):
    """Whether the counts fit four equal and independent lots.

    together: overdispersed, as if lots stuck to each other. different: underdispersed, as if some lots fell mostly on
    one side and some on the other.
    """

    ALIKE = "alike"
    TOGETHER = "together"
    DIFFERENT = "different"
    OPEN = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class StickStatistics:
    """What the throws say about the chance of a marked face.

    throws: how many. marked: the posterior mean, from 0 to 1. low, high: the credible interval with probability
    CREDIBLE. above: the posterior probability that the chance is above one half. spread: the variance of the counts
    over that of four equal lots; None if there are too few throws. odd: the p-value of the dispersion; None likewise.
    """

    counts: Counts
    throws: int
    marked: float
    low: float
    high: float
    above: float
    verdict: Fairness
    likeness: Likeness
    spread: float | None = None
    odd: float | None = None

    @property
    def sure(self) -> float:
        """The posterior probability of the likelier direction."""
        return max(self.above, 1 - self.above)


def stick_statistics(counts: Counts) -> StickStatistics:
    """Estimate the chance of a marked face from throws, with a uniform prior (Bayes 1763, Laplace 1774).

    After M marked of n faces, the posterior is Beta(1 + M, 1 + n - M). This assumes independent faces; ``likeness``
    says whether they look independent.
    """
    throws, faces = sum(counts), LOTS * sum(counts)
    marked = sum(number * count for number, count in enumerate(counts))
    a, b = 1 + marked, 1 + faces - marked
    low, high = quantile((1 - CREDIBLE) / 2, a, b), quantile((1 + CREDIBLE) / 2, a, b)
    above = cdf(0.5, b, a)
    likeness, spread, odd = dispersion_test(counts)
    return StickStatistics(
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


def expected_counts(throws: int, marked: Fraction = FAIR) -> tuple[float, ...]:
    """Expected number of throws with 0, 1, 2, 3 and 4 marked faces.

    >>> expected_counts(16)
    (1.0, 4.0, 6.0, 4.0, 1.0)
    """
    return tuple(
        float(throws * comb(LOTS, number) * marked**number * (1 - marked) ** (LOTS - number))
        for number in range(LOTS + 1)
    )


def rounded_chance(chance: float | Fraction) -> Fraction:
    """The chance rounded to hundredths, from 0.01 to 0.99, as advice uses it.

    A finer chance would have every game solved again after a few throws, for a precision that they do not give.

    >>> rounded_chance(0.5271), rounded_chance(0.001)
    (Fraction(53, 100), Fraction(1, 100))
    """
    return Fraction(min(max(round(100 * Fraction(chance)), 1), 99), 100)


def _verdict(low: float, high: float, sure: float) -> Fairness:
    if sure >= VERY_SURE:
        return Fairness.UNEVEN
    if sure >= SURE:
        return Fairness.PROBABLY_UNEVEN
    if sure >= LEANING:
        return Fairness.LEANING
    return Fairness.EVEN if low >= 0.5 - NARROW and high <= 0.5 + NARROW else Fairness.OPEN


def dispersion_test(counts: Counts) -> tuple[Likeness, float | None, float | None]:
    """Test whether the lots are alike with Tarone's test, Biometrika 66 (1979) 585.

    Returns the verdict, the ``spread`` and the p-value. The verdict is OPEN, and the others None, where the throws are
    too few or too one-sided for the test's normal approximation.
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
