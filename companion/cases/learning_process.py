"""Has the reader learn from new cases in a process of its own, which takes only time that nobody else wants."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from companion.cases.folder import CaseFolder
from companion.cases.lore import FILE, Lore

log = logging.getLogger("puluc")

PATIENCE_S = 2.0
"""Seconds that a process is given to end before it is killed. It keeps nothing in hand that could be lost."""

GO, WAIT = b"+", b"-"
"""What the process is told on its standard input: go on, and wait before the next picture."""


def command(data: Path, calibration: str) -> list[str]:
    """What learns from the cases of that calibration."""
    words = [sys.executable, "-m", "companion", "cases", "learn", "--background"]
    return [*words, "--data", str(data), "--calibration", calibration]


class Learner:
    """Starts, watches and ends the process that learns. Only its own thread calls ``step``.

    calibration: what the present one is called; empty where there is none.
    calm: whether no throw moves or is being read, so that it may work.
    words: the command that learns for a calibration. adopt: told when another profile is the best one now.
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
        self._process: subprocess.Popen[bytes] | None = None
        self._seen: tuple[object, ...] = ()
        self._told = GO

    def step(self) -> None:
        """Begin where there is something new to learn; else look how far it is. Takes no time to speak of."""
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
        lore = Lore.of(place)
        if lore.untried(cases) or not lore.stands(cases):
            self._begin(name)

    def wake(self) -> None:
        """Look at all cases anew: one has been kept, or is told otherwise."""
        self._seen = ()

    def close(self) -> None:
        """End the process, if there is one; what was learnt before is kept."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        _let_go(process)

    def _begin(self, name: str) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own program, and no shell
                self._words(name),
                # Its end, which comes with ours whatever happens, is the end of the process.
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                # Ctrl-C is for us, who end it in turn.
                start_new_session=True,
            )
        except OSError as error:
            log.warning("Learning from the cases cannot be started: %s", error)
            return
        self._told = GO

    def _look(self, process: subprocess.Popen[bytes]) -> None:
        status = process.poll()
        if status is None:
            self._tell(process, GO if self._calm() else WAIT)
            return
        self._process = None
        _let_go(process)
        self._adopt()
        if status == 0:
            log.info("The reader has learnt from what you put right.")
        elif status != 1:
            log.warning("Learning from the cases ended with status %s.", status)

    def _tell(self, process: subprocess.Popen[bytes], word: bytes) -> None:
        if word == self._told:
            return
        assert process.stdin is not None
        with suppress(OSError):  # it may just have ended
            process.stdin.write(word)
            process.stdin.flush()
        self._told = word


def _let_go(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    with suppress(OSError):
        process.stdin.close()


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
