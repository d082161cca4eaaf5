"""The beta distribution agrees with closed forms and exact sums."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.advice.beta_distribution import cdf, quantile

CHANCES = st.floats(0.001, 0.999)
PARAMETERS = st.floats(0.5, 3000)


def summed(x: Fraction, a: int, b: int) -> Fraction:
    """Exact I_x(a, b) for integer parameters: the chance of at least a successes in a + b - 1 trials."""
    tries, yes, no = a + b - 1, x.numerator, x.denominator - x.numerator
    term = comb(tries, a) * yes**a * no ** (tries - a)
    total = term
    for k in range(a, tries):
        term = term * (tries - k) * yes // ((k + 1) * no)
        total += term
    return Fraction(total, x.denominator**tries)


@pytest.mark.parametrize("x", [0.0, 0.03, 0.25, 0.5, 0.77, 1.0])
def test_closed_forms(x: float) -> None:
    """Beta(1, 1) is uniform, Beta(2, 2) has the cdf 3x² - 2x³, and Beta(a, 1) the cdf x to the power of a."""
    assert cdf(x, 1, 1) == pytest.approx(x, abs=1e-15)
    assert cdf(x, 2, 2) == pytest.approx(3 * x**2 - 2 * x**3, abs=1e-14)
    assert cdf(x, 7.5, 1) == pytest.approx(x**7.5, rel=1e-13)


@pytest.mark.parametrize("a", [1, 2, 5, 30, 200, 1000])
@pytest.mark.parametrize("b", [1, 3, 40, 250, 900])
def test_whole_parameters_agree_with_exact_sums(a: int, b: int) -> None:
    """It equals an exact binomial sum on both sides of the mean and far out in the tails."""
    for x in (Fraction(1, 10), Fraction(1, 2), Fraction(53, 100), Fraction(9, 10)):
        exact = summed(x, a, b)

        assert cdf(float(x), a, b) == pytest.approx(float(exact), rel=1e-11, abs=1e-200)


def test_many_throws_agree_with_an_exact_sum() -> None:
    """It is accurate for ten thousand throws of four lots."""
    assert cdf(0.5, 20200, 19802) == pytest.approx(float(summed(Fraction(1, 2), 20200, 19802)), rel=1e-8)


@given(CHANCES, PARAMETERS, PARAMETERS)
def test_marked_and_plain_are_mirror_images(x: float, a: float, b: float) -> None:
    """The mass of Beta(a, b) below x is that of Beta(b, a) above 1 - x."""
    assert cdf(x, a, b) + cdf(1 - x, b, a) == pytest.approx(1, abs=1e-10)


@given(st.floats(0.001, 0.999), st.floats(1, 3000), st.floats(1, 3000))
def test_a_quantile_has_its_share_below_it(share: float, a: float, b: float) -> None:
    """The quantile is the inverse of the cdf."""
    assert cdf(quantile(share, a, b), a, b) == pytest.approx(share, abs=1e-9)


def test_known_quantiles() -> None:
    """It agrees with the closed forms of Beta(1, 1) and Beta(a, 1); the median of a symmetric one is one half."""
    assert quantile(0.975, 1, 1) == pytest.approx(0.975, abs=1e-13)
    assert quantile(0.025, 5, 1) == pytest.approx(0.025**0.2, abs=1e-14)
    assert quantile(0.5, 321, 321) == pytest.approx(0.5, abs=1e-12)
