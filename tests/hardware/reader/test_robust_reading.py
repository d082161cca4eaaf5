"""Another light, lens or camera position never causes a misreading, and slight changes hardly ever cause a refusal."""

from functools import cache
from pathlib import Path

import pytest

from tests.hardware.reader.labelled.corruptions import SPOILERS, Spoiler
from tests.hardware.reader.labelled.reading_counts import LabelledThrow, ReadingCounts, labelled_throws

HERE = Path(__file__).parents[2] / "data" / "throws"
BESIDE = Path(__file__).parents[4] / "shared" / "throws" / "dev"
beside = pytest.mark.skipif(not BESIDE.is_dir(), reason="the labelled pictures are not beside the project")

SAMPLE = 8
"""One labelled throw in this many is taken, to keep it short. ``tests/bench/reader_robustness.py`` spoils each in
every way."""

MILD = {
    "gamma": 1.1,
    "exposure": 0.85,
    "warmth": 0.06,
    "blur": 0.7,
    "noise": 3,
    "JPEG": 70,
    "soft shadow": 0.15,
    "rotation": 0.5,
    "shift": 0.003,
}
"""What hardly anybody would notice in a picture."""


@cache
def throws(folder: Path, every: int) -> list[LabelledThrow]:
    return labelled_throws(folder, set(), every)


def outcome(some: list[LabelledThrow], spoiler: Spoiler, strength: float) -> ReadingCounts:
    count = ReadingCounts()
    for image, reader, pixels in some:
        count.add(image, reader, spoiler.spoil(pixels, strength))
    return count


@pytest.mark.parametrize(("folder", "every", "turns"), [(HERE, 1, 3), pytest.param(BESIDE, SAMPLE, 15, marks=beside)])
@pytest.mark.parametrize("spoiler", SPOILERS, ids=lambda one: one.name)
def test_spoiled_pictures_are_not_misread(spoiler: Spoiler, folder: Path, every: int, turns: int) -> None:
    """Each strength is applied to some of the pictures in turn, beginning elsewhere for each way to spoil them."""
    some = throws(folder, every)
    first = SPOILERS.index(spoiler)
    wrong = {
        strength: outcome(some[(first + turn) % turns :: turns], spoiler, strength).wrong
        for turn, strength in enumerate(spoiler.strengths)
    }

    assert not any(wrong.values()), wrong


@beside
@pytest.mark.parametrize("depth", [0.1, 0.11, 0.12])
def test_a_stick_whose_end_is_lost_in_a_shadow_is_not_turned(depth: float) -> None:
    """Its place is taken too far up then, and its bands for the grain of the plain side."""
    (one,) = (throw for throw in labelled_throws(BESIDE, {"d07"}, 1) if throw[0]["file"] == "d07/t01.jpg")
    (shadow,) = (spoiler for spoiler in SPOILERS if spoiler.name == "soft shadow")

    assert not outcome([one], shadow, depth).wrong


def test_what_nobody_would_notice_hardly_ever_makes_it_ask() -> None:
    """At most one in ten of the pictures here is refused that was read before."""
    some = throws(HERE, 1)
    untouched = sum(outcome(some, SPOILERS[0], 1.0).read.values())
    mild = [one for one in SPOILERS if one.name in MILD]
    read = {one.name: sum(outcome(some, one, MILD[one.name]).read.values()) for one in mild}

    assert untouched >= 3
    assert len(read) == len(MILD)
    assert sum(read.values()) >= 0.9 * untouched * len(read), read
