from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.sd_notify import Watchdog, notify, watchdog_interval


@pytest.fixture(params=["path", "abstract"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[socket.socket, dict[str, str]]]:
    """A socket as systemd opens it, and the environment it hands to the service."""
    path = str(tmp_path / "notify")
    told, bound = (path, path) if request.param == "path" else (f"@{path}", f"\0{path}")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(bound)
        listening.setblocking(False)
        yield listening, {"NOTIFY_SOCKET": told}


def test_text_arrives_as_one_datagram(systemd: tuple[socket.socket, dict[str, str]]) -> None:
    """Every call is one message, whole and in UTF-8."""
    listening, environ = systemd
    notify("READY=1", environ)
    notify("STATUS=Itzél throws", environ)

    assert listening.recv(4096) == b"READY=1"
    assert listening.recv(4096).decode() == "STATUS=Itzél throws"
    with pytest.raises(BlockingIOError):
        listening.recv(4096)


@pytest.mark.parametrize("environ", [{}, {"NOTIFY_SOCKET": ""}])
def test_started_by_hand_nothing_is_sent(environ: dict[str, str]) -> None:
    """Without systemd there is nobody to tell, and that is no trouble."""
    notify("READY=1", environ)

    assert environ.get("NOTIFY_SOCKET", "") == ""


@pytest.mark.parametrize("address", ["gone", "@gone", "too/long/" * 30])
def test_socket_that_is_gone_does_not_end_the_game(tmp_path: Path, address: str) -> None:
    """A variable inherited from a service long dead is passed over."""
    stale = address if address.startswith("@") else str(tmp_path / address)

    notify("READY=1", {"NOTIFY_SOCKET": stale})

    assert not (tmp_path / "gone").exists()


def test_watchdog_is_fed_twice_in_the_time_allowed() -> None:
    """Half of WATCHDOG_USEC, in seconds; None where systemd does not watch."""
    assert watchdog_interval({"WATCHDOG_USEC": "30000000"}) == 15.0
    assert watchdog_interval({}) is None


def test_watchdog_is_fed_only_when_every_worker_has_progressed() -> None:
    """One worker that hangs keeps the food away, however busy the others are."""
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
    """Workers that all go on make one message an interval, not one a step."""
    fed: list[str] = []
    watchdog = Watchdog(fed.append, 15.0)
    watchdog.expect("panel")
    for now in range(61):
        watchdog.progress("panel")
        watchdog.step(now)

    assert len(fed) == 5


def test_progress_before_a_feeding_does_not_count_for_the_next() -> None:
    """Each feeding asks everyone anew."""
    fed: list[str] = []
    watchdog = Watchdog(fed.append, 1.0)
    watchdog.expect("camera")
    watchdog.progress("camera")
    watchdog.step(0.0)
    watchdog.step(5.0)

    assert len(fed) == 1


def test_worker_that_joins_later_is_asked_as_well() -> None:
    """From the moment it is expected, a new worker has to show progress."""
    fed: list[str] = []
    watchdog = Watchdog(fed.append, 1.0)
    watchdog.expect("panel")
    watchdog.progress("panel")
    watchdog.expect("camera")
    watchdog.step(0.0)

    assert fed == []


def test_progress_of_nobody_expected_is_a_mistake() -> None:
    """A misspelt worker would starve the watchdog; it is named at once."""
    watchdog = Watchdog(lambda _: None, 1.0)
    watchdog.expect("camera")

    with pytest.raises(KeyError, match=r"kamera .* \['camera'\]"):
        watchdog.progress("kamera")
