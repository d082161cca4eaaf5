"""Does anything reach into the picture that was not there when the tray was taught?"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera import Pixels

WIDTH = 160
"""Columns that pictures are shrunk to for this. More sees thinner things and costs time in proportion."""

APART = 0.09
LEVELS = 10.0
"""A place is strange where one colour differs from the empty tray's, in the light of now, by this share of its
brightness and by this many grey levels. Lower takes light that changed unevenly for a hand, higher overlooks skin on
pale wood. Chosen over the four labelled clips and 144 labelled stills: every hand in view is seen, where 0.12 and 14
overlook fingertips, and nothing else is taken for one but the shadow of a hand that is just leaving."""

THICK = 5
"""Columns and rows that a strange thing at the border has to fill to count: half a finger. Lower takes a table's edge
that shifted for a hand, higher overlooks fingertips."""

BUMP = 0.04
"""Share of the picture's width by which the camera may have shifted since the tray was taught. More may find a shift
where there is none."""

STEADY = 0.4
"""Columns or rows by which it must have shifted for that to be worth a second comparison."""

DARK = 2.0
"""Grey levels added before brightness is compared as a share, so that noise in black places counts little."""

BURNT_OUT = 250.0
"""Grey level from which a colour no longer tells how bright a place is."""

BEND = 1.5
"""Times the usual misfit from which a place counts less in telling how the light has changed. Higher lets a hand pull
at that, lower makes it forget the dark and bright places that tell of contrast."""

ROUNDS = 4
"""Times that the change of light is fitted anew, with less regard to what does not follow it. More changes little."""

STIFF = (0.1, 0.1, 0.1, 3.0, 3.0, 3.0, 0.1)
"""How firmly, in places, the fit holds on to no change of level, slopes, bends and contrast where the picture tells
nothing of it, as where most is burnt out. More overlooks uneven light, less makes it up."""

TINT = 0.1
"""Most by which a shadow's colours may darken differently, as a share. Higher takes a grey sleeve for a shadow."""

BROAD = 9
"""Columns and rows that a shadow has to fill for the most part to be overlooked. In the labelled pictures it does so by
0.6 to 1, drawn in over three of them, and a hand by 0.24 at most. Lower overlooks grey sleeves."""

SOFT = 0.12
"""Steepest that the edge of a passer-by's shadow is, as a share of its depth for each column: 0.07 to 0.11 where the
edge is 3 cm wide or more, while hands have 0.1 to 0.4. Higher takes a hand out of focus for a shadow."""

FLICKER = 0.15
"""Largest share by which a flickering lamp makes a band of rows brighter or darker than the rest of the picture."""

Colours = NDArray[np.float32]
Mask = NDArray[np.uint8]


class Hands:
    """Knows the empty tray, and what else players said belongs into the picture."""

    def __init__(self, empty: Pixels) -> None:
        """``empty``: the empty tray, of any size."""
        self._empty = coarse(empty)
        self._belongs: Colours | None = None

    def strange(self, now: Colours) -> Mask:
        """1 wherever ``now``, made by ``coarse``, does not show the empty tray; else 0."""
        return unlike(now, self._empty)[0]

    def reaches_in(self, now: Colours) -> bool:
        """Whether something as thick as half a finger comes in over the picture's border that does not belong there."""
        strange, lit = unlike(now, self._empty)
        reaching = _at_border(_opened(strange))
        if not reaching.any() or _is_shade(reaching, strange, lit):
            return False
        if self._belongs is None or self._belongs.shape != now.shape:
            return True
        return bool(_opened(unlike(now, self._belongs)[0] * reaching).any())

    def accept(self, now: Colours) -> None:
        """A person has said that what ``now`` shows at the border belongs there."""
        self._belongs = now


def coarse(pixels: Pixels) -> Colours:
    """The picture WIDTH columns wide, softened, in colour; of a picture of any size."""
    rows, columns = pixels.shape[:2]
    size = (WIDTH, max(THICK, round(rows * WIDTH / columns)))
    shrunk = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    return cv2.blur(shrunk, (3, 3)).astype(np.float32)


def _opened(mask: Mask, thick: int = THICK) -> Mask:
    """What of the mask is so thick both ways; beyond the picture there is nothing."""
    kernel = np.ones((thick, thick), np.uint8)
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return opened.astype(np.uint8)


def _at_border(mask: Mask) -> Mask:
    """Those spots of the mask that touch the picture's border."""
    _, spots = cv2.connectedComponents(mask)
    rim = np.unique(np.concatenate([spots[0], spots[-1], spots[:, 0], spots[:, -1]]))
    return np.asarray(np.isin(spots, rim[rim > 0]), np.uint8)


def unlike(now: Colours, then: Colours) -> tuple[Mask, Colours]:
    """1 where ``now`` does not show what ``then`` shows, in any light and after a bump of the camera; and how much
    brighter each colour is than that, as a logarithm.
    """
    if then.shape != now.shape:
        then = cv2.resize(then, now.shape[1::-1], interpolation=cv2.INTER_AREA).astype(np.float32)
    found = [_unlike(now, then)]
    shifted = _shifted(then, now)
    if shifted is not None:
        found.append(_unlike(now, shifted))
    return min(found, key=lambda one: int(one[0].sum()))


def _unlike(now: Colours, then: Colours) -> tuple[Mask, Colours]:
    expected = _in_the_light_of(now, then)
    apart = np.abs(now - expected)
    strange = (apart > APART * (np.maximum(now, expected) + DARK)) & (apart > LEVELS)
    # Beside what is burnt out in both, an edge is no longer where it was.
    near = np.ones((5, 5), np.uint8)
    burnt = [cv2.dilate(np.asarray((one >= BURNT_OUT).any(axis=2), np.uint8), near) > 0 for one in (now, expected)]
    strange[burnt[0] & burnt[1]] = False
    return np.asarray(strange.any(axis=2), np.uint8), np.log((now + DARK) / (expected + DARK))


def without_shade(strange: Mask, lit: Colours) -> Mask:
    """What of the two that ``unlike`` found is more than the shadow of someone further off."""
    count, spots, facts, _ = cv2.connectedComponentsWithStats(strange)
    left = strange.copy()
    for spot in range(1, count):
        here = np.asarray(spots == spot, np.uint8)
        if facts[spot, cv2.CC_STAT_AREA] >= THICK * THICK and _is_shade(here, strange, lit):
            left[here > 0] = 0
    return left


def _is_shade(spot: Mask, strange: Mask, lit: Colours) -> bool:
    """Whether a spot is but the shadow of someone further off: broad, without a colour of its own or a sharp edge.

    What light the fit made up beside a shadow goes for a part of it.
    """
    grey = lit.max(axis=2) - lit.min(axis=2) < TINT
    shade = spot * grey
    if 2 * _opened(shade, BROAD).sum() < spot.sum() or _at_border(_opened(spot * ~grey)).any():
        return False
    level = lit.mean(axis=2)
    across, down = cv2.Sobel(level, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(level, cv2.CV_32F, 0, 1, scale=1 / 8)
    thin = np.ones((3, 3), np.uint8)
    edge = (cv2.dilate(shade, thin) > cv2.erode(shade, thin)) & (spot >= strange)
    depth = float(np.percentile(np.abs(level[shade > 0]), 90))
    return bool(edge.any()) and float(np.percentile(cv2.magnitude(across, down)[edge], 75)) < SOFT * depth


def _shifted(then: Colours, now: Colours) -> Colours | None:
    """``then`` as a camera would have seen it that was bumped the way that one was; None where it was not."""
    one, other = (np.log(picture + DARK).mean(axis=2, dtype=np.float32) for picture in (then, now))
    rows, columns = one.shape
    fading = cv2.createHanningWindow((columns, rows), cv2.CV_32F)
    (right, down), _ = cv2.phaseCorrelate(one - one.mean(), other - other.mean(), fading)
    if not STEADY < max(abs(right), abs(down)) < BUMP * columns:
        return None
    move = np.array([[1, 0, right], [0, 1, down]])
    return cv2.warpAffine(then, move, (columns, rows), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)


def _in_the_light_of(now: Colours, then: Colours) -> Colours:
    """``then`` as it would look in the light, the exposure and the contrast of now.

    How light changes is taken to be smooth over the picture; a fit that overlooks what does not follow it tells how.
    """
    before, after = np.log(then + DARK), np.log(now + DARK)
    some, seen = before[::4, ::4].reshape(-1, 3), after[::4, ::4].reshape(-1, 3)
    # Where it is burnt out, neither picture tells how bright it is.
    sound = ((then[::4, ::4] < BURNT_OUT) & (now[::4, ::4] < BURNT_OUT)).reshape(-1, 3)
    change = seen - some
    places = _places(*before.shape[:2])
    where = places[::4, ::4].reshape(-1, places.shape[2])
    middle = some.mean(axis=0)
    left, lit = np.zeros_like(change), before.copy()
    parts = np.zeros((3, len(STIFF)))
    for _ in range(ROUNDS):
        off = (np.abs(left) * sound).max(axis=1)
        usual = max(0.04, 1.48 * float(np.median(off)))
        trust = 1 / np.maximum(1, (off / (BEND * usual)) ** 1.5)
        for colour in range(3):
            terms = np.column_stack([where, some[:, colour] - middle[colour]])
            held = terms.T * (trust * sound[:, colour])
            parts[colour] = np.linalg.solve(held @ terms + np.diag(STIFF), held @ change[:, colour])
            left[:, colour] = change[:, colour] - terms @ parts[colour]
    for colour in range(3):
        lit[..., colour] += places @ parts[colour, :-1] + parts[colour, -1] * (before[..., colour] - middle[colour])
    bands = cv2.blur(np.median((after - lit).mean(axis=2), axis=1, keepdims=True), (1, 5)).reshape(-1, 1, 1)
    lit += np.clip(bands, -FLICKER, FLICKER)
    return np.asarray(np.minimum(np.exp(lit) - DARK, 255), np.float32)


def _places(rows: int, columns: int) -> NDArray[np.float32]:
    """What the change of light may depend on at each place: 1, how far across and down it is, and their squares."""
    y, x = np.meshgrid(np.linspace(-0.5, 0.5, rows), np.linspace(-0.5, 0.5, columns), indexing="ij")
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=2).astype(np.float32)
