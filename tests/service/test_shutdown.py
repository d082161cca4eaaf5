"""Two held buttons end the computer where the service can, else the program; and a wish nobody hears is taken back."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest

from companion.service.shutdown import PATIENCE_S, Shutdown, poweroff_file


def test_the_program_alone_ends_in_order() -> None:
    """Started by hand, there is nobody to ask for more."""
    stopping = Event()
    shutdown = Shutdown(stopping, poweroff_file({}), clock=lambda: 1.0)
    before = stopping.is_set()
    shutdown.request()

    assert not before
    assert stopping.is_set()
    assert shutdown.is_pending


def test_the_service_asks_for_the_computers_end(tmp_path: Path) -> None:
    """It goes on until it is told to stop: started again in between, it would hold up the end."""
    stopping = Event()
    shutdown = Shutdown(stopping, poweroff_file({"RUNTIME_DIRECTORY": f"{tmp_path}:/run/more"}), clock=lambda: 1.0)
    shutdown.request()

    assert (tmp_path / "off").exists()
    assert shutdown.is_pending
    assert not stopping.is_set()


def test_where_nobody_listens_the_game_goes_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """After a while the wish is taken back, so that it is not granted at some later time."""
    now = 1.0
    shutdown = Shutdown(Event(), tmp_path / "off", clock=lambda: now)
    shutdown.request()
    now += PATIENCE_S + 0.1

    assert not shutdown.is_pending
    assert not (tmp_path / "off").exists()
    assert "puluc-off.path" in caplog.text


def test_a_wish_that_cannot_be_written_down_ends_the_program(tmp_path: Path) -> None:
    """Better that than a lamp that says it goes while nothing does."""
    stopping = Event()
    Shutdown(stopping, tmp_path / "nowhere" / "off", clock=lambda: 1.0).request()

    assert stopping.is_set()
