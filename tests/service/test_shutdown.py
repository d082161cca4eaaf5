"""A signal ends the program; holding two buttons shuts the computer down if the service can, or else the program."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from companion.service.shutdown import PATIENCE_S, Shutdown, poweroff_file, stop_on_signals


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


@pytest.fixture
def _handlers() -> Iterator[None]:
    """The test runner's own handlers, put back."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.timeout(10)
@pytest.mark.usefixtures("_handlers")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_even_while_the_event_is_locked(number: signal.Signals) -> None:
    """The main thread has the event's lock for a moment whenever it begins or ends to wait for it."""
    stopping = Event()
    stop_on_signals(stopping)

    with stopping._cond:  # type: ignore[attr-defined]
        signal.raise_signal(number)

    assert stopping.wait(5)


@pytest.mark.usefixtures("_handlers")
def test_a_second_signal_does_no_harm() -> None:
    """Somebody presses Ctrl-C twice."""
    stopping = Event()
    stop_on_signals(stopping)

    for _ in range(2):
        signal.raise_signal(signal.SIGINT)
        assert stopping.wait(5)
