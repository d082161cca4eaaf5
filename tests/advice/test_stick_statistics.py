"""The statistics are right for lots with known chances."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.advice.stick_statistics import (
    CREDIBLE,
    ODD,
    Counts,
    Fairness,
    Likeness,
    dispersion_test,
    expected_counts,
    rounded_chance,
    stick_statistics,
)
from companion.rules.odds import LOTS

TRIES = 4000


def tallied(throws: NDArray[np.int64]) -> Counts:
    zero, one, two, three, four = np.bincount(throws, minlength=LOTS + 1).tolist()
    return zero, one, two, three, four


def test_before_any_throw_nothing_is_known() -> None:
    """All chances are equally likely: the mean is one half, the interval is wide, and there is no verdict."""
    statistics = stick_statistics((0, 0, 0, 0, 0))

    assert (statistics.throws, statistics.marked, statistics.above) == (0, 0.5, 0.5)
    assert statistics.low == pytest.approx(0.025)
    assert statistics.high == pytest.approx(0.975)
    assert (statistics.verdict, statistics.likeness) == (Fairness.OPEN, Likeness.OPEN)


def test_one_throw_of_four_marked() -> None:
    """Beta(5, 1): the mean is 5/6, and a chance below one half has probability 1/32."""
    statistics = stick_statistics((0, 0, 0, 0, 1))

    assert statistics.marked == pytest.approx(5 / 6)
    assert statistics.above == pytest.approx(31 / 32)
    assert statistics.low == pytest.approx(0.025**0.2)
    assert statistics.verdict is Fairness.LEANING


def test_counting_the_other_face_mirrors_everything() -> None:
    """Exchanging the names of the faces only changes the direction."""
    one, other = stick_statistics((9, 41, 60, 58, 22)), stick_statistics((22, 58, 60, 41, 9))

    assert other.marked == pytest.approx(1 - one.marked)
    assert other.low == pytest.approx(1 - one.high)
    assert other.high == pytest.approx(1 - one.low)
    assert other.above == pytest.approx(1 - one.above)
    assert other.sure == pytest.approx(one.sure)
    assert other.spread == pytest.approx(one.spread)
    assert other.verdict is one.verdict


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        ((1, 4, 6, 4, 1), Fairness.OPEN),
        ((10, 40, 60, 40, 10), Fairness.EVEN),
        ((5, 30, 60, 50, 15), Fairness.UNEVEN),
        ((6, 25, 60, 45, 12), Fairness.PROBABLY_UNEVEN),
        ((8, 35, 60, 45, 12), Fairness.LEANING),
        ((60, 240, 360, 240, 60), Fairness.EVEN),
    ],
)
def test_verdicts(counts: Counts, verdict: Fairness) -> None:
    """The verdict follows from the counts; one face is favoured exactly if the interval excludes one half."""
    statistics = stick_statistics(counts)

    assert statistics.verdict is verdict
    assert (statistics.low > 0.5 or statistics.high < 0.5) == (verdict in (Fairness.UNEVEN, Fairness.PROBABLY_UNEVEN))


@pytest.mark.parametrize("marked", [0.5, 0.53, 0.3])
def test_the_interval_has_its_stated_coverage(marked: float) -> None:
    """Of many evenings with known lots, about 95 in 100 give an interval that contains the true chance."""
    random = np.random.default_rng(20)
    samples = [stick_statistics(tallied(throws)) for throws in random.binomial(LOTS, marked, (400, 60))]
    inside = sum(one.low <= marked <= one.high for one in samples)

    # Four standard errors of a share of 0.95 among 400.
    assert abs(inside / 400 - CREDIBLE) < 4 * (CREDIBLE * (1 - CREDIBLE) / 400) ** 0.5


@pytest.mark.parametrize(("marked", "throws"), [(0.5, 30), (0.5, 300), (0.3, 50), (0.15, 100)])
def test_equal_lots_are_seldom_called_odd(marked: float, throws: int) -> None:
    """Equal, independent lots are rejected about as often as ODD says, even with the fewest throws."""
    random = np.random.default_rng(21)
    found = [dispersion_test(tallied(counts))[0] for counts in random.binomial(LOTS, marked, (TRIES, throws))]
    decided = len(found) - found.count(Likeness.OPEN)
    odd = decided - found.count(Likeness.ALIKE)

    assert decided > TRIES / 2
    assert odd / decided < ODD + 4 * (ODD * (1 - ODD) / decided) ** 0.5


def test_lots_that_stick_together_are_noticed() -> None:
    """If all lots fall alike in one throw of four, the outer counts are too frequent."""
    random = np.random.default_rng(22)
    apart, alike = random.binomial(LOTS, 0.5, 200), LOTS * random.binomial(1, 0.5, 200)
    statistics = stick_statistics(tallied(np.where(random.random(200) < 0.25, alike, apart)))

    assert statistics.likeness is Likeness.TOGETHER
    assert statistics.spread is not None
    assert statistics.spread > 1.3


def test_lots_that_differ_are_noticed() -> None:
    """Two lots that are mostly marked and two that are mostly plain show two too often."""
    random = np.random.default_rng(23)
    statistics = stick_statistics(tallied((random.random((300, LOTS)) < [0.8, 0.8, 0.2, 0.2]).sum(axis=1)))

    assert statistics.likeness is Likeness.DIFFERENT
    assert statistics.verdict is not Fairness.UNEVEN


def test_spread_by_hand() -> None:
    """Thirty throws of one and thirty of three all differ by one from their mean, like equal lots on average."""
    statistics = stick_statistics((0, 30, 0, 30, 0))

    assert statistics.spread == pytest.approx(1)
    assert statistics.odd == pytest.approx(1)


def test_expected_counts_of_fair_lots() -> None:
    """The counts follow the binomial distribution."""
    assert expected_counts(160) == (10, 40, 60, 40, 10)
    assert expected_counts(100, Fraction(3, 4)) == tuple(
        pytest.approx(100 * comb(4, k) * 0.75**k * 0.25 ** (4 - k)) for k in range(5)
    )


@pytest.mark.parametrize(
    ("chance", "kept"), [(0.5271, 53), (Fraction(9, 17), 53), (0.5, 50), (0.0001, 1), (0.99999, 99)]
)
def test_advice_rounds_chances_to_hundredths(chance: float | Fraction, kept: int) -> None:
    """A chance is rounded to hundredths, and never to 0 or 1."""
    assert rounded_chance(chance) == Fraction(kept, 100)
