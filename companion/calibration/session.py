"""The steps of a calibration, the requests that phones make, and the state that follows from each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Protocol, assert_never

from companion.calibration.forecast import Forecast
from companion.errors import NotAllowed, Unknown
from companion.i18n import N_, _
from companion.referee.events import Face, Lot
from companion.referee.throw_tally import SIMULATED

TEST_THROWS = 3
"""Test throws at the end. More would take longer than the minute that people have for it."""


class Stage(StrEnum):
    """Progress of the calibration: not begun, a picture to take, a test throw to make or to judge, or its end."""

    CLOSED = "closed"
    EMPTY = "empty"
    MARKED = "marked"
    PLAIN = "plain"
    THROW = "throw"
    SHOWN = "shown"
    DOUBT = "doubt"
    DONE = "done"


PREVIOUS_STAGE: Mapping[Stage, Stage] = MappingProxyType(
    {
        Stage.MARKED: Stage.EMPTY,
        Stage.PLAIN: Stage.MARKED,
        Stage.THROW: Stage.PLAIN,
        Stage.SHOWN: Stage.PLAIN,
        Stage.DOUBT: Stage.PLAIN,
    }
)
"""The stage that GoBack leads to."""


class Busy(StrEnum):
    """What the camera is doing before it can accept the next tap."""

    OPENING = "opening"
    STILL = "still"
    LEARNING = "learning"
    SAVING = "saving"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class StartCalibration:
    """Start a calibration. sticks: a name for the set, or empty."""

    sticks: str = ""


@dataclass(frozen=True, slots=True)
class ConfirmStep:
    """The tray is as requested: take the picture, read the throw, or use the result despite wrong test throws."""


@dataclass(frozen=True, slots=True)
class GoBack:
    """Repeat the previous step."""


@dataclass(frozen=True, slots=True)
class JudgeTestThrow:
    """Say whether the test throw was read correctly."""

    right: bool


@dataclass(frozen=True, slots=True)
class CancelCalibration:
    """Stop, and keep the previous calibration."""


CalibrationRequest = StartCalibration | ConfirmStep | GoBack | JudgeTestThrow | CancelCalibration


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonState:
    """The state that teaching the sticks and teaching the board share.

    step: changes whenever a tap would mean something else.
    possible: whether this table has a camera that can be taught.
    problem: what went wrong and what to do, or empty. width, height: of the picture, 0 before there is one.
    """

    step: int = 0
    busy: Busy | None = None
    possible: bool = True
    problem: str = ""
    width: int = 0
    height: int = 0

    def check_tap(self, seen: int | None, *, allowing: Busy | None = None) -> None:
        """Raise NotAllowed unless a phone that shows the step ``seen`` may tap now. allowing: is not waited for."""
        if seen is not None and seen != self.step:
            raise NotAllowed(_("That step is already done. Take a look, then tap again."))
        if self.busy not in (None, allowing):
            raise NotAllowed(_("Just a moment, I'm still working."))


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationState(LessonState):
    """The complete state of the calibration.

    lots: what the camera sees, in pixels of the picture. marked: the count of a test throw.
    verdicts: for each test throw so far, whether it was read correctly.
    sticks: the name of the set that is being calibrated, or else of the set that is known.
    faces: whether pictures of both sides can be shown, because they are too alike or have been learnt.
    forecast: how trial throws were read; None until that is known.
    """

    stage: Stage = Stage.CLOSED
    lots: tuple[Lot, ...] = ()
    marked: int | None = None
    verdicts: tuple[bool, ...] = ()
    sticks: str = ""
    faces: bool = False
    forecast: Forecast | None = None

    @property
    def is_open(self) -> bool:
        """Whether a calibration is in progress, so that the camera does not watch the game."""
        return self.stage not in (Stage.CLOSED, Stage.DONE)

    @property
    def is_unsaved(self) -> bool:
        """Whether all test throws were right, but the result could not be saved."""
        return self.stage is Stage.DOUBT and all(self.verdicts)


class CalibrationService(Protocol):
    """The calibration as the page sees it. Thread-safe."""

    def state(self, *, attended: bool = False) -> CalibrationState:
        """Return the present state. attended: a player is watching, so keep the calibration alive."""
        ...

    def picture(self, side: Face | None = None) -> bytes | None:
        """Return the newest picture, or that of one side of all four lots, as JPEG; None if there is none."""
        ...

    def submit(self, request: CalibrationRequest, *, seen: int | None = None) -> CalibrationState:
        """Accept a request. seen: the step that the phone showed. Raises a CompanionError if it does not fit."""
        ...


class NoCalibration:
    """A table whose camera cannot be calibrated. why: a sentence for the players."""

    def __init__(self, why: str) -> None:
        self._why = why

    def state(self, *, attended: bool = False) -> CalibrationState:  # noqa: ARG002 - CalibrationService's signature
        return CalibrationState(possible=False, problem=self._why)

    def picture(self, side: Face | None = None) -> None:  # noqa: ARG002 - CalibrationService's signature
        return None

    def submit(self, request: CalibrationRequest, *, seen: int | None = None) -> CalibrationState:  # noqa: ARG002 - CalibrationService's signature
        raise NotAllowed(self._why)


NO_CAMERA = N_(
    "This table has no camera, so there is nothing to teach. Start the companion with a camera, then come back."
)
FOLDER_CAMERA = N_(
    "This camera shows pictures from a folder, so it is taught on the computer: run puluc calibrate with three "
    "pictures of the same size as these."
)


def started(now: CalibrationState, request: StartCalibration) -> CalibrationState:
    """Return the first state of a new calibration. Raises Unknown for an invalid name."""
    sticks = parse_set_name(request.sticks)
    return CalibrationState(step=now.step + 1, stage=Stage.EMPTY, busy=Busy.OPENING, sticks=sticks)


def next_state(
    now: CalibrationState, request: ConfirmStep | GoBack | JudgeTestThrow, *, seen: int | None = None
) -> CalibrationState:
    """Return the state after a request; ``busy`` is what the camera has to do. Raises NotAllowed if it does not fit."""
    if not now.is_open:
        raise NotAllowed(_("Nobody is teaching the camera right now. Tap Start."))
    now.check_tap(seen, allowing=Busy.STILL)
    if now.busy is Busy.STILL and isinstance(request, ConfirmStep):
        return now
    fresh: dict[str, Any] = {
        "busy": None,
        "problem": "",
        "lots": (),
        "marked": None,
        "faces": False,
        "step": now.step + 1,
    }
    match request:
        case JudgeTestThrow():
            if now.stage is not Stage.SHOWN:
                raise NotAllowed(_("There is no test throw to check right now."))
            verdicts = (*now.verdicts, request.right)
            if len(verdicts) < TEST_THROWS:
                # The camera's thread clears this unless the camera throws by itself.
                return replace(now, stage=Stage.THROW, verdicts=verdicts, **(fresh | {"busy": Busy.STILL}))
            if all(verdicts):
                return replace(now, busy=Busy.SAVING, problem="", verdicts=verdicts)
            return replace(now, stage=Stage.DOUBT, verdicts=verdicts, **fresh)
        case GoBack():
            if now.stage not in PREVIOUS_STAGE:
                raise NotAllowed(_("This is the first step."))
            return replace(now, stage=PREVIOUS_STAGE[now.stage], verdicts=(), **fresh)
        case ConfirmStep():
            if now.stage is Stage.SHOWN:
                raise NotAllowed(_("First say whether the count is right."))
            if now.stage is Stage.DOUBT:
                return replace(now, busy=Busy.SAVING, problem="")
            return replace(now, busy=Busy.STILL, problem="", faces=False)
        case _:
            assert_never(request)


def parse_set_name(sticks: str) -> str:
    """Normalize the name of a set; empty means no name. Raises Unknown for an invalid name."""
    name = sticks.strip()
    if name and not (len(name) <= 40 and name.isprintable() and name[0].isalnum() and name != SIMULATED):
        raise Unknown(
            _(
                "Use 1 to 40 characters for the name, starting with a letter or digit, and not {simulated}.",
                simulated=SIMULATED,
            )
        )
    return name
