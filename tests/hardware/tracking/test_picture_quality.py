"""Quality of photographs in focus and good light, and of the same spoiled on purpose."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.doctor.camera_checks import BLURRED_PX, DARK, DIM, GLARING, SHADED, SOFT_PX, UNEVEN, ProfileFit
from companion.printing.tray_plan import PAPERS
from hardware.cameras.camera import Pixels
from hardware.cameras.picture_files import load_picture, preview_jpeg
from hardware.cameras.simulated_camera import SimulatedCamera
from hardware.reader.throw_reader import ThrowReader
from hardware.tracking.picture_quality import edge_width, measure_jpeg, measure_quality
from tests.hardware.reader.labelled.corruptions import blur, exposure
from tests.printing.printed import overhead, printed, seen

THROWS = Path(__file__).parents[2] / "data" / "throws"
PHOTOGRAPHS = ("d03/empty.jpg", "d03/t04.jpg", "d11/empty.jpg", "d11/t09.jpg")


def photograph(name: str) -> Pixels:
    return load_picture(THROWS / name)


@pytest.mark.parametrize("name", PHOTOGRAPHS)
def test_good_photographs_pass(name: str) -> None:
    """They are sharp, bright and even, and nothing is clipped; so are their previews."""
    seen = measure_quality(photograph(name), None)
    shown = cv2.imdecode(np.frombuffer(preview_jpeg(photograph(name)), np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None

    for one in (seen, measure_quality(shown.astype(np.uint8), None)):
        assert one.edge is not None
        assert 1 <= one.edge < SOFT_PX
        assert one.brightness > DIM
        assert one.burnt < GLARING
        assert one.evenness > UNEVEN
        assert one.fit is None


@pytest.mark.parametrize("name", PHOTOGRAPHS)
def test_blur_is_measured_in_pixels(name: str) -> None:
    """A Gaussian blur makes edges 2.56 times its sigma wide, within 20 %, whatever the picture shows."""
    for sigma, limit in ((4.0, SOFT_PX), (7.0, BLURRED_PX)):
        edge = edge_width(blur(photograph(name), sigma))

        assert edge is not None
        assert edge > limit
        # Measured at half the width, and the photograph was not perfectly sharp.
        assert edge == pytest.approx(2.56 * np.hypot(sigma / 2, 0.75), rel=0.2)


def test_darkness_and_glare_are_measured() -> None:
    """A tenth of the light is too dark; three times the light clips the middle."""
    assert measure_quality(exposure(photograph("d03/empty.jpg"), 0.1), None).brightness < DARK
    assert measure_quality(exposure(photograph("d03/empty.jpg"), 3.0), None).burnt > GLARING


def test_light_from_one_side_is_measured() -> None:
    """The far side gets a fraction of the light."""
    bright = photograph("d03/empty.jpg")
    falling = np.linspace(1, 0.05, bright.shape[1]) ** 2
    dim = (bright * falling[None, :, None]).astype(np.uint8)

    assert measure_quality(dim, None).evenness < SHADED


def test_cap_on_the_lens_shows_no_edge() -> None:
    """A black picture is dark, and its focus is unknown."""
    seen = measure_quality(np.zeros((480, 640, 3), np.uint8), None)

    assert seen.edge is None
    assert seen.brightness < DARK


def test_markers_are_counted() -> None:
    """All four on a printed sheet, none on a plain tray."""
    assert measure_quality(seen(printed(), overhead(PAPERS["a4"])), None).markers == 4
    assert measure_quality(photograph("d03/empty.jpg"), None).markers == 0


def test_fit_comes_from_the_reader() -> None:
    """The calibrated tray fits, a shifted one has moved, and a cropped picture has another size."""
    camera = SimulatedCamera(1)
    empty, marked, plain = camera.calibration()
    camera.close()
    reader = ThrowReader.calibrate(empty, marked, plain)
    pushed = np.roll(marked, 200, axis=1)

    assert (measure_quality(marked, reader).fit, measure_quality(marked, reader).things) == (ProfileFit.FITS, 4)
    assert measure_quality(pushed, reader).fit is ProfileFit.MOVED
    assert measure_quality(marked[:600], reader).fit is ProfileFit.OTHER_SIZE


@pytest.mark.parametrize("name", ["d03", "d11"])
def test_preview_is_compared_with_the_taught_tray(name: str) -> None:
    """Thrown sticks do not matter; a pushed camera, another size and a dark picture do."""
    empty, shown = photograph(f"{name}/empty.jpg"), photograph(f"{name}/t02.jpg")
    pictures = (empty, shown, np.roll(shown, 150, axis=1), shown[:800], exposure(shown, 0.05))
    fits = [measure_jpeg(preview_jpeg(one), empty).fit for one in pictures]

    assert fits == [ProfileFit.FITS, ProfileFit.FITS, ProfileFit.MOVED, ProfileFit.OTHER_SIZE, None]


def test_preview_of_a_pushed_sheet() -> None:
    """It is followed as far as the reader follows it."""
    empty = seen(printed(), overhead(PAPERS["a4"]))
    fits = [measure_jpeg(preview_jpeg(np.roll(empty, by, axis=1)), empty).fit for by in (80, 110)]

    assert fits == [ProfileFit.FITS, ProfileFit.MOVED]
    assert measure_jpeg(preview_jpeg(empty), None).fit is None
