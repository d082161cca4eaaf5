"""Everything that can happen at a table, in the words that camera, buttons, page and store share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from companion.rules.position import Place


class Face(StrEnum):
    """Which side of a lot lies up."""

    MARKED = "marked"
    PLAIN = "plain"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lot:
    """One stick, kernel, bean or coin as the camera saw it.

    x, y: its centre in pixels of the picture, right and down from the top left.
    angle: its long axis in degrees, clockwise on screen from +x, 0 <= angle < 180.
    confidence: how sure the face is, 0..1.
    outline: its corners in pixels, for drawing around it.
    """

    x: float
    y: float
    angle: float
    face: Face
    confidence: float
    outline: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """The evidence of a reading: an encoded JPEG and its size in pixels."""

    jpeg: bytes = field(repr=False)
    width: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowSeen:
    """The camera has read a throw that came to rest. What a count is worth is the variant's business.

    marked: lots with the marked face up, 0..4.
    """

    marked: int
    confidence: float
    lots: tuple[Lot, ...]
    picture: Picture | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowUnreadable:
    """The camera looked and will not guess. Ordinary, so a value and not an exception.

    reason: one word: moving, touching, count, leaning, glare, covered, or another plain one.
    """

    reason: str
    lots: tuple[Lot, ...] = ()
    picture: Picture | None = None


class CameraState(StrEnum):
    """What the tray's camera is doing, for the page and the lamp."""

    NONE = "none"
    WATCHING = "watching"
    MOVING = "moving"
    LOST = "lost"
    UNCALIBRATED = "uncalibrated"


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraChanged:
    """The camera found, lost or saw something move. ``message`` says in one sentence what to do, or is empty."""

    state: CameraState
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted:
    """A new game. ``changes`` are the fields set differently from the variant's; players are names or levels.

    seed: feeds every random choice of the companion's own players in this game.
    """

    variant: str
    jade: str
    obsidian: str
    seed: int
    changes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GameAgain:
    """The same game and players once more; only once the game is over."""


@dataclass(frozen=True, slots=True)
class ThrowEntered:
    """A person says what the throw shows, or that it shows something else than was read."""

    marked: int


@dataclass(frozen=True, slots=True)
class ThrowStepped:
    """The next button while a throw is awaited or read: propose one marked face more, from 4 on to 0."""


@dataclass(frozen=True, slots=True)
class ThrowAgain:
    """Forget the reading or the refusal to read, and look at the tray anew."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """Yes: to the reading shown, to the only or the chosen move, or to passing where nothing is legal."""


@dataclass(frozen=True, slots=True)
class ChoiceStepped:
    """The next button while a move is due: choose the following legal move, round and round."""


@dataclass(frozen=True, slots=True)
class MoveChosen:
    """Play this move. ``start`` is a space or None for the base; ``to`` a space or None for leaving the highway."""

    start: Place
    to: Place


@dataclass(frozen=True, slots=True)
class MoveProposed:
    """The companion's own player has decided; a person makes the move on the board and confirms it."""

    start: Place
    to: Place


@dataclass(frozen=True, slots=True)
class Passed:
    """Nothing is legal, and the player says so."""


@dataclass(frozen=True, slots=True)
class Undone:
    """Take back the last step: a reading, a confirmed throw, a move or a pass."""


Event = (
    GameStarted
    | GameAgain
    | ThrowSeen
    | ThrowUnreadable
    | CameraChanged
    | ThrowEntered
    | ThrowStepped
    | ThrowAgain
    | Confirmed
    | ChoiceStepped
    | MoveChosen
    | MoveProposed
    | Passed
    | Undone
)
