"""The beta distribution: what is known of a chance once it has been tried so often."""

from __future__ import annotations

from math import exp, lgamma, log, log1p

FINEST = 1e-15
"""Relative change at which the fraction has converged; about what a float can hold."""

TINY = 1e-300
"""Stands in for 0 in the fraction, which may divide by it."""

MOST_TERMS = 100_000
"""The fraction takes about as many terms as the root of the larger parameter; enough for any folder of games."""


def below(x: float, a: float, b: float) -> float:
    """The chance that a chance of Beta(a, b) lies below x: the regularised incomplete beta function I_x(a, b).

    By its continued fraction, NIST Digital Library of Mathematical Functions 8.17.22, evaluated by Lentz's method as
    in Press et al., Numerical Recipes, section 6.4. a, b: positive. Right to about 12 digits for parameters up to 1e5.

    >>> round(below(0.3, 1, 1), 12)
    0.3
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    # The fraction converges fast up to the mean; beyond it the other tail is summed.
    if x > (a + 1) / (a + b + 2):
        return 1 - below(1 - x, b, a)
    return _density(x, a, b) * x * (1 - x) / a * _fraction(x, a, b)


def _density(x: float, a: float, b: float) -> float:
    return exp(lgamma(a + b) - lgamma(a) - lgamma(b) + (a - 1) * log(x) + (b - 1) * log1p(-x))


def _fraction(x: float, a: float, b: float) -> float:
    """1 / (1 + d1 / (1 + d2 / (1 + …))) with the terms of 8.17.22, from the front."""
    upper, lower = 1.0, 1 / _not_zero(1 - (a + b) * x / (a + 1))
    value = lower
    for m in range(1, MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            lower = 1 / _not_zero(1 + term * lower)
            upper = _not_zero(1 + term / upper)
            value *= lower * upper
        if abs(lower * upper - 1) < FINEST:
            return value
    raise AssertionError(f"I_{x}({a}, {b}) does not converge")


def _not_zero(value: float) -> float:
    return value if abs(value) > TINY else TINY


def quantile(share: float, a: float, b: float) -> float:
    """The chance below which a chance of Beta(a, b) lies with probability ``share``.

    >>> round(quantile(0.25, 1, 1), 12)
    0.25
    """
    low, high, x = 0.0, 1.0, a / (a + b)
    # Newton's steps, and halving wherever they would leave what is left; 200 are many times what either needs.
    for _ in range(200):
        over = below(x, a, b) - share
        low, high = (low, x) if over > 0 else (x, high)
        slope = _density(x, a, b)
        step = x - over / slope if slope > 0 else low
        fresh = step if low < step < high else (low + high) / 2
        if abs(fresh - x) <= FINEST * x:
            break
        x = fresh
    return x
