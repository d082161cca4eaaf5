"""What may be nothing but a shadow on the tray is told from lots."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hardware.reader.detection.empty_tray import Scene
from hardware.reader.detection.lot_shape import DetectedScene
from hardware.reader.judge.shadows import darkest_shade, dimmed, lit, shade, shadow_tint
from tests.hardware.reader.drawing import tray
from tests.hardware.reader.judge.ideal_model import SMALL, detection

BARE = tray(noise=1)
PART = (slice(200, 240), slice(300, 340))
"""Pixels that look otherwise than the tray."""


def scene(light: tuple[float, float, float]) -> Scene:
    """The tray with that share of its light left of each channel in a part."""
    seen = BARE.astype(np.float32)
    seen[PART] *= np.array(light, np.float32)
    return Scene(BARE, seen.clip(0, 255).astype(np.uint8), BARE.astype(np.float32), 1.0)


@pytest.mark.parametrize(
    ("light", "share"),
    [((0.6, 0.6, 0.6), 1.0), ((0.55, 0.58, 0.6), 1.0), ((0.95, 0.95, 0.95), 0.0), ((0.4, 0.6, 0.7), 0.0)],
)
def test_a_shadow_darkens_all_colours_much_alike(light: tuple[float, float, float], share: float) -> None:
    dark = shade(scene(light), None)

    assert dark[PART].mean() == pytest.approx(share, abs=0.05)
    dark[PART] = False
    assert not dark.any()


def beside_a_lot(light: tuple[float, float, float]) -> DetectedScene:
    """A lot, and beside it a shadow that leaves that share of each colour."""
    return DetectedScene(scene(light), detection([replace(SMALL.bar, x=280.0, y=220.0)], SMALL))


def test_the_lots_shadows_have_one_tint() -> None:
    """The lamp has another colour than what the room reflects: a deep shadow is tinted more than a light one."""
    taught = beside_a_lot((0.5, 0.6, 0.75))
    tint = shadow_tint([taught])

    assert tint is not None
    assert tint.mean() == pytest.approx(1)
    assert tint.tolist() == sorted(tint, reverse=True)
    for power in (0.5, 1.0, 2.0):
        light = (0.5**power, 0.6**power, 0.75**power)
        assert shade(scene(light), tint)[PART].mean() == pytest.approx(1, abs=0.05)
        assert power == 0.5 or shade(scene(light), None)[PART].mean() < 0.2
    assert not shade(scene((0.3, 0.3, 0.3)), tint)[PART].any()


@pytest.mark.parametrize("places", [[], [(280.0, 20.0)]], ids=["no lots", "lots elsewhere"])
def test_no_other_shadow_tells_the_tint(places: list[tuple[float, float]]) -> None:
    """Such as that of a hand or of the table's edge."""
    lots = [replace(SMALL.bar, x=x, y=y) for x, y in places]

    assert shadow_tint([DetectedScene(scene((0.5, 0.6, 0.75)), detection(lots, SMALL))]) is None


def test_a_shadow_is_not_darker_than_asked_for() -> None:
    """What is darker may be a lot."""
    seen = scene((0.5, 0.5, 0.5))

    assert shade(seen, None, 0.45)[PART].mean() == pytest.approx(1, abs=0.05)
    assert not shade(seen, None, 0.65).any()


def test_lots_that_look_like_deep_shadows_are_told_from_lighter_ones() -> None:
    """Where a lighter spot is too small to be another lot it may be taken for a shadow."""
    bright, dark = np.zeros(1600, np.float32), dimmed(scene((0.3, 0.3, 0.3)), None)[PART].ravel()
    spotted = np.where(np.arange(dark.size) < 0.14 * dark.size, 0.8, dark).astype(np.float32)
    half = np.where(np.arange(dark.size) < 0.5 * dark.size, 0.8, dark).astype(np.float32)

    assert darkest_shade([bright, bright]) == 0
    assert 0.3 < darkest_shade([bright, dark]) < 0.4
    assert darkest_shade([dark, spotted]) < 0.5
    assert darkest_shade([dark, half]) == pytest.approx(0.8)


def test_lots_are_seen_beside_their_shadows_alone() -> None:
    """The network takes those of thick lots for lots. What else it sees stays."""
    seen = scene((0.5, 0.5, 0.5))
    place = replace(SMALL.bar, x=310.0, y=220.0)
    view = DetectedScene(seen, detection([place], SMALL, [place.moved(along=100.0)]))

    found = lit(view, shade(seen, None)).found

    assert not found.lot[PART].any()
    assert not found.inside[PART].any()
    found.lot[PART], found.inside[PART] = view.found.lot[PART], view.found.inside[PART]
    assert (found.lot == view.found.lot).all()
    assert (found.inside == view.found.inside).all()
    assert (found.other == view.found.other).all()


def test_a_wide_shadow_falls_on_lots_too() -> None:
    """A bright lot in it looks like the tray."""
    seen = scene((0.5, 0.5, 0.5))
    view = DetectedScene(seen, detection([replace(SMALL.bar, x=310.0, y=220.0)], SMALL))
    wide = shade(seen, None)
    wide[:100] = True

    assert (lit(view, wide).found.lot == view.found.lot).all()
