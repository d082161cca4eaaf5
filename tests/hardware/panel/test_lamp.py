"""The lamp's signals and the choice of the mood."""

from __future__ import annotations

from itertools import combinations

import pytest

from hardware.panel.lamp import SIGNALS, Mood, colour_at, mood_of

TIMES = [tick / 20 for tick in range(10 * 20)]  # ten seconds, twenty samples a second


def brightness(mood: Mood) -> list[float]:
    """Return the rhythm without its colour: brightness relative to the mood's maximum."""
    brightest = max(SIGNALS[mood].colour)
    return [max(colour_at(mood, t)) / brightest for t in TIMES]


def test_every_mood_has_a_signal() -> None:
    """SIGNALS is complete."""
    assert set(SIGNALS) == set(Mood)


@pytest.mark.parametrize(("one", "other"), list(combinations(Mood, 2)))
def test_no_two_moods_share_a_rhythm(one: Mood, other: Mood) -> None:
    """Without colours, two moods differ by half the brightness for at least one second in ten."""
    differing = sum(abs(a - b) >= 0.5 for a, b in zip(brightness(one), brightness(other), strict=True))

    assert SIGNALS[one].beats != SIGNALS[other].beats
    assert differing >= 20


@pytest.mark.parametrize(("one", "other"), list(combinations(Mood, 2)))
def test_no_two_moods_share_a_colour(one: Mood, other: Mood) -> None:
    """Colours alone tell the moods apart."""
    assert SIGNALS[one].colour != SIGNALS[other].colour


@pytest.mark.parametrize("mood", Mood)
def test_colours_stay_within_what_a_lamp_can_show(mood: Mood) -> None:
    """All components are in 0..1, and each round begins like the first."""
    period = sum(lit + dark for lit, dark in SIGNALS[mood].beats)

    assert all(0 <= part <= 1 for t in TIMES for part in colour_at(mood, t))
    assert colour_at(mood, 0.05 + 3 * period) == pytest.approx(colour_at(mood, 0.05))


def test_unsure_blinks_twice_and_pauses() -> None:
    """Two flashes are followed by a pause."""
    lit = [max(colour_at(Mood.UNSURE, t)) > 0 for t in (0.1, 0.3, 0.5, 0.7, 1.5, 1.7)]

    assert lit == [True, False, True, False, False, True]


def test_waiting_fades_in_and_out() -> None:
    """It goes from dark over half to full brightness and back."""
    levels = [max(colour_at(Mood.WAITING, t)) for t in (0.0, 0.75, 1.5, 2.25, 3.5)]

    assert levels == pytest.approx([0.0, 0.5, 1.0, 0.5, 0.0])


@pytest.mark.parametrize(
    ("phase", "camera", "unsure", "mood"),
    [
        ("throw", "watching", False, Mood.WAITING),
        ("throw", "none", False, Mood.WAITING),
        ("throw_off", "watching", False, Mood.WAITING),
        ("throw", "moving", False, Mood.THINKING),
        ("throw", "moving", True, Mood.THINKING),
        ("throw", "watching", True, Mood.UNSURE),
        ("throw_off", "watching", True, Mood.UNSURE),
        ("throw", "lost", False, Mood.LOST),
        ("throw", "uncalibrated", False, Mood.LOST),
        ("reading", "watching", False, Mood.SURE),
        ("reading", "lost", False, Mood.SURE),
        ("reading", "moving", False, Mood.SURE),
        ("reading", "watching", True, Mood.UNSURE),
        ("move", "watching", False, Mood.SURE),
        ("move", "lost", False, Mood.SURE),
        ("over", "lost", False, Mood.OFF),
        ("over", "watching", True, Mood.OFF),
    ],
)
def test_mood_follows_the_phase(phase: str, camera: str, unsure: bool, mood: Mood) -> None:
    """The camera's state matters only while a throw is awaited."""
    assert mood_of(phase, camera, unsure) is mood


@pytest.mark.parametrize(("phase", "mood"), [("move", Mood.UNSURE), ("throw", Mood.UNSURE), ("over", Mood.OFF)])
def test_a_wrong_board_shows_like_an_unsure_throw(phase: str, mood: Mood) -> None:
    """What has to be put right comes before what may be confirmed; a countdown goes on."""
    assert mood_of(phase, "watching", unsure=False, wrong=True) is mood
    assert mood_of(phase, "watching", unsure=False, counting=True, wrong=True) is Mood.COUNTING
