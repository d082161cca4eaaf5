"""Hands and foreign objects of rendered throws reappear in composed ones."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hardware.composing.cutouts import TrayScene
from tests.training.drawn_set import HAND, drawn_set
from training.composing.labelled_scenes import open_set
from training.composing.strangers import SIZE, Strangers, changed
from training.composing.throws import compose
from training.rendered_sets import RenderedSet


@pytest.fixture
def one(tmp_path: Path) -> RenderedSet:
    return drawn_set(tmp_path)


@pytest.fixture
def scene(one: RenderedSet) -> TrayScene:
    return open_set(one.folder.parent, one.labels)


def test_a_hand_reaches_into_the_picture_from_its_edge(one: RenderedSet) -> None:
    """It is seen in its own colour, and never cut off in the middle of the picture."""
    random = np.random.default_rng(1)
    hand = Strangers([one]).hand((240, 320, 3), random)

    assert hand is not None
    assert max(hand.alpha[:, 0].max(), hand.alpha[:, -1].max()) > 0.9
    np.testing.assert_allclose(np.median(hand.pixels[hand.alpha > 0.99], axis=0), HAND, atol=12)


def test_there_is_no_hand_for_a_picture_of_another_shape(one: RenderedSet) -> None:
    """Nor one, nor a thing, where no throw shows any."""
    random = np.random.default_rng(1)

    assert Strangers([one]).hand((480, 640, 3), random) is None
    assert Strangers([one]).thing(random) is None
    assert Strangers(()).hand((240, 320, 3), random) is None


def test_things_change_their_size(scene: TrayScene) -> None:
    """Outline and middle change alike."""
    cut = scene.cuts[0]
    larger = changed(cut, SIZE[1], np.ones(3, np.float32))

    assert larger.length == pytest.approx(SIZE[1] * cut.length)
    assert larger.alpha.sum() == pytest.approx(SIZE[1] ** 2 * cut.alpha.sum(), rel=0.05)
    assert larger.x / larger.alpha.shape[1] == pytest.approx(cut.x / cut.alpha.shape[1], abs=0.02)


def test_a_thing_may_be_as_long_as_a_lot(scene: TrayScene, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it is told by its looks."""
    strangers = Strangers(())
    monkeypatch.setattr(strangers, "_things", [scene.cuts[0]])

    thing = strangers.thing(np.random.default_rng(1), 40.0)

    assert thing is not None
    assert thing.length == pytest.approx(40.0)


def test_a_hand_hides_what_lies_below_it(one: RenderedSet, scene: TrayScene) -> None:
    """What it covers of each lot counts as hidden, and shows the hand's colour."""
    strangers = Strangers([one])
    heaps = [compose(scene, seed, ("with a hand",), strangers) for seed in range(8)]

    assert min(lot.face for heap in heaps for lot in heap.lots) < 0.9
    for heap in heaps:
        skin = (np.abs(heap.pixels.astype(int) - HAND).max(axis=2) < 40).sum()
        assert skin > 1000


def test_a_thing_lies_beside_the_lots(scene: TrayScene, monkeypatch: pytest.MonkeyPatch) -> None:
    """It changes no label."""
    strangers = Strangers(())
    monkeypatch.setattr(strangers, "thing", lambda *_: replace(scene.cuts[0], length=30.0, width=30.0))
    with_it, without = (compose(scene, 5, ("with a thing",), some) for some in (strangers, None))

    assert with_it.says == "readable"
    assert [(lot.marked, lot.face) for lot in with_it.lots] == [(lot.marked, lot.face) for lot in without.lots]
    assert (np.abs(with_it.pixels.astype(int) - without.pixels).max(axis=2) > 60).sum() > 200


def test_a_lot_on_its_edge_shows_no_face(scene: TrayScene) -> None:
    """Nobody can tell the throw, and the lot looks narrower than the others."""
    heap = compose(scene, 2, ("on edge",))

    assert heap.says == "unreadable"
    assert [lot.face == 0 for lot in heap.lots] == [False, False, False, True]
