"""Trains the reader on new cases in a separate low-priority process."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.cases.case_folder import CaseFolder
from companion.cases.training_record import FILE, TrainingRecord
from companion.service.child_process import ChildProcess

log = logging.getLogger("puluc")

GO, WAIT = b"+", b"-"
"""Written to the process's standard input: go on, and wait before the next picture."""


def learning_command(data: Path, calibration: str) -> list[str]:
    """The command that learns from the cases of a calibration."""
    words = [sys.executable, "-m", "companion", "cases", "learn", "--background"]
    return [*words, "--data", str(data), "--calibration", calibration]


class LearningProcess:
    """Starts, watches and ends the learning process. Only its own thread calls ``step``.

    calibration: the name of the present calibration; empty if there is none.
    calm: whether no throw is moving or being read, so that learning may use the processor.
    words: the command that learns for a calibration. adopt: called when there may be a better profile.
    """

    def __init__(
        self,
        folder: CaseFolder,
        *,
        calibration: Callable[[], str],
        calm: Callable[[], bool],
        words: Callable[[str], Sequence[str]],
        adopt: Callable[[], object],
    ) -> None:
        self._folder, self._calibration, self._calm = folder, calibration, calm
        self._words, self._adopt = words, adopt
        self._process: ChildProcess | None = None
        self._seen: tuple[object, ...] = ()
        self._told = GO

    def step(self) -> None:
        """Start learning if there are new cases, or check on the running process. Returns quickly."""
        if self._process is not None:
            self._look(self._process)
            return
        name = self._calibration()
        if not name:
            return
        place = self._folder.calibration(name)
        seen = (name, _changed(self._folder.path), _changed(place / FILE))
        if seen == self._seen:
            return
        self._adopt()
        if not self._calm():
            return
        self._seen = seen
        cases = [case for case in self._folder.all() if case.calibration == name]
        record = TrainingRecord.of(place)
        if record.untried(cases) or not record.stands(cases):
            self._begin(name)

    def wake(self) -> None:
        """Look at all cases again, because one was added or relabelled."""
        self._seen = ()

    def close(self) -> None:
        """End the process, if it runs. What was learnt before is kept."""
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def _begin(self, name: str) -> None:
        try:
            self._process = ChildProcess(self._words(name))
        except OSError as error:
            log.warning("Learning from the cases cannot be started: %s", error)
            return
        self._told = GO

    def _look(self, process: ChildProcess) -> None:
        status = process.status()
        if status is None:
            self._tell(process, GO if self._calm() else WAIT)
            return
        self._process = None
        process.close()
        self._adopt()
        if status == 0:
            log.info("The reader has learnt from what you put right.")
        elif status != 1:
            log.warning("Learning from the cases ended with status %s.", status)

    def _tell(self, process: ChildProcess, word: bytes) -> None:
        if word != self._told:
            process.write(word)
        self._told = word


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
