"""The reader returns four lots only if there are four, and otherwise a reason."""

import cv2
import numpy as np
import pytest

from companion.errors import FacesAlike, PictureUnusable
from companion.referee.events import Face, ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.reader.throw_reader import ThrowReader
from tests.hardware.reader.drawing import LENGTH, WIDTH, Stick, calibration, four, taught_reader, tray


@pytest.fixture(scope="module")
def reader() -> ThrowReader:
    return taught_reader()


@pytest.mark.parametrize("marked", range(5))
def test_four_sticks_apart_are_counted(reader: ThrowReader, marked: int) -> None:
    """Every count from none to four is read, with the place of each stick."""
    sticks = four(marked)

    seen = reader.read(tray(sticks, noise=4))

    assert isinstance(seen, ThrowSeen)
    assert seen.marked == marked
    assert seen.confidence > 0.9
    for stick in sticks:
        lot = min(seen.lots, key=lambda lot: abs(lot.x - stick.x) + abs(lot.y - stick.y))
        assert abs(lot.x - stick.x) < 4
        assert abs(lot.y - stick.y) < 4
        assert abs((lot.angle - stick.turn + 90) % 180 - 90) < 3
        assert lot.face is (Face.MARKED if stick.marked else Face.PLAIN)


@pytest.mark.parametrize("turn", range(0, 180, 30))
def test_a_stick_is_read_whichever_way_it_points(reader: ThrowReader, turn: int) -> None:
    """Bands are found along any axis."""
    sticks = [Stick(stick.x, stick.y, stick.turn + turn, stick.marked) for stick in four(2)]

    seen = reader.read(tray(sticks))

    assert isinstance(seen, ThrowSeen)
    assert seen.marked == 2


SPOILED = {
    "an empty tray": ([], {"count"}),
    "three sticks": (four(2)[:3], {"count"}),
    "five sticks": ([*four(2), Stick(310, 220, 90)], {"count"}),
    "two end to end, and three": ([*four(2)[:3], Stick(320, 390), Stick(320 + LENGTH, 390)], {"touching", "count"}),
    "one hidden below another": ([*four(2)[:3], four(2)[2]], {"count"}),
    "one of another length": ([*four(2)[:3], Stick(420, 330, length=0.6 * LENGTH)], {"leaning", "count"}),
    "three and a half in the picture": ([*four(2)[:3], Stick(620, 330)], {"covered", "count"}),
}


def test_four_sticks_that_only_touch_are_counted(reader: ThrowReader) -> None:
    """Each shows its whole face."""
    sticks = [*four(2)[:2], Stick(250, 330), Stick(250, 330 + WIDTH)]

    seen = reader.read(tray(sticks, noise=5))

    assert isinstance(seen, ThrowSeen)
    assert seen.marked == 2


def test_two_sticks_exactly_end_to_end_are_never_misread(reader: ThrowReader) -> None:
    """Without an edge between them they may be one long thing."""
    seen = reader.read(tray([*four(2)[:2], Stick(250, 390), Stick(250 + LENGTH, 390)], noise=5))

    assert seen.marked == 2 if isinstance(seen, ThrowSeen) else seen.reason == "touching"


def test_four_sticks_without_a_visible_edge_between_them_are_never_misread(reader: ThrowReader) -> None:
    """Side by side they form one broad shape that two crossing pairs would explain nearly as well."""
    seen = reader.read(tray([Stick(300, 200 + WIDTH * n, 0, n == 1) for n in range(4)], noise=5))

    assert seen.marked == 1 if isinstance(seen, ThrowSeen) else seen.reason in ("touching", "leaning")


@pytest.mark.parametrize("what", SPOILED)
def test_what_is_not_four_lots_apart_is_refused(reader: ThrowReader, what: str) -> None:
    """There is never a count, and always the right reason."""
    sticks, reasons = SPOILED[what]

    seen = reader.read(tray(sticks, noise=5))

    assert isinstance(seen, ThrowUnreadable)
    assert seen.reason in reasons


def test_a_hand_over_a_stick_is_refused(reader: ThrowReader) -> None:
    """Three sticks and a hand are not four sticks."""
    seen = reader.read(tray(four(2), hand=(400, 300)))

    assert isinstance(seen, ThrowUnreadable)
    assert seen.reason == "covered"


def test_a_hand_beside_four_sticks_is_no_hindrance(reader: ThrowReader) -> None:
    """All four are fully visible, so the count is certain."""
    seen = reader.read(tray(four(3), hand=(550, 80)))

    assert isinstance(seen, ThrowSeen)
    assert seen.marked == 3


def test_what_covers_much_of_the_picture_may_hide_a_lot(reader: ThrowReader) -> None:
    """An arm over a quarter of the picture beside four sticks is refused; one over a tenth is not."""
    wide, narrow = tray(four(2)), tray(four(2))
    wide[360:] = narrow[430:] = (120, 150, 205)

    assert isinstance(reader.read(narrow), ThrowSeen)
    answer = reader.read(wide)
    assert isinstance(answer, ThrowUnreadable)
    assert answer.reason == "covered"


def test_a_strange_piece_never_makes_up_for_a_stick(reader: ThrowReader) -> None:
    """A bar of a stick's size and another colour is not a stick."""
    picture = tray(four(2)[:3])
    cv2.fillConvexPoly(picture, cv2.boxPoints(((420, 330), (LENGTH, WIDTH), 0)).astype(np.int32), (200, 60, 40))

    seen = reader.read(picture)

    assert isinstance(seen, ThrowUnreadable)


@pytest.mark.parametrize("light", [0.6, 0.8, 1.15])
def test_more_or_less_light_changes_nothing(reader: ThrowReader, light: float) -> None:
    """Exposure varies between throws."""
    seen = reader.read(tray(four(1), light=light, noise=6))

    assert isinstance(seen, ThrowSeen)
    assert seen.marked == 1


def test_light_from_the_side_changes_nothing(reader: ThrowReader) -> None:
    """A lamp brighter than during the calibration leaves a gradient."""
    slope = np.linspace(0.75, 1.1, 640)[None, :, None]

    seen = reader.read((tray(four(1)) * slope).astype(np.uint8))

    assert isinstance(seen, ThrowSeen)
    assert seen.marked == 1


@pytest.mark.parametrize("nudged", [(3, 0), (-2, 4), (5, -5)])
def test_a_nudged_tray_is_still_known(reader: ThrowReader, nudged: tuple[int, int]) -> None:
    """After the tray has moved, only the sticks are new."""
    seen = reader.read(tray(four(2), nudged=nudged))

    assert isinstance(seen, ThrowSeen)
    assert seen.marked == 2


def test_another_scene_is_never_a_throw(reader: ThrowReader) -> None:
    """The camera was knocked to another view."""
    away: Pixels = np.ascontiguousarray(tray(four(2))[::-1, ::-1])

    seen = reader.read(cv2.GaussianBlur(np.roll(away, 200, axis=1), (0, 0), 2).astype(np.uint8))

    assert isinstance(seen, ThrowUnreadable)


def test_lots_are_given_in_the_pixels_of_the_picture_read(reader: ThrowReader) -> None:
    """A picture of twice the size is read alike, and the places are in its own pixels."""
    large: Pixels = cv2.resize(tray(four(2)), (1280, 960), interpolation=cv2.INTER_CUBIC).astype(np.uint8)

    seen = reader.read(large)

    assert isinstance(seen, ThrowSeen)
    assert any(abs(lot.x - 840) < 8 and abs(lot.y - 660) < 8 for lot in seen.lots)


def test_other_proportions_are_refused(reader: ThrowReader) -> None:
    """A camera with another aspect ratio sees another part of the table."""
    with pytest.raises(PictureUnusable, match="640x360"):
        reader.read(tray(four(2))[:360])


@pytest.mark.parametrize("noise", [20, 40, 80])
def test_noise_is_never_misread(reader: ThrowReader, noise: float) -> None:
    """It is read through, or asked about."""
    grain = np.random.default_rng(1).normal(0, noise, (480, 640, 3))
    seen = reader.read(np.clip(tray(four(2)) + grain, 0, 255).astype(np.uint8))

    assert isinstance(seen, ThrowUnreadable) or seen.marked == 2


def test_faces_that_are_alike_are_refused() -> None:
    """The message says what to do."""
    empty, marked, _ = calibration()

    with pytest.raises(FacesAlike, match="bolder"):
        ThrowReader.calibrate(empty, marked, marked)
