"""The events of a table: what camera, buttons and page submit, and what the store keeps."""

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
    """The face of a lot that is up."""

    MARKED = "marked"
    PLAIN = "plain"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lot:
    """One stick, kernel, bean or coin that the camera detected.

    x, y: its centre in pixels of the picture, right and down from the top left.
    angle: its long axis in degrees, clockwise on screen from +x, 0 <= angle < 180.
    confidence: of the face, 0..1.
    outline: its corners in pixels, for drawing.
    """

    x: float
    y: float
    angle: float
    face: Face
    confidence: float
    outline: tuple[tuple[float, float], ...] = ()


def same_placement(lots: tuple[Lot, ...], before: tuple[Lot, ...]) -> bool:
    """Whether the lots are where they were before, so that nobody has thrown, whatever moved in the meantime.

    A new throw comes to rest within 12 pixels and 8 degrees of the old one once in millions of throws; a camera on a
    shaken table moves less.
    """
    return len(lots) == len(before) and all(any(_alike(lot, old) for old in before) for lot in lots)


def _alike(lot: Lot, old: Lot) -> bool:
    turned = abs(lot.angle - old.angle) % 180
    near = abs(lot.x - old.x) <= 12 and abs(lot.y - old.y) <= 12
    return near and lot.face is old.face and min(turned, 180 - turned) <= 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """The picture of a reading: an encoded JPEG and its size in pixels."""

    jpeg: bytes = field(repr=False)
    width: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowSeen:
    """The camera has read a throw that came to rest. The variant decides the value of a count.

    marked: lots with the marked face up, 0..4.
    sticks: the name of the set of lots in the reader's profile; empty if unknown. None if they were read at another
        table, as in a game record.
    reading_id: by which the reader may still know the exact picture; empty if it does not.
    """

    marked: int
    confidence: float
    lots: tuple[Lot, ...]
    picture: Picture | None = None
    sticks: str | None = ""
    reading_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowUnreadable:
    """The camera could not read the throw and does not guess. This is ordinary, so a value and not an exception.

    reason: one word: moving, touching, count, leaning, glare, covered, or another plain one.
    reading_id: as in ThrowSeen.
    """

    reason: str
    lots: tuple[Lot, ...] = ()
    picture: Picture | None = None
    reading_id: str = ""


class CameraState(StrEnum):
    """What the tray's camera is doing, for the page and the lamp."""

    NONE = "none"
    WATCHING = "watching"
    MOVING = "moving"
    LOST = "lost"
    UNCALIBRATED = "uncalibrated"


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraChanged:
    """The camera changed its state. ``message`` says in one sentence what to do, or is empty.

    reading: what has come to rest in the tray is being read.
    """

    state: CameraState
    message: str = ""
    reading: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted:
    """A new game. ``changes``: rules that differ from the variant's. Players are names or levels.

    seed: of all random choices of computer players in this game.
    begins: the side that begins, if that is agreed; None for a throw-off.
    evening: the variants of a match in order; round: index of this one.
    match: the number of the event that began the match; 0 if there is none.
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
    """The same players again, with the next variant of the match or the same one. The game must be over."""


class Begins(StrEnum):
    """Who begins the next game between the same players."""

    THROW_OFF = "throw_off"
    WINNER = "winner"
    LOSER = "loser"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The players' preferences, which are not rules.

    ask: nothing counts or is played after a countdown; every reading and every only move waits for a tap.
    auto_throw: wait for the next throw at once; else a tap announces it.
    auto_move: play the only legal move, or pass if there is none, at once and without a countdown; not with ``ask``.
    draw: the companion draws throws for computer players; else somebody throws real sticks for them.
    begins: who begins the next game.
    marked: the chance of a marked face that advice assumes, as ``parse_chance`` reads it.
    advice: show win chances and the best move.
    advice_after: show the value of moves only after a move is made.
    board: look at the board, if the camera knows it. board_moves: take and correct the moves that are seen there.
    """

    auto_throw: bool = True
    auto_move: bool = False
    draw: bool = False
    begins: Begins = Begins.THROW_OFF
    marked: str = "0.5"
    advice: bool = True
    advice_after: bool = False
    ask: bool = False
    board: bool = True
    board_moves: bool = True


@dataclass(frozen=True, slots=True)
class OptionsSet:
    """The players have changed their preferences."""

    options: Options


@dataclass(frozen=True, slots=True)
class GameResumed:
    """Resume an earlier game, by the number of its first event."""

    game: int


@dataclass(frozen=True, slots=True)
class GameRenamed:
    """Name a game, by the number of its first event."""

    game: int
    name: str


@dataclass(frozen=True, slots=True)
class GameDeleted:
    """Remove a game, by the number of its first event, from the saved games. Its score still counts."""

    game: int


@dataclass(frozen=True, slots=True)
class ScoresReset:
    """Reset the scores."""


@dataclass(frozen=True, slots=True)
class ThrowEntered:
    """A person enters a count, or corrects the one that was read.

    faces: of the lots that the camera detected, in their order, if the person labelled each; else empty.
    """

    marked: int
    faces: tuple[Face, ...] = ()


@dataclass(frozen=True, slots=True)
class ThrowDrawn:
    """The companion has drawn a throw for a computer player."""

    marked: int


@dataclass(frozen=True, slots=True)
class ThrowStepped:
    """The next button while a throw is awaited or read: one more marked face, 0 after 4."""


@dataclass(frozen=True, slots=True)
class ThrowAgain:
    """Discard the reading, or the failure to read, and look at the tray again."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """Confirm the reading shown, the only or chosen move, or a pass if nothing is legal."""


@dataclass(frozen=True, slots=True)
class CountdownEnded:
    """Nobody objected during the countdown: as if the reading, the only move or the pass were confirmed."""


@dataclass(frozen=True, slots=True)
class ReadingDoubted:
    """Somebody objects to the reading: it counts only once it is confirmed or corrected."""


@dataclass(frozen=True, slots=True)
class ChoiceStepped:
    """The next button while a move is due: select the next legal move, the first after the last."""


@dataclass(frozen=True, slots=True)
class MoveChosen:
    """Play this move. ``start``: a space, or None for the base; ``to``: a space, or None to leave the highway.

    value, unit: the throw to use and the unit to move, in notation, if there are several; None for the only one.
    joined: it was seen together with the move before, so one undo takes both back.
    """

    start: Place
    to: Place
    value: int | None = None
    unit: str | None = None
    joined: bool = False


@dataclass(frozen=True, slots=True)
class MoveProposed:
    """A computer player has decided; a person makes the move on the board and confirms it."""

    start: Place
    to: Place
    value: int | None = None
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Passed:
    """The player passes because nothing is legal."""


@dataclass(frozen=True, slots=True)
class Resigned:
    """A side resigns and the other wins; allowed at any moment after the throw-off."""

    side: Side


@dataclass(frozen=True, slots=True)
class Undone:
    """Undo the last step: a reading, a confirmed throw, a move, a pass or a resignation."""


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
    | CountdownEnded
    | ReadingDoubted
    | ChoiceStepped
    | MoveChosen
    | MoveProposed
    | Passed
    | Resigned
    | Undone
)
