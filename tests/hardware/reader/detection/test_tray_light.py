"""How the empty tray is lit, told apart from what it is made of."""

import numpy as np
import pytest

from hardware.reader.arrays import Floats
from hardware.reader.detection.tray_light import tray_light

ROWS, COLUMNS = 480, 640


def table(tray: tuple[int, int, int], light: Floats) -> Floats:
    """A tray of that colour on a pale table, in that light."""
    picture = np.full((ROWS, COLUMNS, 3), (190, 200, 210), np.float32)
    picture[100:380, 150:500] = tray
    return np.asarray(picture * light[..., None], np.float32)


@pytest.mark.parametrize("tray", [(190, 200, 210), (25, 30, 35), (20, 110, 160)])
def test_the_light_does_not_depend_on_what_the_tray_is_made_of(tray: tuple[int, int, int]) -> None:
    """A lamp on the left lights that side twice as brightly as the other one."""
    lamp = np.exp2(np.tile(np.linspace(0, -1, COLUMNS, dtype=np.float32), (ROWS, 1)))

    light = tray_light(table(tray, lamp))

    assert light.mean() == pytest.approx(1, abs=0.01)
    assert light == pytest.approx(lamp / lamp.mean(), rel=0.06)


def test_a_picture_of_any_size_has_its_light() -> None:
    for rows, columns in ((481, 643), (9, 20), (3, 5)):
        even = np.full((rows, columns, 3), 77, np.float32)

        assert tray_light(even) == pytest.approx(np.ones((rows, columns)))
