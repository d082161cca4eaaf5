"""The workers of the companion, each on a thread of its own, and the watchdog that is fed while all get on."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable

from companion.sd_notify import Watchdog, notify

log = logging.getLogger("puluc")


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
        self._steps: dict[str, Callable[[], object]] = {}
        self._died = self._again = False

    def add(self, name: str, step: Callable[[], object]) -> None:
        """One worker more; ``step`` must come back within a few seconds."""
        self._watchdog.expect(name)
        self._steps[name] = step

    def work(self) -> int:
        """Run all workers until stopped. Answers 0, or 1 where one died."""
        threads = [
            threading.Thread(target=self.run, args=(name, self._loop(name, step)), name=name, daemon=True)
            for name, step in self._steps.items()
        ]
        for thread in threads:
            thread.start()
        notify("READY=1", os.environ)
        while not self.stopping.wait(min(0.5, self.interval_s / 4)):
            self._watchdog.step(time.monotonic())
        if not self._again:
            notify("STOPPING=1", os.environ)
        for thread in threads:
            thread.join(timeout=5)
        return 1 if self._died else 0

    def begin_anew(self) -> None:
        """Stop all, for another crew to take over in this very process: whoever started it need not know."""
        self._again = True
        self.stopping.set()

    def run(self, name: str, work: Callable[[], None]) -> None:
        """Do this work on the present thread; its end, however it comes, is the end of all."""
        try:
            work()
        except BaseException:  # whatever it was, it is told, and all ends
            log.exception("The %s worker died.", name)
            self._died = True
        finally:
            self._died = self._died or not self.stopping.is_set()
            self.stopping.set()

    def _loop(self, name: str, step: Callable[[], object]) -> Callable[[], None]:
        def work() -> None:
            while not self.stopping.is_set():
                step()
                self._watchdog.progress(name)

        return work
