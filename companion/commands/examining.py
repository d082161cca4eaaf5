"""How ``puluc doctor`` comes by what it tells: from the table that runs, or by looking itself."""

from __future__ import annotations

import http.client
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from companion.advice.advisers import Advisers
from companion.advice.solving.ranking import is_two_sided
from companion.advice.table import table_name
from companion.calibration import Teaching
from companion.commands.pressing import Trial
from companion.doctor import sight, table
from companion.doctor.finding import Check, Finding, State, doubt, in_order, skipped, wrong
from companion.doctor.probes import of_computer
from companion.doctor.serving import Parts, ServingDoctor
from companion.doctor.sight import Sight
from companion.errors import BackupNotMade, CompanionError, ProfileUnusable
from companion.invitation import told
from companion.local_name import local_address
from companion.panel import PanelDesk
from companion.referee.copies import copied, looked_at
from companion.referee.referee import Referee
from companion.referee.swap import GAMES
from companion.referee.table import Table
from companion.window import Window
from companion.words import _

if TYPE_CHECKING:
    from hardware.eye import Eye

PATIENCE_S = 30.0
"""Seconds that a running table may take to look at everything: a Raspberry Pi loads the camera's library meanwhile."""
SETTLING_FRAMES = 20
"""Frames that a camera just opened gets to find its exposure. Fewer tell of a darkness that is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the command was asked for; the names are its options'."""

    data: Path
    port: int
    camera: str
    profile: Path | None
    buttons: str
    config: Path | None
    press: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What was found. invitation: how phones come to the table that runs; empty where none does."""

    findings: list[Finding] = field(default_factory=list)
    invitation: str = ""


def examine(asked: Asked, *, say: Callable[[str], object], confirm: Callable[[str], bool]) -> Told:
    """Look at everything. say, confirm: speak with whoever stands at the buttons."""
    code = _code(asked.data)
    answer = _running(asked.port, code)
    if answer is not None and answer[0] == 200:
        say(_("A table runs here; it is asked, and its game goes on."))
        findings = [_finding(one) for one in answer[1]["findings"]]
        url = next(str(one.facts["url"]) for one in findings if one.check is Check.ADDRESS)
        return Told(findings=findings, invitation=told(f"{url}?code={code}" if code else url, code or None))
    found = of_computer(asked.data)
    url = _url(asked.port)
    if answer is None:
        installed = any(one.check is Check.SERVICE and one.state is not State.SKIPPED for one in found)
        none = skipped(Check.ADDRESS, _("No table is served just now."), _("Start one: puluc play"))
        found.append(table.address(url, False, alone=False) if installed else none)
        found += [*_tray(asked), *_panel(asked, say, confirm), _games(asked.data)]
    elif answer[0] == 503 and "problem" in answer[1]:
        found.append(wrong(Check.ADDRESS, str(answer[1]["problem"]), _("As soon as that is so, the table is served.")))
        found += [*_tray(asked), *_panel(asked, say, confirm)]
    else:
        closed = _("A table runs here, and only its players are told how it is.")
        found.append(doubt(Check.ADDRESS, closed, _("Run: sudo puluc doctor"), url=url, answers=True))
    return Told(findings=in_order(found))


def _code(folder: Path) -> str:
    try:
        return (folder / "code").read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""


def _running(port: int, code: str) -> tuple[int, dict[str, Any]] | None:
    """What the table that runs here answers, or None where none does."""
    try:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)) as page:
            page.request("GET", "/api/doctor", headers={"Authorization": f"Bearer {code}"} if code else {})
            answer = page.getresponse()
            return answer.status, dict(json.loads(answer.read()))
    except (OSError, ValueError, TypeError, http.client.HTTPException):
        return None


def _finding(told_: dict[str, Any]) -> Finding:
    return Finding(
        check=Check(told_["check"]),
        state=State(told_["state"]),
        says=told_["says"],
        cure=told_["cure"],
        facts=MappingProxyType(told_["facts"]),
    )


def _url(port: int) -> str:
    return f"http://{local_address() or '127.0.0.1'}:{port}/"


def _tray(asked: Asked) -> list[Finding]:
    """What the camera sees, and whether that is what the reader was taught."""
    from hardware.agreeing import Reader
    from hardware.camera import Thrower
    from hardware.cameras import open_camera
    from hardware.inspecting import inspect
    from hardware.locked_controls import LockedControls
    from hardware.profile import Profile, calibrate
    from hardware.simulated import SimulatedCamera
    from hardware.throw_reader import ThrowReader

    simulated = asked.camera.strip().lower() == "simulated"
    kept = asked.profile or asked.data / ("profile-simulated" if simulated else "profile")
    problem, lost, name = "", "", ""
    reader: Reader | None = None
    held: LockedControls | None = None
    try:
        held = LockedControls.load(kept)
        profile = Profile.load(kept)
        reader, name = ThrowReader(profile), profile.sticks
    except ProfileUnusable as error:
        problem = str(error)
    seen: Sight | None = None
    try:
        camera = open_camera(asked.camera, controls=held)
        if camera is not None:
            with closing(camera):
                if isinstance(camera, SimulatedCamera) and reader is None:
                    # The table that is played on it would teach it so.
                    reader, problem, name = ThrowReader(calibrate(*camera.calibration())), "", _("drawn sticks")
                for _frame in range(0 if isinstance(camera, Thrower) else SETTLING_FRAMES):
                    camera.watch()
                seen = inspect(camera.still().pixels, reader)
    except CompanionError as error:
        lost = str(error)
    found = [sight.camera(asked.camera, lost, seen), sight.focus(seen), sight.light(seen), sight.tray(seen)]
    return [*found, sight.profile(seen, problem, name)]


def _panel(asked: Asked, say: Callable[[str], object], confirm: Callable[[str], bool]) -> list[Finding]:
    """Whether the buttons answer and the lamp shines; asked for one by one if somebody is there."""
    from hardware.panel import open_panel
    from hardware.pins import Pins, settings_file

    try:
        pins = Pins.load(settings_file(asked.config))
        panel = open_panel(asked.buttons, pins, lambda _: None, lambda: "move", lambda: None, clock=time.monotonic)
    except CompanionError as error:
        return [table.buttons(str(error), [], None), skipped(Check.LAMP, _("Without pins there is no lamp."))]
    if panel is None:
        none = _("No panel was asked for.")
        return [skipped(Check.BUTTONS, none), skipped(Check.LAMP, none)]
    with closing(panel):
        trial = Trial(panel, say=say, confirm=confirm, clock=time.monotonic, pause=time.sleep)
        return trial.findings() if asked.press else [table.buttons("", trial.stuck(), None), table.lamp(None)]


def _games(folder: Path) -> Finding:
    """Whether the games are sound, seen in a copy so that nothing is left behind among them."""
    if not (folder / GAMES).exists():
        return table.data(0, "", str(folder))
    with tempfile.TemporaryDirectory() as apart:
        try:
            return table.data(copied(folder, Path(apart) / GAMES).games, "", str(folder))
        except BackupNotMade as error:
            return table.data(0, str(error), str(folder))


def _solved(advisers: Advisers, playing: Table, folders: Sequence[Path]) -> str:
    """Whether the game on the table is solved, as ``table.tables`` wants it."""
    if not is_two_sided(playing.rules):
        return "none"
    if advisers.table(playing.rules, playing.marked) is not None:
        return "solved"
    name = table_name(playing.rules, playing.marked)
    return "damaged" if any((folder / name).exists() for folder in folders) else "missing"


def _sound(referee: Referee) -> tuple[int, str]:
    """How many games there are, and what is damaged, seen in a copy so that the table waits only for that."""
    with tempfile.TemporaryDirectory() as apart:
        copy = Path(apart) / GAMES
        try:
            referee.copy(copy)
            return looked_at(copy).games, ""
        except CompanionError as error:
            return 0, str(error)


def attend(
    referee: Referee,
    *,
    camera: str,
    eye: Eye | None,
    teaching: Teaching,
    window: Window | None,
    panel: PanelDesk,
    no_panel: str,
    advisers: Advisers,
    tables: Sequence[Path],
    folder: Path,
    url: Callable[[], str],
) -> ServingDoctor:
    """The doctor of a table that is served. no_panel: why it has none though one was asked for, or empty."""

    def inspected(jpeg: bytes) -> Sight:
        from hardware.inspecting import inspect_jpeg

        return inspect_jpeg(jpeg)

    def sticks() -> str:
        known = eye is not None and eye.untaught is None
        return (teaching.state().sticks or _("without a name")) if known else ""

    return ServingDoctor(
        Parts(
            camera=camera,
            picture=window.picture if window else lambda _patience_s: None,
            dark=lambda: window.why_dark if window else "",
            inspect=inspected,
            table=referee.table,
            sticks=sticks,
            panel=panel.state,
            no_panel=no_panel,
            data=lambda: _sound(referee),
            solved=lambda: _solved(advisers, referee.table(), tables),
            computer=lambda: of_computer(folder),
            url=url,
            folder=str(folder),
        )
    )
