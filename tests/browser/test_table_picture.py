"""README's picture of the table can be drawn and is up to date."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Browser

from hardware.cameras.camera import Pixels
from tests.docs.table_picture import PICTURE, draw, main

PHONE = (slice(54, 776), slice(791, 1143))
"""Rows and columns of the phone's screen."""
SMALL = (44, 90)
FAR = 8.0
"""Mean difference of the downscaled screens in grey levels. Two rewritten sentences gave 3.3, an empty screen 19."""


@pytest.mark.browser
@pytest.mark.slow
def test_the_picture_in_the_readme_is_up_to_date(tmp_path: Path, browser: Browser) -> None:
    """If this fails, run ``python -m tests.docs.table_picture`` and look at the new picture."""
    draw(tmp_path / "table.jpg", browser)
    committed, drawn = loaded(PICTURE), loaded(tmp_path / "table.jpg")

    assert committed.shape == drawn.shape
    assert np.abs(shrunk(committed[PHONE]) - shrunk(drawn[PHONE])).mean() < FAR


def test_help_is_printed_and_nothing_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    """An option is not taken for the name of a file."""
    with pytest.raises(SystemExit) as ended:
        main(["--help"])

    assert ended.value.code == 0
    assert "usage:" in capsys.readouterr().out


def loaded(path: Path) -> Pixels:
    pixels = cv2.imread(str(path))
    assert pixels is not None, path
    return pixels.astype(np.uint8)


def shrunk(pixels: Pixels) -> NDArray[np.float64]:
    return cv2.resize(pixels, SMALL, interpolation=cv2.INTER_AREA).astype(np.float64)
