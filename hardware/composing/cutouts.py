"""Cuts lots out of pictures by their outlines, and measures the light and the shadows around them.

Everything but the outlines comes from the pictures' own statistics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.float32]
Pixels = NDArray[np.uint8]

PAD = 6
"""Pixels kept around a lot when it is cut out."""

BROAD, FINE = 25.0, 5.0
"""Blur of the empty tray, in pixels, that removes its grain and keeps its light; the smaller one is for the edge of a
shadow or of a patch of sun."""

SMALLER = 4
"""How much smaller the pictures are in which light is measured: a larger number is faster and loses sharp shadows."""

LITTLE = 0.01
"""Sum of squares of the light's logarithm over the lots below which it differs too little to tell what they share."""

FAINT = 0.02
"""Darkening beside a lot below which the light is assumed to come from everywhere."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Outlined:
    """A lot that lies free and flat. outline: (n, 2) pixels. x, y, angle: its centre, and its long axis in degrees
    clockwise."""

    lot: int
    marked: bool
    outline: Plane
    x: float
    y: float
    angle: float

    @classmethod
    def around(cls, outline: Plane, lot: int, *, marked: bool) -> Outlined:
        """The lot within an outline, along the smallest box around it."""
        (x, y), (one, other), turned = cv2.minAreaRect(outline)
        angle = turned if one >= other else turned + 90
        return cls(lot=lot, marked=marked, outline=outline, x=float(x), y=float(y), angle=float(angle))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OutlinedPicture:
    """A picture, (rows, columns, 3) float32, the outlines of all that lies in the tray, and the lots to cut out."""

    pixels: Plane
    outlines: Sequence[Plane]
    free: Sequence[Outlined]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Cut:
    """One lot seen from one side.

    pixels: (rows, columns, 3) float32 blue-green-red, in even light, its colours extrapolated beyond its outline.
    alpha: (rows, columns) float32, 1 on the lot, soft at its edge.
    mark: the same for the part that distinguishes the faces.
    x, y, angle: its centre in ``pixels`` and its long axis in degrees clockwise.
    length, width: of its outline, in pixels.
    """

    lot: int
    marked: bool
    pixels: Plane
    alpha: Plane
    mark: Plane
    x: float
    y: float
    angle: float
    length: float
    width: float

    def mirrored(self) -> Cut:
        """The same lot, left and right exchanged."""
        return replace(
            self,
            pixels=self.pixels[:, ::-1],
            alpha=self.alpha[:, ::-1],
            mark=self.mark[:, ::-1],
            x=self.alpha.shape[1] - 1 - self.x,
            angle=-self.angle,
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TrayScene:
    """A set's empty tray and its lots, from which throws are composed.

    is_long: True for sticks.
    light: (rows, columns, 1) float32, the tray's light, with mean 1 on its floor.
    floor: (n, 2) float32, the outline of the tray's floor in pixels.
    noise: (256,) float32, the sensor's noise in grey levels at each brightness.
    shadow: offset in pixels, right and down, from a lot to the end of its shadow. darkness, contact: depth of the
    shadow, and of its edge at the lot.
    """

    name: str
    is_long: bool
    empty: Plane | Pixels
    light: Plane
    floor: Plane
    noise: Plane
    shadow: tuple[float, float]
    darkness: float
    contact: float
    cuts: tuple[Cut, ...]

    @classmethod
    def measured(
        cls,
        name: str,
        empty: Plane,
        floor: Plane,
        taught: Sequence[OutlinedPicture],
        further: Sequence[OutlinedPicture] = (),
        *,
        is_long: bool,
        noise: Plane | None = None,
    ) -> TrayScene:
        """The scene that an empty tray and pictures of the lots show.

        taught: all lots with either side up; they show the shadows too. further: lots are only cut out of these.
        noise: to be added to composed pictures; that of one picture by default.
        """
        relit = [replace(one, pixels=_relit(one, empty)) for one in (*taught, *further)]
        light = _shared(_light(empty, floor), relit[: len(taught)])
        shadow, darkness, contact = _shadow(empty, relit[: len(taught)])
        return cls(
            name=name,
            is_long=is_long,
            empty=empty,
            light=light,
            floor=floor,
            noise=_noise(empty, relit[0]) if noise is None else noise,
            shadow=shadow,
            darkness=darkness,
            contact=contact,
            cuts=tuple(_with_marks([cut for one in relit for cut in _cuts(one, light)])),
        )


def filled(shape: tuple[int, ...], outline: Plane, shrink: int = 0) -> Pixels:
    """(rows, columns) uint8, 255 inside the outline (n points in pixels), ``shrink`` pixels smaller, its edge soft."""
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    if shrink:
        mask = cv2.erode(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * shrink + 1,) * 2)).astype(np.uint8)
    return mask


def covered(shape: tuple[int, ...], outlines: Sequence[Plane], grow: int) -> NDArray[np.bool_]:
    """Where the outlines lie, (rows, columns), ``grow`` pixels wider."""
    away = np.full(shape[:2], 255, np.uint8)
    for one in outlines:
        cv2.fillPoly(away, [np.round(one * 16).astype(np.int32)], 0, cv2.LINE_8, 4)
    return np.asarray(cv2.distanceTransform(away, cv2.DIST_L2, 5) <= grow)


def _relit(picture: OutlinedPicture, empty: Plane) -> Plane:
    """Match the picture's exposure and white balance to the empty picture's."""
    bare = ~covered(empty.shape, picture.outlines, 25)[::SMALLER, ::SMALLER]
    ratio = picture.pixels[::SMALLER, ::SMALLER][bare] / np.maximum(empty[::SMALLER, ::SMALLER][bare], 1)
    return np.asarray(picture.pixels / np.median(ratio, axis=0), np.float32)


def _light(empty: Plane, floor: Plane) -> Plane:
    """The light on the floor, extrapolated beyond its rim, whose colour is not the light's."""
    rows, columns = empty.shape[:2]
    small = cv2.resize(empty, (columns // SMALLER, rows // SMALLER), interpolation=cv2.INTER_AREA)
    inside = (filled(small.shape, np.float32(1 / SMALLER) * floor, 1) > 127).astype(np.float32)

    def blurred(sigma: float) -> Plane:
        weight = cv2.GaussianBlur(inside, (0, 0), sigma / SMALLER)
        shown = cv2.GaussianBlur(small * inside[..., None], (0, 0), sigma / SMALLER)
        return np.asarray(shown / np.maximum(weight, 1e-6)[..., None], np.float32)

    broad, fine, far = blurred(BROAD), blurred(FINE), blurred(4 * BROAD)
    step = np.abs(np.log((fine + 1) / (broad + 1))).max(axis=2) * inside
    sharp = np.clip((cv2.GaussianBlur(step, (0, 0), 8 / SMALLER) - 0.05) / 0.1, 0, 1)[..., None]
    light = broad * (1 - sharp) + fine * sharp
    light = np.where(cv2.GaussianBlur(inside, (0, 0), 12 / SMALLER)[..., None] > 0.02, light, far)
    # Brightness only: on a strongly coloured tray the faintest colour's share is noise and grain.
    grey = np.maximum(light.mean(axis=2), 2)
    grey = cv2.resize(grey / grey[inside > 0].mean(), (columns, rows), interpolation=cv2.INTER_LINEAR)
    return np.asarray(grey[..., None], np.float32)


def _shared(light: Plane, taught: Sequence[OutlinedPicture]) -> Plane:
    """The light as far as the taught lots share it: a tray shines more, or less, than they do."""
    brighter: list[float] = []
    lighter: list[float] = []
    for picture in taught:
        insides = [filled(light.shape, lot.outline, 2) > 0 for lot in picture.free]
        for of, found in ((picture.pixels.mean(axis=2, keepdims=True), brighter), (light, lighter)):
            levels = np.array([np.log(np.maximum(of[inside].mean(), 1e-3)) for inside in insides])
            found.extend(levels - levels.mean())
    share = float(np.dot(lighter, brighter) / (np.dot(lighter, lighter) + LITTLE))
    return np.asarray(light ** np.clip(share, 0, 1), np.float32)


def _noise(empty: Plane, other: OutlinedPicture) -> Plane:
    """Noise of one picture at each brightness, measured where two pictures show the same."""
    grey = empty.mean(axis=2)
    change = other.pixels - empty
    change -= cv2.GaussianBlur(change, (0, 0), 3)
    slope = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    calm = ~covered(empty.shape, other.outlines, 40) & (slope < np.percentile(slope, 50))
    levels = np.arange(8, 256, 16)
    sigmas = [
        float(np.median(np.abs(change[chosen]))) * 1.4826 / np.sqrt(2) if chosen.sum() > 400 else np.nan
        for chosen in (calm & (np.abs(grey - level) < 8) for level in levels)
    ]
    known = ~np.isnan(sigmas)
    return np.asarray(np.interp(np.arange(256), levels[known], np.array(sigmas)[known]), np.float32)


def _shadow(empty: Plane, taught: Sequence[OutlinedPicture]) -> tuple[tuple[float, float], float, float]:
    """The offset and the darkness of the taught lots' shadows, and the darkness of the tray all around a lot."""
    level = np.maximum(empty.mean(axis=2), 2)
    dark = [1 - one.pixels.mean(axis=2) / level for one in taught]
    lots = [covered(empty.shape, one.outlines, 1) for one in taught]
    width = float(np.median([_size(outline)[1] for one in taught for outline in one.outlines]))

    def band(turn: float, near: float, far: float) -> float:
        """Darkness beside the lots in one direction, between two distances in pixels from their edge."""
        values = []
        for one, darkness, own in zip(taught, dark, lots, strict=True):
            inner, outer = (_moved(own.shape, one.outlines, turn, reach) for reach in (near, far))
            values.append(darkness[outer & ~inner & ~own])
        return float(np.median(np.concatenate(values)))

    turns = np.radians(np.arange(0, 360, 20))
    around = [band(turn, 0, 4) for turn in turns]
    turn = float(turns[int(np.argmax(around))])
    darkness, contact = max(around), float(np.clip(np.median(around), 0, 0.5))
    if darkness < FAINT:
        return (0.0, 0.0), 0.0, contact
    reach = 3.0
    while reach < 1.2 * width and band(turn, reach, reach + 2) > 0.5 * darkness:
        reach += 1
    # Half of the last step lies in the shade; what its middle has is darker than what the whole band has.
    end = (float(reach * np.cos(turn)), float(reach * np.sin(turn)))
    return end, float(np.clip(1.2 * darkness, 0, 0.85)), contact


def _moved(shape: tuple[int, ...], outlines: Sequence[Plane], turn: float, reach: float) -> NDArray[np.bool_]:
    """The outlines moved by that many pixels in one direction."""
    way = np.array([reach * np.cos(turn), reach * np.sin(turn)], np.float32)
    return np.asarray(np.maximum.reduce([filled(shape, one + way) for one in outlines]) > 127)


def _size(outline: Plane) -> tuple[float, float]:
    """Length and width of the smallest box around the outline."""
    sides = cv2.minAreaRect(outline)[1]
    return float(max(sides)), float(min(sides))


def _cuts(picture: OutlinedPicture, light: Plane) -> list[Cut]:
    """The lots to cut out of a picture, before their marks are found."""
    cuts = []
    for one in picture.free:
        left, top = np.floor(one.outline.min(axis=0) - PAD).astype(int)
        right, bottom = np.ceil(one.outline.max(axis=0) + PAD).astype(int)
        if left < 0 or top < 0 or right >= light.shape[1] or bottom >= light.shape[0]:
            continue
        alpha = filled((bottom - top, right - left), one.outline - np.array([left, top], np.float32))
        core = (cv2.erode(alpha, np.ones((5, 5), np.uint8)) > 250).astype(np.float32)
        patch = (picture.pixels[top:bottom, left:right] / light[top:bottom, left:right]).astype(np.float32)
        soft = cv2.GaussianBlur(alpha.astype(np.float32) / 255, (0, 0), 0.7).astype(np.float32)
        length, width = _size(one.outline)
        cuts.append(
            Cut(
                lot=one.lot,
                marked=one.marked,
                pixels=_drawn_on(patch, core),
                alpha=soft,
                mark=soft,
                x=one.x - float(left),
                y=one.y - float(top),
                angle=one.angle,
                length=length,
                width=width,
            )
        )
    return cuts


def _drawn_on(patch: Plane, core: Plane) -> Plane:
    """The patch with the colours of its core extrapolated, so that a soft edge shows no old background."""
    whole = patch * core[..., None]
    for sigma in (1.5, 4.0, 12.0):
        weight = cv2.GaussianBlur(core, (0, 0), sigma)
        near = cv2.GaussianBlur(patch * core[..., None], (0, 0), sigma) / np.maximum(weight, 1e-3)[..., None]
        empty = (whole.sum(axis=2) == 0) & (weight > 1e-2)
        whole[empty] = near[empty]
    return whole.astype(np.float32)


def _upright(cut: Cut, size: tuple[int, int]) -> Plane:
    """The cut-out's colours and alpha, (rows, columns, 4), with its long axis along the columns."""
    rows, columns = size
    turn = cv2.getRotationMatrix2D((cut.x, cut.y), cut.angle, 1.0)
    turn[:, 2] += np.array([columns / 2 - cut.x, rows / 2 - cut.y])
    return np.dstack([cv2.warpAffine(plane, turn, (columns, rows)) for plane in (cut.pixels, cut.alpha)]).astype(
        np.float32
    )


def _with_marks(cuts: list[Cut]) -> list[Cut]:
    """The cut-outs with the part that distinguishes the faces: on a marked face, where it differs from the plain faces.

    On a plain face it is the place of the mark on a marked one; if the mark is at one end, it is the whole face.
    """
    size = (int(max(cut.width for cut in cuts)) + 6, int(max(cut.length for cut in cuts)) + 6)
    upright = [_upright(cut, size) for cut in cuts]
    plain = np.median([one for one, cut in zip(upright, cuts, strict=True) if not cut.marked], axis=0)
    inside = plain[..., 3] > 0.9
    usual = np.median(plain[inside][:, :3], axis=0)
    apart = [np.linalg.norm(one[..., :3] - usual, axis=2) for one in upright]
    marked = np.concatenate([far[inside] for far, cut in zip(apart, cuts, strict=True) if cut.marked])
    bright = np.clip(marked, 0, 255).astype(np.uint8).reshape(1, -1)
    cutoff, _ = cv2.threshold(bright, 0, 255, cv2.THRESH_OTSU)
    masks = [
        cv2.morphologyEx(((far > cutoff) & inside).astype(np.float32), cv2.MORPH_CLOSE, np.ones((5, 5)))
        for far in apart
    ]
    shares = [mask[inside].mean() for mask, cut in zip(masks, cuts, strict=True) if cut.marked]
    everywhere = float(np.median(shares)) > 0.55
    usual_mark = (np.mean([m for m, cut in zip(masks, cuts, strict=True) if cut.marked], axis=0) > 0.5).astype(
        np.float32
    )
    lopsided = np.abs(usual_mark - usual_mark[::-1, ::-1]).sum() > 0.7 * usual_mark.sum()
    found = []
    for cut, mask in zip(cuts, masks, strict=True):
        mark = mask if cut.marked else usual_mark
        if everywhere or mark.sum() < 12 or (lopsided and not cut.marked):
            whole = cut.alpha
        else:
            back = cv2.getRotationMatrix2D((size[1] / 2, size[0] / 2), -cut.angle, 1.0)
            back[:, 2] += np.array([cut.x - size[1] / 2, cut.y - size[0] / 2])
            whole = cv2.warpAffine(mark.astype(np.float32), back, cut.alpha.shape[::-1]).astype(np.float32) * cut.alpha
        found.append(replace(cut, mark=whole))
    return found
