from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.service.sd_notify import ServiceManager, Watchdog


@pytest.fixture(params=["path", "abstract"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[socket.socket, dict[str, str]]]:
    """A socket as systemd opens it, and the environment it hands to the service."""
    path = str(tmp_path / "notify")
    address, bound = (path, path) if request.param == "path" else (f"@{path}", f"\0{path}")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(bound)
        listening.setblocking(False)
        yield listening, {"NOTIFY_SOCKET": address}


def test_text_arrives_as_one_datagram(systemd: tuple[socket.socket, dict[str, str]]) -> None:
    """Every call is one complete message in UTF-8."""
    listening, environ = systemd
    manager = ServiceManager.from_environ(environ, 1)
    manager.notify("READY=1")
    manager.notify("STATUS=Itzél throws")

    assert listening.recv(4096) == b"READY=1"
    assert listening.recv(4096).decode() == "STATUS=Itzél throws"
    with pytest.raises(BlockingIOError):
        listening.recv(4096)


@pytest.mark.parametrize("environ", [{}, {"NOTIFY_SOCKET": ""}])
def test_started_by_hand_nothing_is_sent(environ: dict[str, str]) -> None:
    """Without systemd nothing is sent, and that is no error."""
    manager = ServiceManager.from_environ(environ, 1)
    manager.notify("READY=1")

    assert manager == ServiceManager(None, None)


@pytest.mark.parametrize("address", ["gone", "@gone", "too/long/" * 30])
def test_socket_that_is_gone_does_not_end_the_game(tmp_path: Path, address: str) -> None:
    """A variable inherited from a service that has ended is ignored."""
    stale = address if address.startswith("@") else str(tmp_path / address)

    ServiceManager(stale).notify("READY=1")

    assert not (tmp_path / "gone").exists()


@pytest.mark.parametrize(
    ("environ", "watchdog_s"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "30000000"}, 30.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"}, 30.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_the_watchdog_may_be_meant_for_another_process(environ: dict[str, str], watchdog_s: float | None) -> None:
    """It applies only if it names this process, or none."""
    assert ServiceManager.from_environ(environ, 7).watchdog_s == watchdog_s


def test_child_processes_inherit_nothing() -> None:
    """Otherwise a child could send messages in the service's name, or feed its watchdog."""
    environ = {"NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7", "HOME": "/"}
    ServiceManager.from_environ(environ, 7)

    assert environ == {"HOME": "/"}


def test_watchdog_is_fed_only_when_every_worker_has_progressed() -> None:
    """One hung worker stops the feeding, however busy the others are."""
    fed: list[str] = []
    watchdog = Watchdog(fed.append, 15.0)
    watchdog.expect("camera")
    watchdog.expect("panel")

    watchdog.progress("panel")
    watchdog.step(0.0)

    assert fed == []

    watchdog.progress("camera")
    watchdog.step(1.0)

    assert fed == ["WATCHDOG=1"]

    for now in range(2, 60):
        watchdog.progress("panel")
        watchdog.step(now)

    assert fed == ["WATCHDOG=1"]

    watchdog.progress("camera")
    watchdog.step(60.0)

    assert fed == ["WATCHDOG=1"] * 2


def test_watchdog_is_fed_once_in_each_interval() -> None:
    """Running workers cause one message an interval, not one a step."""
    fed: list[str] = []
    watchdog = Watchdog(fed.append, 15.0)
    watchdog.expect("panel")
    for now in range(61):
        watchdog.progress("panel")
        watchdog.step(now)

    assert len(fed) == 5


def test_progress_before_a_feeding_does_not_count_for_the_next() -> None:
    """After each feeding every worker must progress again."""
    fed: list[str] = []
    watchdog = Watchdog(fed.append, 1.0)
    watchdog.expect("camera")
    watchdog.progress("camera")
    watchdog.step(0.0)
    watchdog.step(5.0)

    assert len(fed) == 1


def test_worker_that_joins_later_is_asked_as_well() -> None:
    """A new worker must progress from the moment it is registered."""
    fed: list[str] = []
    watchdog = Watchdog(fed.append, 1.0)
    watchdog.expect("panel")
    watchdog.progress("panel")
    watchdog.expect("camera")
    watchdog.step(0.0)

    assert fed == []


def test_progress_of_nobody_expected_is_a_mistake() -> None:
    """A misspelt worker would starve the watchdog, so it raises at once."""
    watchdog = Watchdog(lambda _: None, 1.0)
    watchdog.expect("camera")

    with pytest.raises(KeyError, match=r"kamera .* \['camera'\]"):
        watchdog.progress("kamera")
