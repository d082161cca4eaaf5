"""Assembles camera, reader, panel, referee and page, and runs them until stopped."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.access.certificate import CertificateFiles, given_certificate, own_certificate
from companion.access.credentials import Credentials
from companion.access.invitation import invitation_text, shown_host
from companion.access.served_address import ServedAddress
from companion.access.start_command import StartCommand
from companion.advice.memoized import memoize_per_game
from companion.advice.review.review import DEPTH
from companion.advice.search import SearchAdviser
from companion.advice.table_adviser import AdviserFactory
from companion.backup.transfers import BackupTransfers
from companion.board_assembly import WatchedBoard, board_with_teaching, drawn_board
from companion.calibration.board_mailbox import BoardService, NoBoard
from companion.calibration.session import NO_CAMERA, CalibrationService, NoCalibration
from companion.camera_assembly import board_camera, camera_with_calibration, learning_reader
from companion.camera_spec import CameraSpec
from companion.club.broker import BrokerAddress
from companion.club.publisher import Publisher
from companion.club.topics import TableName
from companion.commands.diagnostics import make_doctor
from companion.commands.game_options import table_folders
from companion.errors import SettingsUnusable
from companion.live_preview import Preview
from companion.panel import NoPanel, PanelControl, PanelKind
from companion.phone_camera.absence import Subject
from companion.phone_camera.mailbox import PhoneMailbox
from companion.phone_camera.pairing import PhonePairing
from companion.referee.events import CameraChanged, CameraState
from companion.referee.game_state import new_game
from companion.referee.history.review_queue import ReviewQueue
from companion.referee.referee import Referee
from companion.referee.workers.advice_worker import AdviceWorker
from companion.referee.workers.expert_worker import ExpertWorker
from companion.referee.workers.player_strengths import PlayerStrengths
from companion.service.health_check import HealthCheck, request_health
from companion.service.machine import program
from companion.service.malloc import limit_arenas
from companion.service.sd_notify import ServiceManager
from companion.service.shutdown import Shutdown, poweroff_file, stop_on_signals
from companion.service.solver_process import BackgroundSolver, command
from companion.service.startup_fallback import serve_or_explain
from companion.service.status_line import StatusLine
from companion.service.workers import Workers
from companion.storage.recovery.daily_copies import DailyCopies
from companion.storage.restore import commit
from companion.storage.store import Store
from web.app import create_app
from web.routes.devices.phone_link import PhoneLink, SecurePage
from web.routes.game.api import game_started
from web.security.access import Access
from web.serving.server import SecurePort, Server

if TYPE_CHECKING:
    from hardware.panel.panel_worker import PanelWorker
    from hardware.tracking.camera_worker import CameraWorker

log = logging.getLogger("puluc")

SWITCH_S = 0.001
"""Python's thread switch interval in seconds. Advice is computed in this process; at the default of 5 ms a move takes
40 ms to reach the phones of a busy computer, now 24. Lower slows advice without a visible gain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The options of ``puluc play``."""

    host: str
    port: int
    data: Path
    camera: CameraSpec
    board_camera: CameraSpec
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
    https_port: int | None
    certificate: tuple[Path, Path] | None
    open: bool
    solve: bool
    stay: bool
    start_command: StartCommand


def serve(settings: Settings) -> int:
    """Serve one table until SIGTERM or Ctrl-C. Returns the exit status: 0, or 1 if a worker died.

    Raises a CompanionError if something requested is missing; then nothing is served, unless ``stay`` is set.
    """
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    sys.setswitchinterval(SWITCH_S)
    limit_arenas()
    manager = ServiceManager.from_environ(os.environ, os.getpid())
    if settings.stay:
        return serve_or_explain(
            partial(_serve, settings, manager),
            host=settings.host,
            port=settings.port,
            manager=manager,
            access=partial(_access, settings),
        )
    return _serve(settings, manager)


def _access(settings: Settings, folder: Path) -> Access:
    """Who may choose how to recover damaged games: those who may play."""
    credentials = Credentials(None) if settings.open else Credentials.load(folder)
    return Access(credentials, names=settings.names)


def _serve(settings: Settings, manager: ServiceManager) -> int:
    """Serve; if players restore a backup, start again with it at the same address."""
    while True:
        status, settings, backup = _served(settings, manager)
        if backup is None or status:
            return status
        # Only now that nobody has anything of the old state open.
        try:
            commit(backup)
        except OSError as error:
            log.warning("The backup could not be restored: %s.", error)


def _served(settings: Settings, manager: ServiceManager) -> tuple[int, Settings, Path | None]:
    """Serve until stopped. Returns the exit status, the settings with the ports used, and the backup to restore."""
    with ExitStack() as opened_here:
        folder = settings.data
        first = game_started(
            variant=settings.variant, changes=settings.changes, jade=settings.jade, obsidian=settings.obsidian
        )
        new_game(first, 1)
        referee = Referee(Store(folder), first=first, advised=True)
        opened_here.callback(referee.close)
        workers = Workers(manager)
        calibration: CalibrationService = NoCalibration(NO_CAMERA)
        initial: CameraChanged | None = CameraChanged(state=CameraState.NONE)
        preview: Preview | None = None
        boards: BoardService = NoBoard()
        files = _certificate(settings, folder)

        def secure_page() -> SecurePage | None:
            if files is None or server.secure_port is None:
                return None
            return SecurePage(port=server.secure_port, fingerprint=files.fingerprint, is_own=files.is_own)

        specs = {Subject.TRAY: settings.camera, Subject.BOARD: settings.board_camera}
        phones = [_phone_link(folder, subject, secure_page) for subject, spec in specs.items() if spec.is_phone]
        mailboxes = {phone.subject: phone.mailbox for phone in phones}
        camera_worker: CameraWorker | None = None
        board: WatchedBoard | None = None
        board_preview: Preview | None = None
        sees_board = settings.camera if settings.board_camera.is_none else settings.board_camera
        drawn = drawn_board(sees_board, referee)
        if not sees_board.is_none:
            board, boards = board_with_teaching(folder / sees_board.board_folder, referee, drawn)
            workers.add("board learning", board.learner.step)
        if not settings.board_camera.is_none:
            assert board is not None
            board_preview = Preview(clock=time.monotonic)
            board_worker = board_camera(
                settings.board_camera, referee, board, board_preview, phone=mailboxes.get(Subject.BOARD), drawn=drawn
            )
            opened_here.callback(board_worker.close)
            workers.add("board camera", board_worker.step)
            board = drawn = None
        if not settings.camera.is_none:
            reader, cases = learning_reader(folder, referee)
            opened_here.callback(cases.close)
            workers.add("cases", cases.step)
            preview = Preview(clock=time.monotonic)
            camera_worker, calibration, forecaster = camera_with_calibration(
                settings.camera,
                settings.profile,
                folder,
                referee,
                reader,
                preview,
                board=board,
                phone=mailboxes.get(Subject.TRAY),
                drawn=drawn,
            )
            opened_here.callback(camera_worker.close)
            workers.add("camera", camera_worker.step)
            workers.add("forecast", forecaster.step)
            initial = camera_worker.uncalibrated
        desk: PanelControl = NoPanel()
        no_panel = ""
        try:
            panel = _panel(settings, referee, workers.stopping)
        except SettingsUnusable as error:
            if not settings.stay:
                raise
            log.warning("%s The table runs without its panel.", error)
            panel, no_panel = None, str(error)
        if panel:
            desk = panel
            opened_here.callback(panel.close)
            workers.add("panel", panel.step)
        find = partial(AdviserFactory, *table_folders(folder), refused=lambda error: log.warning("%s", error))
        advisers = find(search=memoize_per_game(SearchAdviser))
        workers.add("advice", AdviceWorker(referee, advisers).step)
        workers.add("countdown", referee.end_countdown)
        workers.add("expert", ExpertWorker(referee, lambda rules: advisers(rules, referee.state().marked)).step)
        reviews = ReviewQueue(find(search=partial(SearchAdviser, depth=DEPTH)))
        workers.add("reviews", reviews.step)
        strengths = PlayerStrengths(
            referee, lambda rules, marked: advisers(rules, marked) if advisers.table(rules, marked) else None
        )
        workers.add("strengths", strengths.step)

        def solved() -> None:
            reviews.forget()
            strengths.rate_again()

        if settings.solve:
            background = BackgroundSolver(
                referee,
                lambda rules, marked: advisers.table(rules, marked) is None,
                lambda table: command(table, folder),
                solved=solved,
            )
            opened_here.callback(background.close)
            workers.add("solving", background.step)
        if settings.mqtt:
            publisher = Publisher(
                referee,
                BrokerAddress.parse(settings.mqtt),
                TableName(settings.table),
                version=program(),
                pause=workers.stopping.wait,
            )
            opened_here.callback(publisher.close)
            workers.add("club", publisher.step)
        credentials = Credentials(None) if settings.open else Credentials.load(folder)
        doctor = make_doctor(
            referee,
            camera=settings.camera,
            camera_worker=camera_worker,
            calibration=calibration,
            preview=preview,
            board_camera=settings.board_camera,
            board_preview=board_preview,
            panel=desk,
            no_panel=no_panel,
            advisers=advisers,
            tables=table_folders(folder),
            folder=folder,
            url=lambda: f"http://{shown_host(settings.host)}:{server.port}/",
        )
        backups = BackupTransfers(folder, copy=referee.copy, stop=workers.restart)
        opened_here.callback(backups.close)
        daily = DailyCopies(folder, copy=referee.copy, last=lambda: referee.snapshot().number)
        workers.add("copies", partial(_keep_copies, daily, backups, workers.stopping))
        app = create_app(
            referee,
            code=credentials,
            served_on=settings.host,
            start_command=replace(settings.start_command, is_service=manager.address is not None),
            names=settings.names,
            certified=settings.names if settings.certificate else (),
            reviews=reviews,
            strengths=strengths,
            calibration=calibration,
            board=boards,
            preview=preview,
            board_preview=board_preview or preview,
            phones=phones,
            panel=desk,
            doctor=doctor,
            backups=backups,
            simulated=settings.camera.is_simulated,
        )
        port = settings.https_port or 0
        secure = SecurePort(port=port, certificate=files.certificate, key=files.key) if files else None
        server = Server(app, host=settings.host, port=settings.port, secure=secure)
        if workers.is_watched:
            health = HealthCheck(settings.host, server.port, ask=partial(request_health, expect=server.expect))
            workers.add("status", StatusLine(referee, manager.notify).step)
            workers.add("web", partial(_check_health, health, workers))
        stop_on_signals(workers.stopping)
        threading.Thread(target=workers.run_one, args=("server", server.run), daemon=True).start()
        opened_here.callback(server.close)
        if initial and referee.state().camera != initial:
            referee.submit(initial)
        address = f"http://{shown_host(settings.host)}:{server.port}/"
        invitation = f"{address}?code={credentials.code}" if credentials.code else address
        click.echo(invitation)
        try:
            ServedAddress(settings.host, server.port).save(folder)
        except OSError as error:
            log.warning("puluc invite will not know this table's port: %s.", error)
        # A journal is no place for the code.
        if not os.environ.get("JOURNAL_STREAM"):
            click.echo(invitation_text(invitation, credentials.code, sys.stderr.encoding), err=True)
        if files is not None:
            secure_address = f"https://{shown_host(settings.host)}:{server.secure_port}/"
            log.info(
                "Also served at %s; the certificate's SHA-256 fingerprint is %s.", secure_address, files.fingerprint
            )
        log.info("Games are saved in %s. Stop with Ctrl-C.", folder)
        if referee.state().game != first:
            log.info("The saved game continues; --variant, --set, --jade and --obsidian apply only to the first game.")
        # Only now, so that a countdown that a restart interrupted is seen.
        referee.start_countdowns(time.monotonic)
        bound = replace(settings, port=server.port, https_port=server.secure_port)
        return workers.run(), bound, backups.wanted


def _phone_link(folder: Path, subject: Subject, secure: Callable[[], SecurePage | None]) -> PhoneLink:
    """The connection to a phone that is a camera."""
    pairing = PhonePairing(folder, clock=time.monotonic, subject=subject)
    mailbox = PhoneMailbox(clock=time.monotonic, subject=subject, has_phone=pairing.has_phone)
    return PhoneLink(mailbox=mailbox, pairing=pairing, secure=secure)


def _certificate(settings: Settings, folder: Path) -> CertificateFiles | None:
    """The certificate to serve over TLS with, if that is wanted. Raises SettingsUnusable."""
    if settings.certificate:
        return given_certificate(*settings.certificate)
    return None if settings.https_port is None else own_certificate(folder, names=settings.names)


def _panel(settings: Settings, referee: Referee, stopping: threading.Event) -> PanelWorker | None:
    if settings.buttons == "none":
        return None
    from hardware.panel.configuration import PanelConfiguration, find_configuration
    from hardware.panel.panel_worker import PanelWorker

    return PanelWorker(
        PanelKind(settings.buttons),
        PanelConfiguration.load(find_configuration(settings.config)),
        referee,
        Shutdown(stopping, poweroff_file(os.environ), clock=time.monotonic),
        stopping=stopping,
        clock=time.monotonic,
    )


def _keep_copies(daily: DailyCopies, backups: BackupTransfers, stopping: threading.Event) -> None:
    """Copy the games once a day, and remove uploaded backups that were never restored."""
    backups.expire()
    stopping.wait(0.05 if daily.step() else 1.0)


def _check_health(health: HealthCheck, workers: Workers) -> None:
    """Ask our own page whether it still answers, after a pause."""
    if not workers.stopping.wait(workers.interval_s / 4):
        health.step()
