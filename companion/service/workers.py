"""The workers of the companion: a thread each, and a watchdog that is fed while all of them make progress."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from companion.service.sd_notify import ServiceManager, Watchdog

log = logging.getLogger("puluc")


class Workers:
    """Runs each worker's step in a loop on a thread of its own, until ``stopping`` is set.

    A worker that dies stops all of them, and the process ends with a status that has it started again.
    """

    def __init__(self, manager: ServiceManager) -> None:
        self.stopping = threading.Event()
        self.is_watched = manager.watchdog_s is not None
        # Twice in the time allowed, so that one late feeding does no harm.
        self.interval_s = (manager.watchdog_s or 2.0) / 2
        self._manager = manager
        self._watchdog = Watchdog(manager.notify, self.interval_s)
        self._steps: dict[str, Callable[[], object]] = {}
        self._has_died = self._is_restarting = False

    def add(self, name: str, step: Callable[[], object]) -> None:
        """Add a worker; ``step`` must return within a few seconds."""
        self._watchdog.expect(name)
        self._steps[name] = step

    def run(self) -> int:
        """Run all workers until they are stopped. Returns 0, or 1 if one has died."""
        threads = [
            threading.Thread(target=self.run_one, args=(name, self._loop(name, step)), name=name, daemon=True)
            for name, step in self._steps.items()
        ]
        for thread in threads:
            thread.start()
        self._manager.notify("READY=1")
        while not self.stopping.wait(min(0.5, self.interval_s / 4)):
            self._watchdog.step(time.monotonic())
        if not self._is_restarting:
            self._manager.notify("STOPPING=1")
        for thread in threads:
            thread.join(timeout=5)
        return 1 if self._has_died else 0

    def restart(self) -> None:
        """Stop all workers, so that others can take over in this process without notice to the service manager."""
        self._is_restarting = True
        self.stopping.set()

    def run_one(self, name: str, work: Callable[[], None]) -> None:
        """Run this work on the current thread. When it ends, for whatever reason, all workers stop."""
        try:
            work()
        except BaseException:  # whatever it was, it is logged, and all end
            log.exception("The %s worker died.", name)
            self._has_died = True
        finally:
            self._has_died = self._has_died or not self.stopping.is_set()
            self.stopping.set()

    def _loop(self, name: str, step: Callable[[], object]) -> Callable[[], None]:
        def work() -> None:
            while not self.stopping.is_set():
                step()
                self._watchdog.progress(name)

        return work
