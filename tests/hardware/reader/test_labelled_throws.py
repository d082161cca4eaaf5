"""The labelled pictures, a few here and all beside the project: whatever is read of them is right."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.errors import ProfileUnusable
from companion.referee.events import ThrowSeen
from hardware.cameras.camera import Frame
from hardware.cameras.picture_files import load_picture
from hardware.reader.throw_reader import ThrowReader
from hardware.tracking.settling import SettlingDetector

HERE = Path(__file__).parents[2] / "data" / "throws"
BESIDE = Path(__file__).parents[4] / "shared" / "throws"
beside = pytest.mark.skipif(not BESIDE.is_dir(), reason="the labelled pictures are not beside the project")


def labels(folder: Path, key: str) -> list[dict[str, Any]]:
    path = folder / "labels.json"
    return list(json.loads(path.read_text())[key]) if path.is_file() else []


def taught(home: Path) -> ThrowReader | None:
    try:
        return ThrowReader.calibrate(*(load_picture(home / f"{n}.jpg") for n in ("empty", "cal_marked", "cal_plain")))
    except ProfileUnusable:
        return None


@pytest.mark.parametrize(
    ("folder", "apart", "heaps"), [(HERE, 3, 0), pytest.param(BESIDE / "dev", 28, 66, marks=beside)]
)
def test_no_labelled_throw_is_misread(folder: Path, apart: int, heaps: int) -> None:
    """Zero misreadings, and at least so many throws read whose lots lie apart, and heaps (of 29 and 74 in all)."""
    wrong, apart_read, heaps_read = [], 0, 0
    for one in labels(folder, "sets"):
        reader = taught(folder / one["id"])
        for image in one["images"] if reader else []:
            if image["role"] != "throw":
                continue
            assert reader is not None
            seen = reader.read(load_picture(folder / image["file"]))
            if isinstance(seen, ThrowSeen):
                if not image["readable"] or seen.marked != image["count_marked_up"]:
                    wrong.append(image["file"])
                heap = image["flags"]["touching"] or image["flags"]["overlapping"]
                apart_read += not heap
                heaps_read += heap

    assert wrong == []
    assert apart_read >= apart
    assert heaps_read >= heaps


@beside
@pytest.mark.parametrize("clip", labels(BESIDE / "video", "sequences"), ids=lambda clip: clip["id"])
def test_clips_settle_soon_after_the_last_movement_and_are_read(clip: dict[str, Any]) -> None:
    """Not before the lots rest and the hand is gone (the last pixel of v3 takes 3 frames), nor half a second after.

    Then each is read, and right.
    """
    home = BESIDE / "video" / clip["id"]
    reader = taught(home)
    assert reader is not None
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
