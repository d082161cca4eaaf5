"""Checks of a running table. They ask its parts, and take neither camera nor pins from them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock
from typing import Protocol

from companion.camera_spec import CameraSpec
from companion.doctor import camera_checks, table_checks
from companion.doctor.camera_checks import PictureQuality, ProfileFit
from companion.doctor.finding import Check, Finding, skipped, sorted_findings
from companion.i18n import _
from companion.panel import PanelKind, PanelState
from companion.referee.events import CameraState
from companion.referee.game_state import GameState

FRESH_S = 5.0
"""Seconds for which a result is cached. Longer shows problems that are already fixed; shorter lets many phones slow the
table down."""
PICTURE_S = 10.0
"""Seconds to wait for a picture: the camera's worker may be reading a throw, or may have just started. Longer keeps
people waiting if the camera hangs."""


class Doctor(Protocol):
    """Checks everything a table needs."""

    def findings(self) -> list[Finding]:
        """The findings of all checks, in order. Takes some seconds; any thread may call it."""
        ...


class NoDoctor:
    """For a table without checks."""

    def findings(self) -> list[Finding]:
        return [skipped(check, _("This isn't checked here.")) for check in Check]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosticSources:
    """Where the checks of a running table get their facts.

    camera: over the tray. picture: waits so many seconds for the newest picture, as JPEG. dark: why there is no
    picture, or empty. inspect: measures such a picture, and compares it with the taught tray. table: state of the game.
    sticks: name of the set that the reader knows, or empty. is_being_taught: whether somebody is teaching the camera.
    board: checks the board, and waits so many seconds for a picture of a camera of its own. panel: its state. no_panel:
    why there is none although one was requested, or empty. data: number of games in the folder, and their damage, or
    empty. solved: as in `table_checks.tables`. computer: findings of the computer. url: the table's address, without
    the code.
    """

    camera: CameraSpec
    picture: Callable[[float], bytes | None]
    dark: Callable[[], str]
    inspect: Callable[[bytes], PictureQuality]
    table: Callable[[], GameState]
    sticks: Callable[[], str]
    is_being_taught: Callable[[], bool]
    board: Callable[[float], Finding]
    panel: Callable[[], PanelState]
    no_panel: str
    data: Callable[[], tuple[int, str]]
    solved: Callable[[], str]
    computer: Callable[[], list[Finding]]
    url: Callable[[], str]
    folder: str


class LiveDoctor:
    """Checks a running table. Concurrent calls share one result."""

    def __init__(self, parts: DiagnosticSources, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._parts, self._clock, self._lock = parts, clock, Lock()
        self._found: list[Finding] = []
        self._found_at = float("-inf")

    def findings(self) -> list[Finding]:
        """The findings of all checks, at most `FRESH_S` old."""
        with self._lock:
            if self._clock() - self._found_at > FRESH_S:
                self._found = sorted_findings([*self._parts.computer(), *self._of_tray(), *self._of_table()])
                self._found_at = self._clock()
            return self._found

    def _of_tray(self) -> list[Finding]:
        parts = self._parts
        if parts.is_being_taught():
            # The lesson gets all its pictures.
            checks = (Check.CAMERA, Check.FOCUS, Check.LIGHT, Check.TRAY, Check.PROFILE)
            return [skipped(check, _("Somebody is teaching the camera right now.")) for check in checks]
        now = parts.table().camera
        lost = now.message if now.state is CameraState.LOST else ""
        # A camera that has only just started has reported nothing yet.
        blind = now.state is CameraState.LOST or parts.camera.is_none
        jpeg = None if blind else parts.picture(PICTURE_S)
        seen = parts.inspect(jpeg) if jpeg else None
        lost = lost or parts.dark()
        untaught = ""
        if not parts.sticks():
            untaught = _("The camera doesn't know your sticks yet, so you tap the counts.")
        elif seen is not None:
            seen = replace(seen, fit=self._fit(now.state, seen.fit))
        found = [
            camera_checks.camera(parts.camera, lost, seen),
            camera_checks.focus(seen),
            camera_checks.light(seen),
            camera_checks.tray(seen),
        ]
        if parts.camera.is_none:
            return [*found, skipped(Check.PROFILE, _("Not needed without a camera."))]
        return [*found, camera_checks.profile(seen, untaught, parts.sticks())]

    def _fit(self, state: CameraState, seen: ProfileFit | None) -> ProfileFit | None:
        """Whether the picture matches the profile, by the camera's worker, the last reading, and the picture."""
        if state is CameraState.UNCALIBRATED:
            return ProfileFit.OTHER_SIZE
        unsure = self._parts.table().unreadable
        return ProfileFit.MOVED if unsure is not None and unsure[0] == "moved" else seen

    def _of_table(self) -> list[Finding]:
        parts = self._parts
        panel = parts.panel()
        if parts.no_panel:
            buttons = table_checks.buttons(parts.no_panel, [], None)
        elif panel.kind is PanelKind.NONE:
            buttons = skipped(Check.BUTTONS, _("This table has no buttons; the page can do all they do."))
        else:
            buttons = table_checks.buttons("", [key.button.value for key in panel.keys if key.down], None)
        return [
            parts.board(PICTURE_S),
            buttons,
            skipped(Check.LAMP, _("Only you can see if it lights up. The page shows its colour."))
            if panel.kind is not PanelKind.NONE
            else skipped(Check.LAMP, _("This table has no lamp.")),
            table_checks.data(*parts.data(), parts.folder),
            table_checks.tables(parts.table().rules.name, parts.solved()),
            table_checks.address(parts.url(), True, alone="//127." in parts.url()),
        ]
