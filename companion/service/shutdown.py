"""Shutting down: the program by a signal; by two buttons the computer if the service can do that, else the program."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

log = logging.getLogger("puluc")

PATIENCE_S = 20.0
"""Seconds within which the computer should be going down. A shorter time gives up on a slow card, a longer one leaves
the lamp wrong for longer."""


def stop_on_signals(stopping: threading.Event) -> None:
    """Set ``stopping`` on SIGTERM and Ctrl-C. To be called on the main thread.

    A handler interrupts the main thread, perhaps while that waits for the event and has its lock, for which the handler
    would wait for ever. So another thread sets it.
    """

    def stop(*_: object) -> None:
        if not stopping.is_set():
            threading.Thread(target=stopping.set, name="stopping", daemon=True).start()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)


def poweroff_file(environ: Mapping[str, str]) -> Path | None:
    """The file that has the unit ``puluc-off.path`` switch off the computer; None if this is not the service."""
    folders = environ.get("RUNTIME_DIRECTORY", "")
    return Path(folders.split(":")[0]) / "off" if folders else None


class Shutdown:
    """Shuts down the companion, and the computer where that is possible.

    stopping: is set to end the program alone. poweroff_file: asks for the computer to be switched off, or None.
    clock: monotonic seconds.
    """

    def __init__(self, stopping: threading.Event, poweroff_file: Path | None, *, clock: Callable[[], float]) -> None:
        self._stopping, self._poweroff_file, self._clock = stopping, poweroff_file, clock
        self._since: float | None = None

    def request(self) -> None:
        """Shut down now. Where the computer cannot be switched off, the program alone ends."""
        self._since = self._clock()
        if self._poweroff_file is None:
            log.info("Shutting down the companion: two buttons were held.")
            self._stopping.set()
            return
        log.info("Switching off the computer: two buttons were held.")
        try:
            self._poweroff_file.touch()
        except OSError as error:
            log.warning("The computer cannot be switched off (%s); the companion ends.", error)
            self._stopping.set()

    @property
    def is_pending(self) -> bool:
        """Whether a shutdown was requested and may still come. The request is withdrawn if nothing happens."""
        if self._since is not None and self._clock() - self._since > PATIENCE_S:
            self._since = None
            if self._poweroff_file is not None:
                self._poweroff_file.unlink(missing_ok=True)
            log.warning("The computer was not switched off: is puluc-off.path enabled? The game goes on.")
        return self._since is not None
