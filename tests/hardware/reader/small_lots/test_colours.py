"""Colours learnt from pictures distinguish lots from the tray and its shade."""

import cv2
import numpy as np
import pytest

from hardware.reader.small_lots.colours import CELLS, FOOT, Near, cells, density, learn, logarithms, piece
from hardware.reader.tray import Mask

TRAY, YELLOW, BURNT = (90.0, 120.0, 190.0), (40.0, 170.0, 220.0), (46.0, 44.0, 42.0)


def drawn(colour: tuple[float, float, float], shade: float = 0.55) -> tuple[Near, Mask, Mask]:
    """A round lot of one colour with its shadow beside it; where it is, and roughly where."""
    tray = np.broadcast_to(np.array(TRAY, np.float32), (80, 80, 3)).copy()
    seen = tray * (1 + 0.02 * np.random.default_rng(5).standard_normal((80, 80, 1)).astype(np.float32))
    shadow: Mask = np.zeros((80, 80), np.uint8)
    lot: Mask = np.zeros((80, 80), np.uint8)
    cv2.circle(shadow, (34, 46), 15, 1, cv2.FILLED)
    cv2.circle(lot, (40, 40), 15, 1, cv2.FILLED)
    seen[shadow > 0] *= shade
    seen[lot > 0] = colour
    seen = cv2.GaussianBlur(seen, (0, 0), 0.8).astype(np.float32)
    rough = np.asarray(cv2.dilate(lot | shadow, np.ones((5, 5), np.uint8)), np.uint8)
    return Near(0, 0, logarithms(seen), logarithms(tray)), lot, rough


def overlap(one: Mask, other: Mask) -> float:
    return float((one & other).sum() / (one | other).sum())


def test_colours_fall_into_cells() -> None:
    """Black is in the first cell; what is brighter than white is clipped to the last."""
    blue, green, red = cells(logarithms(np.array([[0, 0, 0], [900, 255, 20]], np.float32)))

    assert (blue[0], green[0], red[0]) == (0, 0, 0)
    assert blue[1] == CELLS - 1
    assert CELLS - 1 > green[1] > red[1] > 0


def test_density_peaks_at_the_samples_and_extends_to_other_light() -> None:
    """It sums to one, and slightly more or less light is likelier than another colour."""
    seen = density(np.tile(logarithms(np.array([YELLOW], np.float32)), (50, 1)))
    lit = logarithms(np.array([YELLOW, [part * 1.2 for part in YELLOW], TRAY], np.float32))
    same, lighter, other = seen[cells(lit)]

    assert np.exp(seen.astype(np.float64)).sum() * 0.12**3 == pytest.approx(1.0, abs=0.01)
    assert same > lighter > other + 3


@pytest.mark.parametrize("shade", [0.75, 0.5])
def test_lots_are_found_without_their_shade(shade: float) -> None:
    """Both the burnt face on a reddish tray and the yellow one are found, from four samples each."""
    marked, plain = drawn(BURNT, shade), drawn(YELLOW, shade)
    colours, found = learn([[(near, rough)] * 4 for near, _, rough in (marked, plain)])

    for (near, lot, _), hulls in zip((marked, plain), found, strict=True):
        assert overlap(hulls[0], lot) > 0.85
        assert overlap((colours.odds(near)[0] > 0).astype(np.uint8), lot) > 0.8
    assert np.exp(colours.deepest) < shade + 0.05


def test_blue_piece_is_neither_tray_nor_lot() -> None:
    """Its pixels match neither the tray's nor the lots' colours."""
    taught = [[drawn(colour)[::2]] * 4 for colour in (BURNT, YELLOW)]
    colours, _ = learn(taught)
    piece_seen, lot, _ = drawn((200.0, 60.0, 40.0))
    odds, own = colours.odds(piece_seen)
    inner = cv2.erode(lot, np.ones((7, 7), np.uint8)) > 0

    assert (odds[inner] > 0).all()
    assert not own[inner].any()
    assert colours.odds(drawn(YELLOW)[0])[1][inner].all()


def test_a_piece_is_the_hull_of_what_is_near() -> None:
    """Holes and notches are filled; specks and distant parts are left out."""
    mask = np.zeros((60, 60), np.bool_)
    mask[20:40, 20:40] = True
    mask[25:30, 20:30] = False
    mask[5:15, 50:58] = True
    rough = np.zeros((60, 60), np.uint8)
    rough[18:42, 18:42] = 1
    hull = piece(mask, rough)

    assert hull[20:40, 20:40].all()
    assert hull.sum() == 400
    assert piece(np.zeros((60, 60), np.bool_), rough).sum() == 0


def test_logarithms_keep_black_finite() -> None:
    """Negative light, as in a sharpened picture, counts as none."""
    assert logarithms(np.array([-5.0, 0.0], np.float32)).tolist() == pytest.approx([np.log(FOOT)] * 2)
