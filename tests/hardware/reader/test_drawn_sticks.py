"""Sticks that touch and cross are counted if their faces are visible; other heaps are refused with a reason."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from companion.errors import FacesAlike
from companion.referee.events import Face, Lot, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.reader.throw_reader import ThrowReader
from tests.hardware.reader.drawing_sticks import SQUARE, Laid, Mark, apart, heap, taught
from tests.hardware.reader.labelled.corruptions import step

Verdict = tuple[tuple[Lot, ...], str | None]
"""The lots found, and why they are not counted, or None."""


@dataclass(frozen=True, slots=True)
class Kit:
    """The reader of a set of sticks."""

    reader: ThrowReader

    def read(self, pixels: Pixels) -> Verdict:
        answer = self.reader.read(pixels)
        return answer.lots, answer.reason if isinstance(answer, ThrowUnreadable) else None


def kit(mark: Mark) -> Kit:
    return Kit(ThrowReader.calibrate(*taught(mark)))


@pytest.fixture(scope="module")
def banded() -> Kit:
    return kit(Mark.BANDS)


@pytest.fixture(scope="module")
def half() -> Kit:
    return kit(Mark.HALF)


@pytest.fixture(scope="module")
def whole() -> Kit:
    return kit(Mark.WHOLE)


def turned(lot: Lot, stick: Laid) -> float:
    """Degrees between a lot as it was read and as it was drawn."""
    return abs((lot.angle - stick.turn + 90) % 180 - 90)


def marked(verdict: Verdict) -> int:
    return sum(lot.face is Face.MARKED for lot in verdict[0])


CROSS = [
    Laid(x=180, y=120, turn=10, marked=True),
    Laid(x=440, y=130, turn=50),
    Laid(x=280, y=300, turn=15, marked=True),
    Laid(x=290, y=305, turn=80),
]
STAR = [Laid(x=300 + 3 * n, y=240 - 2 * n, turn=turn, marked=n % 2 == 0) for n, turn in enumerate((5, 50, 95, 140))]
GRID = [
    Laid(x=250, y=200, turn=0),
    Laid(x=250, y=270, turn=2, marked=True),
    Laid(x=215, y=235, turn=92),
    Laid(x=285, y=235, turn=88, marked=True),
]
TOUCHING = [Laid(x=250, y=150 + 18.5 * n, turn=0, marked=n == 1) for n in range(3)] + [Laid(x=430, y=330, turn=40)]
HEAPS = {"apart": apart(3), "a cross": CROSS, "a star": STAR, "a grid": GRID, "side by side": TOUCHING}


@pytest.mark.parametrize("what", HEAPS)
def test_every_stick_of_a_heap_is_read(banded: Kit, what: str) -> None:
    """Each has the right face, and its place is within four pixels and three degrees."""
    lots, doubt = banded.read(heap(HEAPS[what], noise=7))

    assert doubt is None
    assert len(lots) == 4
    for stick in HEAPS[what]:
        lot = min(lots, key=lambda lot: np.hypot(lot.x - stick.x, lot.y - stick.y) + turned(lot, stick))
        assert np.hypot(lot.x - stick.x, lot.y - stick.y) < 4
        assert turned(lot, stick) < 3
        assert lot.face is (Face.MARKED if stick.marked else Face.PLAIN)
        assert lot.confidence > 0.9


@pytest.mark.parametrize("what", HEAPS)
def test_a_heap_in_another_light_is_never_misread(banded: Kit, what: str) -> None:
    """The reader may ask."""
    verdict = banded.read(heap(HEAPS[what], light=0.75, noise=8))

    assert verdict[1] is not None or marked(verdict) == sum(stick.marked for stick in HEAPS[what])


def test_a_stick_half_painted_is_read_either_way_up(half: Kit) -> None:
    """Both halves are visible, also if it crosses another."""
    verdict = half.read(heap(CROSS, mark=Mark.HALF))

    assert verdict[1] is None
    assert marked(verdict) == 2


@pytest.mark.parametrize("turn", [0, 30])
@pytest.mark.parametrize("above", [False, True])
def test_a_stick_whose_painted_half_is_hidden_is_not_read(half: Kit, turn: float, above: bool) -> None:
    """Its bare half looks like a plain stick."""
    lower = Laid(x=230, y=230, turn=turn, marked=True)
    there = lower.bar.moved(along=75)
    upper = Laid(x=there.x, y=there.y, turn=turn + 1, marked=above)

    _, doubt = half.read(heap([*apart(1)[:1], Laid(x=460, y=370, turn=10), lower, upper], mark=Mark.HALF))

    assert doubt is not None


@pytest.mark.parametrize("is_marked", [False, True])
def test_a_stick_half_hidden_is_told_by_its_other_half(whole: Kit, *, is_marked: bool) -> None:
    """What the taught ones show there is enough."""
    lower = Laid(x=300, y=240, marked=is_marked)
    beside, across = lower.bar.moved(across=9, turn=8), lower.bar.moved(along=-40, turn=90)
    above = [Laid(x=bar.x, y=bar.y, turn=bar.angle) for bar in (beside, across)]

    verdict = whole.read(heap([*apart(1)[:1], lower, *above], mark=Mark.WHOLE, noise=8))

    assert verdict[1] is None
    assert marked(verdict) == 1 + is_marked


@pytest.mark.parametrize("width", [5, 7])
def test_a_stick_on_its_edge_is_asked_about(banded: Kit, width: float) -> None:
    """Neither face is visible; so thin a thing may be no stick."""
    sticks = [*apart(2)[:3], Laid(x=430, y=330, turn=20, width=width)]

    _, doubt = banded.read(heap(sticks))

    assert doubt in ("leaning", "count")


@pytest.mark.parametrize("stick", [0, 3])
@pytest.mark.parametrize("length", [80.0, 110.0, 150.0])
def test_a_face_burnt_out_to_white_is_asked_about(banded: Kit, stick: int, length: float) -> None:
    """A lamp is reflected in its middle, or from end to end, where a marked one would look plain."""
    picture = heap(apart(2))
    burnt = SQUARE.mask(replace(apart(2)[stick].bar, length=length), picture.shape)
    picture[burnt > 0] = 255

    lots, doubt = banded.read(picture)

    assert doubt == "glare"
    assert sum(lot.face is Face.UNKNOWN for lot in lots) == 1


def test_a_fifth_stick_is_counted(banded: Kit) -> None:
    """All five are shown to the players."""
    lots, doubt = banded.read(heap([*apart(2), Laid(x=310, y=225, turn=90, marked=True)]))

    assert doubt == "count"
    assert len(lots) == 5
    assert any(np.hypot(lot.x - 310, lot.y - 225) < 12 for lot in lots)


def test_a_missing_stick_is_counted(banded: Kit) -> None:
    """Only three are shown."""
    lots, doubt = banded.read(heap(apart(2)[:3]))

    assert doubt == "count"
    assert len(lots) == 3
    assert marked((lots, doubt)) == 2


@pytest.mark.parametrize("number", [0, 2])
def test_hardly_any_sticks_are_no_throw(banded: Kit, number: int) -> None:
    """There are none, or two."""
    _, doubt = banded.read(heap(apart(2)[:number]))

    assert doubt == "count"


@pytest.mark.parametrize(("x", "y", "turn"), [(625, 330, 0), (5, 200, 10), (320, 470, 90)])
def test_a_stick_half_out_of_the_picture_is_covered(banded: Kit, x: float, y: float, turn: float) -> None:
    """The invisible part may be marked."""
    _, doubt = banded.read(heap([*apart(2)[:3], Laid(x=x, y=y, turn=turn)]))

    assert doubt in ("covered", "count", "touching")


def hiding(shown: float) -> list[Laid]:
    """A fifth stick below the others; ``shown`` of it is visible at one end of the stick above it."""
    upper = Laid(x=330, y=240, turn=12, marked=True)
    there = upper.bar.moved(along=-shown * upper.length)
    fifth = Laid(x=there.x, y=there.y, turn=upper.turn)
    return [fifth, upper, *apart(1)[:2], Laid(x=430, y=390, turn=5)]


@pytest.mark.parametrize("shown", [0.3, 0.6])
def test_a_fifth_stick_that_looks_out_is_never_overlooked(banded: Kit, shown: float) -> None:
    """Less than a third of it is enough to ask."""
    _, doubt = banded.read(heap(hiding(shown)))

    assert doubt is not None


@pytest.mark.parametrize(("across", "turn"), [(9, 0), (-12, 0), (0, 10), (0, -14), (10, 5)])
def test_a_fifth_stick_along_below_another_is_never_overlooked(banded: Kit, across: float, turn: float) -> None:
    """Half of its width beside the upper stick, or both its tips, are enough to ask."""
    upper = Laid(x=300, y=240, turn=4, marked=True)
    under = upper.bar.moved(across=across, turn=turn)
    rest = [*apart(1)[:2], Laid(x=430, y=390, turn=5)]

    _, doubt = banded.read(heap([Laid(x=under.x, y=under.y, turn=under.angle), upper, *rest]))

    assert doubt is not None


@pytest.mark.parametrize("gap", [18.0, 19.0, 21.0])
def test_five_side_by_side_are_never_four(banded: Kit, gap: float) -> None:
    """They lie close together."""
    _, doubt = banded.read(heap([Laid(x=300, y=180 + gap * n, marked=n % 2 == 0) for n in range(5)]))

    assert doubt in ("touching", "count", "unclear")


@pytest.mark.parametrize("painted", [0.2, 0.35, 0.5])
def test_the_ends_of_two_sticks_are_never_one(whole: Kit, painted: float) -> None:
    """Something painted at one end and bare at the other is not one stick, even if it has the shape of one."""
    place = Laid(x=300, y=240, turn=0)
    rest = [*apart(1)[:2], Laid(x=430, y=390, turn=5)]
    pixels, other = (
        heap([replace(place, marked=marked), *rest], mark=Mark.WHOLE, noise=noise)
        for noise, marked in enumerate((False, True))
    )
    end = round(place.x + (painted - 0.5) * place.length)
    pixels[220:260, :end] = other[220:260, :end]

    _, doubt = whole.read(pixels)

    assert doubt is not None


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_fifth_stick_across_below_others_is_never_overlooked(banded: Kit, number: int) -> None:
    """Both its ends are visible beside one, two or three sticks that lie side by side on it."""
    above = [Laid(x=300, y=220 + 19.0 * n, turn=3, marked=n == 0) for n in range(number)]
    rest = [*apart(0)[: 3 - number], Laid(x=430, y=390, turn=5)]

    _, doubt = banded.read(heap([Laid(x=310, y=240, turn=85), *above, *rest]))

    assert doubt is not None


def test_a_stranger_lying_free_is_no_stick(banded: Kit) -> None:
    """Four sticks beside a blue die are readable, and the die never replaces a fourth."""
    die = (slice(225, 250), slice(300, 325))
    four, three = heap(apart(2)), heap(apart(2)[:3])
    four[die] = three[die] = (220, 60, 30)

    verdict, lacking = banded.read(four), banded.read(three)

    assert verdict[1] is None
    assert marked(verdict) == 2
    assert lacking[1] == "count"


def test_a_stranger_upon_a_stick_is_asked_about(banded: Kit) -> None:
    """A bar of another colour covers most of one stick."""
    picture = heap(apart(2))
    cv2.fillConvexPoly(picture, cv2.boxPoints(((420, 330), (110, 30), 0)).astype(np.int32), (200, 60, 40))

    _, doubt = banded.read(picture)

    assert doubt is not None


def test_a_hand_over_a_stick_is_covered(banded: Kit) -> None:
    """It reaches in from the border; beside the sticks it is ignored."""
    over, beside = heap(apart(2)), heap(apart(2))
    for picture, at in ((over, (400, 320)), (beside, (560, 60))):
        cv2.line(picture, at, (700, at[1] + 40), (120, 150, 205), 60, cv2.LINE_AA)

    assert banded.read(over)[1] == "covered"
    assert banded.read(beside)[1] is None


@pytest.mark.parametrize("depth", [0.5, 0.6, 0.7])
def test_a_bare_stick_in_a_deep_shadow_is_not_painted(whole: Kit, depth: float) -> None:
    """It is as dark there as paint in the light."""
    lit = heap(apart(2), mark=Mark.WHOLE, noise=70)
    down = np.arange(lit.shape[0])[:, None, None]
    verdict = whole.read((lit * (1 - depth * step(down - 320, 2))).astype(np.uint8))

    assert verdict[1] is not None or marked(verdict) == 2


def test_faces_that_are_alike_are_refused() -> None:
    """The message says what to do about it."""
    empty, _, plain = taught()

    with pytest.raises(FacesAlike, match="make the marks bolder"):
        ThrowReader.calibrate(empty, heap(apart(0), noise=9), plain)
