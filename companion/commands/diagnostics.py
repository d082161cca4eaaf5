"""The findings of ``puluc doctor``: from the running table, or by checking everything itself."""

from __future__ import annotations

import http.client
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from companion.access.credentials import stored_code
from companion.access.invitation import invitation_text
from companion.advice.solver.ranking import is_two_sided
from companion.advice.solver.solved_table import table_name
from companion.advice.table_adviser import AdviserFactory
from companion.calibration.session import CalibrationService
from companion.camera_spec import CameraSpec
from companion.commands.button_test import ButtonTest
from companion.doctor import camera_checks, table_checks
from companion.doctor.camera_checks import PictureQuality
from companion.doctor.finding import Check, Finding, FindingState, failed, skipped, sorted_findings, warning
from companion.doctor.live_checks import DiagnosticSources, LiveDoctor
from companion.doctor.probes import computer_findings
from companion.errors import BackupNotMade, CompanionError, PictureUnusable, ProfileUnusable, SettingsUnusable
from companion.i18n import _
from companion.live_preview import Preview
from companion.panel import PanelControl
from companion.referee.game_state import GameState
from companion.referee.referee import Referee
from companion.service.mdns_name import local_address
from companion.storage.database_copy import copy_games, inspect
from companion.storage.restore import GAMES

if TYPE_CHECKING:
    from hardware.cameras.camera import Camera, Pixels
    from hardware.tracking.camera_worker import CameraWorker

PATIENCE_S = 30.0
"""Seconds that a running table may take for its checks: a Raspberry Pi loads the camera's library for them."""
SETTLING_FRAMES = 20
"""Frames that a camera needs to find its exposure. With fewer, the picture seems too dark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorOptions:
    """The options of the command, by their names."""

    data: Path
    port: int
    camera: CameraSpec
    board_camera: CameraSpec
    profile: Path | None
    buttons: str
    config: Path | None
    press: bool


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """The findings. invitation: how phones reach the running table; empty if none is running."""

    findings: list[Finding]
    invitation: str = ""


def diagnose(options: DoctorOptions, *, say: Callable[[str], object], confirm: Callable[[str], bool]) -> DoctorReport:
    """Check everything. say, confirm: print to, and ask, the person at the buttons."""
    code = _code(options.data)
    answer = _running(options.port, code)
    if answer is not None and answer[0] == 200:
        say(_("A table is running here. Asking it; its game goes on."))
        findings = [_finding(one) for one in answer[1]["findings"]]
        url = next(str(one.facts["url"]) for one in findings if one.check is Check.ADDRESS)
        address = f"{url}?code={code}" if code else url
        return DoctorReport(findings, invitation_text(address, code or None, sys.stdout.encoding))
    found = computer_findings(options.data)
    url = f"http://{local_address() or '127.0.0.1'}:{options.port}/"
    if answer is None:
        installed = any(one.check is Check.SERVICE and one.state is not FindingState.SKIPPED for one in found)
        none = skipped(Check.ADDRESS, _("No table is running."), _("Start one: puluc play"))
        found.append(table_checks.address(url, False, alone=False) if installed else none)
        found += [*_tray(options), *_panel(options, say, confirm), _games(options.data)]
    elif answer[0] == 503 and "problem" in answer[1]:
        found.append(failed(Check.ADDRESS, str(answer[1]["problem"]), _("The table starts as soon as that is fixed.")))
        found += [*_tray(options), *_panel(options, say, confirm)]
    else:
        closed = _("A table is running here, but only its players may see this.")
        found.append(warning(Check.ADDRESS, closed, _("Run: sudo puluc doctor"), url=url, answers=True))
    return DoctorReport(sorted_findings(found))


def _code(folder: Path) -> str:
    try:
        return stored_code(folder) or ""
    except SettingsUnusable:
        return ""


def _running(port: int, code: str) -> tuple[int, dict[str, Any]] | None:
    """Status and answer of the running table, or None if none answers."""
    try:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)) as page:
            page.request("GET", "/api/doctor", headers={"Authorization": f"Bearer {code}"} if code else {})
            answer = page.getresponse()
            return answer.status, dict(json.loads(answer.read()))
    except (OSError, ValueError, TypeError, http.client.HTTPException):
        return None


def _finding(answer: dict[str, Any]) -> Finding:
    return Finding(
        check=Check(answer["check"]),
        state=FindingState(answer["state"]),
        says=answer["says"],
        cure=answer["cure"],
        facts=MappingProxyType(answer["facts"]),
    )


def _tray(options: DoctorOptions) -> list[Finding]:
    """Check the camera, its picture, and whether the picture matches the profile; then the board."""
    from hardware.cameras.locked_controls import LockedControls
    from hardware.cameras.opening import open_camera
    from hardware.cameras.simulated_camera import SimulatedCamera
    from hardware.reader.profile import Profile
    from hardware.reader.throw_reader import ThrowReader
    from hardware.tracking.consensus import PictureReader
    from hardware.tracking.picture_quality import measure_quality

    kept = options.profile or options.data / options.camera.sticks_folder
    problem, lost, name = "", "", ""
    reader: PictureReader | None = None
    held: LockedControls | None = None
    try:
        held = LockedControls.load(kept)
        profile = Profile.load(kept)
        reader, name = ThrowReader(profile), profile.sticks
    except ProfileUnusable as error:
        problem = str(error)
    seen: PictureQuality | None = None
    pixels: Pixels | None = None
    try:
        camera = open_camera(options.camera, controls=held)
        if camera is not None:
            with closing(camera):
                if isinstance(camera, SimulatedCamera) and reader is None:
                    # As a table that plays with it does.
                    reader, problem, name = ThrowReader.calibrate(*camera.calibration()), "", _("drawn sticks")
                pixels = _settled(camera)
                seen = measure_quality(pixels, reader)
    except CompanionError as error:
        lost = str(error)
    found = [
        camera_checks.camera(options.camera, lost, seen),
        camera_checks.focus(seen),
        camera_checks.light(seen),
        camera_checks.tray(seen),
    ]
    return [*found, camera_checks.profile(seen, problem, name), _board(options, pixels)]


def _board(options: DoctorOptions, beside_tray: Pixels | None) -> Finding:
    """Check the board, in the picture of its own camera or in that of the tray's."""
    from hardware.board.board_profile import FILE, BoardProfile
    from hardware.board.board_reader import BoardReader
    from hardware.cameras.opening import open_camera

    spec = options.board_camera
    kept = options.data / (options.camera if spec.is_none else spec).board_folder
    taught, lost, reason = (kept / FILE).exists(), "", ""
    pixels = beside_tray if spec.is_none else None
    try:
        camera = open_camera(spec)
        if camera is not None:
            with closing(camera):
                pixels = _settled(camera)
        sight = BoardReader(BoardProfile.load(kept)).sight(pixels) if taught and pixels is not None else ""
        reason = sight if isinstance(sight, str) else ""
    except ProfileUnusable:
        taught = False
    except PictureUnusable:
        reason = "picture"
    except CompanionError as error:
        lost = str(error)
    return camera_checks.board(spec, lost, sees=pixels is not None, taught=taught, reason=reason)


def _settled(camera: Camera) -> Pixels:
    """A still of a camera that has been given time to find its exposure."""
    from hardware.cameras.camera import SupportsThrow

    for _frame in range(0 if isinstance(camera, SupportsThrow) else SETTLING_FRAMES):
        camera.next_frame()
    return camera.still().pixels


def _panel(options: DoctorOptions, say: Callable[[str], object], confirm: Callable[[str], bool]) -> list[Finding]:
    """Check the buttons and the lamp, one by one if somebody is there to press."""
    from hardware.panel.configuration import PanelConfiguration, find_configuration
    from hardware.panel.panel import open_panel

    try:
        pins = PanelConfiguration.load(find_configuration(options.config))
        panel = open_panel(options.buttons, pins, lambda _: None, lambda: "move", lambda: None, clock=time.monotonic)
    except CompanionError as error:
        return [table_checks.buttons(str(error), [], None), skipped(Check.LAMP, _("There is no lamp without pins."))]
    if panel is None:
        none = _("No panel was requested.")
        return [skipped(Check.BUTTONS, none), skipped(Check.LAMP, none)]
    with closing(panel):
        trial = ButtonTest(panel, say=say, confirm=confirm, clock=time.monotonic, pause=time.sleep)
        if options.press:
            return trial.findings()
        return [table_checks.buttons("", trial.stuck(), None), table_checks.lamp(None)]


def _games(folder: Path) -> Finding:
    """Check the games in a copy, so that nothing is left behind in their folder."""
    if not (folder / GAMES).exists():
        return table_checks.data(0, "", str(folder))
    with tempfile.TemporaryDirectory() as apart:
        try:
            return table_checks.data(copy_games(folder, Path(apart) / GAMES).games, "", str(folder))
        except BackupNotMade as error:
            return table_checks.data(0, str(error), str(folder))


def _solved(advisers: AdviserFactory, playing: GameState, folders: Sequence[Path]) -> str:
    """Whether the game on the table is solved, as ``table_checks.tables`` wants it."""
    if not is_two_sided(playing.rules):
        return "none"
    if advisers.table(playing.rules, playing.marked) is not None:
        return "solved"
    name = table_name(playing.rules, playing.marked)
    return "damaged" if any((folder / name).exists() for folder in folders) else "missing"


def _sound(referee: Referee) -> tuple[int, str]:
    """Number of games and their damage, checked in a copy, so that the table waits only for the copying."""
    with tempfile.TemporaryDirectory() as apart:
        copy = Path(apart) / GAMES
        try:
            referee.copy(copy)
            return inspect(copy).games, ""
        except CompanionError as error:
            return 0, str(error)


def make_doctor(
    referee: Referee,
    *,
    camera: CameraSpec,
    camera_worker: CameraWorker | None,
    calibration: CalibrationService,
    preview: Preview | None,
    board_camera: CameraSpec,
    board_preview: Preview | None,
    panel: PanelControl,
    no_panel: str,
    advisers: AdviserFactory,
    tables: Sequence[Path],
    folder: Path,
    url: Callable[[], str],
) -> LiveDoctor:
    """The checks of a running table.

    board_camera: the camera over the board, if it has one of its own. no_panel: why it has none although one was
        requested, or empty.
    """

    def inspected(jpeg: bytes) -> PictureQuality:
        from hardware.tracking.picture_quality import measure_jpeg

        taught = camera_worker.profile if camera_worker else None
        return measure_jpeg(jpeg, taught.empty if taught else None)

    def sticks() -> str:
        known = camera_worker is not None and camera_worker.uncalibrated is None
        return (calibration.state().sticks or _("unnamed")) if known else ""

    def board(patience_s: float) -> Finding:
        picture = board_preview.picture(patience_s) if board_preview else None
        lost, seen = board_preview.failure if board_preview else "", referee.snapshot().board_seen
        sees = picture is not None if board_preview else seen is None or seen.status != "lost"
        reason = seen.reason if seen else ""
        return camera_checks.board(board_camera, lost, sees=sees, taught=seen is not None, reason=reason)

    return LiveDoctor(
        DiagnosticSources(
            camera=camera,
            picture=preview.picture if preview else lambda _patience_s: None,
            dark=lambda: preview.failure if preview else "",
            inspect=inspected,
            table=referee.state,
            sticks=sticks,
            is_being_taught=lambda: calibration.state().is_open,
            board=board,
            panel=panel.state,
            no_panel=no_panel,
            data=lambda: _sound(referee),
            solved=lambda: _solved(advisers, referee.state(), tables),
            computer=lambda: computer_findings(folder),
            url=url,
            folder=str(folder),
        )
    )
