"""Cuts lots out of the labelled pictures of a set, and measures their light and shadows.

Everything comes from the labels and from the pictures' own statistics. No part of the reader is used, so that its
errors are not repeated here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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

FLAT = 15.0
"""Largest tilt in degrees of a lot that is cut out: kernels bulge, and rest slightly tilted."""

FAINT = 0.02
"""Darkening beside a lot below which the light is assumed to come from everywhere."""


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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Scene:
    """A set's empty tray and its lots, from which throws are composed.

    light: (rows, columns, 1) float32, the tray's light, with mean 1 on its floor.
    floor: (n, 2) float32, the outline of the tray's floor in pixels.
    noise: (256,) float32, the sensor's noise in grey levels at each brightness.
    shadow: offset in pixels, right and down, from a lot to the end of its shadow. darkness, contact: depth of the
    shadow, and of its edge at the lot.
    """

    name: str
    kind: str
    style: str
    empty: Plane
    light: Plane
    floor: Plane
    noise: Plane
    shadow: tuple[float, float]
    darkness: float
    contact: float
    cuts: tuple[Cut, ...]

    @property
    def is_long(self) -> bool:
        """True for sticks."""
        return self.kind == "sticks"


def open_set(folder: Path, one: dict[str, Any]) -> Scene:
    """The scene of one set of ``labels.json`` in ``folder``."""
    images = {image["role"]: image for image in one["images"] if image["role"] != "throw"}
    empty = _picture(folder / images["empty"]["file"])
    floor = np.array(one["camera"]["tray_floor_outline_px"], np.float32)
    light = _light(empty, floor)
    both = [images["calibration_marked"], images["calibration_plain"]]
    taught = [_relit(_picture(folder / image["file"]), empty, image["objects"]) for image in both]
    shadow, darkness, contact = _shadow(empty, taught, both)
    cuts = [cut for pixels, image in zip(taught, both, strict=True) for cut in _free_lots(pixels, light, image)]
    for image in one["images"]:
        if (
            image["role"] == "throw"
            and "objects" in image
            and not image["flags"]["hand"]
            and not image["flags"]["tray_nudged"]
        ):
            cuts += _free_lots(_relit(_picture(folder / image["file"]), empty, image["objects"]), light, image)
    return Scene(
        name=one["id"],
        kind=one["kind"],
        style=one["style"],
        empty=empty,
        light=light,
        floor=floor,
        noise=_noise(empty, taught[0], both[0]["objects"]),
        shadow=shadow,
        darkness=darkness,
        contact=contact,
        cuts=tuple(_with_marks(cuts)),
    )


def open_sets(folder: Path, names: set[str] | None = None) -> list[tuple[dict[str, Any], Scene]]:
    """(labels, scene) of every set in ``folder``, or of those named."""
    sets = json.loads((folder / "labels.json").read_text())["sets"]
    return [(one, open_set(folder, one)) for one in sets if not names or one["id"] in names]


def _picture(path: Path) -> Plane:
    pixels = cv2.imread(str(path), cv2.IMREAD_COLOR)
    assert pixels is not None, path
    return pixels.astype(np.float32)


def filled(shape: tuple[int, ...], outline: Any, grow: int = 0) -> Pixels:
    """(rows, columns) uint8, 255 inside the outline (n points in pixels), ``grow`` pixels wider, its edge soft."""
    mask = np.zeros(shape[:2], np.uint8)
    points = np.round(np.asarray(outline, np.float64) * 16).astype(np.int32)
    cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, 4)
    if grow:
        disk = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * abs(grow) + 1,) * 2)
        mask = (cv2.dilate if grow > 0 else cv2.erode)(mask, disk).astype(np.uint8)
    return mask


def _covered(shape: tuple[int, ...], objects: list[dict[str, Any]], grow: int) -> NDArray[np.bool_]:
    masks = [filled(shape, one["outline_px"], grow) for one in objects]
    return np.asarray(np.maximum.reduce(masks) > 0)


def _relit(pixels: Plane, empty: Plane, objects: list[dict[str, Any]]) -> Plane:
    """Match the picture's exposure and white balance to the empty picture's."""
    bare = ~_covered(pixels.shape, objects, 25)
    gain = [float(np.median(pixels[..., c][bare] / np.maximum(empty[..., c][bare], 1))) for c in range(3)]
    return (pixels / np.array(gain, np.float32)).astype(np.float32)


def _light(empty: Plane, floor: Plane) -> Plane:
    """The light on the floor, extrapolated beyond its rim, whose colour is not the light's."""
    inside = (filled(empty.shape, floor, -4) > 127).astype(np.float32)

    def blurred(sigma: float) -> Plane:
        weight = cv2.GaussianBlur(inside, (0, 0), sigma)
        return np.asarray(
            cv2.GaussianBlur(empty * inside[..., None], (0, 0), sigma) / np.maximum(weight, 1e-6)[..., None], np.float32
        )

    broad, fine, far = blurred(BROAD), blurred(FINE), blurred(4 * BROAD)
    step = np.abs(np.log((fine + 1) / (broad + 1))).max(axis=2) * inside
    sharp = np.clip((cv2.GaussianBlur(step, (0, 0), 8) - 0.05) / 0.1, 0, 1)[..., None]
    light = broad * (1 - sharp) + fine * sharp
    light = np.where(cv2.GaussianBlur(inside, (0, 0), 12)[..., None] > 0.02, light, far)
    # Brightness only: on a strongly coloured tray the faintest colour's share is noise and grain.
    grey = np.maximum(light.mean(axis=2, keepdims=True), 2)
    return np.asarray(grey / grey[inside > 0].mean(), np.float32)


def _noise(empty: Plane, other: Plane, objects: list[dict[str, Any]]) -> Plane:
    """Noise of one picture at each brightness, measured where two pictures show the same."""
    grey = empty.mean(axis=2)
    change = other - empty
    change -= cv2.GaussianBlur(change, (0, 0), 3)
    slope = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    calm = ~_covered(empty.shape, objects, 40) & (slope < np.percentile(slope, 50))
    levels = np.arange(8, 256, 16)
    sigmas = [
        float(np.median(np.abs(change[chosen]))) * 1.4826 / np.sqrt(2) if chosen.sum() > 400 else np.nan
        for chosen in (calm & (np.abs(grey - level) < 8) for level in levels)
    ]
    known = ~np.isnan(sigmas)
    return np.asarray(np.interp(np.arange(256), levels[known], np.array(sigmas)[known]), np.float32)


def _shadow(
    empty: Plane, taught: list[Plane], images: list[dict[str, Any]]
) -> tuple[tuple[float, float], float, float]:
    """The offset and the darkness of the taught lots' shadows, and the darkness of the tray all around a lot."""
    dark = [1 - one.mean(axis=2) / np.maximum(empty.mean(axis=2), 2) for one in taught]
    lots = [_covered(empty.shape, image["objects"], 1) for image in images]
    width = float(np.median([_size(one["outline_px"])[1] for image in images for one in image["objects"]]))

    def band(turn: float, near: float, far: float) -> float:
        """Darkness beside the lots in one direction, between two distances in pixels from their edge."""
        values = []
        for image, darkness, own in zip(images, dark, lots, strict=True):
            inner, outer = (_moved(own.shape, image["objects"], turn, reach) for reach in (near, far))
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


def _moved(shape: tuple[int, ...], objects: list[dict[str, Any]], turn: float, reach: float) -> NDArray[np.bool_]:
    """The outlines moved by that many pixels in one direction."""
    way = (reach * np.cos(turn), reach * np.sin(turn))
    return np.asarray(np.maximum.reduce([filled(shape, np.asarray(one["outline_px"]) + way) for one in objects]) > 127)


def _size(outline: Any) -> tuple[float, float]:
    """Length and width of the smallest box around the outline."""
    sides = cv2.minAreaRect(np.asarray(outline, np.float32))[1]
    return float(max(sides)), float(min(sides))


def _free_lots(pixels: Plane, light: Plane, image: dict[str, Any]) -> list[Cut]:
    """The flat, separate lots of a picture, before their marks are found."""
    cuts = []
    for one in image["objects"]:
        flat = one["face_up"] != "edge" and not (one["leaning"] or one["on_edge"] or one["outside_tray"])
        if not (flat and one["visible_frac"] >= 0.999 and not one["touching"] and one["tilt_deg"] < FLAT):
            continue
        outline = np.asarray(one["outline_px"], np.float32)
        left, top = np.floor(outline.min(axis=0) - PAD).astype(int)
        right, bottom = np.ceil(outline.max(axis=0) + PAD).astype(int)
        if left < 0 or top < 0 or right >= pixels.shape[1] or bottom >= pixels.shape[0]:
            continue
        moved = outline - (left, top)
        alpha = filled((bottom - top, right - left), moved)
        core = (cv2.erode(alpha, np.ones((5, 5), np.uint8)) > 250).astype(np.float32)
        patch = (pixels / light)[top:bottom, left:right]
        grown = _drawn_on(patch, core)
        soft = cv2.GaussianBlur(alpha.astype(np.float32) / 255, (0, 0), 0.7)
        length, width = _size(outline)
        cuts.append(
            Cut(
                lot=one["id"],
                marked=one["face_up"] == "marked",
                pixels=grown,
                alpha=soft.astype(np.float32),
                mark=soft.astype(np.float32),
                x=float(one["center_px"][0] - left),
                y=float(one["center_px"][1] - top),
                angle=float(one["angle_deg"]),
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
        found.append(
            Cut(**{name: getattr(cut, name) for name in cut.__dataclass_fields__ if name != "mark"}, mark=whole)
        )
    return found
