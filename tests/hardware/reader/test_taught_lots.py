"""Lots are found in the calibration pictures, and at given places in later ones."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from companion.errors import ProfileUnusable
from companion.referee.events import Face
from hardware.cameras.camera import Pixels
from hardware.reader.taught_lots import Shown, Taught, contrasts, teach
from tests.hardware.reader.drawing_sticks import SQUARE, Laid, apart, heap, taught, touching


@pytest.fixture(scope="module")
def known() -> Taught:
    return teach(*taught())


@pytest.fixture(scope="module")
def pictures() -> tuple[Pixels, Pixels, Pixels]:
    return taught()


def test_each_picture_shows_the_four_lots_where_they_lie(known: Taught) -> None:
    """The marked ones come first; places are within two pixels."""
    for four in known.four:
        assert len(four) == 4
        for stick in apart(0):
            blob = min(four, key=lambda blob: np.hypot(blob.x - stick.x, blob.y - stick.y))
            assert (blob.x, blob.y) == pytest.approx((stick.x, stick.y), abs=2)


def test_the_shape_is_one_stick(known: Taught) -> None:
    """Length and width are as drawn but for the shadow; the area is that of the outline, not of the box."""
    assert known.shape.length == pytest.approx(150, abs=7)
    assert known.shape.width == pytest.approx(18, abs=7)
    assert 150 * 18 < known.shape.area < 1.05 * known.shape.length * known.shape.width
    assert known.shape.is_long


def test_crumbs_beside_the_four_are_overlooked(pictures: tuple[Pixels, Pixels, Pixels]) -> None:
    """A scrap of paper in a calibration picture is not a fifth lot."""
    empty, marked, plain = (picture.copy() for picture in pictures)
    marked[225:240, 300:315] = (230, 230, 230)

    known = teach(empty, marked, plain)

    assert len(known.four[0]) == 4
    assert not any(np.hypot(blob.x - 307, blob.y - 232) < 30 for blob in known.four[0])


def test_lots_may_lie_elsewhere_in_the_second_picture(pictures: tuple[Pixels, Pixels, Pixels]) -> None:
    """Turning them over moves them."""
    moved = [Laid(x=stick.x + 25, y=stick.y - 15, turn=stick.turn + 20) for stick in apart(0)]

    known = teach(pictures[0], pictures[1], heap(moved, noise=4))

    for stick in moved:
        assert min(np.hypot(blob.x - stick.x, blob.y - stick.y) for blob in known.four[1]) < 3


def test_lots_whose_outlines_are_given_need_not_be_found(pictures: tuple[Pixels, Pixels, Pixels]) -> None:
    """Two lie against each other in both pictures."""
    laid = touching(4)
    touched = pictures[0], heap(laid, noise=3), heap(touching(0), noise=4)
    outlines = [np.round(SQUARE.outline(stick.bar)).astype(np.int32) for stick in laid]

    with pytest.raises(ProfileUnusable, match="things found: 3"):
        teach(*touched)
    known = teach(*touched, outlines=(outlines, outlines))

    assert known.shape.length == pytest.approx(150, abs=2)
    for four in known.four:
        assert [(blob.x, blob.y) for blob in four] == [pytest.approx((stick.x, stick.y), abs=1) for stick in laid]


SPOILED: dict[str, tuple[Sequence[Laid], str]] = {
    "three": (apart(4)[:3], "marked picture .things found: 3"),
    "a fifth": ([*apart(4), Laid(x=310, y=225, turn=90, marked=True)], "marked picture .things found: 5"),
    "one half out": ([*apart(4)[:3], Laid(x=610, y=330, marked=True)], "marked picture"),
    "one much shorter": ([*apart(4)[:3], Laid(x=420, y=330, marked=True, length=100)], "marked picture"),
}


@pytest.mark.parametrize("what", SPOILED)
def test_what_is_not_four_lots_of_one_size_is_refused(pictures: tuple[Pixels, Pixels, Pixels], what: str) -> None:
    """The message names the picture and says what was found."""
    sticks, says = SPOILED[what]

    with pytest.raises(ProfileUnusable, match=says):
        teach(pictures[0], heap(sticks, noise=3), pictures[2])


def test_other_lots_in_the_second_picture_are_refused(pictures: tuple[Pixels, Pixels, Pixels]) -> None:
    """Each picture has four of one size, but the sizes differ."""
    longer = [Laid(x=stick.x, y=stick.y, turn=stick.turn, length=190) for stick in apart(0)]

    with pytest.raises(ProfileUnusable, match="differ in size"):
        teach(pictures[0], pictures[1], heap(longer, noise=4))


def test_another_view_is_refused(pictures: tuple[Pixels, Pixels, Pixels]) -> None:
    """The camera was knocked between the pictures."""
    away = np.ascontiguousarray(pictures[2][::-1, ::-1])

    with pytest.raises(ProfileUnusable, match="plain picture does not show the tray"):
        teach(pictures[0], pictures[1], np.roll(away, 200, axis=1))


def test_a_lot_in_a_later_picture_is_found_where_it_is_said_to_lie(pictures: tuple[Pixels, Pixels, Pixels]) -> None:
    """It has the given face; its neighbours are not considered."""
    later = heap(apart(2), noise=11)

    known = teach(*pictures, [Shown(later, ((205.0, 126.0, Face.MARKED), (418.0, 333.0, Face.PLAIN)))])

    assert [more.face for more in known.more] == [Face.MARKED, Face.PLAIN]
    for more, (x, y) in zip(known.more, ((200, 130), (420, 330)), strict=True):
        assert (more.blob.x, more.blob.y) == pytest.approx((x, y), abs=2)


def test_a_later_lot_that_is_not_free_is_passed_over(pictures: tuple[Pixels, Pixels, Pixels]) -> None:
    """There is nothing, two lots cross, or the picture shows another scene."""
    crossing = heap([*apart(0)[:3], Laid(x=425, y=160, turn=130)], noise=11)
    elsewhere = np.roll(np.ascontiguousarray(pictures[2][::-1, ::-1]), 200, axis=1)

    known = teach(
        *pictures,
        [
            Shown(crossing, ((320.0, 400.0, Face.PLAIN), (427.0, 155.0, Face.PLAIN))),
            Shown(elsewhere, ((200.0, 130.0, Face.PLAIN),)),
        ],
    )

    assert known.more == ()


def test_a_lot_is_lost_where_noise_is_more_than_its_contrast(known: Taught) -> None:
    """All eight stand out from a camera's usual noise, and the paint by its drawn contrast."""
    seen, (first, *others) = known.seen[0], contrasts(known)
    least = seen.least.copy()
    least[first.y - 10 : first.y + 10, first.x - 10 : first.x + 10] = 1.1 * first.apart
    far = [one for one in others if np.hypot(one.x - first.x, one.y - first.y) > 50]

    assert 30 < first.apart < 50
    assert not any(one.is_lost(seen) for one in (first, *others))
    assert first.is_lost(replace(seen, least=least))
    assert len(far) == 6
    assert not any(one.is_lost(replace(seen, least=least)) for one in far)
