"""Puts camera, reader, buttons, referee and page together, and keeps them going until told to stop."""

from __future__ import annotations

import http.client
import logging
import os
import secrets
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
import platformdirs

from companion.errors import CameraLost, SettingsUnusable
from companion.referee.events import CameraChanged, CameraState
from companion.referee.referee import Referee
from companion.referee.store import Store
from companion.sd_notify import Watchdog, notify, watchdog_interval
from web.api import game_started
from web.app import create_app
from web.server import Server

if TYPE_CHECKING:
    from hardware.camera import Camera
    from hardware.panel import Panel
    from hardware.profile import Profile
    from hardware.watcher import Watcher

log = logging.getLogger("puluc")

CODE_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Without those that are mistaken for each other when read aloud or copied by hand."""


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
    jade: str
    obsidian: str
    open: bool


def serve(settings: Settings) -> int:
    """Serve one table until SIGTERM or Ctrl-C, and answer the exit status: 0, or 1 where a worker died.

    Raises a CompanionError where something asked for cannot be had; then nothing is served.
    """
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    with ExitStack() as opened:
        folder = settings.data or platformdirs.user_data_path("puluc")
        first = game_started(variant=settings.variant, changes={}, jade=settings.jade, obsidian=settings.obsidian)
        store = Store(folder)
        referee = Referee(store, first=first)
        opened.callback(referee.close)
        crew = Crew(watchdog_interval(os.environ))
        watcher = _watcher(settings, folder, referee)
        if watcher:
            opened.callback(watcher.close)
            crew.add("camera", watcher.step)
        panel = _panel(settings, referee)
        if panel:
            opened.callback(panel.close)
            crew.add("panel", lambda: _step_panel(panel, referee, crew.stopping))
        code = None if settings.open else table_code(folder)
        server = Server(create_app(referee, code=code), host=settings.host, port=settings.port)
        address = f"http://{_shown_host(settings.host)}:{server.port}/"
        if crew.watched:
            crew.add("web", lambda: _probe(_shown_host(settings.host).strip("[]"), server.port, crew))
        for signal_number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(signal_number, lambda *_: crew.stopping.set())
        threading.Thread(target=crew.run, args=("server", server.run), daemon=True).start()
        opened.callback(server.close)
        click.echo(f"{address}?code={code}" if code else address)
        log.info("The games are kept in %s. Stop with Ctrl-C.", folder)
        return crew.work()


class Crew:
    """The workers that keep the companion going, each on a thread that calls its step for ever.

    A worker that dies stops all, so that whoever started the companion starts it again.
    watch_interval_s: how often systemd's watchdog is to be fed, or None where there is none.
    """

    def __init__(self, watch_interval_s: float | None) -> None:
        self.stopping = threading.Event()
        self.watched = watch_interval_s is not None
        self.interval_s = watch_interval_s or 1.0
        self._watchdog = Watchdog(lambda text: notify(text, os.environ), self.interval_s)
        self._steps: dict[str, Callable[[], None]] = {}
        self._died = False

    def add(self, name: str, step: Callable[[], None]) -> None:
        """One worker more; ``step`` must come back within a few seconds."""
        self._watchdog.expect(name)
        self._steps[name] = step

    def work(self) -> int:
        """Run all workers until stopped. Answers 0, or 1 where one died."""
        threads = [
            threading.Thread(target=self.run, args=(name, self._loop(name, step)), name=name)
            for name, step in self._steps.items()
        ]
        for thread in threads:
            thread.start()
        notify("READY=1", os.environ)
        while not self.stopping.wait(min(0.5, self.interval_s / 4)):
            self._watchdog.step(time.monotonic())
        notify("STOPPING=1", os.environ)
        for thread in threads:
            thread.join(timeout=5)
        return 1 if self._died else 0

    def run(self, name: str, work: Callable[[], None]) -> None:
        """Do this work on the present thread; its end, however it comes, is the end of all."""
        try:
            work()
        except BaseException:
            log.exception("The %s worker died.", name)
            self._died = True
        finally:
            self._died = self._died or not self.stopping.is_set()
            self.stopping.set()

    def _loop(self, name: str, step: Callable[[], None]) -> Callable[[], None]:
        def work() -> None:
            while not self.stopping.is_set():
                step()
                self._watchdog.progress(name)

        return work


def table_code(folder: Path) -> str:
    """The code that lets a phone play at this table; made once and kept, so that printed addresses stay good."""
    file = folder / "code"
    try:
        if not file.exists():
            made = folder / "code.new"
            made.touch(mode=0o600)
            made.write_text("".join(secrets.choice(CODE_LETTERS) for _ in range(8)))
            made.replace(file)
        return file.read_text().strip()
    except OSError as error:
        raise SettingsUnusable(f"The table's code cannot be kept in '{folder}': {error}.") from error


class _Opener:
    """Opens the camera that was asked for; the first one right away, so that a wrong name is told at the start."""

    def __init__(self, spec: str, profile: Path) -> None:
        from hardware.cameras import open_camera
        from hardware.locked_controls import LockedControls

        self._open = partial(open_camera, spec, controls=LockedControls.load(profile))
        self.first: Camera | None = None
        try:
            self.first = self._open()
        except CameraLost as error:
            log.warning("%s", error)

    def __call__(self) -> Camera:
        camera, self.first = self.first or self._open(), None
        assert camera is not None
        return camera


def _watcher(settings: Settings, folder: Path, referee: Referee) -> Watcher | None:
    """The worker that reads throws; None where they are entered by hand, for want of a camera or a profile."""
    if settings.camera == "none":
        _tell(referee, CameraState.NONE)
        return None
    from hardware.settling import Settling
    from hardware.throw_reader import ThrowReader
    from hardware.watcher import Watcher

    kept = settings.profile or folder / "profile"
    opener = _Opener(settings.camera, kept)
    profile = _profile(kept, settings.profile is not None, opener.first)
    if profile is None:
        if opener.first:
            opener.first.close()
        how = "puluc calibrate --empty IMAGE --marked IMAGE --plain IMAGE --out DIR"
        message = f"The camera does not know these sticks yet: make a profile with {how}, then give --profile DIR."
        log.warning("%s", message)
        _tell(referee, CameraState.UNCALIBRATED, "The camera does not know these sticks yet, so tap the counts.")
        return None
    return Watcher(
        open_camera=opener,
        reader=ThrowReader(profile),
        settling=lambda: Settling(profile.empty),
        table=referee.table,
        submit=referee.submit,
        clock=time.monotonic,
        pause=time.sleep,
    )


def _profile(kept: Path, asked_for: bool, camera: Camera | None) -> Profile | None:
    """The profile asked for, else what drawn sticks teach, else the one kept beside the games, if any."""
    from hardware.profile import Profile, calibrate
    from hardware.simulated import SimulatedCamera

    if isinstance(camera, SimulatedCamera) and not asked_for:
        return calibrate(*camera.calibration())
    return Profile.load(kept) if asked_for or kept.exists() else None


def _tell(referee: Referee, state: CameraState, message: str = "") -> None:
    told = CameraChanged(state=state, message=message)
    if referee.table().camera != told:
        referee.submit(told)


def _panel(settings: Settings, referee: Referee) -> Panel | None:
    if settings.buttons == "none":
        return None
    from hardware.panel import open_panel
    from hardware.pins import Pins

    return open_panel(
        settings.buttons,
        Pins.load(settings.config),
        referee.submit,
        lambda: referee.table().phase,
        clock=time.monotonic,
    )


def _step_panel(panel: Panel, referee: Referee, stopping: threading.Event) -> None:
    from hardware.lamp import mood_of

    table = referee.table()
    panel.show(mood_of(table.phase, table.camera.state, table.unsure is not None, False))
    panel.step(time.monotonic())
    stopping.wait(0.02)


def _probe(host: str, port: int, crew: Crew) -> None:
    """Ask our own page whether it still answers; raises where it does not."""
    if not crew.stopping.wait(crew.interval_s / 4):
        with closing(http.client.HTTPConnection(host, port, timeout=5)) as page:
            page.request("GET", "/healthz")
            page.getresponse().read()


def _shown_host(host: str) -> str:
    """What a phone has to type: the address in the local network where we serve on all."""
    if host not in ("0.0.0.0", "::"):  # noqa: S104 - only compared with
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))  # sends nothing; it only makes the system choose a way out
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
