"""Another light, lens or place of the camera never makes a misreading, and little of it makes hardly any asking."""

from functools import cache
from pathlib import Path

import pytest

from tests.bench.robustness import Count, Picture, pictures
from tests.bench.spoiling import SPOILERS, Spoiler

HERE = Path(__file__).parents[1] / "data" / "throws"
BESIDE = Path(__file__).parents[3] / "shared" / "throws" / "dev"
beside = pytest.mark.skipif(not BESIDE.is_dir(), reason="the labelled pictures are not beside the project")

SAMPLE = 11
"""Every so-manieth labelled throw, so that the whole takes half a minute; ``tests/bench/robustness.py`` takes all."""


@cache
def throws(folder: Path, every: int) -> list[Picture]:
    return pictures(folder, set(), every)


def outcome(folder: Path, every: int, spoiler: Spoiler, strength: float) -> Count:
    count = Count()
    for image, reader, pixels in throws(folder, every):
        count.add(image, reader, spoiler.spoil(pixels, strength))
    return count


@pytest.mark.parametrize("spoiler", SPOILERS, ids=lambda one: one.name)
def test_spoiled_pictures_are_not_misread(spoiler: Spoiler) -> None:
    """At every strength, with the pictures that are kept here."""
    wrong = {strength: outcome(HERE, 1, spoiler, strength).wrong for strength in spoiler.strengths}

    assert not any(wrong.values()), wrong


@beside
@pytest.mark.parametrize("spoiler", SPOILERS, ids=lambda one: one.name)
def test_no_sample_of_the_labelled_throws_is_misread_once_spoiled(spoiler: Spoiler) -> None:
    """At the least and at the greatest strength."""
    ends = (min(spoiler.strengths), max(spoiler.strengths))
    wrong = {strength: outcome(BESIDE, SAMPLE, spoiler, strength).wrong for strength in ends}

    assert not any(wrong.values()), wrong
