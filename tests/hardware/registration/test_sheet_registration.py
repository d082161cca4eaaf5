"""With the printed sheet under the sticks, a camera that was knocked reads as it did before, or says that it moved."""

from functools import cache

import numpy as np
import pytest

from companion.paper.layout import PAPERS
from companion.referee.events import ThrowSeen, ThrowUnreadable
from hardware.camera import Pixels
from hardware.profile import calibrate
from hardware.sheet import FURTHEST, Sheet, remark
from hardware.throw_reader import ThrowReader
from tests.hardware.drawing import tray
from tests.paper.printed import APART, WOOD, Stick, carried, four, laid, overhead, printed, seen

PAPER = PAPERS["a4"]
STRAIGHT = overhead(PAPER)
HALF_A_STICK = 57
"""Millimetres."""


@cache
def reader() -> ThrowReader:
    """Knows the sheet as it lies straight below the camera."""
    pictures = (seen(laid(printed(), sticks), STRAIGHT, noise=len(sticks)) for sticks in ([], four(4), four(0)))
    return ThrowReader(calibrate(*pictures))


@cache
def thrown(marked: int) -> Pixels:
    return laid(printed(), four(marked))


@pytest.fixture(scope="module")
def sheet() -> Sheet:
    return Sheet(seen(printed(), STRAIGHT))


def knocked(
    *, aside: tuple[float, float] = (0, 0), tilt: tuple[float, float] = (0, 0), turn: float = 0.0
) -> dict[str, object]:
    return {"aside": aside, "tilt": tilt, "turn": turn}


def test_a_knocked_camera_shows_what_it_showed(sheet: Sheet) -> None:
    """Turned back, the picture is the taught one but for noise; what is not in view is filled with that."""
    now = overhead(PAPER, aside=(7, -5), tilt=(3, 2), turn=2)

    straight = sheet.straighten(seen(printed(), now, light=0.5, noise=4))

    assert straight is not None
    assert straight.unseen is not None
    assert 0.01 < (straight.unseen > 0).mean() < 0.2
    wanted = seen(printed(), STRAIGHT, light=0.5, noise=5).astype(float)
    apart = np.abs(straight.pixels - wanted).mean(axis=2)
    assert apart[straight.unseen == 0].mean() < 6
    assert apart[straight.unseen > 0].mean() < 12


def test_a_picture_that_needs_nothing_is_left_alone(sheet: Sheet) -> None:
    """Nothing moved; or markers are hidden; or there never was a sheet."""
    still = seen(printed(), STRAIGHT, noise=3)
    hidden = seen(printed(), overhead(PAPER, aside=(4, 0)))
    hidden[:, :400] = 60
    plain = tray(noise=1)

    for known, picture in ((sheet, still), (sheet, hidden), (Sheet(plain), plain), (Sheet(tray()), tray(noise=2))):
        straight = known.straighten(picture)

        assert straight is not None
        assert straight.pixels is picture


@pytest.mark.parametrize("turn", [0, 180])
def test_too_far_is_too_far(sheet: Sheet, turn: float) -> None:
    """Beyond the limit nothing is turned back, all the less a sheet that was laid the other way round."""
    limit = FURTHEST * 1280 / 4

    near, far = (seen(printed(), overhead(PAPER, aside=(0, by), turn=turn)) for by in (limit - 1, limit + 1))

    assert (sheet.straighten(near) is not None) == (turn == 0)
    assert sheet.straighten(far) is None


def test_two_markers_in_the_wrong_place_are_enough_to_tell(sheet: Sheet) -> None:
    """The others have left the picture. With all four covered nobody knows, so the tray's texture has to tell."""
    place = overhead(PAPER, aside=(30, 0))
    two = seen(printed(), place)
    none = two.copy()
    for box in (PAPER.markers[0], PAPER.markers[3]):
        left, top = carried(place, np.array([[box.left, box.top]])).astype(int)[0]
        none[top + 30 : top + 50, left - 20 : left + 100] = WOOD

    assert sheet.straighten(two) is None
    assert sheet.straighten(none) is not None


@pytest.mark.parametrize(
    "moved",
    [
        knocked(),
        knocked(aside=(1, -1)),
        knocked(aside=(9, 6)),
        knocked(turn=-5, aside=(3, 0)),
        knocked(tilt=(4, -4), turn=3),
    ],
    ids=str,
)
@pytest.mark.parametrize("light", [0.8, 0.4, (0.5, 0.7, 0.8), (0.8, 0.7, 0.5)])
def test_throws_are_read_after_a_knock(moved: dict[str, object], light: float | tuple[float, float, float]) -> None:
    """In the same light, in dim, in warm and in cold; and the lots are told where they lie in the picture given."""
    now = overhead(PAPER, **moved)  # type: ignore[arg-type]  # each of its keywords has its own type
    for marked in (1, 4):
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
    """The players are told, and nothing is read."""
    answer = reader().read(seen(thrown(2), overhead(PAPER, aside=(30, 0))))

    assert answer == ThrowUnreadable(reason="moved")


@pytest.mark.parametrize("visible", [30, 50, 80])
@pytest.mark.parametrize("others", [3, 4])
def test_a_stick_half_out_of_a_knocked_picture_is_never_counted(visible: int, others: int) -> None:
    """What the camera no longer sees may go on there; so there is no count, with the stick or without it."""
    edge = (1280 / 2) / 4 + PAPER.width / 2 - 10
    cut = Stick(edge - visible + HALF_A_STICK, 100, 0, marked=True)
    wide = np.pad(printed(), ((0, 0), (0, 12 * 60), (0, 0)), constant_values=90)

    answer = reader().read(seen(laid(wide, [*four(2)[:others], cut]), overhead(PAPER, aside=(10, 0))))

    assert isinstance(answer, ThrowUnreadable)


def test_who_calibrates_is_told_what_the_sheet_shows() -> None:
    """How many squares are in view, and how large; what is wrong, and what to do about it."""
    aside = seen(printed(), overhead(PAPER, aside=(30, 0)))
    bright = seen(printed(), STRAIGHT, light=1.2)

    assert remark(seen(printed(), STRAIGHT)) == (
        "The camera sees 4 of the sheet's four black squares, at 4.0 pixels a millimetre."
    )
    assert "sees only 2 of the sheet's four black squares" in remark(aside)
    assert "burnt out white" in remark(bright)
    assert remark(tray()) == ""
