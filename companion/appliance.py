"""Puts camera, reader, buttons, referee and page together, and keeps them going until told to stop."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
import platformdirs

from companion import own_page
from companion.advice.advisers import Advisers
from companion.advice.keeping import to_disk
from companion.advice.once import once_per_game
from companion.advice.review import DEPTH
from companion.advice.search import SearchAdviser
from companion.background import Background, command
from companion.backup.desk import BackupDesk
from companion.calibration import FOLDER, NO_CAMERA, NoTeaching, Teaching
from companion.calibration_desk import Desk
from companion.cases.folder import CaseFolder
from companion.cases.keeper import Keeper
from companion.cases.learner import Learner
from companion.cases.learner import command as learning
from companion.cases.work import CaseWork
from companion.club.broker import Address
from companion.club.publisher import Publisher
from companion.club.topics import TableName
from companion.commands.examining import attend
from companion.commands.game import table_folders
from companion.crew import Crew
from companion.door import Door
from companion.errors import CameraLost, ProfileUnusable, SettingsUnusable
from companion.invitation import shown_host
from companion.invitation import told as told_others
from companion.leaving import Leaving, off_file
from companion.machine import program
from companion.memory import share_pools
from companion.panel import NoPanel, PanelDesk, PanelKind
from companion.referee.counsellor import Counsellor
from companion.referee.events import CameraChanged, CameraState, Event
from companion.referee.referee import Referee
from companion.referee.reviews import Reviews
from companion.referee.store import Store
from companion.referee.swap import commit
from companion.referee.table import opened
from companion.referee.tally import SIMULATED
from companion.referee.thinker import Thinker
from companion.sd_notify import notify, watchdog_interval
from companion.standby import stay
from companion.status_line import StatusLine
from companion.window import Window
from companion.words import _
from web.api import game_started
from web.app import create_app
from web.server import Server

if TYPE_CHECKING:
    from hardware.camera import Camera
    from hardware.eye import Eye
    from hardware.locked_controls import LockedControls
    from hardware.panel_worker import PanelWorker
    from hardware.pupil import Pupil

log = logging.getLogger("puluc")

SWITCH_S = 0.001
"""Seconds for which one thread keeps the others waiting. Advice is thought out in this process, and at Python's usual
5 ms each step by which a move reaches the phones waits for it: 40 ms in all instead of 24 on a busy computer. Lower
costs advice time without being felt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What ``puluc play`` was asked for; the names are its options'."""

    host: str
    port: int
    data: Path | None
    camera: str
    profile: Path | None
    buttons: str
    config: Path | None
    variant: str
    changes: Mapping[str, str]
    jade: str
    obsidian: str
    mqtt: str | None
    table: str
    names: tuple[str, ...]
    open: bool
    solve: bool
    stay: bool


def serve(settings: Settings) -> int:
    """Serve one table until SIGTERM or Ctrl-C, and answer the exit status: 0, or 1 where a worker died.

    Raises a CompanionError where something asked for cannot be had; then nothing is served, unless it is to stay.
    """
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    # Fifty phones that come back at once wait their turn, and that is no news.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    sys.setswitchinterval(SWITCH_S)
    share_pools()
    if settings.stay:
        return stay(partial(_serve, settings), host=settings.host, port=settings.port)
    return _serve(settings)


def _serve(settings: Settings) -> int:
    """Serve; and where players bring a backup back, begin anew with it, at the same address."""
    while True:
        status, port, backup = _served(settings)
        if backup is None or status:
            return status
        # Only now that nobody has anything of the old state open.
        try:
            commit(backup)
        except OSError as error:
            log.warning("The backup could not be put in its place: %s.", error)
        settings = replace(settings, port=port)


def _served(settings: Settings) -> tuple[int, int, Path | None]:
    """Serve until stopped: the exit status, the port that was served on, and the backup to begin anew with, if any."""
    with ExitStack() as opened_here:
        folder = settings.data or platformdirs.user_data_path("puluc")
        first = game_started(
            variant=settings.variant, changes=settings.changes, jade=settings.jade, obsidian=settings.obsidian
        )
        opened(first, 1)
        referee = Referee(Store(folder), first=first, advised=True)
        opened_here.callback(referee.close)
        crew = Crew(watchdog_interval(os.environ))
        teaching: Teaching = NoTeaching(NO_CAMERA)
        told: CameraChanged | None = CameraChanged(state=CameraState.NONE)
        window: Window | None = None
        eye: Eye | None = None
        if settings.camera != "none":
            pupil, cases = _cases(folder, referee)
            opened_here.callback(cases.close)
            crew.add("cases", cases.step)
            window = Window(clock=time.monotonic)
            eye, teaching = _eye(settings, folder, referee, pupil, window)
            opened_here.callback(eye.close)
            crew.add("camera", eye.step)
            told = eye.untaught
        desk: PanelDesk = NoPanel()
        no_panel = ""
        try:
            panel = _panel(settings, referee, crew.stopping)
        except SettingsUnusable as error:
            if not settings.stay:
                raise
            log.warning("%s The table goes on without its buttons.", error)
            panel, no_panel = None, str(error)
        if panel:
            desk = panel
            opened_here.callback(panel.close)
            crew.add("panel", panel.step)
        find = partial(Advisers, *table_folders(settings.data), refused=lambda error: log.warning("%s", error))
        advisers = find(search=once_per_game(SearchAdviser))
        crew.add("advice", Counsellor(referee, advisers).step)
        crew.add("expert", Thinker(referee, lambda rules: advisers(rules, referee.table().marked)).step)
        reviews = Reviews(find(search=partial(SearchAdviser, depth=DEPTH)))
        crew.add("reviews", reviews.step)
        if settings.solve:
            background = Background(
                referee,
                lambda rules, marked: advisers.table(rules, marked) is None,
                lambda table: command(table, settings.data),
                solved=reviews.forget,
            )
            opened_here.callback(background.close)
            crew.add("solving", background.step)
        if settings.mqtt:
            publisher = Publisher(
                referee,
                Address.parse(settings.mqtt),
                TableName(settings.table),
                version=program(),
                pause=crew.stopping.wait,
            )
            opened_here.callback(publisher.close)
            crew.add("club", publisher.step)
        door = Door(None) if settings.open else Door.of(folder)
        doctor = attend(
            referee,
            camera=settings.camera,
            eye=eye,
            teaching=teaching,
            window=window,
            panel=desk,
            no_panel=no_panel,
            advisers=advisers,
            tables=table_folders(settings.data),
            folder=folder,
            url=lambda: f"http://{shown_host(settings.host)}:{server.port}/",
        )
        backups = BackupDesk(folder, copy=referee.copy, stop=crew.begin_anew)
        app = create_app(
            referee,
            code=door,
            served_on=settings.host,
            names=settings.names,
            reviews=reviews,
            teaching=teaching,
            window=window,
            panel=desk,
            doctor=doctor,
            backups=backups,
        )
        server = Server(app, host=settings.host, port=settings.port)
        if crew.watched:
            crew.add("status", StatusLine(referee, partial(notify, environ=os.environ)).step)
            crew.add("web", lambda: _probe(settings.host, server.port, crew))
        for signal_number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(signal_number, lambda *_: crew.stopping.set())
        threading.Thread(target=crew.run, args=("server", server.run), daemon=True).start()
        opened_here.callback(server.close)
        if told and referee.table().camera != told:
            referee.submit(told)
        address = f"http://{shown_host(settings.host)}:{server.port}/"
        invitation = f"{address}?code={door.code}" if door.code else address
        click.echo(invitation)
        # A journal is no place for the code.
        if not os.environ.get("JOURNAL_STREAM"):
            click.echo(told_others(invitation, door.code), err=True)
        log.info("The games are kept in %s. Stop with Ctrl-C.", folder)
        if referee.table().game != first:
            log.info("The game there goes on; --variant, --set, --jade and --obsidian are for a first game only.")
        return crew.work(), server.port, backups.wanted


def _cases(folder: Path, referee: Referee) -> tuple[Pupil, CaseWork]:
    """The reader that learns at the table, and the worker that keeps what it learns from."""
    from hardware.pupil import Pupil

    kept = CaseFolder(folder)
    pupil = Pupil(kept)
    learner = Learner(
        kept,
        calibration=lambda: pupil.calibration,
        calm=lambda: not pupil.is_reading and referee.table().camera.state is not CameraState.MOVING,
        words=partial(learning, folder),
        adopt=pupil.adopt,
    )
    return pupil, CaseWork(referee, Keeper(referee, kept, source=pupil.source), learner)


def _eye(settings: Settings, folder: Path, referee: Referee, pupil: Pupil, window: Window) -> tuple[Eye, Teaching]:
    """The camera's worker, and what phones ask of it. Raises a CompanionError where the camera cannot be as asked."""
    from hardware.calibrating import Calibrating, Learned
    from hardware.cameras import open_camera
    from hardware.eye import Eye, glance
    from hardware.locked_controls import LockedControls
    from hardware.profile import Profile, calibrate
    from hardware.settling import Settling
    from hardware.simulated import SimulatedCamera
    from hardware.watcher import Watcher

    kind = settings.camera.strip().partition(":")[0].lower()
    # The drawn sticks' profile must never take the place of real ones'.
    kept = settings.profile or folder / ("profile-simulated" if kind == "simulated" else "profile")

    def opened_as(held: LockedControls | None) -> Camera:
        camera = open_camera(settings.camera, controls=held)
        assert camera is not None
        return camera

    def keep(taught: Learned) -> None:
        taught.profile.save(kept)
        if taught.held is None:
            LockedControls.forget(kept)
        else:
            taught.held.save(kept)
        # Told to be done, it is there whatever happens to the power: the names, too.
        try:
            to_disk(kept)
            to_disk(kept.parent)
        except OSError as error:
            raise ProfileUnusable(
                _("The profile cannot be kept in {folder}: {error}.", folder=kept, error=error.strerror)
            ) from error

    @lru_cache(maxsize=1)
    def reader(profile: Profile) -> Pupil:
        return pupil.taught(profile, _sticks(settings.camera, profile.sticks))

    def watch(profile: Profile, take_over: Callable[[], Camera]) -> Watcher:
        return Watcher(
            open_camera=take_over,
            reader=reader(profile),
            settling=lambda: Settling(profile.empty),
            table=referee.table,
            submit=referee.submit,
            clock=time.monotonic,
            pause=time.sleep,
            sticks=_sticks(settings.camera, profile.sticks),
            glance=partial(glance, window),
        )

    def tell(told: Event) -> None:
        if referee.table().camera != told:
            referee.submit(told)

    camera: Camera | None = None
    profile: Profile | None = None
    held: LockedControls | None = None
    try:
        held = LockedControls.load(kept)
        # At once, so that a wrong name is told at the start.
        camera = _opened_now(opened_as, held)
        if isinstance(camera, SimulatedCamera) and not settings.profile and not kept.exists():
            profile = calibrate(*camera.calibration())
        else:
            profile = Profile.load(kept)
        reader(profile)
    except ProfileUnusable as error:
        if settings.profile:
            if camera:
                camera.close()
            raise
        log.warning("%s Teach the camera these sticks on the page, or with puluc calibrate --out %s.", error, kept)
        camera, profile = camera or _opened_now(opened_as, None), None
    desk = Desk(clock=time.monotonic, sticks=profile.name if profile else "")
    eye = Eye(
        open_camera=opened_as,
        camera=camera,
        watch=watch,
        teaching=Calibrating(desk, settling=Settling),
        keep=keep,
        tell=tell,
        clock=time.monotonic,
        pause=time.sleep,
        profile=profile,
        held=held,
        window=window,
    )
    return eye, NoTeaching(FOLDER) if kind == "folder" else desk


def _opened_now(opened_as: Callable[[LockedControls | None], Camera], held: LockedControls | None) -> Camera | None:
    try:
        return opened_as(held)
    except CameraLost as error:
        log.warning("%s", error)
        return None


def _sticks(camera: str, taught: str) -> str:
    """What the lots that this camera shows are known by. taught: how the reader's profile calls them."""
    kind = camera.strip().partition(":")[0].lower()
    # Pictures from a folder come round again and again: they are no new throws of the lots themselves.
    return SIMULATED if kind == "simulated" else f"{taught}, from pictures" if kind == "folder" else taught


def _panel(settings: Settings, referee: Referee, stopping: threading.Event) -> PanelWorker | None:
    if settings.buttons == "none":
        return None
    from hardware.panel_worker import PanelWorker
    from hardware.pins import Pins, settings_file

    return PanelWorker(
        PanelKind(settings.buttons),
        Pins.load(settings_file(settings.config)),
        referee,
        Leaving(stopping, off_file(os.environ), clock=time.monotonic),
        stopping=stopping,
        clock=time.monotonic,
    )


def _probe(host: str, port: int, crew: Crew) -> None:
    """Ask our own page whether it still answers; raises where it does not."""
    if not crew.stopping.wait(crew.interval_s / 4):
        own_page.ask(host, port)
