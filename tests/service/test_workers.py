"""Running workers, and what happens when one of them dies."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from companion.service.sd_notify import ServiceManager
from companion.service.workers import Workers


@pytest.fixture
def manager(tmp_path: Path) -> ServiceManager:
    """A service manager whose messages nobody reads."""
    return ServiceManager(str(tmp_path / "notify"), 0.4)


def test_a_worker_that_dies_ends_all() -> None:
    """The others are stopped and the exit status is an error, so that the service is restarted."""
    workers = Workers(ServiceManager())
    steps = []

    def dies() -> None:
        raise RuntimeError("on purpose")

    workers.add("dies", dies)
    workers.add("goes on", lambda: steps.append(1) if not workers.stopping.wait(0.001) else None)

    assert workers.run() == 1
    assert not workers.is_watched


@pytest.mark.parametrize("is_restarting", [False, True])
def test_the_service_manager_hears_how_it_goes(manager: ServiceManager, is_restarting: bool) -> None:
    """It gets READY first, WATCHDOG twice an interval, and STOPPING at the end unless it restarts."""
    workers = Workers(manager)
    assert manager.address
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager_socket:
        manager_socket.bind(manager.address)
        manager_socket.settimeout(30)
        steps = []

        def step() -> None:
            steps.append(1)
            if workers.stopping.wait(0.1) or len(steps) < 6:
                return
            if is_restarting:
                workers.restart()
            else:
                workers.stopping.set()

        workers.add("goes on", step)
        status = workers.run()
        manager_socket.setblocking(False)
        texts = []
        while True:
            try:
                texts.append(manager_socket.recv(100))
            except BlockingIOError:
                break

    assert status == 0
    assert workers.is_watched
    assert texts[0] == b"READY=1"
    assert b"WATCHDOG=1" in texts
    assert (texts[-1] == b"STOPPING=1") is not is_restarting
