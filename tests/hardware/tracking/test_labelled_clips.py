"""The labelled clips come to rest once, soon after the last motion, in any conditions."""

import json
from pathlib import Path

import pytest

from companion.referee.events import ThrowSeen
from hardware.cameras.picture_files import load_picture
from hardware.reader.throw_reader import ThrowReader
from tests.hardware.tracking.clips import changed, clip, clips, held, slowed, taken_back, thinned, turned

CLIPS = Path(__file__).parents[4] / "shared" / "throws" / "video"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CLIPS.is_dir(), reason="the labelled clips are not beside the project"),
]


@pytest.mark.parametrize("name", [name for name, _ in clips(CLIPS)])
def test_clip_comes_to_rest_once_at_any_frame_rate(name: str) -> None:
    """At 30, 15 and 10 frames a second, whichever frames those are; it may be late if half of them are lost."""
    film = clip(CLIPS, name)
    films = [film, slowed(film, 2, 1), slowed(film, 3), slowed(film, 3, 1), slowed(film, 3, 2)]

    assert [(one.name, one.check()[0]) for one in films] == [(one.name, "") for one in films]
    assert thinned(film).check()[0] in ("", "late")


@pytest.mark.parametrize("name", [name for name, _ in clips(CLIPS)])
def test_clip_comes_to_rest_once_in_other_conditions(name: str) -> None:
    """With flickering lamps, in the dark, with a shaken or bumped camera; ten frames a second."""
    film = slowed(clip(CLIPS, name), 3)
    films = [changed(film, change) for change in ("bands", "noise", "shake", "shift", "contrast")] + [turned(film, 1)]

    assert [(one.name, one.check()[0]) for one in films] == [(one.name, "") for one in films]


@pytest.mark.parametrize("name", [name for name, _ in clips(CLIPS)])
def test_what_came_to_rest_is_read(name: str) -> None:
    """The reader that the clip's own pictures teach counts its last frame as labelled."""
    sequences = json.loads((CLIPS / "labels.json").read_text())["sequences"]
    marked = next(one["final"]["count_marked_up"] for one in sequences if one["id"] == name)
    taught = (load_picture(CLIPS / name / f"{one}.jpg") for one in ("empty", "cal_marked", "cal_plain"))
    read = ThrowReader.calibrate(*taught).read(clip(CLIPS, name).frames[-1][0])

    assert isinstance(read, ThrowSeen)
    assert read.marked == marked


@pytest.mark.parametrize(("name", "in_view"), clips(CLIPS))
def test_hand_prevents_rest(name: str, in_view: int) -> None:
    """It stays in place for seconds, or takes back what it brought."""
    film = clip(CLIPS, name)
    films = [slowed(held(film, number), 3) for number in (3, 15, in_view - 3)] + [taken_back(film, in_view - 1)]

    assert [(one.name, one.check()[0]) for one in films] == [(one.name, "") for one in films]
