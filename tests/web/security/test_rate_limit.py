"""Guessing the code is slow, and does not slow down anyone else."""

from __future__ import annotations

import pytest

from tests.web.conftest import Clock
from web.security.rate_limit import (
    AT_ONCE,
    LONGEST_WAIT_S,
    OVERALL,
    PACE_S,
    PROVEN_AT_ONCE,
    PROVEN_PACE_S,
    REMEMBERED,
    RateLimit,
    Reservation,
    TooManyGuesses,
)

GOOD = "k7mp3wqx"


@pytest.fixture
def limit(clock: Clock) -> RateLimit:
    return RateLimit(clock)


def judged(limit: RateLimit, address: str, code: str) -> bool:
    return limit.check(address, code, lambda shown: shown == GOOD)


def guess_until_refused(limit: RateLimit, address: str) -> int:
    """Number of wrong codes checked from this address before one is refused."""
    for number in range(1000):
        try:
            assert not judged(limit, address, f"wrong {address} {number}")
        except TooManyGuesses:
            return number
    raise AssertionError("guessing goes on for ever")


def test_an_address_has_few_guesses(limit: RateLimit, clock: Clock) -> None:
    """After that not even the right code is checked until the wait is over; then one guess is."""
    assert guess_until_refused(limit, "guesser") == AT_ONCE
    with pytest.raises(TooManyGuesses) as refused:
        judged(limit, "guesser", GOOD)
    assert 0 < refused.value.wait_s <= PACE_S + 1

    clock.now += refused.value.wait_s
    assert guess_until_refused(limit, "guesser") == 1
    clock.now += PACE_S + 1
    assert judged(limit, "guesser", GOOD)


def test_a_guesser_locks_nobody_else_out(limit: RateLimit) -> None:
    """Whoever comes from another address with the right code comes in, however many guess; a typing error is forgiven
    after a moment.
    """
    for number in range(OVERALL):
        guess_until_refused(limit, f"guesser {number}")

    assert judged(limit, "family", GOOD)
    assert judged(limit, "family", GOOD)


def test_many_addresses_guess_slower(limit: RateLimit, clock: Clock) -> None:
    """After too many wrong codes in a minute, each address has one try at a time."""
    for number in range(OVERALL):
        guess_until_refused(limit, f"guesser {number}")

    assert guess_until_refused(limit, "one more") == 1
    clock.now += PACE_S
    assert judged(limit, "one more", GOOD)
    clock.now += 600
    assert guess_until_refused(limit, "much later") == AT_ONCE


def test_the_same_wrong_code_is_one_guess(limit: RateLimit) -> None:
    """An old address that is opened repeatedly, or a script with an old code, learns nothing."""
    assert not any(judged(limit, "phone", "yesterday") for _ in range(10 * AT_ONCE))
    assert judged(limit, "phone", GOOD)


def test_where_the_code_was_shown_scripts_go_on(limit: RateLimit, clock: Clock) -> None:
    """An address that has shown the right code waits only briefly, even if somebody guesses from it too."""
    assert judged(limit, "home", GOOD)
    assert guess_until_refused(limit, "home") == PROVEN_AT_ONCE
    clock.now += 2 * PROVEN_PACE_S

    assert judged(limit, "home", GOOD)


def test_memory_is_bounded(limit: RateLimit) -> None:
    """The number of remembered addresses is limited."""
    for number in range(REMEMBERED + 100):
        judged(limit, str(number), "wrong")

    assert len(limit._buckets) == REMEMBERED


def test_a_right_code_waits_its_turn_among_wrong_ones(limit: RateLimit, clock: Clock) -> None:
    """If somebody guesses from the same address, the right code is only delayed; the guesser gains nothing."""
    assert judged(limit, "home", GOOD)
    waiting = [(Reservation(), f"wrong {number}") for number in range(PROVEN_AT_ONCE + 20)]
    waiting.append((Reservation(), GOOD))
    outcomes: dict[str, bool] = {}
    while waiting:
        due = []
        for turn, code in waiting:
            try:
                outcomes[code] = limit.check("home", code, lambda shown: shown == GOOD, turn)
            except TooManyGuesses:
                assert turn.due is not None
                due.append((turn, code))
        waiting = due
        clock.now += PROVEN_PACE_S

    assert outcomes.pop(GOOD)
    assert not any(outcomes.values())
    assert clock.now == pytest.approx(22 * PROVEN_PACE_S, abs=2 * PROVEN_PACE_S)


def test_a_guesser_who_can_wait_is_no_faster(limit: RateLimit, clock: Clock) -> None:
    """In ten minutes an unproven address gets the same number of checks, whether it waits or comes back."""
    checked = 0
    turns = [Reservation() for _ in range(30)]
    for number in range(600):
        for place, turn in enumerate(turns):
            try:
                limit.check("guesser", f"wrong {number} {place}", lambda _shown: False, turn)
            except TooManyGuesses:
                continue
            checked += 1
        clock.now += 1.0

    assert checked <= AT_ONCE + 600 / PACE_S + 1
    assert sum(turn.due is not None for turn in turns) <= LONGEST_WAIT_S / PACE_S


def test_a_turn_that_is_given_back_holds_up_nobody(limit: RateLimit) -> None:
    """A guesser who disconnects repeatedly does not lengthen the queue."""
    assert judged(limit, "home", GOOD)
    guess_until_refused(limit, "home")
    for number in range(1000):
        turn = Reservation()
        with pytest.raises(TooManyGuesses):
            limit.check("home", f"hangs up {number}", lambda _shown: False, turn)
        limit.give_back("home", turn)
        limit.give_back("home", turn)
    turn = Reservation()
    with pytest.raises(TooManyGuesses):
        limit.check("home", GOOD, lambda shown: shown == GOOD, turn)

    assert turn.due is not None
    assert turn.due <= 2 * PROVEN_PACE_S


def test_where_somebody_plays_programs_go_on(limit: RateLimit) -> None:
    """A phone's pass proves that the code is known there, also after a restart."""
    limit.trust("home")

    assert guess_until_refused(limit, "home") == PROVEN_AT_ONCE
