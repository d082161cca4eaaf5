"""Places are labelled by the lots that lie there."""

from dataclasses import replace

import numpy as np
import pytest

from hardware.reader.bars import Bar, Ends
from hardware.reader.detection.lot_shape import LotShape
from hardware.reader.judge.lot_judge import moved
from training.judging.lot_labels import TrueLot, label, offset, without_hidden

STICKS = LotShape(Bar(0, 0, 0, 90, 12), Ends(0.0), 1080)
KERNELS = LotShape(Bar(0, 0, 0, 20, 16), Ends(1.0), 250)
STICK = TrueLot.seen(Bar(100, 80, 30, 90, 12), (1.0, 1.0), flat=True, marked=True)
KERNEL = TrueLot.seen(Bar(100, 80, 0, 20, 16), (1.0, 1.0), flat=True, marked=False)


def test_a_place_near_a_lot_is_labelled_with_its_face() -> None:
    """A few pixels off still shows it."""
    made = label(STICK.bar.moved(along=4, across=1, turn=2), [KERNEL, STICK], STICKS)

    assert (made.present, made.readable, made.face) == (1, 1, 1)
    assert label(replace(KERNEL.bar, x=102), [KERNEL], KERNELS).face == -1


@pytest.mark.parametrize(
    ("place", "present"),
    [
        (STICK.bar.moved(across=5), -1),
        (STICK.bar.moved(across=8), 0),
        (STICK.bar.moved(turn=60), 0),
        (STICK.bar.moved(along=300), 0),
    ],
)
def test_a_place_far_from_a_stick_or_turned_shows_none(place: Bar, present: int) -> None:
    """In between it does not count."""
    made = label(place, [STICK], STICKS)

    assert (made.present, made.readable, made.face) == (present, -1, 0)


@pytest.mark.parametrize(("away", "present"), [(3, 1), (7, -1), (12, 0)])
def test_a_small_lot_is_judged_by_its_distance(away: float, present: int) -> None:
    """Its direction does not matter."""
    assert label(Bar(100 + away, 80, 0, 20, 16), [KERNEL], KERNELS).present == present


def test_a_picture_without_lots_has_no_offsets() -> None:
    """Nothing is learnt from them about places."""
    made = label(STICK.bar, [], STICKS)

    assert made.present == 0
    assert np.isnan(made.off).all()


@pytest.mark.parametrize(
    ("flat", "shown", "readable", "face"),
    [
        (False, (1.0, 1.0), 0, 0),
        (True, (0.4, 1.0), 0, 0),
        (True, (1.0, 0.3), 0, 0),
        (True, (0.5, 1.0), -1, 1),
        (True, (0.6, 0.6), 1, 1),
    ],
)
def test_a_lot_on_edge_or_half_hidden_is_not_readable(
    flat: bool, shown: tuple[float, float], readable: int, face: int
) -> None:
    """It is there all the same."""
    lot = TrueLot.seen(STICK.bar, shown, flat=flat, marked=True)

    made = label(STICK.bar, [lot], STICKS)

    assert (made.present, made.readable, made.face) == (1, readable, face)


@pytest.mark.parametrize("shape", [STICKS, KERNELS])
def test_the_reader_moves_a_place_to_where_the_label_says(shape: LotShape) -> None:
    """Offsets are in the units that the reader expects."""
    lot = replace(shape.bar, x=100.0, y=80.0, angle=30.0 if shape.is_long else 0.0)
    place = lot.moved(along=4, across=-3, turn=5 if shape.is_long else 0)

    there = moved(place, np.array(offset(place, lot, shape), np.float32), shape)

    np.testing.assert_allclose((there.x, there.y, there.angle), (lot.x, lot.y, lot.angle), atol=1e-3)


@pytest.mark.parametrize(
    ("shown", "across", "turn", "readable"),
    [(0.3, 5, 0, 0), (0.3, 0, 10, 0), (0.3, 11, 0, 1), (0.3, 0, 60, 1), (0.6, 5, 0, 1), (0.01, 0, 0, 1)],
    ids=["along", "turned a little", "beside", "across", "mostly seen", "not seen"],
)
def test_a_stick_below_which_another_looks_out_is_not_readable(
    shown: float, across: float, turn: float, readable: int
) -> None:
    """Which part belongs to which stick cannot be told; one that nobody sees changes nothing."""
    below = TrueLot.seen(STICK.bar.moved(across=across, turn=turn), (shown, shown), flat=True, marked=False)

    upper = without_hidden([below, STICK], STICKS)[1]

    assert (upper.readable, upper.face) == (readable, readable)


@pytest.mark.parametrize(("away", "readable"), [(10, 0), (17, 1)])
def test_a_small_lot_below_which_another_looks_out_is_not_readable(away: float, readable: int) -> None:
    """In whichever direction it lies."""
    below = TrueLot.seen(replace(KERNEL.bar, y=KERNEL.bar.y + away), (0.4, 0.4), flat=True, marked=True)

    assert without_hidden([KERNEL, below], KERNELS)[0].readable == readable
