"""The end that two buttons ask for: of the computer where the service manages that, else of this program alone."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

log = logging.getLogger("puluc")

PATIENCE_S = 20.0
"""Seconds after which the computer ought to be going down. A shorter time gives up on a slow card, a longer one lets
the lamp say for longer what is not so."""


def off_file(environ: Mapping[str, str]) -> Path | None:
    """The file by which the service's unit ``puluc-off.path`` is asked to switch the computer off.

    None where the program was not started by the service: then there is nobody to ask.
    """
    folders = environ.get("RUNTIME_DIRECTORY", "")
    return Path(folders.split(":")[0]) / "off" if folders else None


class Leaving:
    """Ends the companion in order when asked to, once.

    stopping: is set where the program alone ends. asked_by: the file that asks for the computer's end, or None.
    clock: monotonic seconds.
    """

    def __init__(self, stopping: threading.Event, asked_by: Path | None, *, clock: Callable[[], float]) -> None:
        self._stopping, self._asked_by, self._clock = stopping, asked_by, clock
        self._since: float | None = None

    def begin(self) -> None:
        """Everything is to end now. Where the computer cannot be asked to, at least the program does."""
        self._since = self._clock()
        if self._asked_by is None:
            log.info("Two buttons were held: the companion ends.")
            self._stopping.set()
            return
        log.info("Two buttons were held: the computer is switched off.")
        try:
            self._asked_by.touch()
        except OSError as error:
            log.warning("The computer cannot be asked to switch off (%s); the companion ends.", error)
            self._stopping.set()

    @property
    def is_going(self) -> bool:
        """Whether the end has been asked for and may still come. It is given up where nobody listens."""
        if self._since is not None and self._clock() - self._since > PATIENCE_S:
            self._since = None
            if self._asked_by is not None:
                self._asked_by.unlink(missing_ok=True)
            log.warning("The computer was not switched off: is puluc-off.path enabled? The game goes on.")
        return self._since is not None
