"""A board's profile: one file with everything that the reader needs, and clear errors if it is damaged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.errors import ProfileUnusable
from hardware.board.board_profile import FILE, BoardProfile, scaled
from hardware.board.road import RoadGeometry
from hardware.cameras.profile_files import packed
from tests.hardware.board.drawn_board import DrawnBoard, drawn, position, profile


def test_a_profile_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    """Pictures, position and geometry survive, and nothing but the file is left in the folder."""
    saved = profile()

    saved.save(tmp_path / "board")
    loaded = BoardProfile.load(tmp_path / "board")

    assert [path.name for path in (tmp_path / "board").iterdir()] == [FILE]
    np.testing.assert_array_equal(loaded.empty, saved.empty)
    np.testing.assert_array_equal(loaded.taught, saved.taught)
    np.testing.assert_allclose(loaded.road.quads, saved.road.quads)
    assert (loaded.position, loaded.width) == (saved.position, saved.width)


@pytest.mark.parametrize("content", [None, b"", b"PK\x03\x04 not a profile"])
def test_a_missing_or_damaged_profile_is_named(tmp_path: Path, content: bytes | None) -> None:
    """The message contains the folder and says what to do."""
    if content is not None:
        (tmp_path / FILE).write_bytes(content)

    with pytest.raises(ProfileUnusable, match=r"puluc board teach|teach the board again"):
        BoardProfile.load(tmp_path)


@pytest.mark.parametrize(
    ("part", "content"),
    [
        ("empty", np.zeros(0, np.uint8)),
        ("taught", packed(np.zeros((50, 60, 3), np.uint8))),
        ("quads", np.full((9, 4, 2), np.nan)),
        ("quads", np.zeros((8, 4, 2))),
    ],
)
def test_parts_that_do_not_belong_together_are_named(tmp_path: Path, part: str, content: NDArray[Any]) -> None:
    """A backup may come from anybody."""
    profile().save(tmp_path)
    with np.load(tmp_path / FILE) as parts:
        changed: dict[str, Any] = {**parts, part: content}
    np.savez(tmp_path / FILE, **changed)

    with pytest.raises(ProfileUnusable, match="teach the board again"):
        BoardProfile.load(tmp_path)


def test_without_markers_corners_are_asked_for() -> None:
    """Markers are not searched for on a board that was not printed."""
    taught = "4/J7O/4 0:0 J"

    with pytest.raises(ProfileUnusable, match="corners"):
        BoardProfile.taught_from(DrawnBoard().picture(), drawn(taught), position(taught))


def test_left_and_right_are_told_apart() -> None:
    """Corners named in mirrored or rotated order give the same spaces."""
    near, far = [(95.0, 200.0), (95.0, 280.0)], [(545.0, 200.0), (545.0, 280.0)]
    right = RoadGeometry.between([*near, *far], 9).quads

    for corners in ([*near[::-1], *far[::-1]], [*near, *far[::-1]], [*near[::-1], *far]):
        np.testing.assert_array_equal(RoadGeometry.between(corners, 9).quads, right)


def test_corners_that_go_round_no_road_are_refused() -> None:
    """Opposite corners at one end: the order is named."""
    with pytest.raises(ProfileUnusable, match="left and right"):
        RoadGeometry.between([(95.0, 200.0), (545.0, 280.0), (545.0, 200.0), (95.0, 280.0)], 9)


def test_corners_outside_the_picture_are_refused() -> None:
    """Nothing is looked for where there is no picture: that would take hours."""
    picture, far = DrawnBoard().picture(), 10_000.0

    with pytest.raises(ProfileUnusable, match="in the picture"):
        BoardProfile.taught_from(
            picture, picture, position("4/J7O/4 0:0 J"), corners=[(-far, -far), (-far, far), (far, -far), (far, far)]
        )


def test_large_pictures_are_scaled_down() -> None:
    """A phone's twelve megapixels show no more of the board than a smaller picture."""
    assert scaled(np.zeros((3000, 4000, 3), np.uint8)).shape == (960, 1280, 3)
    assert scaled(np.zeros((480, 640, 3), np.uint8)).shape == (480, 640, 3)
