"""Keep a service running that cannot serve its table: show why, and try again."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from threading import Event, Thread

from companion.backup.recovery import Recovery
from companion.errors import CompanionError, SettingsUnusable, StoreDamaged
from companion.service.health_check import HealthCheck, request_health
from companion.service.sd_notify import ServiceManager
from companion.service.shutdown import stop_on_signals
from web.security.access import Access
from web.serving.server import Server
from web.serving.waiting_page import waiting_app

log = logging.getLogger("puluc")

TRY_AGAIN_S = 10.0
"""Seconds between two tries to serve the table. Shorter notices sooner that the cause is gone, and wears out a Pi where
it is not."""
CHOOSING_S = 3600.0
"""The same while damaged games wait for somebody to choose how to go on. In between the page is gone for a moment, so
shorter interrupts people more often; longer notices later that a disk can be read again."""
CHECK_S = 1.0
"""Seconds between two health checks of the page."""


def serve_or_explain(
    serve: Callable[[], int],
    *,
    host: str,
    port: int,
    manager: ServiceManager,
    access: Callable[[Path], Access],
    again_s: float = TRY_AGAIN_S,
) -> int:
    """Serve the table; while that is impossible, show why and try again.

    Returns the exit status, which is 0 if it was stopped while it showed the reason.
    serve: serves the table until it is stopped; raises a CompanionError if it cannot.
    host, port: where the reason is shown. manager: gets the reason as its status.
    access: decides who may choose how damaged games in that folder are recovered.
    """
    said = ""
    recovery: Recovery | None = None
    while True:
        try:
            return serve()
        except CompanionError as error:
            if str(error) != said:
                log.warning("%s I try again every %d seconds.", error, again_s)
            said = str(error)
            recovery = _recovery(error, recovery)
            page = _page(error, host, port, recovery, access)
            if _explained(page, error, host, manager, again_s, recovery):
                return 0


def _recovery(error: CompanionError, before: Recovery | None) -> Recovery | None:
    """What can be done for damaged games; looked for once, not at every try."""
    if not isinstance(error, StoreDamaged):
        return None
    if before is not None and not before.is_over:
        return before
    recovery = Recovery(error.folder)
    Thread(target=recovery.survey, name="recovery", daemon=True).start()
    return recovery


def _explained(
    page: Server | None,
    error: CompanionError,
    host: str,
    manager: ServiceManager,
    seconds: float,
    recovery: Recovery | None,
) -> bool:
    """Show the reason for that many seconds, or until damaged games are replaced. Returns whether it was stopped."""
    stopping, until = Event(), time.monotonic() + (CHOOSING_S if recovery else seconds)
    stop_on_signals(stopping)
    interval_s = min(CHECK_S, (manager.watchdog_s or CHECK_S) / 2)
    with ExitStack() as opened:
        health = None
        if page is not None:
            Thread(target=page.run, daemon=True).start()
            opened.callback(page.close)
            health = HealthCheck(host, page.port, ask=partial(request_health, expect=page.expect))
        manager.notify("READY=1")
        manager.notify(f"STATUS={error}")
        while time.monotonic() < until or (recovery and recovery.is_busy):
            if recovery and recovery.is_over:
                break
            if stopping.wait(interval_s):
                return True
            if health is not None:
                health.step()
            manager.notify("WATCHDOG=1")
    return False


def _page(
    error: CompanionError, host: str, port: int, recovery: Recovery | None, access: Callable[[Path], Access]
) -> Server | None:
    # If the port itself is the problem, only the log can show it.
    try:
        players = access(recovery.folder) if recovery else None
        return Server(waiting_app(error.args[0], recovery, players), host=host, port=port)
    except SettingsUnusable:
        return None
