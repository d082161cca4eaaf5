"""Where phones leave their wishes for a calibration, and the camera what has come of them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.calibration import Begun, Busy, Stage, State, Stopped, Wish, begun, wished
from companion.words import _

LEFT_S = 120.0
"""Seconds without a player looking until the calibration is given up, and the camera watches the game again. Shorter
gives up while somebody lays out sticks and the phone's screen has gone dark."""


class Overtaken(Exception):
    """A phone has wished for something else while the camera was still at work. Never shown to anybody."""


class Desk:
    """One calibration at a time, seen alike by all phones. Any thread may call it; what it keeps never grows.

    clock: monotonic seconds. sticks: the name of the set that is known so far.
    """

    def __init__(self, *, clock: Callable[[], float], sticks: str = "") -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._state, self._known = State(sticks=sticks), sticks
        self._jpeg: bytes | None = None
        self._round, self._attended_at = 0, clock()

    # What phones ask.

    def state(self, *, attended: bool = False) -> State:
        """What is so now. attended: a player looks, so that it is not given up."""
        with self._lock:
            if attended:
                self._attended_at = self._clock()
            return self._state

    def picture(self) -> bytes | None:
        """The newest picture as JPEG while the camera is being taught, else None."""
        with self._lock:
            return self._jpeg

    def submit(self, wish: Wish, *, seen: int | None = None) -> State:
        """Have that done, soon; seen: the step its sender saw.

        Raises NotNow where it does not fit, and Unknown for a name that cannot be one.
        """
        with self._lock:
            self._attended_at = self._clock()
            now = self._state
            if isinstance(wish, Begun):
                # Who taps Start on a second phone joins.
                if not now.is_open or now.stage is Stage.DOUBT:
                    self._begin_anew(begun(now, wish))
            elif isinstance(wish, Stopped):
                if now.is_open and now.busy is not Busy.SAVING:
                    self._stop(_("Stopped. The camera knows what it knew before."))
            else:
                self._state = wished(now, wish, seen=seen)
            return self._state

    # What the camera's thread asks and tells.

    def order(self) -> tuple[int, State]:
        """Which calibration this is, by its number, and how far. One that everybody has left is given up here."""
        with self._lock:
            if self._state.is_open and self._clock() - self._attended_at > LEFT_S:
                self._stop(_("Nobody has looked for a while, so I stopped. The camera knows what it knew before."))
            return self._round, self._state

    def change(self, at: int, /, **changes: Any) -> None:
        """Tell what has become of the step ``at``. Raises Overtaken where the phones have gone on from it."""
        with self._lock:
            if self._state.step != at:
                raise Overtaken
            self._state = replace(self._state, **changes)

    def show(self, at: int, jpeg: bytes) -> None:
        """Let the phones see this picture. Raises Overtaken as ``change`` does."""
        with self._lock:
            if self._state.step != at:
                raise Overtaken
            self._jpeg = jpeg

    def lost(self, why: str) -> None:
        """The camera is gone, and sought again."""
        with self._lock:
            if self._state.is_open:
                self._state = replace(self._state, busy=Busy.LOST, problem=_("{why} I go on when it is back.", why=why))

    def found(self) -> None:
        """The camera is there, for the first time or again."""
        with self._lock:
            if self._state.busy is Busy.LOST:
                self._state = replace(self._state, busy=Busy.OPENING, problem="")

    def saved(self) -> None:
        """What was learnt is written down, and used from now on."""
        with self._lock:
            assert self._state.busy is Busy.SAVING
            self._known, self._jpeg = self._state.sticks, None
            self._state = State(
                step=self._state.step + 1, stage=Stage.DONE, sticks=self._known, verdicts=self._state.verdicts
            )

    def not_saved(self, why: str) -> None:
        """What was learnt could not be written down; it may be tried again."""
        with self._lock:
            assert self._state.busy is Busy.SAVING
            self._state = replace(
                self._state, step=self._state.step + 1, stage=Stage.DOUBT, busy=None, problem=why, lots=(), marked=None
            )

    def _stop(self, why: str) -> None:
        self._begin_anew(State(step=self._state.step + 1, problem=why, sticks=self._known))

    def _begin_anew(self, state: State) -> None:
        self._round += 1
        self._state, self._jpeg = state, None
