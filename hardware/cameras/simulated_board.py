"""A drawn board below the simulated camera's tray, with pieces, a hand, and whatever goes wrong on a real one."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.position import Position
from companion.rules.unit import Side

Plane = NDArray[np.float32]

HEIGHT = 0.95
"""Height of a picture with a board in it. All lengths here are fractions of the picture's width."""

ROAD = (0.16, 0.80, 0.84, 0.89)
"""Left, top, right and bottom of the road; Jade's base is on its left."""

PIECE = 0.3
"""Radius of a piece, in spaces."""

_PAINT = {Side.JADE: (78.0, 150.0, 48.0), Side.OBSIDIAN: (46.0, 36.0, 40.0)}
_SQUARES = ((196.0, 216.0, 228.0), (126.0, 164.0, 200.0))
_SKIN = (72.0, 98.0, 150.0)
_HAND = 0.07


@dataclass(frozen=True, slots=True)
class BoardScene:
    """What lies on the board.

    stacks: the pieces on each space from the bottom up, space 1 first. bases: pieces of Jade and Obsidian beside it.
    hand: whether an arm reaches over the road. shift: of the knocked board, in widths of the picture.
    """

    stacks: tuple[tuple[Side, ...], ...]
    bases: tuple[int, int] = (0, 0)
    hand: bool = False
    shift: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def of(cls, position: Position) -> BoardScene:
        """The pieces of a position: captives under their captor, all others beside the road."""
        stacks = tuple(
            tuple(side for unit in units for side in (*[unit.owner.other] * unit.captives, *[unit.owner] * unit.own))
            for units in position.spaces
        )
        on_road = [sum(stack.count(side) for stack in stacks) for side in Side]
        jade, obsidian = (position.rules.pieces * position.rules.owners - count for count in on_road)
        return cls(stacks, (jade, obsidian))


@dataclass
class SimulatedBoard:
    """A board with so many spaces. ``scene`` is what the camera sees; tests and players change it.

    spaces: of the road.
    """

    spaces: int
    scene: BoardScene = field(default=BoardScene(()))

    @property
    def corners(self) -> list[tuple[float, float]]:
        """The road's corners in widths of the picture, in the order of ``RoadGeometry.between``."""
        left, top, right, bottom = ROAD
        return [(left, top), (left, bottom), (right, top), (right, bottom)]

    def paint(self, canvas: Plane, light: Plane) -> None:
        """Draw the board on a picture (rows, columns, 3). light: of the scene, (rows, columns)."""
        width = canvas.shape[1]
        scene = self.scene
        pitch = (ROAD[2] - ROAD[0]) / self.spaces * width
        shift = np.array(scene.shift) * width
        self._road(canvas, light, shift)
        middle = (ROAD[1] + ROAD[3]) / 2 * width
        for space, stack in enumerate(scene.stacks):
            x = ROAD[0] * width + (space + 0.5) * pitch
            for level, side in enumerate(stack):
                askew = 0.08 * pitch * (level % 3 - 1) if len(stack) > 1 and level < len(stack) - 1 else 0.0
                _disc(canvas, light, (x + shift[0] + askew, middle + shift[1] + askew), PIECE * pitch, _PAINT[side])
        for side, pieces, start in zip(Side, scene.bases, (0.035, 0.885), strict=True):
            for piece in range(pieces):
                at = (start + 0.04 * (piece % 3)) * width, middle + (piece // 3 - 1) * 0.055 * width
                _disc(canvas, light, at, PIECE * pitch, _PAINT[side])
        if scene.hand:
            mask = np.zeros(canvas.shape[:2], np.uint8)
            top = (round(0.47 * width), round((ROAD[1] + 0.02) * width))
            cv2.line(mask, (round(0.45 * width), canvas.shape[0] + 20), top, 255, round(2 * _HAND * width))
            _blend(canvas, light, mask, _SKIN)

    def _road(self, canvas: Plane, light: Plane, shift: NDArray[np.float64]) -> None:
        width = canvas.shape[1]
        left, top, right, bottom = (round(side * width) for side in ROAD)
        random = np.random.default_rng(31)
        # The grain is the same at every size, so that small frames and stills show one board.
        fine = cv2.GaussianBlur(random.normal(0, 60, (90, 680)).astype(np.float32), (0, 0), 1.5)
        grain = cv2.resize(fine, (right - left, bottom - top), interpolation=cv2.INTER_CUBIC)
        board = np.zeros((bottom - top, right - left, 3), np.float32)
        edges = np.linspace(0, right - left, self.spaces + 1)
        for space in range(self.spaces):
            board[:, round(edges[space]) : round(edges[space + 1])] = _SQUARES[space % 2]
        board = np.asarray(board + grain[..., None], np.float32)
        x, y = left + round(float(shift[0])), top + round(float(shift[1]))
        rows, columns = canvas.shape[:2]
        x, y = min(max(x, 0), columns - board.shape[1]), min(max(y, 0), rows - board.shape[0])
        box = slice(y, y + board.shape[0]), slice(x, x + board.shape[1])
        canvas[box] = board * light[box][..., None]


def _disc(
    canvas: Plane, light: Plane, at: tuple[float, float], radius: float, paint: tuple[float, float, float]
) -> None:
    """Draw one piece: its shadow, its body, and a lit spot."""
    reach = int(radius * 1.6) + 3
    x, y = round(at[0]), round(at[1])
    left, top = max(0, x - reach), max(0, y - reach)
    ground, lit = canvas[top : y + reach, left : x + reach], light[top : y + reach, left : x + reach]
    if not ground.size:
        return

    def circle(right: float, down: float, size: float) -> NDArray[np.uint8]:
        mask = np.zeros(ground.shape[:2], np.uint8)
        centre = round((at[0] - left + right) * 16), round((at[1] - top + down) * 16)
        cv2.circle(mask, centre, round(size * 16), 255, -1, cv2.LINE_AA, 4)
        return mask

    shade = circle(radius * 0.18, radius * 0.24, radius).astype(np.float32) / 255
    ground *= (1 - 0.4 * shade)[..., None]
    _blend(ground, lit, circle(0, 0, radius), paint)
    blue, green, red = paint
    _blend(ground, lit, circle(-radius * 0.3, -radius * 0.3, radius * 0.35), (blue * 1.8, green * 1.6, red * 1.8))


def _blend(canvas: Plane, light: Plane, mask: NDArray[np.uint8], paint: tuple[float, float, float]) -> None:
    cover = (mask.astype(np.float32) / 255)[..., None]
    canvas *= 1 - cover
    canvas += cover * np.array(paint, np.float32) * light[..., None]
