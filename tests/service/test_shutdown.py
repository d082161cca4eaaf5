"""Holding two buttons shuts the computer down if the service can, or else ends the program."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest

from companion.service.shutdown import PATIENCE_S, Shutdown, poweroff_file


def test_the_program_alone_ends_in_order() -> None:
    """Started by hand, only the program can be ended."""
    stopping = Event()
    shutdown = Shutdown(stopping, poweroff_file({}), clock=lambda: 1.0)
    before = stopping.is_set()
    shutdown.request()

    assert not before
    assert stopping.is_set()
    assert shutdown.is_pending


def test_the_service_asks_for_the_computers_end(tmp_path: Path) -> None:
    """It runs until it is stopped: a restart in between would delay the shutdown."""
    stopping = Event()
    shutdown = Shutdown(stopping, poweroff_file({"RUNTIME_DIRECTORY": f"{tmp_path}:/run/more"}), clock=lambda: 1.0)
    shutdown.request()

    assert (tmp_path / "off").exists()
    assert shutdown.is_pending
    assert not stopping.is_set()


def test_where_nobody_listens_the_game_goes_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """After a while the request is withdrawn, so that it is not carried out later."""
    now = 1.0
    shutdown = Shutdown(Event(), tmp_path / "off", clock=lambda: now)
    shutdown.request()
    now += PATIENCE_S + 0.1

    assert not shutdown.is_pending
    assert not (tmp_path / "off").exists()
    assert "puluc-off.path" in caplog.text


def test_a_request_that_cannot_be_written_ends_the_program(tmp_path: Path) -> None:
    """Otherwise the lamp would show a shutdown that never happens."""
    stopping = Event()
    Shutdown(stopping, tmp_path / "nowhere" / "off", clock=lambda: 1.0).request()

    assert stopping.is_set()
