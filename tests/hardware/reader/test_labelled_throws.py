"""The labelled pictures, a few here and all beside the project: whatever is read of them is right, also if spoiled."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.referee.events import ThrowSeen
from hardware.cameras.camera import Frame
from hardware.cameras.picture_files import load_picture
from hardware.reader.throw_reader import ThrowReader
from hardware.tracking.settling import SettlingDetector
from tests.hardware.reader.labelled.corruptions import SPOILERS, Spoiler
from tests.hardware.reader.labelled.reading_counts import LabelledThrow, ReadingCounts, labelled_throws

HERE = Path(__file__).parents[2] / "data" / "throws"
BESIDE = Path(__file__).parents[4] / "shared" / "throws"
THROWS = BESIDE / "dev" if BESIDE.is_dir() else HERE
"""The sets in HERE are also beside the project."""
beside = pytest.mark.skipif(not BESIDE.is_dir(), reason="the labelled pictures are not beside the project")

ASKED = {"d01/t01.jpg", "d01/t03.jpg", "d08/t09.jpg"}
"""The readable throws about which the reader may ask, of 103: three heaps."""

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

SPOILED = [(one, strength) for one in SPOILERS for strength in one.strengths if MILD.get(one.name) != strength]
"""Each is applied to one throw, to keep it short. ``tests/bench/reader_robustness.py`` spoils each throw in every
way."""

ONCE_MISREAD = {
    # The shadow of a leaning stick passed for the stick.
    "d01/t01.jpg": (("hard shadow", 0.45), ("hard shadow", 0.5)),
    # A stick on its edge.
    "d05/t06.jpg": (("exposure", 0.5), ("shift", -0.015)),
    # A stick whose end is lost in a shadow: its place is taken too far up, and its bands for the grain of a plain side.
    "d07/t01.jpg": (("soft shadow", 0.1), ("soft shadow", 0.11), ("soft shadow", 0.12)),
}
"""Throws that an earlier reader misread, spoiled so; each is always read."""


def labels(folder: Path, key: str) -> list[dict[str, Any]]:
    path = folder / "labels.json"
    return list(json.loads(path.read_text())[key]) if path.is_file() else []


SETS = [one["id"] for one in labels(THROWS, "sets")]


@dataclass(frozen=True, slots=True)
class LabelledSet:
    name: str
    throws: list[LabelledThrow]


@pytest.fixture(scope="module", params=SETS)
def labelled(request: pytest.FixtureRequest) -> LabelledSet:
    """Each set in turn, so that its reader is taught once."""
    return LabelledSet(request.param, labelled_throws(THROWS, {request.param}, 1))


def test_no_labelled_throw_is_misread(labelled: LabelledSet) -> None:
    """Zero misreadings, and no more questions than are known."""
    wrong, asked = [], set()
    for image, reader, pixels in labelled.throws:
        counts = ReadingCounts()
        counts.add(image, reader, pixels)
        wrong += counts.wrong
        if counts.reasons and image["readable"]:
            asked.add(image["file"])

    assert labelled.throws
    assert wrong == []
    assert asked <= ASKED


def spoiled(throw: LabelledThrow, spoiler: Spoiler, strength: float) -> ReadingCounts:
    counts = ReadingCounts()
    image, reader, pixels = throw
    counts.add(image, reader, spoiler.spoil(pixels, strength))
    return counts


def test_spoiled_throws_are_not_misread(labelled: LabelledSet) -> None:
    """The ways to spoil a throw are dealt out to the sets, and to the throws of each."""
    throws = {throw[0]["file"]: throw for throw in labelled.throws}
    named = {spoiler.name: spoiler for spoiler in SPOILERS}
    files, place = list(throws), SETS.index(labelled.name)
    # Five has no factor in common with twelve sets, and strengths of one kind meet several kinds of lots.
    dealt = [way for number, way in enumerate(SPOILED) if 5 * number % len(SETS) == place]
    ways = [(files[(2 * turn + place) % len(files)], *way) for turn, way in enumerate(dealt)]
    ways += [(file, named[name], strength) for file in files for name, strength in ONCE_MISREAD.get(file, ())]
    wrong = [
        (file, spoiler.name, strength)
        for file, spoiler, strength in ways
        if spoiled(throws[file], spoiler, strength).wrong
    ]

    assert len(ways) >= 4
    assert wrong == []


@pytest.mark.parametrize("labelled", [one["id"] for one in labels(HERE, "sets")], indirect=True)
def test_what_nobody_would_notice_hardly_ever_makes_it_ask(labelled: LabelledSet) -> None:
    """Of the pictures here that are read, spoiled in half the ways each, few are refused and none is misread."""
    here = {image["file"] for one in labels(HERE, "sets") for image in one["images"]}
    read = [
        (image, reader, pixels)
        for image, reader, pixels in labelled.throws
        if image["file"] in here and isinstance(reader.read(pixels), ThrowSeen)
    ]
    mild = [one for one in SPOILERS if one.name in MILD]
    counts = [spoiled(throw, one, MILD[one.name]) for turn, throw in enumerate(read) for one in mild[turn % 2 :: 2]]
    misread = [name for one in counts for name in one.wrong]

    assert counts
    assert misread == []
    assert sum(one.read.total() for one in counts) >= 0.9 * len(counts)


@beside
@pytest.mark.parametrize("clip", labels(BESIDE / "video", "sequences"), ids=lambda clip: clip["id"])
def test_clips_settle_soon_after_the_last_movement_and_are_read(clip: dict[str, Any]) -> None:
    """Not before the lots rest and the hand is gone (the last pixel of v3 takes 3 frames), nor half a second after.

    Then each is read, and right.
    """
    home = BESIDE / "video" / clip["id"]
    reader = ThrowReader.calibrate(*(load_picture(home / f"{n}.jpg") for n in ("empty", "cal_marked", "cal_plain")))
    settling = SettlingDetector(reader.profile.empty)
    settled = []
    for number, frame in enumerate(clip["frames"]):
        pixels = load_picture(home / Path(frame["file"]).name)
        if settling.update(Frame(pixels, frame["t"])):
            settled.append(number)

    assert clip["first_settled_frame"] - 3 <= settled[0] <= clip["first_settled_frame"] + 15
    assert settling.has_changed
    seen = reader.read(pixels)
    assert isinstance(seen, ThrowSeen)
    assert seen.marked == clip["final"]["count_marked_up"]
