"""Teaching the board from a phone: the steps, the requests that phones make, and the state after each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, assert_never

from companion.calibration.session import Busy, GoBack, LessonState
from companion.errors import NotAllowed
from companion.i18n import _
from companion.referee.board.sightings import Top
from companion.rules.notation import parse, write
from companion.rules.position import Position
from companion.rules.unit import Side, Unit
from companion.rules.variant import Variant

Corners = tuple[tuple[float, float], ...]


class BoardStage(StrEnum):
    """Progress of teaching a board: a picture to take, corners to name, the result to look at, or its end."""

    CLOSED = "closed"
    EMPTY = "empty"
    CORNERS = "corners"
    PIECES = "pieces"
    SHOWN = "shown"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class TeachEmpty:
    """The board is empty: take its picture."""


@dataclass(frozen=True, slots=True)
class TeachCorners:
    """The road's corners, in pixels of the empty picture; see ``RoadGeometry.between``."""

    corners: Corners


@dataclass(frozen=True, slots=True)
class TeachPieces:
    """The pieces stand as the position says: take the picture. None: the proposed position."""

    position: str | None = None


@dataclass(frozen=True, slots=True)
class AcceptBoard:
    """Use what has been learnt."""


BoardRequest = TeachEmpty | TeachCorners | TeachPieces | AcceptBoard | GoBack


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardTeaching(LessonState):
    """The complete state of teaching a board. Its picture is that of the empty board.

    rules, changes: of the game whose board it is. printed: the picture shows the markers of a printed board.
    corners: those that players named. position: of the pieces. spaces: what is expected and seen on each.
    clear: it was read without doubt. taught: whether a board is known.
    """

    stage: BoardStage = BoardStage.CLOSED
    rules: Variant | None = None
    changes: Mapping[str, str] = field(default_factory=dict)
    printed: bool = False
    corners: Corners | None = None
    position: str = ""
    spaces: tuple[tuple[Top, Top], ...] = ()
    clear: bool = False
    taught: bool = False

    @property
    def is_open(self) -> bool:
        """Whether a board is being taught, so that the camera does not watch the game's."""
        return self.stage not in (BoardStage.CLOSED, BoardStage.DONE)


def begun(now: BoardTeaching, rules: Variant, changes: Mapping[str, str]) -> BoardTeaching:
    """The first state of teaching a board for these rules."""
    return BoardTeaching(
        step=now.step + 1,
        stage=BoardStage.EMPTY,
        rules=rules,
        changes=changes,
        position=write(proposed_position(rules)),
        taught=now.taught,
    )


def proposed_position(rules: Variant) -> Position:
    """One piece of Jade on the first space, and one of Obsidian on the last."""
    start = Position.start(rules)
    places = list(start.places)
    places[1], places[-2] = (Unit(Side.JADE),), (Unit(Side.OBSIDIAN),)
    jade, obsidian = start.camps
    return replace(start, places=tuple(places), camps=(jade.entered(1), obsidian.entered(1)))


def next_teaching(now: BoardTeaching, request: BoardRequest, *, seen: int | None = None) -> BoardTeaching:
    """The state after a request; ``busy`` is what the camera has to do. Raises a CompanionError if it does not fit."""
    if not now.is_open or now.rules is None:
        raise NotAllowed(_("Nobody is teaching the board right now. Tap Start."))
    now.check_tap(seen)
    fresh: dict[str, Any] = {"problem": "", "spaces": (), "clear": False, "step": now.step + 1}
    match request:
        case TeachEmpty() if now.stage is BoardStage.EMPTY:
            return replace(now, busy=Busy.STILL, **fresh)
        case TeachCorners(corners) if now.width:
            return replace(now, busy=Busy.LEARNING, corners=corners, printed=False, **fresh)
        case TeachPieces(position) if now.stage in (BoardStage.PIECES, BoardStage.SHOWN):
            stands = now.position if position is None else write(parse(position, now.rules))
            return replace(now, stage=BoardStage.PIECES, busy=Busy.STILL, position=stands, **fresh)
        case AcceptBoard() if now.stage is BoardStage.SHOWN:
            return replace(now, busy=Busy.SAVING, problem="", step=now.step + 1)
        case GoBack() if now.stage in (BoardStage.CORNERS, BoardStage.PIECES):
            first = now.stage is BoardStage.CORNERS or now.printed
            stage = BoardStage.EMPTY if first else BoardStage.CORNERS
            return replace(now, stage=stage, corners=None if first else now.corners, **fresh)
        case GoBack() if now.stage is BoardStage.SHOWN:
            return replace(now, stage=BoardStage.PIECES, **fresh)
        case TeachEmpty() | TeachCorners() | TeachPieces() | AcceptBoard() | GoBack():
            raise NotAllowed(_("That comes at another step. Do what it says here first."))
    assert_never(request)
