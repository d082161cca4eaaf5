"""The mailbox between the phones that calibrate the camera and the camera's thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from companion.calibration.forecast import Forecast
from companion.calibration.session import (
    Busy,
    CalibrationRequest,
    CalibrationState,
    CancelCalibration,
    ConfirmStep,
    Stage,
    StartCalibration,
    next_state,
    started,
)
from companion.errors import NotAllowed
from companion.i18n import _
from companion.referee.events import Face

ABANDONED_S = 120.0
"""Seconds without a player watching after which the calibration is cancelled, and the camera goes back to the game.
Lower cancels while somebody lays out sticks and the phone's screen is dark."""


class StepSuperseded(Exception):
    """A phone has gone on to another step while the camera worked on this one. Never shown to players."""


class Mailbox:
    """One calibration at a time, shared by all phones. Thread-safe.

    clock: returns monotonic seconds. sticks: the name of the set that is known so far.
    """

    def __init__(self, *, clock: Callable[[], float], sticks: str = "") -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._state, self._known = CalibrationState(sticks=sticks), sticks
        self._jpeg: bytes | None = None
        self._faces: Mapping[Face, bytes] = {}
        self._session, self._attended_at = 0, clock()

    # For phones.

    def state(self, *, attended: bool = False) -> CalibrationState:
        """Return the present state. attended: a player is watching, so keep the calibration alive."""
        with self._lock:
            if attended:
                self._attended_at = self._clock()
            return self._state

    def picture(self, side: Face | None = None) -> bytes | None:
        """Return the newest picture as JPEG, or that of one side of all four lots; None if there is none."""
        with self._lock:
            if side is None:
                return self._jpeg
            return self._faces.get(side) if self._state.faces else None

    def submit(self, request: CalibrationRequest, *, seen: int | None = None) -> CalibrationState:
        """Accept a request and return the new state. seen: the step that the phone showed.

        Raises NotAllowed if the request does not fit the present step, and Unknown for an invalid name.
        """
        with self._lock:
            self._attended_at = self._clock()
            now = self._state
            if isinstance(request, StartCalibration):
                if now.is_unsaved:
                    # Starting again would throw away what was taught: save it instead.
                    self._state = next_state(now, ConfirmStep(), seen=seen)
                # A second phone that starts joins the calibration in progress.
                elif not now.is_open or now.stage is Stage.DOUBT:
                    self._restart(started(now, request))
            elif isinstance(request, CancelCalibration):
                if now.is_open and now.busy is not Busy.SAVING:
                    self._cancel(_("Stopped. I still know what I knew before."))
            else:
                self._state = next_state(now, request, seen=seen)
            return self._state

    # For the camera's thread.

    def photograph_taken(self) -> None:
        """Take the picture of this step, because somebody has just photographed it."""
        now = self.state()
        if now.stage in (Stage.EMPTY, Stage.MARKED, Stage.PLAIN) and now.busy is None:
            with suppress(NotAllowed):
                self.submit(ConfirmStep(), seen=now.step)

    def pending(self) -> tuple[int, CalibrationState]:
        """Return the number of the calibration and its state. Cancels a calibration that has been abandoned."""
        with self._lock:
            if self._state.is_open and self._clock() - self._attended_at > ABANDONED_S:
                self._cancel(_("Nobody was watching, so I stopped. I still know what I knew before."))
            return self._session, self._state

    def update(self, step: int, /, **changes: Any) -> None:
        """Change the state of a step. Raises StepSuperseded if the phones have gone on."""
        with self._lock:
            if self._state.step != step:
                raise StepSuperseded
            self._state = replace(self._state, **changes)

    def publish_picture(self, step: int, jpeg: bytes) -> None:
        """Show a picture to the phones. Raises StepSuperseded if they have gone on."""
        with self._lock:
            if self._state.step != step:
                raise StepSuperseded
            self._jpeg = jpeg

    def publish_faces(self, session: int, jpegs: Mapping[Face, bytes]) -> None:
        """Keep pictures of both sides, unless another calibration has begun. They are shown once the state says so."""
        with self._lock:
            if self._session == session:
                self._faces = jpegs
                if self._state.stage is Stage.DONE:
                    self._state = replace(self._state, faces=True)

    def publish_forecast(self, session: int, forecast: Forecast | None) -> None:
        """Say how often the camera will ask, or None until that is known, unless another calibration has begun."""
        with self._lock:
            if self._session == session:
                self._state = replace(self._state, forecast=forecast)

    def camera_lost(self, why: str) -> None:
        """Note that the camera is gone and will be reopened."""
        with self._lock:
            if self._state.is_open:
                problem = _("{why} I'll carry on when it's back.", why=why)
                self._state = replace(self._state, busy=Busy.LOST, problem=problem)

    def camera_found(self) -> None:
        """Note that the camera is open again."""
        with self._lock:
            if self._state.busy is Busy.LOST:
                self._state = replace(self._state, busy=Busy.OPENING, problem="")

    def saved(self) -> None:
        """Note that the result has been saved and is in use."""
        with self._lock:
            assert self._state.busy is Busy.SAVING
            self._known, self._jpeg = self._state.sticks, None
            now = self._state
            self._state = CalibrationState(
                step=now.step + 1,
                stage=Stage.DONE,
                sticks=self._known,
                verdicts=now.verdicts,
                faces=bool(self._faces),
                forecast=now.forecast,
            )

    def save_failed(self, why: str) -> None:
        """Note that the result could not be saved. The players may try again."""
        with self._lock:
            assert self._state.busy is Busy.SAVING
            self._state = replace(
                self._state, step=self._state.step + 1, stage=Stage.DOUBT, busy=None, problem=why, lots=(), marked=None
            )

    def _cancel(self, why: str) -> None:
        self._restart(CalibrationState(step=self._state.step + 1, problem=why, sticks=self._known))

    def _restart(self, state: CalibrationState) -> None:
        self._session += 1
        self._state, self._jpeg, self._faces = state, None, {}
