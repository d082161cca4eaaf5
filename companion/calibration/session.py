"""Teaching the camera a set of sticks from a phone: the steps there are, what may be wished, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Protocol, assert_never

from companion.errors import NotNow, Unknown
from companion.referee.events import Lot
from companion.referee.tally import SIMULATED
from companion.words import _, later

THROWS = 3
"""Test throws at the end. More tell more about a set and take longer than the minute that people have."""


class Stage(StrEnum):
    """How far the calibration is: not begun, a picture to take, a test throw to make or to judge, or its end."""

    CLOSED = "closed"
    EMPTY = "empty"
    MARKED = "marked"
    PLAIN = "plain"
    THROW = "throw"
    SHOWN = "shown"
    DOUBT = "doubt"
    DONE = "done"


BEFORE: Mapping[Stage, Stage] = MappingProxyType(
    {
        Stage.MARKED: Stage.EMPTY,
        Stage.PLAIN: Stage.MARKED,
        Stage.THROW: Stage.PLAIN,
        Stage.SHOWN: Stage.PLAIN,
        Stage.DOUBT: Stage.PLAIN,
    }
)

"""Where going back leads to."""


class Busy(StrEnum):
    """What keeps the camera from the next tap."""

    OPENING = "opening"
    STILL = "still"
    LEARNING = "learning"
    SAVING = "saving"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Begun:
    """Somebody wants to teach the camera. sticks: a name for the set, or empty."""

    sticks: str = ""


@dataclass(frozen=True, slots=True)
class WentOn:
    """The tray is as asked: take the picture, look at the throw, or use what was learnt in spite of a doubt."""


@dataclass(frozen=True, slots=True)
class WentBack:
    """The step before is to be done again."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The test throw was read right, or wrong."""

    right: bool


@dataclass(frozen=True, slots=True)
class Stopped:
    """Leave all as it was."""


Wish = Begun | WentOn | WentBack | Judged | Stopped


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Where the calibration stands, complete; the newest replaces all before.

    step: changes whenever a tap would mean something else.
    possible: whether this table has a camera that can be taught.
    problem: what went wrong with the last tap and what to do, or empty.
    lots: what the camera sees, in pixels of a picture of width x height; marked: its count in a test throw.
    verdicts: of the test throws so far, whether each was read right.
    sticks: the name of the set that is taught, or of the one that is known.
    """

    step: int = 0
    stage: Stage = Stage.CLOSED
    busy: Busy | None = None
    possible: bool = True
    problem: str = ""
    lots: tuple[Lot, ...] = ()
    width: int = 0
    height: int = 0
    marked: int | None = None
    verdicts: tuple[bool, ...] = ()
    sticks: str = ""

    @property
    def is_open(self) -> bool:
        """Whether the camera is being taught now, so that it does not watch the game."""
        return self.stage not in (Stage.CLOSED, Stage.DONE)


class Teaching(Protocol):
    """What a page asks of whoever teaches the camera. Any thread may call it."""

    def state(self, *, attended: bool = False) -> State:
        """What is so now. attended: a player looks, so that it is not given up."""
        ...

    def picture(self) -> bytes | None:
        """The newest picture as JPEG; None where there is none."""
        ...

    def submit(self, wish: Wish, *, seen: int | None = None) -> State:
        """Have that done, soon. seen: the step its sender saw. Raises a CompanionError where it does not fit."""
        ...


class NoTeaching:
    """A table whose camera cannot be taught. why: a sentence for the players."""

    def __init__(self, why: str) -> None:
        self._why = why

    def state(self, *, attended: bool = False) -> State:  # noqa: ARG002 - there is nothing to be given up
        return State(possible=False, problem=self._why)

    def picture(self) -> None:
        return None

    def submit(self, wish: Wish, *, seen: int | None = None) -> State:  # noqa: ARG002 - refuses every wish, whoever sent it
        raise NotNow(self._why)


NO_CAMERA = later(
    "This table has no camera, so there is nothing to teach. Start the companion with one, and come back here."
)
FOLDER = later("This camera shows pictures from a folder. Only a camera that looks at a tray can be taught.")


def begun(now: State, wish: Begun) -> State:
    """A new calibration, its camera still to be opened. Raises Unknown for a name that cannot be one."""
    sticks = name_of(wish.sticks)
    return State(step=now.step + 1, stage=Stage.EMPTY, busy=Busy.OPENING, sticks=sticks)


def wished(now: State, wish: WentOn | WentBack | Judged, *, seen: int | None = None) -> State:
    """What is so after that wish; what takes the camera is noted as busy. Raises NotNow where it does not fit."""
    if not now.is_open:
        raise NotNow(_("Nobody teaches the camera now. Tap Start."))
    if seen is not None and seen != now.step:
        raise NotNow(_("That step is done already. Look, and tap again."))
    if now.busy is Busy.STILL and isinstance(wish, WentOn):
        return now
    if now.busy not in (None, Busy.STILL):
        raise NotNow(_("One moment, I am still at it."))
    fresh: dict[str, Any] = {"busy": None, "problem": "", "lots": (), "marked": None, "step": now.step + 1}
    match wish:
        case Judged():
            if now.stage is not Stage.SHOWN:
                raise NotNow(_("There is no test throw to judge now."))
            verdicts = (*now.verdicts, wish.right)
            if len(verdicts) < THROWS:
                # Until the camera's thread has seen to it; some cameras throw by themselves.
                return replace(now, stage=Stage.THROW, verdicts=verdicts, **(fresh | {"busy": Busy.STILL}))
            if all(verdicts):
                return replace(now, busy=Busy.SAVING, problem="", verdicts=verdicts)
            return replace(now, stage=Stage.DOUBT, verdicts=verdicts, **fresh)
        case WentBack():
            if now.stage not in BEFORE:
                raise NotNow(_("This is the first step."))
            return replace(now, stage=BEFORE[now.stage], verdicts=(), **fresh)
        case WentOn():
            if now.stage is Stage.SHOWN:
                raise NotNow(_("First say whether the count is right."))
            if now.stage is Stage.DOUBT:
                return replace(now, busy=Busy.SAVING, problem="")
            return replace(now, busy=Busy.STILL, problem="")
        case _:
            assert_never(wish)


def name_of(sticks: str) -> str:
    """A set's name as it is kept; an empty one is none. Raises Unknown for one that cannot be."""
    name = sticks.strip()
    if name and not (len(name) <= 40 and name.isprintable() and name[0].isalnum() and name != SIMULATED):
        raise Unknown(
            _("A name for the sticks is 1 to 40 letters, begins with one, and is not {simulated}.", simulated=SIMULATED)
        )
    return name
