"""The labelled clips of throws settle once, after the last movement and soon, whatever happens while one films."""

from pathlib import Path

import pytest

from tests.hardware.clips import changed, clip, clips, held, slowed, taken_back, thinned, turned

BESIDE = Path(__file__).parents[3] / "shared" / "throws" / "video"
pytestmark = pytest.mark.skipif(not BESIDE.is_dir(), reason="the labelled clips are not beside the project")


@pytest.mark.parametrize("name", [name for name, _ in clips(BESIDE)])
def test_a_clip_settles_once_at_any_rate(name: str) -> None:
    """At 30, 15 and 10 frames a second, whichever frames those are; with half of them lost it may take longer."""
    film = clip(BESIDE, name)
    films = [film, slowed(film, 2, 1), slowed(film, 3), slowed(film, 3, 1), slowed(film, 3, 2)]

    assert [(one.name, one.judged()[0]) for one in films] == [(one.name, "") for one in films]
    assert thinned(film).judged()[0] in ("", "late")


@pytest.mark.parametrize("name", [name for name, _ in clips(BESIDE)])
def test_a_clip_settles_once_in_other_light_and_from_another_side(name: str) -> None:
    """Lamps that flicker, darkness, a shaken or knocked camera; ten frames a second."""
    film = slowed(clip(BESIDE, name), 3)
    films = [changed(film, change) for change in ("bands", "noise", "shake", "shift", "contrast")] + [turned(film, 1)]

    assert [(one.name, one.judged()[0]) for one in films] == [(one.name, "") for one in films]


@pytest.mark.parametrize(("name", "in_view"), clips(BESIDE))
def test_nothing_settles_under_a_hand(name: str, in_view: int) -> None:
    """It stays where it is for seconds, or takes back what it brought."""
    film = clip(BESIDE, name)
    films = [slowed(held(film, number), 3) for number in (3, 15, in_view - 3)] + [taken_back(film, in_view - 1)]

    assert [(one.name, one.judged()[0]) for one in films] == [(one.name, "") for one in films]
