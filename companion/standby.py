"""A service that cannot serve its table shows why, and tries again, instead of ending."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable
from contextlib import ExitStack
from threading import Event, Thread

from companion import own_page
from companion.errors import CompanionError, SettingsUnusable
from companion.sd_notify import notify, watchdog_interval
from web.server import Server
from web.waiting import waiting_app

log = logging.getLogger("puluc")

TRY_AGAIN_S = 10.0
"""Seconds between two tries to serve the table. Shorter finds a cure sooner, and wears a Pi out where there is none."""
LOOK_S = 1.0
"""Seconds between two looks whether the page still answers."""


def stay(serve: Callable[[], int], *, host: str, port: int, again_s: float = TRY_AGAIN_S) -> int:
    """Serve, and where that cannot be, show why until it can. Answers the exit status; 0 where told to stop meanwhile.

    serve: serves the table until it is stopped; raises a CompanionError where it cannot.
    host, port: where the reason is shown.
    """
    said = ""
    while True:
        try:
            return serve()
        except CompanionError as error:
            if str(error) != said:
                log.warning("%s I try again every %d seconds.", error, again_s)
            said = str(error)
            if _stood_by(error, host, port, again_s):
                return 0


def _stood_by(error: CompanionError, host: str, port: int, seconds: float) -> bool:
    """Show the reason for so long. Answers whether we were told to stop."""
    stopping, until = Event(), time.monotonic() + seconds
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signal_number, lambda *_: stopping.set())
    interval_s = watchdog_interval(os.environ) or LOOK_S
    with ExitStack() as opened:
        page = _page(error, host, port)
        if page is not None:
            Thread(target=page.run, daemon=True).start()
            opened.callback(page.close)
        notify("READY=1", os.environ)
        notify(f"STATUS={error}", os.environ)
        while time.monotonic() < until:
            if stopping.wait(min(LOOK_S, interval_s)):
                return True
            if page is not None:
                own_page.ask(host, page.port)
            notify("WATCHDOG=1", os.environ)
    return False


def _page(error: CompanionError, host: str, port: int) -> Server | None:
    # Where the port itself is the trouble there is nowhere to show it but the log.
    try:
        return Server(waiting_app(error.args[0]), host=host, port=port)
    except SettingsUnusable:
        return None
