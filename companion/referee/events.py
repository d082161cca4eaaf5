"""Everything that can happen at a table, in the words that camera, buttons, page and store share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from pydantic import BeforeValidator

from companion.rules.position import Place
from companion.rules.unit import Side

Team = Annotated[tuple[str, ...], BeforeValidator(lambda names: (names,) if isinstance(names, str) else names)]
"""The players of a side in the order they throw: names, or levels. A single name stands for a team of one."""


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
    sticks: which set of lots that is, as the reader's profile calls it; empty where that was not noted. None where
        they were read at another table, as in a record.
    """

    marked: int
    confidence: float
    lots: tuple[Lot, ...]
    picture: Picture | None = None
    sticks: str | None = ""


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
    begins: the side that begins, where that is agreed; None for throwing it off.
    evening: the variants of a match, one after the other; round: which of them this is, from 0.
    match: the number of the event that began the match; 0 where there is none.
    """

    variant: str
    jade: Team
    obsidian: Team
    seed: int
    changes: Mapping[str, str] = field(default_factory=dict)
    begins: Side | None = None
    evening: tuple[str, ...] = ()
    round: int = 0
    match: int = 0


@dataclass(frozen=True, slots=True)
class GameAgain:
    """The same players once more, in the next game of the match or in the same one; only once the game is over."""


class Begins(StrEnum):
    """Who begins the next game between the same players."""

    THROW_OFF = "throw_off"
    WINNER = "winner"
    LOSER = "loser"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How the players like it; no rules.

    auto_throw: the next throw is awaited at once; else someone confirms that it comes.
    auto_move: the only legal move is made, and the turn passed where there is none, without a tap.
    draw: the companion draws the throws of its own players; else real sticks are thrown for them.
    begins: who begins the next game.
    marked: the chance of a marked face that advice reckons with, as ``parse_chance`` reads it.
    advice: the chances to win are shown, and which move is best.
    advice_after: what the moves are worth is shown only once one of them is made.
    """

    auto_throw: bool = True
    auto_move: bool = False
    draw: bool = False
    begins: Begins = Begins.THROW_OFF
    marked: str = "0.5"
    advice: bool = True
    advice_after: bool = False


@dataclass(frozen=True, slots=True)
class OptionsSet:
    """The players want it so from now on."""

    options: Options


@dataclass(frozen=True, slots=True)
class GameResumed:
    """Go on with an earlier game, by the number of its start."""

    game: int


@dataclass(frozen=True, slots=True)
class GameRenamed:
    """Give a game, by the number of its start, a name to know it by."""

    game: int
    name: str


@dataclass(frozen=True, slots=True)
class GameDeleted:
    """Take a game, by the number of its start, off the list of saved ones. What it scored stays."""

    game: int


@dataclass(frozen=True, slots=True)
class ScoresReset:
    """Count scores from here on."""


@dataclass(frozen=True, slots=True)
class ThrowEntered:
    """A person says what the throw shows, or that it shows something else than was read.

    faces: those of the lots the camera found, in their order, where the person told each; else empty.
    """

    marked: int
    faces: tuple[Face, ...] = ()


@dataclass(frozen=True, slots=True)
class ThrowDrawn:
    """The companion has drawn a throw for one of its own players."""

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
    """Play this move. ``start`` is a space or None for the base; ``to`` a space or None for leaving the highway.

    value, unit: the throw to use and the unit to move as it is spelt, where several would do; None for the only one.
    """

    start: Place
    to: Place
    value: int | None = None
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class MoveProposed:
    """The companion's own player has decided; a person makes the move on the board and confirms it."""

    start: Place
    to: Place
    value: int | None = None
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Passed:
    """Nothing is legal, and the player says so."""


@dataclass(frozen=True, slots=True)
class Resigned:
    """A side gives up, so the other has won; at any moment once it is decided who begins."""

    side: Side


@dataclass(frozen=True, slots=True)
class Undone:
    """Take back the last step: a reading, a confirmed throw, a move, a pass or a resignation."""


Event = (
    GameStarted
    | GameAgain
    | GameResumed
    | GameRenamed
    | GameDeleted
    | ScoresReset
    | OptionsSet
    | ThrowSeen
    | ThrowUnreadable
    | CameraChanged
    | ThrowEntered
    | ThrowDrawn
    | ThrowStepped
    | ThrowAgain
    | Confirmed
    | ChoiceStepped
    | MoveChosen
    | MoveProposed
    | Passed
    | Resigned
    | Undone
)
