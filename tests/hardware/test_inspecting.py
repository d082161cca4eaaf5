"""Figures of pictures: photographs that were taken in focus and good light, and the same spoiled on purpose."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.doctor.sight import BLURRED_PX, DARK, DIM, GLARING, SHADED, SOFT_PX, UNEVEN, Fit
from companion.paper.layout import PAPERS
from hardware.camera import Pixels
from hardware.inspecting import edge_width, inspect
from hardware.pictures import load_picture, small_jpeg
from hardware.profile import calibrate
from hardware.simulated import SimulatedCamera
from hardware.throw_reader import ThrowReader
from tests.bench.spoiling import blur, exposure
from tests.paper.printed import overhead, printed, seen

THROWS = Path(__file__).parents[1] / "data" / "throws"
PHOTOGRAPHS = ("d03/empty.jpg", "d03/t04.jpg", "d11/empty.jpg", "d11/t09.jpg")


def photograph(name: str) -> Pixels:
    return load_picture(THROWS / name)


@pytest.mark.parametrize("name", PHOTOGRAPHS)
def test_good_photographs_are_found_good(name: str) -> None:
    """In focus, bright, even, nothing burnt out; also through the JPEG that phones are shown."""
    seen = inspect(photograph(name), None)
    shown = cv2.imdecode(np.frombuffer(small_jpeg(photograph(name)), np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None

    for one in (seen, inspect(shown.astype(np.uint8), None)):
        assert one.edge is not None
        assert 1 <= one.edge < SOFT_PX
        assert one.brightness > DIM
        assert one.burnt < GLARING
        assert one.evenness > UNEVEN
        assert one.fit is None


@pytest.mark.parametrize("name", PHOTOGRAPHS)
def test_blur_is_told_in_pixels(name: str) -> None:
    """A bell of so many pixels makes an edge of 2.56 of them, within a fifth, whatever the picture shows."""
    for sigma, limit in ((4.0, SOFT_PX), (7.0, BLURRED_PX)):
        edge = edge_width(blur(photograph(name), sigma))

        assert edge is not None
        assert edge > limit
        # The picture is twice as wide as what is measured, and was not perfectly sharp before.
        assert edge == pytest.approx(2.56 * np.hypot(sigma / 2, 0.75), rel=0.2)


def test_darkness_and_glare_are_told() -> None:
    """A tenth of the light is too dark; three times the light burns the middle out."""
    assert inspect(exposure(photograph("d03/empty.jpg"), 0.1), None).brightness < DARK
    assert inspect(exposure(photograph("d03/empty.jpg"), 3.0), None).burnt > GLARING


def test_light_from_one_side_is_told() -> None:
    """A lamp that leaves the other side a twentieth of its light."""
    bright = photograph("d03/empty.jpg")
    falling = np.linspace(1, 0.05, bright.shape[1]) ** 2
    dim = (bright * falling[None, :, None]).astype(np.uint8)

    assert inspect(dim, None).evenness < SHADED


def test_cap_on_the_lens_shows_no_edge() -> None:
    """A black picture is dark, and says nothing of focus."""
    seen = inspect(np.zeros((480, 640, 3), np.uint8), None)

    assert seen.edge is None
    assert seen.brightness < DARK


def test_printed_sheet_is_counted() -> None:
    """All four of its squares, and none on a tray without."""
    assert inspect(seen(printed(), overhead(PAPERS["a4"])), None).markers == 4
    assert inspect(photograph("d03/empty.jpg"), None).markers == 0


def test_fit_is_what_the_reader_says() -> None:
    """The taught tray fits, with what lies in it; one pushed aside has moved; a picture cut short is another size."""
    camera = SimulatedCamera(1)
    empty, marked, plain = camera.calibration()
    camera.close()
    reader = ThrowReader(calibrate(empty, marked, plain))
    pushed = np.roll(marked, 200, axis=1)

    assert (inspect(marked, reader).fit, inspect(marked, reader).things) == (Fit.FITS, 4)
    assert inspect(pushed, reader).fit is Fit.MOVED
    assert inspect(marked[:600], reader).fit is Fit.OTHER_SIZE
