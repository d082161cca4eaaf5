"""With the printed sheet, a bumped camera reads as before, or reports that it moved."""

from functools import cache

import numpy as np
import pytest

from companion.printing.tray_plan import PAPERS
from companion.referee.events import ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.reader.throw_reader import ThrowReader
from hardware.registration.sheet_registration import MAX_SHIFT, SheetRegistration, sheet_summary
from tests.hardware.reader.drawing import tray
from tests.printing.printed import APART, WOOD, Stick, carried, four, laid, overhead, printed, seen

PAPER = PAPERS["a4"]
STRAIGHT = overhead(PAPER)
HALF_A_STICK = 57
"""Millimetres."""


@cache
def reader() -> ThrowReader:
    """Return a registration to the sheet straight below the camera."""
    pictures = (seen(laid(printed(), sticks), STRAIGHT, noise=len(sticks)) for sticks in ([], four(4), four(0)))
    return ThrowReader.calibrate(*pictures)


@cache
def thrown(marked: int) -> Pixels:
    return laid(printed(), four(marked))


@pytest.fixture(scope="module")
def sheet() -> SheetRegistration:
    return SheetRegistration(seen(printed(), STRAIGHT))


def knocked(
    *, aside: tuple[float, float] = (0, 0), tilt: tuple[float, float] = (0, 0), turn: float = 0.0
) -> dict[str, object]:
    return {"aside": aside, "tilt": tilt, "turn": turn}


def test_a_knocked_camera_shows_what_it_showed(sheet: SheetRegistration) -> None:
    """The registered picture is the reference but for noise, which also fills what is not in view."""
    now = overhead(PAPER, aside=(7, -5), tilt=(3, 2), turn=2)

    straight = sheet.register(seen(printed(), now, light=0.5, noise=4))

    assert straight is not None
    assert straight.unseen is not None
    assert 0.01 < (straight.unseen > 0).mean() < 0.2
    wanted = seen(printed(), STRAIGHT, light=0.5, noise=5).astype(float)
    apart = np.abs(straight.pixels - wanted).mean(axis=2)
    assert apart[straight.unseen == 0].mean() < 6
    assert apart[straight.unseen > 0].mean() < 12


def test_a_picture_that_needs_nothing_is_left_alone(sheet: SheetRegistration) -> None:
    """Nothing moved, markers are hidden, or there is no sheet."""
    still = seen(printed(), STRAIGHT, noise=3)
    hidden = seen(printed(), overhead(PAPER, aside=(4, 0)))
    hidden[:, :400] = 60
    plain = tray(noise=1)

    for known, picture in (
        (sheet, still),
        (sheet, hidden),
        (SheetRegistration(plain), plain),
        (SheetRegistration(tray()), tray(noise=2)),
    ):
        straight = known.register(picture)

        assert straight is not None
        assert straight.pixels is picture


@pytest.mark.parametrize("turn", [0, 180])
def test_too_far_is_too_far(sheet: SheetRegistration, turn: float) -> None:
    """Large shifts are not registered, nor is a rotated sheet."""
    limit = MAX_SHIFT * 1280 / 4

    near, far = (seen(printed(), overhead(PAPER, aside=(0, by), turn=turn)) for by in (limit - 1, limit + 1))

    assert (sheet.register(near) is not None) == (turn == 0)
    assert sheet.register(far) is None


def test_two_markers_in_the_wrong_place_are_enough_to_tell(sheet: SheetRegistration) -> None:
    """The others have left the picture. If all four are covered, the tray's texture decides."""
    place = overhead(PAPER, aside=(30, 0))
    two = seen(printed(), place)
    none = two.copy()
    for box in (PAPER.markers[0], PAPER.markers[3]):
        left, top = carried(place, np.array([[box.left, box.top]])).astype(int)[0]
        none[top + 30 : top + 50, left - 20 : left + 100] = WOOD

    assert sheet.register(two) is None
    assert sheet.register(none) is not None


KNOCKS = [
    knocked(),
    knocked(aside=(1, -1)),
    knocked(aside=(9, 6)),
    knocked(turn=-5, aside=(3, 0)),
    knocked(tilt=(4, -4), turn=3),
]
LIGHTS = (0.8, 0.4, (0.5, 0.7, 0.8), (0.8, 0.7, 0.5))


# Each with two lights, so that each light comes with two or three of them.
@pytest.mark.parametrize(
    ("moved", "light"),
    [(moved, LIGHTS[(2 * number + turn) % len(LIGHTS)]) for number, moved in enumerate(KNOCKS) for turn in (0, 1)],
    ids=str,
)
def test_throws_are_read_after_a_knock(moved: dict[str, object], light: float | tuple[float, float, float]) -> None:
    """This works in any light, with one or four marked in turn; places are those in the original picture."""
    now = overhead(PAPER, **moved)  # type: ignore[arg-type]  # each of its keywords has its own type
    marked = (1, 4)[LIGHTS.index(light) % 2]

    answer = reader().read(seen(thrown(marked), now, light=light, noise=6))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == marked
    for x, y, turn in APART:
        middle, tip = carried(now, np.array([[x, y], [x + np.cos(np.radians(turn)), y + np.sin(np.radians(turn))]]))
        lot = min(answer.lots, key=lambda lot: np.hypot(lot.x - middle[0], lot.y - middle[1]))
        assert np.hypot(lot.x - middle[0], lot.y - middle[1]) < 5
        angle = np.degrees(np.arctan2(tip[1] - middle[1], tip[0] - middle[0]))
        assert abs((lot.angle - angle + 90) % 180 - 90) < 1
        assert np.hypot(*(np.mean(lot.outline, axis=0) - [lot.x, lot.y])) < 4


def test_a_sheet_far_from_its_place_has_moved() -> None:
    """The reason is ``moved``, and nothing is read."""
    answer = reader().read(seen(thrown(2), overhead(PAPER, aside=(30, 0))))

    assert answer == ThrowUnreadable(reason="moved")


@pytest.mark.parametrize("visible", [30, 50, 80])
@pytest.mark.parametrize("others", [3, 4])
def test_a_stick_half_out_of_a_knocked_picture_is_never_counted(visible: int, others: int) -> None:
    """A lot that reaches the invisible part may continue there, so there is no count."""
    edge = (1280 / 2) / 4 + PAPER.width / 2 - 10
    cut = Stick(edge - visible + HALF_A_STICK, 100, 0, marked=True)
    wide = np.pad(printed(), ((0, 0), (0, 12 * 60), (0, 0)), constant_values=90)

    answer = reader().read(seen(laid(wide, [*four(2)[:others], cut]), overhead(PAPER, aside=(10, 0))))

    assert isinstance(answer, ThrowUnreadable)


def test_calibration_reports_what_the_sheet_shows() -> None:
    """It reports the number of markers and their scale, or the problem and its remedy."""
    aside = seen(printed(), overhead(PAPER, aside=(30, 0)))
    bright = seen(printed(), STRAIGHT, light=1.2)

    assert sheet_summary(seen(printed(), STRAIGHT)) == (
        "The camera sees 4 of the sheet's four black squares, at 4.0 pixels a millimetre."
    )
    assert "I see only 2 of the sheet's four black squares" in sheet_summary(aside)
    assert "too bright" in sheet_summary(bright)
    assert sheet_summary(tray()) == ""
