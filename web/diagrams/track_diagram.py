"""The highway of a rule's drawing, drawn in one row from base to base, and what stands and moves on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.referee.player_names import localized_side
from companion.rules.unit import Side
from companion.rules.variant import Variant
from web.diagrams.svg import JADE, OBSIDIAN, WIDTH, Drawing, traced

BASE = 42
"""Width of a base beside the highway, in the drawing's units."""


class Road:
    """The highway from base to base in one row; None among the spaces stands for those that are left out."""

    def __init__(self, picture: Drawing, y: float, rules: Variant, spaces: Iterable[int], height: float = 30) -> None:
        self.picture, self.y, self.height = picture, y, height
        self.spaces = _with_gaps(sorted({space for space in spaces if 1 <= space <= rules.spaces}), rules.spaces)
        self.end = rules.spaces + 1
        self.cell = (WIDTH - 2 * BASE - 4) / len(self.spaces)
        self.radius = max(3.0, min(8.0, self.cell * 0.36))
        for side, x, anchor in ((JADE, 1, "start"), (OBSIDIAN, WIDTH - BASE - 1, "end")):
            picture.box(f"base {side.value}-base", x, y, BASE, height, 8)
            # From the outer edge inward, because a side's name may be wider than its base.
            picture.note(x if anchor == "start" else x + BASE, y + height + 11, localized_side(side), 9, anchor)
        for at, space in enumerate(self.spaces):
            left = BASE + 2 + at * self.cell
            if space is None:
                picture.note(left + self.cell / 2, y + height / 2 + 2, "…", 14)
                continue
            picture.box("cell", left + 0.5, y, self.cell - 1, height)
            if self.cell >= 12:
                picture.note(left + self.cell / 2, y + height + 11, str(space), 11, kind="number")

    @property
    def middle(self) -> float:
        return self.y + self.height / 2

    def x(self, space: int) -> float:
        """The middle of a space; 0 and N + 1 are the bases."""
        if space <= 0:
            return BASE / 2 + 1
        if space >= self.end:
            return WIDTH - BASE / 2 - 1
        return BASE + 2 + (self.spaces.index(space) + 0.5) * self.cell

    def piece(self, side: Side, space: int, *, captive: bool = False) -> None:
        self.picture.piece(side, self.x(space), self.middle, self.radius, captive=captive)

    def stack(self, side: Side, space: int, own: int, captives: int) -> None:
        """A unit, its pieces visible one below the other."""
        radius = min(self.radius, 7)
        top = self.middle - (own + captives - 1) * radius * 0.75
        self.picture.stack(side, self.x(space), top, own, captives, radius)

    def hop(self, start: int, end: int, words: str = "") -> None:
        self.picture.hop(self.x(start), self.x(end), self.y - 2, words)

    def back(self, start: int, end: int, *, dashed: bool = False) -> None:
        """A long arrow under the highway, from one place to another."""
        low, left, right = self.y + self.height + 24, self.x(end), self.x(start)
        foot = self.y + self.height + 14
        bend = 8 if left < right else -8
        path = traced("M", right, foot, "Q", right, low, right - bend, low, "H", left + bend)
        path += " " + traced("Q", left, low, left, foot + 3)
        self.picture.arrow(path, (left, foot + 3), "up", dashed=dashed)


def _with_gaps(spaces: Sequence[int], last: int) -> list[int | None]:
    shown: list[int | None] = []
    before = 0
    for space in spaces:
        if space > before + 1:
            shown.append(None)
        shown.append(space)
        before = space
    return [*shown, None] if before < last else shown
