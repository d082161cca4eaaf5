"""Paints lots into an empty tray: rotated, lit, shaded, and with the noise of a small camera."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from hardware.composing.arrangement import Pose
from hardware.composing.cutouts import Cut, Pixels, Plane, TrayScene

NOISE_BARE, NOISE_LOTS = 2.2, 1.3
"""Factors of a picture's own noise, for the empty tray and for cut-outs: with these, copies of the labelled throws
differ from the empty tray as much as the throws do. Compression removes a part of it again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """The conditions in which a picture was taken. gain: brightness. cast: of blue, green, red. slope: of the light
    across and down the picture.

    shift: pixels right and down.
    """

    gain: float = 1.0
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)
    slope: tuple[float, float] = (0.0, 0.0)
    shift: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class PlacedLot:
    """A placed lot: its pixels, alpha and mark in a part of the picture that begins at ``top``, ``left``."""

    pixels: Plane
    alpha: Plane
    mark: Plane
    top: int
    left: int
    whole: float
    whole_mark: float
    raised: float = 0.0

    @property
    def part(self) -> tuple[slice, slice]:
        rows, columns = self.alpha.shape
        return slice(self.top, self.top + rows), slice(self.left, self.left + columns)


def placed(shape: tuple[int, ...], cut: Cut, pose: Pose) -> PlacedLot:
    """Place a cut-out: rotated, and scaled along its axis."""
    along, turn = np.radians(cut.angle), np.radians(pose.angle)
    to_axis = np.array([[np.cos(along), np.sin(along)], [-np.sin(along), np.cos(along)]])
    back = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    matrix = back @ np.diag([pose.stretch, 1.0]) @ to_axis
    rows, columns = cut.alpha.shape
    corners = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]]) - (cut.x, cut.y)
    spots = corners @ matrix.T + (pose.x, pose.y)
    left, top = np.maximum(np.floor(spots.min(axis=0)).astype(int), 0)
    right, bottom = np.minimum(np.ceil(spots.max(axis=0)).astype(int), (shape[1], shape[0]))
    size = (max(int(right - left), 1), max(int(bottom - top), 1))
    move = np.hstack([matrix, (np.array([pose.x - left, pose.y - top]) - matrix @ (cut.x, cut.y))[:, None]])
    pixels, alpha, mark = (
        cv2.warpAffine(plane, move, size, flags=cv2.INTER_CUBIC).astype(np.float32)
        for plane in (cut.pixels, cut.alpha, cut.mark)
    )
    return PlacedLot(
        pixels=np.clip(pixels * pose.shade, 0, None),
        alpha=np.clip(alpha, 0, 1),
        mark=np.clip(mark, 0, 1),
        top=int(top),
        left=int(left),
        whole=float(cut.alpha.sum()) * pose.stretch,
        whole_mark=max(float(cut.mark.sum()) * pose.stretch, 1.0),
        raised=pose.raised,
    )


def lay(scene: TrayScene, lots: Sequence[Cut], poses: Sequence[Pose], random: np.random.Generator) -> Pixels:
    """Paint the lots in their poses, lowest first: (rows, columns, 3) uint8, of the size of the scene's empty tray."""
    layers = [placed(scene.empty.shape, cut, pose) for cut, pose in zip(lots, poses, strict=True)]
    return painted(scene, layers, Taken(), random)


def painted(
    scene: TrayScene,
    layers: Sequence[PlacedLot],
    taken: Taken,
    random: np.random.Generator,
    covered: Callable[[Plane], Plane] = lambda canvas: canvas,
) -> Pixels:
    """Paint the heap in the tray, lowest lot first, with the shadows, shake, light and noise of one picture.

    covered: paints what lies over the lots.
    """
    canvas = scene.empty.astype(np.float32)
    under = np.zeros(canvas.shape[:2], np.float32)
    lots = np.zeros(canvas.shape[:2], np.float32)
    for layer in layers:
        part = layer.part
        level = float(under[part][layer.alpha > 0.5].max(initial=0.0))
        _shade(canvas, layer, scene, level + layer.raised)
        colours = layer.pixels * scene.light[part]
        alpha = layer.alpha[..., None]
        canvas[part] = canvas[part] * (1 - alpha) + colours * alpha
        under[part] = np.where(layer.alpha > 0.5, level + 1, under[part])
        lots[part] = np.maximum(lots[part], layer.alpha)
    canvas = covered(canvas)
    move = np.array([[1, 0, taken.shift[0]], [0, 1, taken.shift[1]]])
    canvas = np.asarray(
        cv2.warpAffine(canvas, move, canvas.shape[1::-1], flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE),
        np.float32,
    )
    rows, columns = canvas.shape[:2]
    across = np.linspace(-taken.slope[0], taken.slope[0], columns, dtype=np.float32)
    down = np.linspace(-taken.slope[1], taken.slope[1], rows, dtype=np.float32)
    canvas *= (1 + across + down[:, None])[..., None] * np.array(taken.cast, np.float32) * taken.gain
    if scene.noise.any():
        canvas += _noise(scene, canvas.mean(axis=2), lots, random)
    done, jpeg = cv2.imencode(
        ".jpg", np.clip(np.round(canvas), 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 85]
    )
    assert done
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)


def _shade(canvas: Plane, layer: PlacedLot, scene: TrayScene, level: float) -> None:
    """Darken the surroundings of a lot that is about to be painted: its shadow, and its contact edge."""
    right, down = (way * (1 + 0.7 * level) for way in scene.shadow)
    reach = float(np.hypot(right, down))
    pad = int(reach + 3 * (2 + 0.3 * reach)) + 2
    top, left = max(layer.top - pad, 0), max(layer.left - pad, 0)
    rows, columns = canvas.shape[:2]
    bottom, end = (
        min(layer.top + layer.alpha.shape[0] + pad, rows),
        min(layer.left + layer.alpha.shape[1] + pad, columns),
    )
    alpha = np.zeros((bottom - top, end - left), np.float32)
    alpha[layer.top - top :, layer.left - left :][: layer.alpha.shape[0], : layer.alpha.shape[1]] = layer.alpha
    cast = np.zeros_like(alpha)
    for share in (0.33, 0.66, 1.0):
        move = np.array([[1, 0, share * right], [0, 1, share * down]])
        cast = np.maximum(cast, cv2.warpAffine(alpha, move, alpha.shape[::-1]))
    cast = cv2.GaussianBlur(cast, (0, 0), 0.7 + 0.2 * reach)
    touch = cv2.GaussianBlur(alpha, (0, 0), 2.0)
    canvas[top:bottom, left:end] *= (1 - scene.darkness * cast[..., None]) * (
        1 - (scene.contact + 0.06) * touch[..., None]
    )


def _noise(scene: TrayScene, grey: Plane, lots: Plane, random: np.random.Generator) -> Plane:
    """Make the sensor's noise at each brightness as strong relative to the empty picture as between two pictures.

    The background already has the empty picture's noise, which a new picture would not share, so its noise is made
    stronger accordingly; cut-outs keep some of theirs.
    """
    grain = random.standard_normal((*grey.shape, 3), dtype=np.float32)
    grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.55), np.float32)
    grain /= grain.std()
    amount = scene.noise[np.clip(grey, 0, 255).astype(np.uint8)] * (NOISE_BARE - (NOISE_BARE - NOISE_LOTS) * lots)
    return np.asarray(grain * amount[..., None], np.float32)
