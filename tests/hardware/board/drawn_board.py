"""Pictures of a drawn board with known truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.notation import parse
from companion.rules.position import Position
from companion.rules.unit import Side
from companion.rules.variants import variant
from hardware.board.board_profile import BoardProfile
from hardware.cameras.camera import Pixels
from tests.grain import grain

SIZE = (480, 640)
PITCH, LEFT, TOP, ACROSS = 50, 95, 200, 80
PAINT = {Side.JADE: (70, 140, 40), Side.OBSIDIAN: (40, 30, 35)}
PULUC = variant("puluc")


@dataclass
class DrawnBoard:
    """Nine squares on a speckled table.

    shift: of the board, in pixels. light: how bright it is. between: a space, from 1, behind whose end a piece of Jade
    lies. hand: whether an arm lies over the road. bases: pieces of Jade and Obsidian beyond
    the road's ends. paint: of the pieces on the spaces.
    """

    shift: tuple[float, float] = (0, 0)
    light: float = 1.0
    between: int | None = None
    hand: bool = False
    bases: tuple[int, int] = (0, 0)
    tops: dict[int, Side] = field(default_factory=dict)
    paint: Mapping[Side, tuple[int, int, int]] = field(default_factory=lambda: PAINT)

    def picture(self) -> Pixels:
        table = 150 + cv2.GaussianBlur(grain(7, 30, SIZE), (0, 0), 2)
        drawn = np.asarray(np.repeat(table[..., None], 3, axis=2) * (0.8, 0.95, 1.1), np.float64)
        right, down = self.shift
        wood = cv2.GaussianBlur(grain(8, 30, SIZE), (0, 0), 1.5)
        board = np.zeros((*SIZE, 3))
        cover = np.zeros(SIZE, np.uint8)
        for space in range(9):
            x = LEFT + PITCH * space
            colour = (190, 215, 230) if space % 2 else (120, 160, 200)
            cv2.rectangle(board, (x, TOP), (x + PITCH - 1, TOP + ACROSS), colour, -1)
        cv2.rectangle(cover, (LEFT, TOP), (LEFT + 9 * PITCH - 1, TOP + ACROSS), 1, -1)
        board += wood[..., None]
        move = np.array([[1, 0, right], [0, 1, down]], float)
        there = cv2.warpAffine(cover, move, SIZE[::-1], flags=cv2.INTER_NEAREST) > 0
        drawn[there] = cv2.warpAffine(board, move, SIZE[::-1])[there]
        for space, side in self.tops.items():
            self._piece(drawn, LEFT + (space - 0.5) * PITCH, self.paint[side])
        if self.between is not None:
            self._piece(drawn, LEFT + self.between * PITCH, PAINT[Side.JADE])
        for side, x, pieces in zip(Side, (LEFT - 45, LEFT + 9 * PITCH + 40), self.bases, strict=True):
            for piece in range(pieces):
                self._piece(drawn, x, PAINT[side], 45 * (piece - 2))
        if self.hand:
            cv2.line(drawn, (300, 0), (320, 230), (120, 150, 210), 70)
        seen = drawn * self.light + grain(9, 1.5, drawn.shape)
        return np.clip(seen, 0, 255).astype(np.uint8)

    def _piece(self, drawn: NDArray[np.float64], x: float, colour: tuple[int, int, int], lower: float = 0) -> None:
        at = (round(x + self.shift[0]), round(TOP + ACROSS / 2 + self.shift[1] + lower))
        cv2.circle(drawn, (at[0] + 2, at[1] + 3), 18, (90, 100, 110), -1)
        cv2.circle(drawn, at, 17, colour, -1)
        cv2.circle(drawn, (at[0] - 4, at[1] - 4), 6, tuple(min(255, 2 * part) for part in colour), -1)


def position(text: str) -> Position:
    return parse(text, PULUC)


def drawn(text: str, **how: object) -> Pixels:
    """The picture of a position."""
    tops = {at: units[0].owner for at, units in enumerate(position(text).spaces, 1) if units}
    return DrawnBoard(tops=tops, **how).picture()  # type: ignore[arg-type]  # the fields above


CORNERS = (
    (LEFT, TOP),
    (LEFT, TOP + ACROSS),
    (LEFT + 9 * PITCH, TOP),
    (LEFT + 9 * PITCH, TOP + ACROSS),
)


def profile() -> BoardProfile:
    """The drawn board, taught."""
    taught = "4/J7O/4 0:0 J"
    return BoardProfile.taught_from(
        DrawnBoard().picture(),
        drawn(taught, bases=(4, 4)),
        position(taught),
        corners=[(float(x), float(y)) for x, y in CORNERS],
    )
