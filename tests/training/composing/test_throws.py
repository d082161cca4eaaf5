"""Composed heaps agree with their labels."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.composing.cutouts import TrayScene
from hardware.composing.visibility import Truth
from training.composing.arrangement import READABLE
from training.composing.labelled_scenes import open_sets
from training.composing.throws import Heap, compose

HERE = Path(__file__).parents[2] / "data" / "throws"


@pytest.fixture(scope="module")
def scene() -> TrayScene:
    return open_sets(HERE, {"d03"})[0][1]


def made(scene: TrayScene, kind: str, seed: int = 3) -> Heap:
    return compose(scene, seed, (kind,))


def test_a_seed_always_makes_the_same_picture(scene: TrayScene) -> None:
    """So a misread one can be made again."""
    one, other = made(scene, "crossed"), made(scene, "crossed")

    np.testing.assert_array_equal(one.pixels, other.pixels)
    assert one.lots == other.lots


def test_lots_that_lie_apart_show_whole_and_where_they_are_said_to(scene: TrayScene) -> None:
    """Every lot is whole, and the picture differs from the empty tray at its centre."""
    heap = made(scene, "apart")

    assert heap.says == "readable"
    assert all(lot.face > 0.99 for lot in heap.lots)
    assert 0 <= heap.marked <= 4
    changed = np.abs(heap.pixels.astype(np.float32) - scene.empty).max(axis=2)
    noise = float(np.median(changed))
    assert all(changed[round(lot.y) - 4 : round(lot.y) + 5, round(lot.x) - 4 : round(lot.x) + 5].mean() > noise
               for lot in heap.lots)  # fmt: skip


@pytest.mark.parametrize("kind", READABLE)
def test_readable_kinds_show_enough_of_every_lot(scene: TrayScene, kind: str) -> None:
    """The limit is that of the labelled pictures."""
    heap = made(scene, kind)

    assert heap.says == "readable"
    assert len(heap.lots) == 4
    assert all(lot.face >= 0.55 and lot.mark >= 0.5 for lot in heap.lots)


@pytest.mark.parametrize(
    ("kind", "lots"), [("three", 3), ("five", 5), ("a fifth below", 5), ("none", 0), ("hidden", 4)]
)
def test_unreadable_kinds_cannot_be_counted(scene: TrayScene, kind: str, lots: int) -> None:
    """There are too few lots, too many, or one is hidden."""
    heap = made(scene, kind)

    assert heap.says == "unreadable"
    assert len(heap.lots) == lots
    assert lots != 4 or min(lot.face for lot in heap.lots) < 0.1


def test_a_lot_beside_the_tray_lies_wholly_on_the_table(scene: TrayScene) -> None:
    """It counts, and none of it is on the floor."""
    heap = made(scene, "beside the tray")

    away = [cv2.pointPolygonTest(scene.floor, (lot.x, lot.y), measureDist=True) for lot in heap.lots]
    assert heap.says == "readable"
    assert sum(one < -scene.cuts[0].width / 2 for one in away) == 1
    assert all(lot.face > 0.99 for lot in heap.lots if cv2.pointPolygonTest(scene.floor, (lot.x, lot.y), False) < 0)


def test_a_lot_over_the_rim_has_one_end_on_the_floor(scene: TrayScene) -> None:
    """The others lie on the floor; one or two reach over the rim."""
    heap = made(scene, "over the rim")

    def is_inside(lot: Truth, way: int) -> bool:
        far, turn = way * 0.45 * scene.cuts[0].length, np.radians(lot.angle)
        end = (float(lot.x + far * np.cos(turn)), float(lot.y + far * np.sin(turn)))
        return cv2.pointPolygonTest(scene.floor, end, measureDist=False) >= 0

    across = [is_inside(lot, 1) != is_inside(lot, -1) for lot in heap.lots]
    assert heap.says == "readable"
    assert sum(across) in (1, 2)
