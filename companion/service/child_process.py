"""A program of ours in a child process that never outlives this one."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Thread

PATIENCE_S = 2.0
"""Seconds that a child has to end before it is killed. Our programs lose nothing then."""


class ChildProcess:
    """Runs a command until it ends or is closed. Raises OSError if it cannot be started.

    The child's standard input ends with this process, however that ends: a child that reads it to the end, and then
    exits, is never left behind. It has its own session, so Ctrl-C reaches only this process, which closes it.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments.
    on_line : callable, optional
        Called on another thread with each line of the child's output and errors, without its end. Without it the
        output is discarded, and errors go where this process's go.
    """

    def __init__(self, command: Sequence[str], *, on_line: Callable[[str], object] | None = None) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own program, and no shell
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL if on_line is None else subprocess.PIPE,
            stderr=None if on_line is None else subprocess.STDOUT,
            start_new_session=True,
        )
        self._reader: Thread | None = None
        if on_line is not None:
            self._reader = Thread(target=self._read, args=(on_line,), daemon=True)
            self._reader.start()

    def status(self) -> int | None:
        """The exit status once the child has ended and its last line has been handed on; None before."""
        if self._reader is not None and self._reader.is_alive():
            return None
        return self._process.poll()

    def write(self, data: bytes) -> None:
        """Write to the child's standard input. A child that has just ended does not matter."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(data)
            self._process.stdin.flush()

    def wait(self, timeout_s: float | None = None) -> int:
        """Wait for the child to end, and return its exit status. Raises subprocess.TimeoutExpired."""
        return self._process.wait(timeout_s)

    def close(self) -> None:
        """End the child if it still runs, by force if need be, and release its pipes. May be called again."""
        self._process.terminate()
        try:
            self.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self.wait()
        if self._reader is not None:
            self._reader.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def _read(self, on_line: Callable[[str], object]) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            on_line(line.decode("utf-8", "replace").rstrip("\r\n"))
