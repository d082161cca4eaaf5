"""Makes what may hide lots or lie beside them: hands, overexposed spots and pieces of a game."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from hardware.composing.arrangement import Pose
from hardware.composing.cutouts import Cut, Plane, TrayScene

BURNT = (252.0, 253.0, 254.0)
SKIN = (122.0, 156.0, 205.0)
PIECES = ((38.0, 36.0, 170.0), (30.0, 30.0, 32.0), (225.0, 228.0, 230.0), (60.0, 110.0, 50.0), (150.0, 90.0, 40.0))
"""Blue, green, red of burnt-out light, of a hand in middling light, and of game pieces."""


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


def cover_of(
    scene: TrayScene, kind: str, lots: Sequence[Cut], poses: Sequence[Pose], random: np.random.Generator
) -> Plane:
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


def covered(canvas: Plane, cover: Plane, random: np.random.Generator) -> Plane:
    """The tray below an overexposed spot, or below a hand with its shadow."""
    if not cover.any():
        return canvas
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
