"""Guessing the code is slow, and nobody else is slowed down by it."""

from __future__ import annotations

import pytest

from tests.web.conftest import Clock
from web.guesses import AT_ONCE, OVERALL, PACE_S, PROVEN_AT_ONCE, PROVEN_PACE_S, REMEMBERED, Guesses, TooManyGuesses

GOOD = "k7mp3wqx"


@pytest.fixture
def guesses(clock: Clock) -> Guesses:
    return Guesses(clock)


def judged(guesses: Guesses, address: str, code: str) -> bool:
    return guesses.judge(address, code, lambda shown: shown == GOOD)


def guess_until_refused(guesses: Guesses, address: str) -> int:
    """How many wrong codes are looked at from there before one is refused."""
    for number in range(1000):
        try:
            assert not judged(guesses, address, f"wrong {address} {number}")
        except TooManyGuesses:
            return number
    raise AssertionError("guessing goes on for ever")


def test_an_address_has_few_guesses(guesses: Guesses, clock: Clock) -> None:
    """Then not even the right code is looked at, until it has waited as it was told; and then it has one."""
    assert guess_until_refused(guesses, "guesser") == AT_ONCE
    with pytest.raises(TooManyGuesses) as refused:
        judged(guesses, "guesser", GOOD)
    assert 0 < refused.value.wait_s <= PACE_S + 1

    clock.now += refused.value.wait_s
    assert guess_until_refused(guesses, "guesser") == 1
    clock.now += PACE_S + 1
    assert judged(guesses, "guesser", GOOD)


def test_a_guesser_locks_nobody_else_out(guesses: Guesses) -> None:
    """Whoever comes from another address with the right code comes in, however many guess; a typing error is forgiven
    after a moment.
    """
    for number in range(OVERALL):
        guess_until_refused(guesses, f"guesser {number}")

    assert judged(guesses, "family", GOOD)
    assert judged(guesses, "family", GOOD)


def test_many_addresses_guess_slower(guesses: Guesses, clock: Clock) -> None:
    """Once too many were wrong in a minute, each address has one try at a time."""
    for number in range(OVERALL):
        guess_until_refused(guesses, f"guesser {number}")

    assert guess_until_refused(guesses, "one more") == 1
    clock.now += PACE_S
    assert judged(guesses, "one more", GOOD)
    clock.now += 600
    assert guess_until_refused(guesses, "much later") == AT_ONCE


def test_the_same_wrong_code_is_one_guess(guesses: Guesses) -> None:
    """An old address that is opened again and again, or a script with yesterday's code, finds nothing out."""
    assert not any(judged(guesses, "phone", "yesterday") for _ in range(10 * AT_ONCE))
    assert judged(guesses, "phone", GOOD)


def test_where_the_code_was_shown_scripts_go_on(guesses: Guesses, clock: Clock) -> None:
    """An address that has shown the right code waits for a blink only, even where somebody guesses beside it."""
    assert judged(guesses, "home", GOOD)
    assert guess_until_refused(guesses, "home") == PROVEN_AT_ONCE
    clock.now += 2 * PROVEN_PACE_S

    assert judged(guesses, "home", GOOD)


def test_memory_is_bounded(guesses: Guesses) -> None:
    """However many addresses guess, only so many are kept."""
    for number in range(REMEMBERED + 100):
        judged(guesses, str(number), "wrong")

    assert len(guesses._addresses) == REMEMBERED
