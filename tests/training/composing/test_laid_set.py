"""Lots laid on a tray look like the pictures that teach a reader, and their labels say where they lie."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hardware.composing.cutouts import TrayScene, filled
from training.composing.borrowed_lots import borrowed_lots
from training.composing.drawn_lots import drawn_lots
from training.composing.labelled_scenes import open_sets
from training.composing.laid_set import LaidSet, laid_set

HERE = Path(__file__).parents[2] / "data" / "throws"


@pytest.fixture(scope="module")
def tray() -> TrayScene:
    return open_sets(HERE, {"d03"})[0][1]


@pytest.fixture(scope="module")
def lots() -> TrayScene:
    return open_sets(HERE, {"d11"})[0][1]


@pytest.fixture(scope="module", params=[(lots, number) for lots in ("borrowed", "drawn") for number in range(4)])
def laid(tray: TrayScene, lots: TrayScene, request: pytest.FixtureRequest) -> LaidSet:
    kind, number = request.param
    for attempt in range(50):
        random = np.random.default_rng([number, attempt])
        scene = borrowed_lots(tray, lots, random) if kind == "borrowed" else drawn_lots(tray, random)
        if scene is not None and (made := laid_set(scene, random)) is not None:
            return made
    raise AssertionError(f"no {kind} lots fit in")


def test_a_set_has_the_three_pictures_that_teach(laid: LaidSet, tray: TrayScene) -> None:
    """They are as large as the tray's own."""
    assert [picture.shape for picture in laid.pictures] == [tray.empty.shape] * 3
    assert {picture.dtype for picture in laid.pictures} == {np.dtype(np.uint8)}


def test_outlines_lie_around_the_lots(laid: LaidSet) -> None:
    """Inside them the picture differs from the empty tray, between them it differs by noise."""
    empty = laid.pictures[0].astype(np.float32)
    for picture, outlines in zip(laid.pictures[1:], laid.outlines, strict=True):
        change = np.abs(picture - empty).max(axis=2)
        inside = np.maximum.reduce([filled(empty.shape, outline, 1) for outline in outlines]) > 250

        assert len(outlines) == 4
        assert np.median(change[inside]) > 2 * np.median(change[~inside])


def test_borrowed_lots_take_another_size_and_colour(tray: TrayScene, lots: TrayScene) -> None:
    """All of a set take the same one, and stay the kind of lots that they are."""
    borrowed = borrowed_lots(tray, lots, np.random.default_rng(3))
    sizes = np.array([new.length / old.length for new, old in zip(borrowed.cuts, lots.cuts, strict=True)])
    pairs = zip(borrowed.cuts, lots.cuts, strict=True)
    lighter = np.array([new.pixels.mean() / old.pixels.mean() for new, old in pairs])

    assert borrowed.is_long == lots.is_long != tray.is_long
    assert np.ptp(sizes) == pytest.approx(0, abs=1e-6)
    assert np.ptp(lighter) < 0.05
    assert abs(sizes[0] - 1) > 0.01
    assert abs(lighter[0] - 1) > 0.01


def test_a_lot_seen_from_one_side_lends_its_place_to_another_one(tray: TrayScene, lots: TrayScene) -> None:
    """A heap may hide it wherever it shows the other side."""
    fewer = replace(tray, cuts=tuple(cut for cut in lots.cuts if (cut.lot, cut.marked) != (2, True)), is_long=False)
    made = laid_set(fewer, np.random.default_rng(1))

    assert made is not None
    assert [len(outlines) for outlines in made.outlines] == [4, 4]


def test_lots_that_are_too_large_for_the_tray_are_not_laid(tray: TrayScene, lots: TrayScene) -> None:
    """They would lie on one another."""
    small = replace(lots, floor=(tray.floor - tray.floor.mean(axis=0)) / 8 + tray.floor.mean(axis=0))

    assert laid_set(small, np.random.default_rng(1)) is None
