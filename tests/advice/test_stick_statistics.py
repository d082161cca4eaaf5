"""What counts tell of the lots, tried on lots whose chance is known."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.advice.odds import LOTS
from companion.advice.sticks import CREDIBLE, ODD, Counts, Likeness, Verdict, compared, expected, hundredths, sticks

TRIES = 4000


def tallied(throws: NDArray[np.int64]) -> Counts:
    zero, one, two, three, four = np.bincount(throws, minlength=LOTS + 1).tolist()
    return zero, one, two, three, four


def test_before_any_throw_nothing_is_known() -> None:
    """Every chance is as likely: the guess is one half, the interval nearly everything, and no verdict is given."""
    told = sticks((0, 0, 0, 0, 0))

    assert (told.throws, told.marked, told.above) == (0, 0.5, 0.5)
    assert told.low == pytest.approx(0.025)
    assert told.high == pytest.approx(0.975)
    assert (told.verdict, told.likeness) == (Verdict.OPEN, Likeness.OPEN)


def test_one_throw_of_four_marked() -> None:
    """Beta(5, 1): the mean is 5/6, a chance below one half has probability 1/32."""
    told = sticks((0, 0, 0, 0, 1))

    assert told.marked == pytest.approx(5 / 6)
    assert told.above == pytest.approx(31 / 32)
    assert told.low == pytest.approx(0.025**0.2)
    assert told.verdict is Verdict.LEANING


def test_counting_the_other_face_mirrors_everything() -> None:
    """Which face is called marked makes no difference but for the direction."""
    one, other = sticks((9, 41, 60, 58, 22)), sticks((22, 58, 60, 41, 9))

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
        ((1, 4, 6, 4, 1), Verdict.OPEN),
        ((10, 40, 60, 40, 10), Verdict.EVEN),
        ((5, 30, 60, 50, 15), Verdict.UNEVEN),
        ((6, 25, 60, 45, 12), Verdict.PROBABLY_UNEVEN),
        ((8, 35, 60, 45, 12), Verdict.LEANING),
        ((60, 240, 360, 240, 60), Verdict.EVEN),
    ],
)
def test_verdicts(counts: Counts, verdict: Verdict) -> None:
    """No verdict before enough is known; then how clearly the marked faces lead, or that they do not."""
    told = sticks(counts)

    assert told.verdict is verdict
    assert (told.low > 0.5 or told.high < 0.5) == (verdict in (Verdict.UNEVEN, Verdict.PROBABLY_UNEVEN))


@pytest.mark.parametrize("marked", [0.5, 0.53, 0.3])
def test_the_interval_holds_the_chance_as_often_as_it_says(marked: float) -> None:
    """Of many evenings with known lots, about 95 in 100 give an interval with the truth inside."""
    random = np.random.default_rng(20)
    told = [sticks(tallied(throws)) for throws in random.binomial(LOTS, marked, (400, 60))]
    inside = sum(one.low <= marked <= one.high for one in told)

    # Four standard errors of a share of 0.95 among 400.
    assert abs(inside / 400 - CREDIBLE) < 4 * (CREDIBLE * (1 - CREDIBLE) / 400) ** 0.5


@pytest.mark.parametrize(("marked", "throws"), [(0.5, 30), (0.5, 300), (0.3, 50), (0.15, 100)])
def test_lots_alike_are_seldom_called_odd(marked: float, throws: int) -> None:
    """Alike and independent lots are told off about as often as ODD says, from the fewest throws on."""
    random = np.random.default_rng(21)
    found = [compared(tallied(counts))[0] for counts in random.binomial(LOTS, marked, (TRIES, throws))]
    told = len(found) - found.count(Likeness.OPEN)
    odd = told - found.count(Likeness.ALIKE)

    assert told > TRIES / 2
    assert odd / told < ODD + 4 * (ODD * (1 - ODD) / told) ** 0.5


def test_lots_that_stick_together_are_noticed() -> None:
    """Where one throw in four lets all lots fall alike, the outer counts are too many."""
    random = np.random.default_rng(22)
    apart, alike = random.binomial(LOTS, 0.5, 200), LOTS * random.binomial(1, 0.5, 200)
    told = sticks(tallied(np.where(random.random(200) < 0.25, alike, apart)))

    assert told.likeness is Likeness.TOGETHER
    assert told.spread is not None
    assert told.spread > 1.3


def test_lots_that_differ_are_noticed() -> None:
    """Two lots that fall mostly marked and two mostly plain show two too often, though the four are even together."""
    random = np.random.default_rng(23)
    told = sticks(tallied((random.random((300, LOTS)) < [0.8, 0.8, 0.2, 0.2]).sum(axis=1)))

    assert told.likeness is Likeness.DIFFERENT
    assert told.verdict is not Verdict.UNEVEN


def test_spread_by_hand() -> None:
    """Thirty throws of one and thirty of three are all one off their mean, as lots alike are on average."""
    told = sticks((0, 30, 0, 30, 0))

    assert told.spread == pytest.approx(1)
    assert told.odd == pytest.approx(1)


def test_what_fair_lots_would_give() -> None:
    """The binomial's share of the throws, for any chance."""
    assert expected(160) == (10, 40, 60, 40, 10)
    assert expected(100, Fraction(3, 4)) == tuple(
        pytest.approx(100 * comb(4, k) * 0.75**k * 0.25 ** (4 - k)) for k in range(5)
    )


@pytest.mark.parametrize(
    ("chance", "kept"), [(0.5271, 53), (Fraction(9, 17), 53), (0.5, 50), (0.0001, 1), (0.99999, 99)]
)
def test_advice_reckons_in_hundredths(chance: float | Fraction, kept: int) -> None:
    """Rounded to the nearest, and never to a chance that cannot be."""
    assert hundredths(chance) == Fraction(kept, 100)
