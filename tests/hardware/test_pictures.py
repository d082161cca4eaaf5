"""Every file is a right picture or one clear sentence."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from companion.errors import PictureUnusable
from hardware.pictures import encode, load_picture
from tests.hardware.drawing import four, tray


def written(path: Path, pixels: NDArray[Any]) -> Path:
    assert cv2.imwrite(str(path), pixels)
    return path


def test_a_photograph_is_loaded_as_it_is(tmp_path: Path) -> None:
    """PNG keeps every pixel."""
    pixels = tray(four(2))

    np.testing.assert_array_equal(load_picture(written(tmp_path / "a.png", pixels)), pixels)


def test_grey_deep_and_transparent_pictures_become_ordinary_ones(tmp_path: Path) -> None:
    """Whatever the file held, three colours of 8 bits come out."""
    pixels = tray(four(2))
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    alpha = np.dstack([pixels, np.full(grey.shape, 128, np.uint8)])

    for name, stored in (("grey", grey), ("deep", pixels.astype(np.uint16) * 257), ("alpha", alpha)):
        loaded = load_picture(written(tmp_path / f"{name}.png", stored))
        wanted = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR) if name == "grey" else pixels

        assert loaded.dtype == np.uint8
        np.testing.assert_allclose(loaded.astype(int), wanted.astype(int), atol=1)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"hello, this is no picture", "not a picture"),
        (b"\xff\xd8\xff\xe0" + b"\x00" * 500, "cut short"),
        (b"\x89PNG\r\n\x1a\n" + b"\x00" * 100, "cut short"),
    ],
)
def test_what_is_no_picture_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    """Empty files, text, and beginnings of pictures."""
    path = tmp_path / "a.jpg"
    path.write_bytes(content)

    with pytest.raises(PictureUnusable, match=says):
        load_picture(path)


def test_half_a_jpeg_is_refused(tmp_path: Path) -> None:
    """A decoder would fill the rest with grey, and grey is no tray."""
    path = tmp_path / "a.jpg"
    path.write_bytes(encode(tray(four(2))).jpeg[:-2000])

    with pytest.raises(PictureUnusable, match="cut short"):
        load_picture(path)


def test_missing_files_folders_and_single_pixels_are_refused(tmp_path: Path) -> None:
    """Each with its own sentence."""
    dot = written(tmp_path / "dot.png", np.zeros((1, 1, 3), np.uint8))

    for path, says in ((tmp_path / "none.jpg", "no picture"), (tmp_path, "folder"), (dot, "too small")):
        with pytest.raises(PictureUnusable, match=says):
            load_picture(path)


def test_a_cmyk_jpeg_comes_out_in_colour(tmp_path: Path) -> None:
    """Some phones and all print shops write four inks."""
    pixels = tray(four(2))
    path = tmp_path / "inks.jpg"
    Image.fromarray(np.ascontiguousarray(pixels[..., ::-1])).convert("CMYK").save(path, quality=95)

    assert np.abs(load_picture(path).astype(int) - pixels).mean() < 8


def test_evidence_is_a_jpeg_of_the_same_size(tmp_path: Path) -> None:
    """What is kept can be loaded again and looks the same."""
    pixels = tray(four(3))

    picture = encode(pixels)

    assert (picture.width, picture.height) == (640, 480)
    (tmp_path / "kept.jpg").write_bytes(picture.jpeg)
    assert np.abs(load_picture(tmp_path / "kept.jpg").astype(int) - pixels).mean() < 4
