"""Four sticks are found in the evidence however they cross, and none in an empty tray."""

import numpy as np
import pytest

from hardware.reader.sticks.bars import Bar, Ends
from hardware.reader.sticks.heap import Heap, fit, search
from hardware.reader.tray_moves import Floats

SIZE = Bar(0, 0, 0, 150, 18)
ENDS = Ends(0.4)
SHAPE = (480, 640)


def stick(x: float, y: float, turn: float) -> Bar:
    return Bar(x, y, turn, SIZE.length, SIZE.width)


def evidence(*bars: Bar, seed: int = 1) -> Floats:
    """Odds as from a picture: noisy, certain about the tray and a little less about the sticks."""
    lies = np.zeros(SHAPE, np.uint8)
    for bar in bars:
        lies |= ENDS.mask(bar, SHAPE)
    odds = np.where(lies > 0, 1.4, -1.8) + np.random.default_rng(seed).normal(0, 0.4, SHAPE)
    return np.clip(odds, -2, 2).astype(np.float32)


def misplaced(found: Heap, bars: tuple[Bar, ...]) -> tuple[float, float]:
    """The largest distance of any of ``bars`` from the nearest one found, in pixels and degrees."""
    nearest = [min((one.apart(bar) for one in found.bars), key=lambda pair: pair[0] + 3 * pair[1]) for bar in bars]
    return max(far for far, _ in nearest), max(turned for _, turned in nearest)


HEAPS = {
    "apart": (stick(160, 120, 0), stick(430, 110, 50), stick(170, 330, 140), stick(450, 350, 90)),
    "a cross and two apart": (stick(250, 200, 10), stick(255, 205, 75), stick(480, 120, 30), stick(480, 350, 5)),
    "a star": (stick(300, 240, 2), stick(305, 238, 47), stick(298, 243, 92), stick(302, 246, 137)),
    "a grid": (stick(250, 200, 0), stick(250, 270, 1), stick(215, 235, 90), stick(285, 235, 88)),
    "two nearly parallel": (stick(250, 200, 10), stick(262, 206, 22), stick(480, 120, 30), stick(450, 350, 5)),
    "side by side": (stick(250, 200, 0), stick(250, 218, 0), stick(250, 236, 0), stick(250, 254, 0)),
    "in one line": (stick(160, 200, 0), stick(312, 201, 0), stick(480, 310, 60), stick(250, 340, 5)),
    "half upon one another": (stick(250, 200, 20), stick(310, 226, 26), stick(480, 340, 60), stick(250, 360, 5)),
}


@pytest.mark.parametrize("what", HEAPS)
def test_four_sticks_are_found_however_they_cross(what: str) -> None:
    """Each is found within three pixels and three degrees."""
    heaps = search(evidence(*HEAPS[what]), SIZE, ENDS, 4, 1.0)

    far, turned = misplaced(heaps[0], HEAPS[what])
    assert len(heaps[0].bars) == 4
    assert far < 3
    assert turned < 3


@pytest.mark.parametrize("what", ["a star", "side by side"])
def test_ways_differ_and_the_best_comes_first(what: str) -> None:
    """Two ways differ in the place of a stick by more than a small shift."""
    heaps = search(evidence(*HEAPS[what]), SIZE, ENDS, 4, 1.0)

    explained = [way.explained for way in heaps]
    assert explained == sorted(explained, reverse=True)
    assert not any(one.same(other) for n, one in enumerate(heaps) for other in heaps[:n])


def test_what_is_explained_counts_every_pixel_once() -> None:
    """Four sticks on top of each other explain little more than one."""
    lying = stick(300, 240, 30)
    alone = fit(evidence(lying), [lying], SIZE, ENDS)

    four = fit(evidence(lying), [lying] * 4, SIZE, ENDS)

    assert alone.explained == pytest.approx(1.4, abs=0.1)
    assert four.explained < alone.explained + 0.1


def test_three_sticks_never_become_four() -> None:
    """If a fourth place is found at all, it explains next to nothing."""
    three = evidence(*HEAPS["apart"][:3])

    found = search(three, SIZE, ENDS, 3, 1.0)[0]
    more = search(three, SIZE, ENDS, 4, 1.0)

    assert misplaced(found, HEAPS["apart"][:3])[0] < 3
    assert not more or more[0].explained < found.explained + 0.1


def test_nothing_is_found_in_an_empty_tray() -> None:
    """Noise is not a stick."""
    assert search(evidence(), SIZE, ENDS, 4, 1.0) == []
    assert search(evidence(), SIZE, ENDS, 1, 1.0) == []


@pytest.mark.parametrize("push", [{"along": 5.0}, {"across": 4.0}, {"turn": 4.0}, {"along": -4.0, "turn": -3.0}])
def test_a_bar_that_lies_a_little_off_is_pushed_into_place(push: dict[str, float]) -> None:
    """The result is within one pixel and one degree."""
    lying = stick(300, 240, 35)

    [found] = fit(evidence(lying), [lying.moved(**push)], SIZE, ENDS).bars

    far, turned = found.apart(lying)
    assert far < 1.2
    assert turned < 1


@pytest.mark.parametrize("doubt", [0.0, -0.3, -1.6])
def test_a_fit_does_not_shrink_from_doubtful_ends(doubt: float) -> None:
    """Even if its ends look like the tray, a stick keeps the length of its set; missing evidence is weighed later."""
    lying = stick(300, 240, 35)
    odds = evidence(lying)
    middle = ENDS.mask(Bar(300, 240, 35, 120, 30), SHAPE)
    odds[(middle == 0) & (odds > 0)] = doubt

    [found] = fit(odds, [lying], SIZE, ENDS).bars

    assert found.length == pytest.approx(SIZE.length, rel=0.03)


def test_heaps_are_the_same_whatever_their_order() -> None:
    """Heaps differ if one of their sticks is elsewhere."""
    bars = HEAPS["a star"]
    moved = (*bars[:3], bars[3].moved(along=40))

    assert Heap(bars, 1.0).same(Heap(tuple(bar.moved(along=3, turn=181) for bar in bars[::-1]), 2.0))
    assert not Heap(bars, 1.0).same(Heap(moved, 1.0))
    assert not Heap((bars[0], bars[0]), 1.0).same(Heap(bars[:2], 1.0))


def test_lots_that_seldom_overlap_are_pushed_apart() -> None:
    """If evidence is missing at the edges, two overlapping lots would explain it as well."""
    faint = (stick(250, 200, 0), stick(250, 214, 0))

    free, dear = (search(evidence(*faint), SIZE, ENDS, 2, 1.0, shared=shared)[0] for shared in (0.0, 4.0))

    apart = [abs(way.bars[0].y - way.bars[1].y) for way in (free, dear)]
    assert apart[0] < 16
    assert apart[1] > apart[0] + 1
