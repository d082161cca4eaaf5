"""A stick's face is unrolled into a strip, which is nearest to the calibrated faces of the same side."""

import numpy as np
import pytest

from companion.referee.events import Face
from hardware.cameras.camera import Pixels
from hardware.reader.sticks.bars import Bar
from hardware.reader.sticks.strips import GAIN, SHIFT, SLIP, STRETCH, STRIP, Strip, Strips, aligned, unroll
from hardware.reader.tray import Difference, Tray
from tests.hardware.reader.drawing_sticks import Laid, apart, heap, taught

FREE = np.zeros((480, 640), np.uint8)


@pytest.fixture(scope="module")
def known() -> Tray:
    return Tray(taught()[0])


@pytest.fixture(scope="module")
def faces(known: Tray) -> Strips:
    marked, plain = (
        [unroll(difference(known, picture), stick.bar, 1.0) for stick in apart(0)] for picture in taught()[1:]
    )
    return Strips(marked, plain)


def difference(known: Tray, pixels: Pixels) -> Difference:
    seen = known.difference(pixels)
    assert seen is not None
    return seen


def strip(known: Tray, stick: Laid, bar: Bar | None = None, light: float = 1.0) -> Strip:
    """The strip of a stick that lies alone in the tray."""
    return unroll(difference(known, heap([stick], light=light, noise=8)), bar or stick.bar, 1.0)


def bare(lights: tuple[float, ...], shape: tuple[int, int] = STRIP) -> Strip:
    """A strip of one grey whose columns are scaled by ``lights``."""
    columns = np.resize(np.repeat(lights, -(-shape[1] // len(lights))), shape[1])
    face = np.zeros((2, *shape, 3), np.float32)
    face[..., 0] = columns
    return Strip(face, np.ones(shape, np.bool_), 0.0)


@pytest.mark.parametrize("turn", [0, 33, 90, 150])
def test_bands_lie_where_they_were_painted(known: Tray, turn: float) -> None:
    """There are three dark bands along the strip in any direction of the stick; the plain side has none."""
    columns = (np.arange(STRIP[1]) + 0.5) / STRIP[1] - 0.5

    marked, plain = (
        strip(known, Laid(x=300, y=240, turn=turn, marked=side)).lights[0, :, :, 0].mean(axis=0)
        for side in (True, False)
    )

    painted = np.any([np.abs(columns * 0.97 - place) < 0.03 for place in (-0.3, 0, 0.3)], axis=0)
    between = np.all([np.abs(columns * 0.97 - place) > 0.08 for place in (-0.3, 0, 0.3)], axis=0)
    assert marked[painted].max() < 40 < 70 < marked[between].min()
    assert plain.min() > 70


@pytest.mark.parametrize("turn", [0, 47, 120, 200])
@pytest.mark.parametrize("light", [1.0, 0.75])
@pytest.mark.parametrize("side", [Face.MARKED, Face.PLAIN])
def test_a_face_is_nearest_to_its_own(known: Tray, faces: Strips, turn: float, light: float, side: Face) -> None:
    """It leads clearly in any place and direction, also upside down and in less light."""
    seen = strip(known, Laid(x=320, y=250, turn=turn, marked=side is Face.MARKED), light=light)

    marked, plain = faces.apart(seen)

    near, far = (marked, plain) if side is Face.MARKED else (plain, marked)
    assert near < 0.3 * far


def test_a_taught_strip_can_be_left_out() -> None:
    """Otherwise it would be compared with itself."""
    own, other = bare((30.0, 60.0)), bare((30.0, 66.0))
    faces = Strips([own, other], [bare((80.0, 20.0, 80.0))])

    alone, left_out = faces.apart(own), faces.apart(own, but=own)

    assert alone[0] == pytest.approx(0, abs=1e-3)
    assert left_out[0] > 1
    assert left_out[1] == alone[1]


def test_a_face_is_the_same_turned_round_and_a_little_off() -> None:
    """A stick has no front, and an end may be blurred by two columns."""
    face = bare((30.0, 60.0, 60.0, 60.0))
    turned = Strip(face.lights[:, ::-1, ::-1], face.open, 0.0)
    pushed = Strip(np.roll(face.lights, SHIFT, axis=2), face.open, 0.0)
    faces = Strips([face], [bare((10.0,))])

    assert faces.apart(turned)[0] == pytest.approx(0, abs=0.01)
    assert faces.apart(pushed)[0] == pytest.approx(0, abs=0.01)
    assert faces.apart(Strip(np.roll(face.lights, 4 * SHIFT, axis=2), face.open, 0.0))[0] > 2


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("by", [-SLIP, SLIP])
def test_a_face_can_be_looked_for_further_along(by: int, turned: bool) -> None:
    """Columns lost at one end are not penalized."""
    face = bare((30.0, 60.0, 50.0, 70.0))
    slipped = np.roll(face.lights, by, axis=2)
    slipped[:, :, slice(by) if by > 0 else slice(by, None)] = 0
    faces = Strips([face], [bare((10.0,))])
    seen = Strip(slipped[:, ::-1, ::-1] if turned else slipped, face.open, 0.0)

    assert faces.apart(seen)[0] > 2
    assert faces.apart(seen, by=SLIP)[0] < 2
    assert faces.apart(seen, by=SLIP)[1] > 20


@pytest.mark.parametrize("turned", [False, True])
def test_the_end_of_another_stick_stands_out(turned: bool) -> None:
    """The strip looks like the other face at one end, and nowhere else."""
    faces = Strips([bare((20.0, 30.0))], [bare((80.0, 80.0, 80.0, 90.0))])
    seen = bare((80.0, 80.0, 80.0, 30.0))
    mixed = Strip(seen.lights[:, ::-1, ::-1] if turned else seen.lights, seen.open, 0.0)

    marked, plain = faces.stretches(mixed)

    strange = plain - marked
    assert len(strange) == STRIP[1] - STRETCH + 1
    ends = (strange[:STRETCH], strange[-STRETCH:])
    assert ends[turned].max() < 0 < 40 < ends[not turned].min()


def test_what_is_covered_is_no_stretch() -> None:
    """Half of the strip is covered and left out."""
    faces = Strips([bare((20.0,))], [bare((80.0,))])
    face = bare((80.0,))
    face.open[:, STRIP[1] // 2 :] = False

    marked, plain = faces.stretches(face)

    assert len(marked) == len(plain)
    assert STRIP[1] / 2 - 2 * STRETCH < len(plain) < STRIP[1] / 2


@pytest.mark.parametrize(("gain", "least", "most"), [(1.0, 0, 0.01), (0.95 * GAIN, 0, 0.01), (1.5 * GAIN, 4, 40)])
def test_shade_is_forgiven_and_paint_is_not(gain: float, least: float, most: float) -> None:
    """A face may be uniformly lighter or darker, but not by as much as paint."""
    face = bare((30.0, 60.0))
    faces = Strips([face], [bare((10.0,))])

    far = faces.apart(Strip(face.lights / gain, face.open, 0.0))[0]

    assert least <= far <= most


def test_only_what_lies_open_is_compared() -> None:
    """A partly covered face is not a stranger."""
    face = bare((30.0, 60.0))
    covered = face.lights.copy()
    covered[:, :, 40:] = 95.0
    is_open = np.ones(STRIP, np.bool_)
    faces = Strips([face], [bare((10.0,))])

    whole = faces.apart(Strip(covered, is_open, 0.0))[0]
    is_open[:, 40:] = False
    part = faces.apart(Strip(covered, is_open, 0.0))[0]

    assert part == pytest.approx(0, abs=0.01)
    assert whole > 10


def test_the_shade_beside_what_lies_on_a_stick_tells_nothing() -> None:
    """A plain face that is dark only beside the stick on it is as near to plain as an uncovered one."""
    plain = bare((80.0,))
    shaded = bare((80.0,))
    shaded.open[:, 20:30] = False
    shaded.lights[:, :, [19, 30]] = 20.0

    assert Strips([bare((20.0, 80.0))], [plain]).apart(shaded)[1] < 1e-3


def test_what_lies_on_a_stick_is_not_open(known: Tray) -> None:
    """Parts outside the picture are not open either."""
    stick = Laid(x=300, y=240)
    covered = FREE.copy()
    covered[:, 300:] = 1
    seen = difference(known, heap([stick]))

    half = unroll(seen, stick.bar, 1.0, covered)
    out = unroll(seen, Bar(0, 240, 0, 150, 18), 1.0)

    assert half.open[:, :36].all()
    assert not half.open[:, 36:].any()
    assert not out.open[:, :35].any()
    assert out.open[:, 37:].all()


def test_glare_is_the_share_that_is_burnt_out(known: Tray) -> None:
    """Clipped columns show no face; for a wholly covered face the share is unknown."""
    stick = Laid(x=300, y=240)
    picture = heap([stick])
    picture[225:255, 300:376] = 255
    seen = difference(known, picture)

    assert unroll(seen, stick.bar, 1.0).glare == pytest.approx(0.5, abs=0.05)
    assert unroll(difference(known, heap([stick])), stick.bar, 1.0).glare == 0
    assert unroll(seen, stick.bar, 1.0, np.ones_like(FREE)).glare == 1


@pytest.mark.parametrize("push", [{"across": 4.0}, {"turn": 4.0}, {"across": -2.0, "turn": -2.0}])
@pytest.mark.parametrize("marked", [True, False])
def test_a_bar_a_little_off_is_aligned_by_its_face(
    known: Tray, faces: Strips, push: dict[str, float], marked: bool
) -> None:
    """The face fits better than at the bar's first place, and nearly as well as at the true one."""
    stick = Laid(x=320, y=250, turn=25, marked=marked)
    seen = difference(known, heap([stick], noise=8))
    right, off = (min(faces.apart(unroll(seen, bar, 1.0))) for bar in (stick.bar, stick.bar.moved(**push)))

    found, far = aligned(seen, stick.bar.moved(**push), 1.0, FREE, faces)

    assert min(far) < off
    assert min(far) < 1.3 * right + 0.5
    assert faces.apart(found) == far
