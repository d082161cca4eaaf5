"""A standing attack: the service as systemd starts it, in its own network, under every known attack.

Every test must leave the service running for the next one. To add an attack, add a generator to
``tests.attack.stranger`` or a program beside it, and a test here; longer ones are run by ``tests/bench/attacks.py``.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from companion.storage.restore import DAMAGED, GAMES, asides
from tests.attack.clients import Clients, outcome
from tests.attack.network import Network, command, missing, network
from tests.attack.stranger import FLOODS, SLOW
from tests.attack.supervised import PATIENCE_S, Supervised, supervised
from tests.backup.tables import DELETING, ENDLESS_EVENTS, backup_of, forged, table
from tests.box.other_user import folder_of_nobody, open_folder, python
from tests.storage.damages import DAMAGES, sound_folder
from web.serving.limits.admission import PER_LOOPBACK

TAP_MS = 100
"""Milliseconds within which 19 of 20 taps are answered under attack; half of them if the machine has
other work."""
BUSY = 4
"""Factor over peace that is allowed on a machine too busy to meet the limit anyway."""
MUCH_MEMORY_KB = 80 * 1024
"""Maximum memory of the service under any attack."""
CHECKED_S = 5.0
"""Seconds within which a forged backup is refused."""
SECRET = "k7mp3wqx"  # noqa: S105 - not a real password
"""Looks like a table's code."""
DOCTOR = """
import os, sys
from pathlib import Path
folder, secret, port = sys.argv[1:]
Path(folder, f"doctor-{os.getpid()}.new").symlink_to(secret)
sys.argv = ["puluc", "doctor", "--data", folder, "--port", port, "--camera", "none", "--json"]
from companion.cli import main
main()
"""
CROWD = """
import http.client, sys
port, count = map(int, sys.argv[1:])
lines = []
for _ in range(count):
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    line.request("GET", "/api/events")
    lines.append((line, line.getresponse()))
late = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
late.request("GET", "/healthz")
print(late.getresponse().status)
"""
EVERYWHERE = ("--host", "0.0.0.0", "--port", "0")  # noqa: S104 - in its own network


@pytest.fixture(scope="module")
def net() -> Iterator[Network]:
    if (why := missing()) is not None:
        pytest.skip(why)
    with network() as made:
        yield made


@pytest.fixture(scope="module")
def service(net: Network, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Supervised]:
    folder = tmp_path_factory.mktemp("service")
    with supervised(folder, *EVERYWHERE, prefix=command(net.service)) as service:
        yield service
        assert service.is_well, service.log


@pytest.fixture
def clients(net: Network, service: Supervised) -> Clients:
    return Clients(net, service)


@pytest.fixture(scope="module")
def peace(net: Network, service: Supervised) -> dict[str, Any]:
    """The measurements of a game without an attack."""
    return Clients(net, service).play(2)


def assert_goes_on(game: dict[str, Any], peace: dict[str, Any]) -> None:
    """Assert that every tap is accepted in time."""
    # On a busy machine single taps are late even without an attack.
    measure = "p95" if os.getloadavg()[0] < 1.5 * (os.cpu_count() or 1) else "median"
    assert game["failed"] == []
    for how in ("kept", "anew"):
        assert game[how][measure] < max(TAP_MS, BUSY * peace[how][measure]), (how, peace, game)


def test_slow_strangers_do_not_slow_down_the_game(clients: Clients, service: Supervised, peace: dict[str, Any]) -> None:
    """2,000 connections from 60 addresses: silent, half-sent, slow headers, bodies and readers, and event streams."""
    memory_kb = service.memory_kb
    attack = clients.attack(*SLOW, connections=2000)
    game = clients.play(4)
    attackers = outcome(attack)

    assert peace["is_host"]
    assert attackers["opened"] >= 2000
    assert_goes_on(game, peace)
    assert game["streams"] == 1, "the phone's stream was cut off, or found no place"
    assert game["is_up_to_date"]
    assert service.memory_kb - memory_kb < MUCH_MEMORY_KB
    assert service.is_well, service.log


def test_fast_senders_do_not_slow_down_the_game(clients: Clients, service: Supervised, peace: dict[str, Any]) -> None:
    """Endless trailers, bodies of tiny chunks, and valid requests, with and without waiting for the answers."""
    memory_kb = service.memory_kb
    attack = clients.attack(*FLOODS, "good_requests", connections=400)
    game = clients.play(3)
    outcome(attack)

    assert_goes_on(game, peace)
    assert service.memory_kb - memory_kb < MUCH_MEMORY_KB
    assert service.is_well, service.log


def test_a_guesser_does_not_lock_out_phones_with_the_code(clients: Clients, service: Supervised) -> None:
    """From one shared address, every call with the right code is accepted, without speeding up the guessing."""
    report = clients.run("guesser", service.code)

    assert set(report["right"]) == {"200"}
    assert report["checked_per_s"] < 100
    assert service.is_well, service.log


def test_strangers_cannot_fill_the_event_streams(clients: Clients) -> None:
    """Half of the streams are reserved for phones that play."""
    attack = clients.attack("streams", connections=600)
    game = clients.play(2)
    outcome(attack)

    assert game["streams"] == 1
    assert game["failed"] == []


def test_pages_on_this_computer_leave_room_for_others(net: Network, service: Supervised) -> None:
    """More event streams than a computer may have connections do not keep out its next request."""
    words = (sys.executable, "-c", CROWD, str(service.port), str(PER_LOOPBACK + 10))
    done = subprocess.run(command(net.service, *words), capture_output=True, text=True, check=False, timeout=PATIENCE_S)

    assert done.stdout == "200\n", done.stderr
    assert service.is_well, service.log


def test_the_service_stops_cleanly_under_attack(net: Network, tmp_path: Path) -> None:
    """It exits with status 0 in the middle of an attack."""
    with supervised(tmp_path, *EVERYWHERE, prefix=command(net.service)) as service:
        clients = Clients(net, service)
        attack = clients.attack(*SLOW, connections=500)
        clients.play(1)

        assert service.end() == 0
        assert service.notifications[-1] == "STOPPING=1"
        outcome(attack)


@pytest.mark.parametrize(
    ("kind", "way"),
    # All kinds are tried without a process of their own in tests/storage/test_damages.py.
    [("inner page garbled", "rescue"), ("plan half written", "copy")],
)
def test_damaged_games_get_a_page(tmp_path: Path, kind: str, way: str) -> None:
    """Instead of restarting forever, it offers a copy and a rescue, and keeps the damaged file."""
    folder = sound_folder(tmp_path)
    DAMAGES[kind].harm(folder)
    harmed = (folder / GAMES).read_bytes()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with supervised(tmp_path, "--port", str(port)) as service:
        looking = True
        while looking:
            health = json.loads(service.request(port, "GET", "/healthz")[1])
            looking = health["choices"] is None
        bearer = {"Authorization": f"Bearer {(folder / 'code').read_text()}"}
        page = service.request(port, "GET", "/", Accept="text/html", **bearer)[1]
        kept = (folder / GAMES).read_bytes()
        form = {"Content-Type": "application/x-www-form-urlencoded", **bearer}
        chosen = service.request(port, "POST", "/recovery", urlencode({"way": way}), **form)
        played = service.port
        games = json.loads(service.request(port, "GET", "/api/games")[1])["games"]

        assert {"copy": 4, "rescue": 4}.items() <= {one["way"]: one.get("games") for one in health["choices"]}.items()
        assert 'value="copy"' in page
        assert 'value="rescue"' in page
        assert kept == harmed
        assert (chosen[0], played) == (202, port)
        assert len(games) == 3
        assert service.is_well, service.log
    assert (asides(folder, DAMAGED)[0] / GAMES).read_bytes() == harmed


def test_forged_backups_are_refused(clients: Clients, service: Supervised, tmp_path: Path) -> None:
    """One never ends and one would delete later games; the game is unchanged."""
    backup = backup_of(table(tmp_path / "one", 4, 1, 2), tmp_path / "backup.zip")
    before = clients.call("GET", "/api/table")["answer"]
    word = tmp_path / "word"
    word.write_text('{"word": "0123456789abcdef"}')
    for changes in (ENDLESS_EVENTS, DELETING):
        sent = clients.call("POST", "/api/backup/part?at=0", forged(backup, *changes))
        checked = clients.call("POST", "/api/backup/check")

        assert sent["status"] == 200
        assert checked["status"] == 409
        assert "not those of this program" in checked["answer"]["problem"]
        assert checked["seconds"] < CHECKED_S
        assert clients.call("POST", "/api/backup/restore", word)["status"] == 409
    assert clients.call("GET", "/api/table")["answer"]["number"] == before["number"]
    assert list(service.folder.glob(".restore-*")) == []
    assert service.is_well, service.log


def test_doctor_as_root_neither_overwrites_nor_sends_files_of_root() -> None:
    """The service's user has put links to root's files under the names that doctor opens."""
    requests = []

    def listen(server: socket.socket) -> None:
        connection, _address = server.accept()
        with closing(connection):
            requests.append(connection.recv(65536).decode())

    with open_folder() as place, socket.create_server(("127.0.0.1", 0)) as server:
        theirs, secret = folder_of_nobody(place), place / "secret"
        secret.write_text(SECRET)
        secret.chmod(0o600)
        (theirs / "code").symlink_to(secret)
        server.settimeout(100)
        puluc = python(everyone=True)
        listening = threading.Thread(target=listen, args=(server,))
        listening.start()
        command = [*puluc, "-c", DOCTOR, str(theirs), str(secret), str(server.getsockname()[1])]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        listening.join()

        assert secret.read_text() == SECRET
        assert "GET /api/doctor" in requests[0]
        assert SECRET not in requests[0]
        assert "Working as the user nobody" in done.stderr
        assert {"disk", "data", "camera"} <= {json.loads(line)["check"] for line in done.stdout.splitlines()}
        owned = [path for path in theirs.iterdir() if not path.is_symlink() and path.stat().st_uid == os.geteuid()]
        assert owned == []
