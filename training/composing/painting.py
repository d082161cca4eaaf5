"""Paints lots into an empty tray: rotated, lit, shaded, covered, and with the noise of a small camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from training.composing.arrangement import Pose
from training.composing.cutouts import Cut, Pixels, Plane, Scene

BURNT = (252.0, 253.0, 254.0)
SKIN = (122.0, 156.0, 205.0)
PIECES = ((38.0, 36.0, 170.0), (30.0, 30.0, 32.0), (225.0, 228.0, 230.0), (60.0, 110.0, 50.0), (150.0, 90.0, 40.0))
"""Blue, green, red of burnt-out light, of a hand in middling light, and of game pieces."""

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
class Layer:
    """A placed lot: its pixels, alpha and mark in a part of the picture that begins at ``top``, ``left``."""

    pixels: Plane
    alpha: Plane
    mark: Plane
    top: int
    left: int
    whole: float
    whole_mark: float

    @property
    def part(self) -> tuple[slice, slice]:
        rows, columns = self.alpha.shape
        return slice(self.top, self.top + rows), slice(self.left, self.left + columns)


def placed(shape: tuple[int, ...], cut: Cut, pose: Pose) -> Layer:
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
    return Layer(
        pixels=np.clip(pixels * pose.shade, 0, None),
        alpha=np.clip(alpha, 0, 1),
        mark=np.clip(mark, 0, 1),
        top=int(top),
        left=int(left),
        whole=float(cut.alpha.sum()) * pose.stretch,
        whole_mark=max(float(cut.mark.sum()) * pose.stretch, 1.0),
    )


def lay(scene: Scene, lots: Sequence[Cut], poses: Sequence[Pose], random: np.random.Generator) -> Pixels:
    """Paint the lots in their poses, lowest first: (rows, columns, 3) uint8, of the size of the scene's empty tray."""
    layers = [placed(scene.empty.shape, cut, pose) for cut, pose in zip(lots, poses, strict=True)]
    return painted(scene, layers, np.zeros(scene.empty.shape[:2], np.float32), Taken(), random)


def piece(size: float, random: np.random.Generator) -> Cut:
    """Make a die or a counter about ``size`` pixels large, as a cut-out that belongs to no lot."""
    half = size / 2
    side = int(size) + 12
    middle = side / 2
    alpha = np.zeros((side, side), np.uint8)
    low, high = round(middle - half), round(middle + half)
    is_die = random.random() < 0.5
    if is_die:
        cv2.rectangle(alpha, (low, low), (high, high), 255, -1)
    else:
        cv2.circle(alpha, (round(middle), round(middle)), round(half), 255, -1, cv2.LINE_AA)
    colour = np.array(PIECES[int(random.integers(len(PIECES)))])
    pixels = np.tile(colour.astype(np.float32), (side, side, 1))
    if is_die:
        pip = np.where(colour.mean() > 128, 30.0, 235.0)
        for x, y in ((-1, -1), (1, 1), (0, 0), (1, -1), (-1, 1))[: int(random.integers(1, 6))]:
            spot = (round(middle + x * half * 0.5), round(middle + y * half * 0.5))
            cv2.circle(pixels, spot, max(2, round(0.09 * size)), [float(pip)] * 3, -1, cv2.LINE_AA)
    else:
        cv2.circle(pixels, (round(middle), round(middle)), round(half * 0.6), (0.8 * colour).tolist(), 2, cv2.LINE_AA)
    soft = cv2.GaussianBlur(alpha.astype(np.float32) / 255, (0, 0), 0.8).astype(np.float32)
    return Cut(
        lot=-1,
        marked=False,
        pixels=pixels,
        alpha=soft,
        mark=soft,
        x=middle,
        y=middle,
        angle=0.0,
        length=size,
        width=size,
    )


def cover_of(scene: Scene, kind: str, lots: Sequence[Cut], poses: Sequence[Pose], random: np.random.Generator) -> Plane:
    """How much a hand or an overexposed spot covers each pixel, 0 to 1: over the last lot, or beside the tray."""
    cover = np.zeros(scene.empty.shape[:2], np.float32)
    if kind == "hand aside":
        return _fingers(cover, random)
    if kind not in ("hand", "glare"):
        return cover
    victim, pose = lots[-1], poses[-1]
    if kind == "glare":
        along, across = random.uniform(0.38, 0.6) * victim.length, random.uniform(0.7, 1.3) * victim.width
        axes = (max(4, round(along)), max(4, round(across)))
        cv2.ellipse(cover, (round(pose.x), round(pose.y)), axes, pose.angle, 0, 360, 1.0, -1, cv2.LINE_AA)
        return cv2.GaussianBlur(cover, (0, 0), 3).astype(np.float32)
    rows, columns = scene.empty.shape[:2]
    scale = 0.3 * columns if not scene.is_long else 0.5 * victim.length
    middle = np.array([pose.x, pose.y])
    edge = np.array([pose.x + random.uniform(-200, 200), rows + 60.0 if pose.y > rows / 2 else -60.0])
    palm = middle + random.uniform(-0.15, 0.15, 2) * scale
    cv2.line(cover, tuple(map(round, edge)), tuple(map(round, palm)), 1.0, max(8, round(0.55 * scale)), cv2.LINE_AA)
    away = (middle - edge) / np.linalg.norm(middle - edge)
    side = np.array([-away[1], away[0]])
    for finger in np.linspace(-0.5, 0.5, 4):
        start = palm + side * finger * 0.5 * scale
        tip = start + (away + side * finger * 0.6) * scale * random.uniform(0.45, 0.75)
        cv2.line(cover, tuple(map(round, start)), tuple(map(round, tip)), 1.0, max(5, round(0.13 * scale)), cv2.LINE_AA)
    return cv2.GaussianBlur(cover, (0, 0), 1).astype(np.float32)


def _fingers(cover: Plane, random: np.random.Generator) -> Plane:
    """Four fingertips that reach into the picture from its upper or lower edge, beside the tray."""
    rows, columns = cover.shape
    high, left = bool(random.random() < 0.5), bool(random.random() < 0.5)
    first = columns * (random.uniform(0.02, 0.12) if left else random.uniform(0.75, 0.88))
    for finger in range(4):
        x = round(first + finger * 0.026 * columns)
        deep = round(random.uniform(0.04, 0.075) * rows)
        start, end = (-30, deep) if high else (rows + 30, rows - deep)
        cv2.line(cover, (x, start), (x + 6, end), 1.0, round(0.02 * columns), cv2.LINE_AA)
    return cv2.GaussianBlur(cover, (0, 0), 1).astype(np.float32)


def painted(scene: Scene, layers: Sequence[Layer], cover: Plane, taken: Taken, random: np.random.Generator) -> Pixels:
    """Paint the heap in the tray, lowest lot first, with the shadows, cover, shake, light and noise of one picture."""
    canvas = scene.empty.copy()
    under = np.zeros(canvas.shape[:2], np.float32)
    lots = np.zeros(canvas.shape[:2], np.float32)
    for layer in layers:
        part = layer.part
        level = float(under[part][layer.alpha > 0.5].max(initial=0.0))
        _shade(canvas, layer, scene, level)
        colours = layer.pixels * scene.light[part]
        alpha = layer.alpha[..., None]
        canvas[part] = canvas[part] * (1 - alpha) + colours * alpha
        under[part] = np.where(layer.alpha > 0.5, level + 1, under[part])
        lots[part] = np.maximum(lots[part], layer.alpha)
    if cover.any():
        canvas = _covered(canvas, cover, random)
    move = np.array([[1, 0, taken.shift[0]], [0, 1, taken.shift[1]]])
    canvas = np.asarray(
        cv2.warpAffine(canvas, move, canvas.shape[1::-1], flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE),
        np.float32,
    )
    rows, columns = canvas.shape[:2]
    across = np.linspace(-taken.slope[0], taken.slope[0], columns, dtype=np.float32)
    down = np.linspace(-taken.slope[1], taken.slope[1], rows, dtype=np.float32)
    canvas *= (1 + across + down[:, None])[..., None] * np.array(taken.cast, np.float32) * taken.gain
    noisy = canvas + _noise(scene, canvas.mean(axis=2), lots, random)
    done, jpeg = cv2.imencode(".jpg", np.clip(np.round(noisy), 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 85])
    assert done
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)


def _shade(canvas: Plane, layer: Layer, scene: Scene, level: float) -> None:
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


def _covered(canvas: Plane, cover: Plane, random: np.random.Generator) -> Plane:
    """The tray below an overexposed spot, or below a hand with its shadow."""
    if not _at_edge(cover):
        colour = np.array(BURNT, np.float32)
        halo = 0.5 * cv2.GaussianBlur(cover, (0, 0), 14)[..., None]
        canvas = canvas * (1 - halo) + colour * halo
        return np.asarray(canvas * (1 - cover[..., None]) + colour * cover[..., None], np.float32)
    round_off = np.clip(cv2.GaussianBlur(cover, (0, 0), 9), 0.4, 1)[..., None]
    skin = np.array(SKIN, np.float32) * random.uniform(0.5, 1.05) * (0.55 + 0.45 * round_off)
    shadow = cv2.GaussianBlur(cover, (0, 0), 12)[..., None]
    canvas = canvas * (1 - 0.4 * shadow)
    return np.asarray(canvas * (1 - cover[..., None]) + skin * cover[..., None], np.float32)


def _at_edge(cover: Plane) -> bool:
    return bool(max(cover[0].max(), cover[-1].max()) > 0.5)


def _noise(scene: Scene, grey: Plane, lots: Plane, random: np.random.Generator) -> Plane:
    """Make the sensor's noise at each brightness as strong relative to the empty picture as between two pictures.

    The background already has the empty picture's noise, which a new picture would not share, so its noise is made
    stronger accordingly; cut-outs keep some of theirs.
    """
    grain = random.standard_normal((*grey.shape, 3), dtype=np.float32)
    grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.55), np.float32)
    grain /= grain.std()
    amount = scene.noise[np.clip(grey, 0, 255).astype(np.uint8)] * (NOISE_BARE - (NOISE_BARE - NOISE_LOTS) * lots)
    return np.asarray(grain * amount[..., None], np.float32)
