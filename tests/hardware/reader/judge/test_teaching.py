"""Lots are found in the pictures that teach, whatever they are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.errors import ProfileUnusable, TrayMoved
from companion.rules.odds import LOTS
from hardware.cameras.camera import Pixels
from hardware.cameras.picture_files import load_picture
from hardware.reader.arrays import Floats
from hardware.reader.detection.detector import Detection
from hardware.reader.judge.judge_model import Model
from hardware.reader.judge.lot_judge import FACE, MAKE
from hardware.reader.judge.shipped_judge import check_lots, shipped_judge, taught_lots
from hardware.reader.judge.teaching import TaughtPlaces, find_lots
from tests.hardware.reader import drawing, drawing_small_lots
from tests.hardware.reader.drawing_sticks import Laid, apart, heap, taught, touching
from tests.hardware.reader.judge.ideal_model import ideal_model

DATA = Path(__file__).parents[3] / "data"
"""Holds the pictures that teach sets 72439 (cubes), 72714 (beans), 72783 and 73800 (kernels) of the random renders."""

MODEL = ideal_model()
MODELS: dict[str, Callable[[], Model]] = {"ideal": ideal_model, "shipped": shipped_judge}


@pytest.fixture(scope="module")
def pictures() -> tuple[Pixels, Pixels, Pixels]:
    return taught()


@pytest.fixture(scope="module")
def known(pictures: tuple[Pixels, Pixels, Pixels]) -> TaughtPlaces:
    return find_lots(MODEL, *pictures)


def test_each_picture_shows_the_four_lots_where_they_lie(known: TaughtPlaces) -> None:
    """The marked ones come first; places are within two pixels."""
    for four in known.places:
        assert len(four) == 4
        for stick in apart(0):
            place = min(four, key=lambda place: np.hypot(place.x - stick.x, place.y - stick.y))
            assert (place.x, place.y) == pytest.approx((stick.x, stick.y), abs=2)


def test_the_shape_is_one_stick(known: TaughtPlaces) -> None:
    """Length and width are as drawn but for the shadow; the area is that of the outline, not of the box."""
    assert known.shape.bar.length == pytest.approx(150, abs=7)
    assert known.shape.bar.width == pytest.approx(18, abs=7)
    assert 150 * 18 < known.shape.area < 1.05 * known.shape.bar.length * known.shape.bar.width
    assert known.shape.is_long


def test_a_description_of_each_lot_is_kept(known: TaughtPlaces) -> None:
    """The marked ones come first, and are darker."""
    assert known.told[0].shape == (2 * LOTS, 5 + MAKE + FACE)
    assert known.told[0][:LOTS, -1].min() > known.told[0][LOTS:, -1].max()


def test_crumbs_beside_the_four_are_overlooked(pictures: tuple[Pixels, Pixels, Pixels]) -> None:
    """A scrap of paper in a calibration picture is not a fifth lot."""
    empty, marked, plain = (picture.copy() for picture in pictures)
    marked[225:240, 300:315] = (230, 230, 230)

    known = find_lots(MODEL, empty, marked, plain)

    assert len(known.places[0]) == 4
    assert not any(np.hypot(place.x - 307, place.y - 232) < 30 for place in known.places[0])


def test_lots_may_lie_elsewhere_in_the_second_picture(pictures: tuple[Pixels, Pixels, Pixels]) -> None:
    """Turning them over moves them."""
    moved = [Laid(x=stick.x + 25, y=stick.y - 15, turn=stick.turn + 20) for stick in apart(0)]

    known = find_lots(MODEL, pictures[0], pictures[1], heap(moved, noise=4))

    for stick in moved:
        assert min(np.hypot(place.x - stick.x, place.y - stick.y) for place in known.places[1]) < 3


def test_two_sticks_apart_in_each_picture_show_the_size(pictures: tuple[Pixels, Pixels, Pixels]) -> None:
    """The two others touch in both."""
    marked, plain = (heap(touching(number), noise=noise) for number, noise in ((4, 3), (0, 4)))

    known = find_lots(shipped_judge(), pictures[0], marked, plain)

    assert known.shape.bar.length == pytest.approx(150, abs=7)
    for four in known.places:
        for stick in touching(4):
            assert min(np.hypot(place.x - stick.x, place.y - stick.y) for place in four) < 4


SPOILED = {
    "three": apart(4)[:3],
    "a fifth": [*apart(4), Laid(x=310, y=225, turn=90, marked=True)],
    "one half out": [*apart(4)[:3], Laid(x=610, y=330, marked=True)],
    "one much shorter": [*apart(4)[:3], Laid(x=420, y=330, marked=True, length=100)],
}


@pytest.mark.parametrize(
    ("what", "model"), [*((what, "ideal") for what in SPOILED), ("three", "shipped"), ("a fifth", "shipped")]
)
def test_what_is_not_four_lots_of_one_size_is_refused(
    pictures: tuple[Pixels, Pixels, Pixels], what: str, model: str
) -> None:
    """Although the other picture shows them."""
    with pytest.raises(ProfileUnusable, match="four sticks of one size"):
        find_lots(MODELS[model](), pictures[0], heap(SPOILED[what], noise=3), pictures[2])


def test_other_lots_in_the_second_picture_are_refused(pictures: tuple[Pixels, Pixels, Pixels]) -> None:
    """Each picture has four of one size, but the sizes differ."""
    longer = [Laid(x=stick.x, y=stick.y, turn=stick.turn, length=190) for stick in apart(0)]

    with pytest.raises(ProfileUnusable, match="differ in size"):
        find_lots(MODEL, pictures[0], pictures[1], heap(longer, noise=4))


def test_another_view_is_refused(pictures: tuple[Pixels, Pixels, Pixels]) -> None:
    """The camera was knocked between the pictures."""
    away = np.ascontiguousarray(pictures[2][::-1, ::-1])

    with pytest.raises(TrayMoved, match="plain picture does not show the tray"):
        find_lots(MODEL, pictures[0], pictures[1], np.roll(away, 200, axis=1))


def test_an_empty_tray_shows_no_four_lots() -> None:
    """Nor does the shipped network see any there."""
    for model in MODELS.values():
        with pytest.raises(ProfileUnusable, match="four sticks of one size"):
            find_lots(model(), drawing.tray(), drawing.tray(noise=3), drawing.tray(noise=4))


def test_a_camera_whose_lens_is_covered_shows_no_four_lots() -> None:
    black = np.zeros((480, 640, 3), np.uint8)

    with pytest.raises(ProfileUnusable):
        taught_lots(black, black, black)


def test_small_lots_are_found_where_they_lie() -> None:
    """In pixels of the working size, two thirds of the picture's."""
    known = find_lots(MODEL, *drawing_small_lots.calibration("coins"))

    assert not known.shape.is_long
    for side in known.places:
        assert len(side) == 4
        for x, y, _ in drawing_small_lots.APART:
            assert min(np.hypot(1.5 * place.x - x, 1.5 * place.y - y) for place in side) < 4


@pytest.mark.parametrize(
    "lots",
    [(), drawing.four(0)[:3], [*drawing.four(4), drawing.Stick(310, 220, 90)]],
    ids=["none", "three", "five"],
)
def test_a_picture_that_teaches_must_show_four_lots(lots: Sequence[drawing.Stick]) -> None:
    """The advice names what was found."""
    with pytest.raises(ProfileUnusable, match=f"found: {len(lots)}"):
        check_lots(drawing.tray(), drawing.tray(lots, noise=3))


class NotingDetector:
    """Detects like the model's, and notes at which scales it looked at which picture."""

    def __init__(self) -> None:
        self.looks: list[tuple[float, bytes]] = []

    def detect(self, pixels: Pixels, bare: Floats, scale: float, whole: bool, /) -> Detection:
        self.looks.append((scale, pixels.tobytes()))
        return MODEL.detector.detect(pixels, bare, scale, whole)


@pytest.mark.parametrize(
    ("drawn", "scales"), [(taught, {0.5}), (lambda: drawing_small_lots.calibration("coins"), {0.5, 0.7, 1.0})]
)
@pytest.mark.parametrize("pictures", [1, 2])
def test_no_picture_is_looked_at_twice(
    drawn: Callable[[], tuple[Pixels, Pixels, Pixels]], scales: set[float], pictures: int
) -> None:
    """A size that is chosen is known already, and sticks that are wide enough are not looked for in the full size."""
    detector = NotingDetector()
    empty, *sides = drawn()
    find_lots(replace(MODEL, detector=detector), empty, sides[0], sides[pictures - 1])

    assert {scale for scale, _ in detector.looks} == scales
    assert len(detector.looks) == len(set(detector.looks)) == pictures * len(scales)


def rendered(name: str) -> TaughtPlaces:
    """What three rendered pictures teach."""
    return taught_lots(*(load_picture(DATA / name / f"{picture}.jpg") for picture in ("empty", "marked", "plain")))


def test_cubes_may_be_joined_by_their_shadows() -> None:
    """The detector takes these for lots, from each cube to the next."""
    known = rendered("cubes")

    assert not known.shape.is_long
    assert known.shape.bar.width == pytest.approx(26, abs=3)


def test_what_looks_like_a_lot_where_nothing_is_new_is_overlooked() -> None:
    """The network takes a spot of the bare table, on the right, for a bean."""
    known = rendered("beans")

    assert all(230 < place.x < 380 and 170 < place.y < 290 for side in known.places for place in side)


def test_kernels_of_one_set_may_differ_much() -> None:
    """One is small and narrow, so that the others hardly know it; but nothing else lies in the tray."""
    known = rendered("kernels")

    assert all(240 < place.x < 390 and 140 < place.y < 280 for side in known.places for place in side)


def test_marks_like_the_tray_do_not_make_kernels_others() -> None:
    """In half the size black dots on a dark tray make small ones look half as large as the plain ones."""
    known = rendered("small_kernels")

    assert not known.shape.is_long
    assert all(260 < place.x < 360 and 210 < place.y < 310 for side in known.places for place in side)
