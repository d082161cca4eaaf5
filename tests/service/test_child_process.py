"""A child process delivers all its output, and ends with its parent at the latest."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.service.child_process import ChildProcess

CHILD = "import os, sys; print(os.getpid(), file=sys.stderr, flush=True); sys.stdin.read()"
PARENT = f"""
import sys, time
from companion.service.child_process import ChildProcess
ChildProcess([sys.executable, "-c", {CHILD!r}])
time.sleep(60)
"""


def python(script: str) -> list[str]:
    return [sys.executable, "-c", script]


def test_lines_come_before_the_status() -> None:
    """Output and errors, even invalid UTF-8, are delivered before the child counts as ended."""
    lines: list[str] = []
    script = "import os, sys; print('one', flush=True); os.write(2, b'two \\xff\\n'); sys.exit(3)"
    child = ChildProcess(python(script), on_line=lines.append)
    while child.status() is None:
        time.sleep(0.01)
    child.close()

    assert lines == ["one", "two \ufffd"]
    assert child.status() == 3


def test_child_reads_what_is_written(tmp_path: Path) -> None:
    """Writing to a child that has ended is not an error."""
    file = tmp_path / "heard"
    child = ChildProcess(python(f"import os; open({str(file)!r}, 'wb').write(os.read(0, 10))"))
    child.write(b"go on")
    child.wait(60)
    child.write(b"more")
    child.close()

    assert file.read_bytes() == b"go on"


def test_stubborn_child_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ignores the request to end; closing again does nothing."""
    monkeypatch.setattr("companion.service.child_process.PATIENCE_S", 0.2)
    lines: list[str] = []
    script = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(60)"
    )
    child = ChildProcess(python(script), on_line=lines.append)
    while not lines:
        time.sleep(0.01)
    child.close()
    child.close()

    assert child.status() == -signal.SIGKILL


def test_child_ends_with_a_killed_parent() -> None:
    """When the parent is gone its standard input ends, and the child with it."""
    parent = subprocess.Popen(python(PARENT), stderr=subprocess.PIPE, text=True)
    assert parent.stderr is not None
    number = int(parent.stderr.readline())
    parent.kill()
    parent.communicate()

    for _ in range(1000):
        if not Path(f"/proc/{number}").exists() or "Z" in Path(f"/proc/{number}/stat").read_text().split(")")[1]:
            return
        time.sleep(0.01)
    os.kill(number, signal.SIGKILL)
    pytest.fail("the child outlived its parent")


def test_program_that_is_not_there_cannot_be_started() -> None:
    with pytest.raises(FileNotFoundError):
        ChildProcess(["/not/there"])
