"""Heaps of four lots laid out anew from cut-outs, with exact truth: which face, and how much of it can be seen."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from tests.bench.arranging import KINDS, Pose, arrange
from tests.bench.cutting import Cut, Pixels, Plane, Scene

FACE, MARK = 0.55, 0.5
"""What has to be seen of each lot's upper face and of where its mark is, for a throw to count as readable: the
definition of the labelled pictures."""

HIDDEN = 0.1
"""Share of a face below which it cannot be judged by anyone. What lies between counts neither way."""

GAIN, CAST, SHAKE = 0.04, 0.012, 0.4
"""How exposure, white (shares) and camera (pixels) wander from picture to picture, at most."""

BURNT = (252.0, 253.0, 254.0)
SKIN = (122.0, 156.0, 205.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What is so about one lot. face, mark: shares that can be seen, of the whole lot."""

    x: float
    y: float
    angle: float
    marked: bool
    face: float
    mark: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Heap:
    """A picture, (960, 1280, 3) uint8 blue-green-red, and the truth about it.

    says: "readable", "unreadable" or "between"; of the last, wrong readings are wrong all the same.
    undecidable: a lot shows so little of where its mark is that a wrong reading is nobody's fault.
    """

    name: str
    kind: str
    seed: int
    pixels: Pixels
    lots: tuple[Truth, ...]
    says: str
    undecidable: bool

    @property
    def marked(self) -> int:
        """Marked faces up, seen or not."""
        return sum(lot.marked for lot in self.lots)


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
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


def compose(scene: Scene, seed: int, kinds: Sequence[str] = KINDS) -> Heap:
    """The heap that belongs to ``seed``; always the same one. Kinds take turns from seed to seed."""
    kind = kinds[seed % len(kinds)]
    random = np.random.default_rng([seed, zlib.crc32(scene.name.encode())])
    for _ in range(400):
        lots = _lots(scene, random, {"three": 3, "five": 5, "none": 0}.get(kind, 4))
        poses = arrange(scene, kind, lots, random)
        if poses is None:
            continue
        cover = _cover(scene, kind, lots, poses, random)
        layers = [_layer(scene.empty.shape, cut, pose) for cut, pose in zip(lots, poses, strict=True)]
        truths = _truths(layers, lots, poses, cover)
        says = _says(truths)
        if _wanted(kind, says):
            break
    else:
        raise ValueError(f"{scene.name} {seed}: no {kind} heap fits into the tray")
    weak = any(lot.mark < 0.2 or lot.face < 0.2 for lot in truths)
    return Heap(
        name=scene.name,
        kind=kind,
        seed=seed,
        pixels=_drawn(scene, layers, cover, random),
        lots=tuple(truths),
        says=says,
        undecidable=weak,
    )


def lay(scene: Scene, lots: Sequence[Cut], poses: Sequence[Pose], random: np.random.Generator) -> Pixels:
    """A picture of the lots as posed, lowest first: (rows, columns, 3) uint8, of the size of the scene's empty tray."""
    layers = [_layer(scene.empty.shape, cut, pose) for cut, pose in zip(lots, poses, strict=True)]
    return _drawn(scene, layers, np.zeros(scene.empty.shape[:2], np.float32), random)


def _wanted(kind: str, says: str) -> bool:
    if kind in ("three", "five", "none", "hidden"):
        return says == "unreadable"
    if kind in ("hand", "glare", "half out"):
        return says != "readable"
    return says == "between" if kind == "partly hidden" else says == "readable"


def _says(lots: Sequence[Truth]) -> str:
    if len(lots) != 4 or any(lot.face < HIDDEN for lot in lots):
        return "unreadable"
    return "readable" if all(lot.face >= FACE and lot.mark >= MARK for lot in lots) else "between"


def _lots(scene: Scene, random: np.random.Generator, count: int) -> list[Cut]:
    """So many different lots of the set, each with a face up that fell by chance."""
    chosen = []
    ids = list(random.permutation(sorted({cut.lot for cut in scene.cuts if cut.lot < 4})))
    while len(ids) < count:
        ids.append(int(random.integers(4)))
    for lot in ids[:count]:
        marked = bool(random.random() < 0.5)
        pool = [cut for cut in scene.cuts if cut.lot == lot and cut.marked == marked]
        pool = pool or [cut for cut in scene.cuts if cut.marked == marked]
        chosen.append(pool[int(random.integers(len(pool)))])
    return chosen


def _layer(shape: tuple[int, ...], cut: Cut, pose: Pose) -> _Layer:
    """The cut at its place, turned, and shortened or lengthened along its axis."""
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
    return _Layer(
        pixels=np.clip(pixels * pose.shade, 0, None),
        alpha=np.clip(alpha, 0, 1),
        mark=np.clip(mark, 0, 1),
        top=int(top),
        left=int(left),
        whole=float(cut.alpha.sum()) * pose.stretch,
        whole_mark=max(float(cut.mark.sum()) * pose.stretch, 1.0),
    )


def _truths(layers: Sequence[_Layer], lots: Sequence[Cut], poses: Sequence[Pose], cover: Plane) -> list[Truth]:
    """How much of each lot shows below those laid later, below what covers the tray, and within the picture."""
    open_to_view = 1 - cover
    found = []
    for layer, cut, pose in zip(reversed(layers), reversed(lots), reversed(poses), strict=True):
        seen = layer.alpha * open_to_view[layer.part]
        found.append(
            Truth(
                x=pose.x,
                y=pose.y,
                angle=pose.angle % 180,
                marked=cut.marked,
                face=min(1.0, float(seen.sum()) / layer.whole),
                mark=min(1.0, float((seen * layer.mark).sum()) / layer.whole_mark),
            )
        )
        open_to_view[layer.part] *= 1 - layer.alpha
    return found[::-1]


def _cover(scene: Scene, kind: str, lots: Sequence[Cut], poses: Sequence[Pose], random: np.random.Generator) -> Plane:
    """Where a hand or a burnt-out spot covers the tray, 0 to 1."""
    cover = np.zeros(scene.empty.shape[:2], np.float32)
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


def _drawn(scene: Scene, layers: Sequence[_Layer], cover: Plane, random: np.random.Generator) -> Pixels:
    """The heap in the tray, from the lowest up, with shadows, cover, shake, light and noise of this one picture."""
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
    shake = random.uniform(-SHAKE, SHAKE, 2)
    move = np.array([[1, 0, shake[0]], [0, 1, shake[1]]])
    canvas = np.asarray(
        cv2.warpAffine(canvas, move, canvas.shape[1::-1], flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE),
        np.float32,
    )
    canvas *= random.uniform(1 - GAIN, 1 + GAIN) * random.uniform(1 - CAST, 1 + CAST, 3)
    noisy = canvas + _noise(scene, canvas.mean(axis=2), lots, random)
    done, jpeg = cv2.imencode(".jpg", np.clip(np.round(noisy), 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 85])
    assert done
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)


def _shade(canvas: Plane, layer: _Layer, scene: Scene, level: float) -> None:
    """Darken what lies around a lot that is about to be laid, where its shadow falls and where it touches."""
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
    """The tray below a burnt-out spot, or below a hand with its shadow."""
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
    """The sensor's noise at each brightness, as strong against the empty picture as between two pictures.

    The background has the empty picture's own noise in it already, which no new picture would share, so there it is
    made as much stronger; cut-outs keep some of theirs.
    """
    grain = random.standard_normal((*grey.shape, 3), dtype=np.float32)
    grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.55), np.float32)
    grain /= grain.std()
    amount = scene.noise[np.clip(grey, 0, 255).astype(np.uint8)] * (1.41 - 0.6 * lots)
    return np.asarray(grain * amount[..., None], np.float32)
