"""The doctor of a table that is served: it asks the table's own parts, and takes neither camera nor pins from them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock
from typing import Protocol

from companion.doctor import sight, table
from companion.doctor.finding import Check, Finding, in_order, skipped
from companion.doctor.sight import Fit, Sight
from companion.panel import PanelKind, PanelState
from companion.referee.events import CameraState
from companion.referee.table import Table
from companion.words import _

FRESH_S = 5.0
"""Seconds for which an answer is as good as a new look. Longer shows what has been put right as still wrong; shorter
lets many phones that ask keep the table from its game."""
PICTURE_S = 10.0
"""Seconds that a picture may take to come: the camera's worker reads a throw meanwhile, or has just begun. Longer keeps
people waiting for the word that the camera hangs."""


class Doctor(Protocol):
    """Looks at everything and says what it found."""

    def findings(self) -> list[Finding]:
        """What every check came to, in the order in which they are told. Takes some seconds; any thread may ask."""
        ...


class NoDoctor:
    """A table that nobody looks after."""

    def findings(self) -> list[Finding]:
        return [skipped(check, _("Nobody looks after this here.")) for check in Check]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a served table's doctor asks.

    camera: how it was asked for. picture: the newest one as JPEG, or None, within so many seconds. dark: why none came,
    or empty.
    inspect: what such a picture tells. table: the game's. sticks: what the set is called that the reader knows, or
    empty. panel: how it stands. no_panel: why there is none though one was asked for, or empty.
    data: how many games there are in the folder, and what damage. solved: as ``table.tables`` wants it.
    computer: what is found of the computer. url: the address that is shown, without the code.
    """

    camera: str
    picture: Callable[[float], bytes | None]
    dark: Callable[[], str]
    inspect: Callable[[bytes], Sight]
    table: Callable[[], Table]
    sticks: Callable[[], str]
    panel: Callable[[], PanelState]
    no_panel: str
    data: Callable[[], tuple[int, str]]
    solved: Callable[[], str]
    computer: Callable[[], list[Finding]]
    url: Callable[[], str]
    folder: str


class ServingDoctor:
    """Looks at a served table. Many may ask at once; one looks, and the others get what it found."""

    def __init__(self, parts: Parts, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._parts, self._clock, self._lock = parts, clock, Lock()
        self._found: list[Finding] = []
        self._found_at = float("-inf")

    def findings(self) -> list[Finding]:
        """What every check came to."""
        with self._lock:
            if self._clock() - self._found_at > FRESH_S:
                self._found = in_order([*self._parts.computer(), *self._of_tray(), *self._of_table()])
                self._found_at = self._clock()
            return self._found

    def _of_tray(self) -> list[Finding]:
        parts = self._parts
        now = parts.table().camera
        lost = now.message if now.state is CameraState.LOST else ""
        # A camera that has only just begun has told nothing of itself yet.
        blind = now.state is CameraState.LOST or parts.camera == "none"
        jpeg = None if blind else parts.picture(PICTURE_S)
        seen = parts.inspect(jpeg) if jpeg else None
        lost = lost or parts.dark()
        untaught = ""
        if not parts.sticks():
            untaught = _("The camera does not know your sticks yet, so counts are tapped.")
        elif seen is not None:
            seen = replace(seen, fit=self._fit(now.state))
        found = [sight.camera(parts.camera, lost, seen), sight.focus(seen), sight.light(seen), sight.tray(seen)]
        if parts.camera == "none":
            return [*found, skipped(Check.PROFILE, _("Without a camera none has to be known."))]
        return [*found, sight.profile(seen, untaught, parts.sticks())]

    def _fit(self, state: CameraState) -> Fit | None:
        """How the picture goes with what was taught, as the camera's own worker and the last reading tell it."""
        if state is CameraState.UNCALIBRATED:
            return Fit.OTHER_SIZE
        unsure = self._parts.table().unsure
        return Fit.MOVED if unsure is not None and unsure[0] == "moved" else Fit.FITS

    def _of_table(self) -> list[Finding]:
        parts = self._parts
        panel = parts.panel()
        if parts.no_panel:
            buttons = table.buttons(parts.no_panel, [], None)
        elif panel.kind is PanelKind.NONE:
            buttons = skipped(Check.BUTTONS, _("This table has no buttons; the page does all that they do."))
        else:
            buttons = table.buttons("", [key.button.value for key in panel.keys if key.down], None)
        return [
            buttons,
            skipped(Check.LAMP, _("Whether it shines, only you can see. The page shows what it should say."))
            if panel.kind is not PanelKind.NONE
            else skipped(Check.LAMP, _("This table has no lamp.")),
            table.data(*parts.data(), parts.folder),
            table.tables(parts.table().rules.name, parts.solved()),
            table.address(parts.url(), True, alone="//127." in parts.url()),
        ]
