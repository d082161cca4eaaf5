"""A service that cannot serve its table keeps running, reports why, and recovers as soon as it can."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import pytest

from companion.access.credentials import Credentials
from companion.backup.recovery import Recovery, Way
from companion.errors import SettingsUnusable, StoreDamaged
from companion.service.sd_notify import ServiceManager
from companion.service.startup_fallback import serve_or_explain
from companion.storage.restore import GAMES
from tests.backup.tables import table
from tests.service.companion_process import free_port, running_companion
from web.security.access import Access

WHY = "The games cannot be kept here. Make room."


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture(autouse=True)
def _own_signals() -> Iterator[None]:
    """Restore the signal handlers after the test."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


def ask(port: int, path: str = "/", accept: str = "text/html", patience_s: float = 60) -> tuple[int, str]:
    """Status and body of the first answer."""
    end = monotonic() + patience_s
    while True:
        try:
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as page:
                page.request("GET", path, headers={"Accept": accept})
                answer = page.getresponse()
                return answer.status, answer.read().decode()
        except OSError:
            assert monotonic() < end
            sleep(0.02)


def served(serve: Callable[[], int], *, port: int, again_s: float = 10) -> int:
    """The exit status of a table that only those who know its code may recover."""

    def access(folder: Path) -> Access:
        return Access(Credentials.load(folder))

    return serve_or_explain(
        serve, host="127.0.0.1", port=port, manager=ServiceManager(), access=access, again_s=again_s
    )


def test_trouble_is_shown_until_it_is_over(port: int) -> None:
    """Phones get a page with the reason, programs get JSON; afterwards the table is served."""
    tries: list[str] = []
    seen: dict[str, tuple[int, str]] = {}

    def serve() -> int:
        tries.append("")
        if len(tries) < 3:
            raise SettingsUnusable(WHY)
        return 0

    def look() -> None:
        seen["page"] = ask(port)
        seen["api"] = ask(port, "/api/table", accept="*/*")
        seen["health"] = ask(port, "/healthz", accept="*/*")

    looking = Thread(target=look)
    looking.start()
    status = served(serve, port=port, again_s=1.0)
    looking.join()

    assert (status, len(tries)) == (0, 3)
    assert seen["page"][0] == 503
    assert WHY in seen["page"][1]
    assert 'http-equiv="refresh"' in seen["page"][1]
    assert seen["api"][0] == 503
    assert json.loads(seen["health"][1]) == {"status": "waiting", "problem": WHY}


def test_page_of_damaged_games_stays_until_they_are_replaced(port: int, tmp_path: Path) -> None:
    """Nobody is interrupted while choosing; a rescue by command is noticed."""
    folder = table(tmp_path / "data", 4, 1)
    (folder / GAMES).write_bytes(bytes(8192))
    tries: list[str] = []
    seen: list[int] = []

    def serve() -> int:
        tries.append("")
        if len(tries) < 2:
            raise StoreDamaged(WHY, folder)
        return 0

    def rescue() -> None:
        seen.append(ask(port)[0])
        by_command = Recovery(folder)
        by_command.survey()
        seen.append(ask(port)[0])
        by_command.take(Way.EMPTY)

    rescuing = Thread(target=rescue)
    rescuing.start()
    status = served(serve, port=port, again_s=0.1)
    rescuing.join()

    assert (status, len(tries)) == (0, 2)
    assert seen == [503, 503]


def test_port_in_use_is_waited_for(port: int) -> None:
    """Without the port no page can be shown; opening it is retried."""
    tries: list[str] = []

    def serve() -> int:
        tries.append("")
        if len(tries) < 2:
            raise SettingsUnusable("Cannot serve there.")
        return 0

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()

        assert served(serve, port=port, again_s=0.2) == 0


def test_bugs_end_it() -> None:
    """Errors that users cannot fix are left to the service manager's restart."""

    def serve() -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        served(serve, port=0)


def test_service_with_an_unusable_folder(tmp_path: Path, port: int) -> None:
    """Systemd gets the state and the reason; phones see it; a stop is obeyed; the status is 0."""
    (tmp_path / "file").touch()
    address = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(address))
        manager.settimeout(30)
        words = ["play", "--port", str(port), "--data", str(tmp_path / "file" / "games"), "--camera", "none", "--stay"]
        service = subprocess.Popen(
            [sys.executable, "-m", "companion", *words],
            env={"PATH": "", "NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": "2000000"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        messages = [manager.recv(1000).decode() for _ in range(3)]
        page = ask(port)
        service.terminate()
        _, log = service.communicate(timeout=20)

    assert messages[0] == "READY=1"
    assert messages[1].startswith("STATUS=The games cannot be kept in ")
    assert messages[2] == "WATCHDOG=1"
    assert (page[0], service.returncode) == (503, 0)
    assert "The games cannot be kept in " in page[1]
    assert "I try again every 10 seconds." in log


def test_service_without_camera_profile_and_pins(tmp_path: Path) -> None:
    """It can be played by hand, and the doctor names what is missing, and nothing else."""
    with running_companion(tmp_path, "--open", "--stay", "--camera", "usb:77", "--buttons", "gpio") as companion:
        found = companion.ask("GET", "/api/doctor")["findings"]
        entered = companion.ask("POST", "/api/throw", {"marked": 3})

    assert entered["throw_off"]["jade"] == 3
    assert {one["check"] for one in found if one["state"] == "wrong"} == {"camera", "buttons"}
    assert {one["check"] for one in found if one["state"] == "doubt"} == {"profile", "address"}
