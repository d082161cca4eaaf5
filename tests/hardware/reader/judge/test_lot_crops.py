"""Crops show a place straightened and in the light of the teaching."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from hardware.cameras.camera import Pixels
from hardware.reader.arrays import Floats
from hardware.reader.bars import Bar
from hardware.reader.detection.detector import Detection
from hardware.reader.detection.empty_tray import EmptyTray, Scene
from hardware.reader.detection.lot_shape import DetectedScene, LotShape
from hardware.reader.judge.lot_crops import CHANNELS, WINDOWS, CropMaker, diameter, reference_colour
from tests.hardware.reader.drawing import Stick, tray
from tests.hardware.reader.judge.ideal_model import SMALL, STICK, detection

STICK_CROP, CLOSE_STICK_CROP = (WINDOWS[True, close].size for close in (False, True))
SMALL_CROP = WINDOWS[False, False].size
COLOUR, RATIO, LOT, OTHER, INSIDE, ALONG = slice(0, 3), slice(3, 6), 6, 7, 8, slice(9, 11)


def crops(
    pixels: Pixels,
    bare: Pixels,
    places: Sequence[Bar],
    shape: LotShape = STICK,
    *,
    found: Detection | None = None,
    reference: Floats | None = None,
    close: bool = False,
) -> Floats:
    """The crops of places in a picture, taught in its own light if no ``reference`` is given."""
    scene = Scene(pixels, pixels, bare.astype(np.float32), 1.0)
    mean = bare[::4, ::4].mean(axis=(0, 1)).astype(np.float32)
    view = DetectedScene(scene, found or detection(places, shape))
    return CropMaker(view, shape, mean if reference is None else reference).crops(places, close=close)


def stick(turn: float, x: float = 300, y: float = 240) -> Bar:
    return replace(STICK.bar, x=x, y=y, angle=turn)


@pytest.mark.parametrize("turn", [0, 33, 90, 150])
def test_marks_lie_where_they_were_painted(turn: float) -> None:
    """There are three dark bands along the crop in any direction of the stick; the plain side has none."""
    along = ((np.arange(STICK_CROP[1]) + 0.5) / STICK_CROP[1] - 0.5) * WINDOWS[True, False].long
    middle = slice(STICK_CROP[0] // 2 - 3, STICK_CROP[0] // 2 + 3)

    marked, plain = (
        crops(tray([Stick(300, 240, turn, side)]), tray(noise=1), [stick(turn)])[0, COLOUR, middle].mean(axis=(0, 1))
        for side in (True, False)
    )

    painted = np.any([np.abs(along - place) < 0.03 for place in (-0.3, 0, 0.3)], axis=0)
    between = np.all([np.abs(along - place) > 0.08 for place in (-0.3, 0, 0.3)], axis=0) & (np.abs(along) < 0.47)
    assert marked[painted].max() < -0.2 < 0.1 < marked[between].min()
    assert plain[np.abs(along) < 0.47].min() > 0.1


@pytest.mark.parametrize("turn", [0, 33, 90, 150])
def test_the_networks_answers_are_cropped_with_the_colours(turn: float) -> None:
    """A lot fills its place, is deepest in its middle, and lies along the crop in any direction."""
    rows, columns = STICK_CROP
    [crop] = crops(tray(), tray(), [stick(turn)])

    assert crop[LOT, rows // 2, 10:-10].min() == 1
    assert crop[LOT, [0, -1]].max() == 0
    assert crop[INSIDE, rows // 2, columns // 2] > 0.8 > crop[INSIDE, 5, columns // 2]
    assert crop[OTHER].max() == 0
    np.testing.assert_allclose(crop[ALONG, rows // 2, columns // 2], [1, 0], atol=1e-4)


def test_a_stick_that_lies_across_points_across() -> None:
    """Twice a right angle: the cosine is -1."""
    found = detection([stick(120)])

    [crop] = crops(tray(), tray(), [stick(30)], found=found)

    np.testing.assert_allclose(crop[ALONG, STICK_CROP[0] // 2, STICK_CROP[1] // 2], [-1, 0], atol=1e-4)


def test_small_lots_have_no_direction() -> None:
    """Their crop is as wide as high, and shows their surroundings."""
    place = replace(SMALL.bar, x=320.0, y=200.0)

    [crop] = crops(tray(), tray(), [place], SMALL)

    assert crop.shape == (CHANNELS, *SMALL_CROP)
    assert crop[LOT, SMALL_CROP[0] // 2, SMALL_CROP[1] // 2] == 1
    assert crop[LOT, [0, -1]].max() == 0
    assert not crop[ALONG].any()
    assert diameter(SMALL) == pytest.approx(np.sqrt(34 * 28))


def test_a_small_lot_from_close_by_nearly_fills_its_crop() -> None:
    """It is larger there by the ratio of what both crops show."""
    place = replace(SMALL.bar, x=320.0, y=200.0)

    [far], [near] = (crops(tray(), tray(), [place], SMALL, close=close) for close in (False, True))

    assert near.shape == far.shape
    larger = WINDOWS[False, False].wide / WINDOWS[False, True].wide
    assert near[LOT].sum() / far[LOT].sum() == pytest.approx(larger**2, rel=0.05)


def test_a_stick_from_close_by_nearly_fills_its_crop() -> None:
    """Its crop shows as many widths and lengths as it is said to, in more pixels."""
    [near] = crops(tray(), tray(), [stick(20)], close=True)

    assert near.shape == (CHANNELS, *CLOSE_STICK_CROP)
    high, wide = near[LOT, :, CLOSE_STICK_CROP[1] // 2].mean(), near[LOT, CLOSE_STICK_CROP[0] // 2].mean()
    assert high == pytest.approx(1 / WINDOWS[True, True].wide, abs=1.5 / CLOSE_STICK_CROP[0])
    assert wide == pytest.approx(1 / WINDOWS[True, True].long, abs=1.5 / CLOSE_STICK_CROP[1])


@pytest.mark.parametrize("light", [0.6, (0.7, 0.9, 1.1)])
def test_other_light_changes_no_colour(light: float | tuple[float, float, float]) -> None:
    """The aligned empty tray tells how the light has changed since the teaching."""
    pixels, bare = tray([Stick(300, 240, 20, True)]), tray()
    reference = bare[::4, ::4].mean(axis=(0, 1)).astype(np.float32)
    dim, dark = ((picture * np.array(light)).clip(0, 255).astype(np.uint8) for picture in (pixels, bare))

    [taught] = crops(pixels, bare, [stick(20)], reference=reference)
    [now] = crops(dim, dark, [stick(20)], reference=reference)

    np.testing.assert_allclose(now[COLOUR], taught[COLOUR], atol=0.05)


def test_where_nothing_is_new_the_ratio_is_one() -> None:
    """Its logarithm is zero, also for a place half out of the picture."""
    bare = tray(noise=3)

    both = crops(bare, bare, [stick(10), stick(80, 2, 475)])

    assert both.shape == (2, CHANNELS, *STICK_CROP)
    np.testing.assert_allclose(both[:, RATIO], 0, atol=1e-6)
    assert np.isfinite(both).all()


def test_no_places_make_no_crops() -> None:
    """The array is empty, but of the right shape."""
    assert crops(tray(), tray(), []).shape == (0, CHANNELS, *STICK_CROP)


@pytest.mark.parametrize("close", [False, True])
def test_taught_lots_are_hidden_as_the_one_at_a_place_is(*, close: bool) -> None:
    """Each from both ends, with what lies over that place, which is the last."""
    place = stick(20)
    half = replace(place, length=place.length / 2)
    hidden = STICK.ends.mask(half.moved(along=half.length / 2), (480, 640))
    pixels = tray([Stick(300, 240, 20, marked=True)])
    scene = Scene(pixels, pixels, tray().astype(np.float32), 1.0)
    maker = CropMaker(DetectedScene(scene, detection([place])), STICK, scene.mean)
    rows, columns = WINDOWS[True, close].size
    taught = np.stack([np.full((CHANNELS, rows, columns), number, np.float32) for number in (5, 6)])
    taught[0, :, : rows // 4] = 7

    alike = maker.hidden_alike(taught, place, hidden, close=close)

    [own] = maker.crops([place], close=close)
    middle, left, right = rows // 2, columns // 4, 3 * columns // 4
    assert alike.shape == (5, CHANNELS, rows, columns)
    np.testing.assert_array_equal(alike[4], own)
    np.testing.assert_array_equal(alike[:4, 0, middle, left], [5, 5, 6, 6])
    np.testing.assert_array_equal(alike[:4, :, middle, right], np.tile(own[:, middle, right], (4, 1)))
    np.testing.assert_array_equal(alike[:4, 0, 0, left], [7, 5, 6, 6])
    np.testing.assert_array_equal(alike[:4, 0, -1, left], [5, 7, 6, 6])


def borders(bare: Floats, places: Sequence[Bar]) -> Floats:
    """How clearly borders in that empty tray run along below the places."""
    scene = Scene(tray(), tray(), bare, 1.0)
    return CropMaker(DetectedScene(scene, detection(places)), STICK, scene.mean).borders(places)


@pytest.mark.parametrize("turn", [0, 33, 90, 150])
@pytest.mark.parametrize("brighter", [0.7, 1.4])
def test_a_border_below_the_middle_of_a_stick_is_told(turn: float, brighter: float) -> None:
    """By the ratio of light on both its sides, whichever is brighter, and not in a tray without one."""
    down, right = np.mgrid[0:480, 0:640]
    along, across = stick(turn).along
    foot = (down - 240) * along - (right - 300) * across > 0
    plain = np.full((480, 640, 3), 100, np.float32)
    rimmed = plain * np.where(foot, brighter, 1)[..., None].astype(np.float32)

    [clear], [none] = (borders(bare, [stick(turn)]) for bare in (rimmed, plain))

    assert clear == pytest.approx(abs(np.log((100 * brighter + 8) / 108)), rel=0.15)
    assert none == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize("y", [240 - 0.35 * STICK.bar.width, 240 + 0.35 * STICK.bar.width, 300])
def test_a_stick_that_lies_beside_a_border_is_not_on_it(y: float) -> None:
    """Its edge may be on it, as that of one which lies on the tray's floor beside the rim."""
    bare = np.full((480, 640, 3), 100, np.float32)
    bare[:240] = 60

    assert borders(bare, [stick(0, y=y)]).max() < 0.02


def test_a_border_that_only_a_part_of_a_stick_lies_on_does_not_count() -> None:
    """One that runs across it, such as the rim below a stick that reaches out, or that ends; no sticks have none."""
    rim, half = np.full((2, 480, 640, 3), 100, np.float32)
    rim[:, 330:] = 60
    half[240:, :320] = 60

    assert borders(rim, [stick(0), stick(20)]).max() < 0.02
    assert borders(half, [stick(0)]).max() < 0.02
    assert borders(rim, []).shape == (0,)


@pytest.mark.parametrize("shape", [STICK, SMALL])
def test_what_the_detector_sees_at_each_place_is_told(shape: LotShape) -> None:
    """All of a lot, or nothing of one, where something else or the tray is; no places make no numbers."""
    places = [replace(shape.bar, x=x, y=240.0) for x in (120.0, 320.0, 520.0)]
    pixels = tray()
    scene = Scene(pixels, pixels, pixels.astype(np.float32), 1.0)
    maker = CropMaker(DetectedScene(scene, detection(places[:1], shape, places[1:2])), shape, scene.mean)

    np.testing.assert_allclose(maker.seen(places), [1, 0, 0], atol=1e-6)
    assert maker.seen([]).shape == (0,)


@pytest.mark.parametrize("table", [40, 80, 160])
def test_the_ground_looks_alike_on_a_table_of_any_brightness(table: int) -> None:
    """That of the lots is shown as bright as the empty picture is in the mean."""
    bare = np.full((480, 640, 3), table, np.uint8)
    bare[100:380, 150:490] = 80
    places = [replace(SMALL.bar, x=x, y=240.0) for x in (200.0, 280.0, 360.0, 440.0)]
    view = DetectedScene(Scene(bare, bare, bare.astype(np.float32), 1.0), detection(places, SMALL))

    reference = reference_colour(EmptyTray(bare), [view, view])
    ground = CropMaker(view, SMALL, reference).crops(places)[:, COLOUR] + 0.5

    assert 255 * ground == pytest.approx(np.full(ground.shape, bare.mean()), rel=0.03)
