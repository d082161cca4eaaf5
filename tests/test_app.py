"""The whole companion, started as a person or a service manager starts it."""

import socket
import ssl
import subprocess
import sys
from contextlib import closing
from http.client import HTTPSConnection
from pathlib import Path
from threading import Event
from time import monotonic

import pytest

from companion.access.certificate import own_certificate
from companion.access.credentials import CODE_LETTERS, table_code
from companion.errors import NotAllowed
from companion.panel import PanelKind
from companion.referee.events import Confirmed, GameStarted, ThrowEntered, ThrowStepped
from companion.referee.referee import Referee
from companion.service.shutdown import Shutdown
from companion.storage.store import Store
from hardware.panel.configuration import PanelConfiguration
from hardware.panel.panel_worker import PanelWorker
from tests.service.companion_process import CompanionProcess, Table, free_port, running_companion


def test_the_simulated_camera_plays_through_the_reader(tmp_path: Path) -> None:
    """It throws drawn sticks, reads them, and shows the picture and the lots; a second camera sees a drawn board."""
    with running_companion(tmp_path, "--open", "--board-camera", "simulated:board") as companion:
        companion.until(lambda table: table["board_seen"]["status"] == "unchanged")
        table = companion.until(lambda table: table["phase"] == "reading" or table["unsure"])
        seen = (table["throw"] or table["unsure"])["seen"]

        assert companion.address == f"http://127.0.0.1:{companion.port}/"
        assert companion.ask("GET", "/healthz")["status"] == "ok"
        assert table["camera"]["state"] == "watching"
        assert len(seen["lots"]) == 4 or table["unsure"]
        assert seen["picture"]
        assert (seen["width"], seen["height"]) == (1280, 960)


def teach(companion: CompanionProcess, until: tuple[str, ...]) -> Table:
    """Teach the simulated camera up to the given stage, each step as soon as it is possible."""
    companion.ask("POST", "/api/calibration", {"sticks": "Drawn by hand"})
    while True:
        state = companion.until(lambda state: state["busy"] is None, path="/api/calibration")
        if state["stage"] in until:
            return state
        path = "verdict" if state["stage"] == "shown" else "next"
        companion.ask("POST", f"/api/calibration/{path}", {"right": True, "step": state["step"]})


def test_a_phone_teaches_the_simulated_camera(tmp_path: Path) -> None:
    """The game is unchanged, the new profile is used at once, and survives restarts and unfinished teaching."""
    with running_companion(tmp_path, "--open") as companion:
        companion.until(lambda table: table["phase"] == "reading" or table["unsure"])
        companion.ask("POST", "/api/throw", {"marked": 3})
        companion.ask("POST", "/api/throw", {"marked": 1})
        before = companion.ask("GET", "/api/table")
        state = teach(companion, until=("done", "doubt"))
        after = companion.until(lambda table: table["camera"]["state"] == "watching")

        assert (state["stage"], state["throws"]) == ("done", [True] * 3)
        assert after["position"] == before["position"]
        companion.until(lambda table: table["phase"] in ("reading", "move") or table["unsure"])
    # A profile of drawn sticks is never used with a real camera.
    assert not (tmp_path / "profile").exists()
    file = tmp_path / "profile-simulated" / "profile.npz"
    old = file.read_bytes()
    with running_companion(tmp_path, "--open") as companion:
        assert companion.ask("GET", "/api/calibration")["sticks"] == "Drawn by hand"
        # The process is killed before the new profile is complete.
        teach(companion, until=("shown",))
    with running_companion(tmp_path, "--open") as companion:
        assert companion.ask("GET", "/api/calibration")["sticks"] == "Drawn by hand"

    assert file.read_bytes() == old


def test_a_table_without_a_camera_cannot_be_taught(tmp_path: Path) -> None:
    """The refusal is one sentence, however ``none`` is written."""
    with running_companion(tmp_path, "--open", "--camera", " None") as companion:
        status, refused = companion.request("POST", "/api/calibration", {})

    assert status == 409
    assert "no camera" in refused["problem"]


def test_expert_thinks_beside_the_table(tmp_path: Path) -> None:
    """A throw is accepted while Expert is thinking; its move then appears and is confirmed like any other."""
    with running_companion(tmp_path, "--open", "--camera", "none", "--jade", "expert") as companion:
        for marked in (4, 1, 4):
            companion.ask("POST", "/api/throw", {"marked": marked})
        companion.ask("POST", "/api/confirm")
        companion.ask("POST", "/api/throw", {"marked": 1})
        companion.ask("POST", "/api/confirm")
        companion.ask("POST", "/api/throw", {"marked": 2})
        table = companion.until(lambda table: table["chosen"] is not None)

        assert table["prompt"].startswith(("Expert enters on ", "Expert moves "))
        assert companion.ask("POST", "/api/confirm")["turn"] == "obsidian"


def test_only_the_tables_code_lets_one_play(tmp_path: Path) -> None:
    """The printed address carries the code; without it a phone can only watch; the code survives a restart."""
    with running_companion(tmp_path, "--camera", "none") as companion:
        code = companion.address.split("?code=")[1]
        assert companion.request("POST", "/api/throw", {"marked": 1})[0] == 401
        assert companion.request("POST", "/api/throw", {"marked": 1}, code="x" + code)[0] == 401
        assert companion.request("POST", "/api/throw", {"marked": 1}, code=code)[0] == 200
        assert companion.request("GET", "/api/table")[0] == 200
    with running_companion(tmp_path, "--camera", "none") as companion:
        assert companion.address.endswith(f"/?code={code}")


def test_phones_are_invited_to_the_name_in_a_given_certificate(tmp_path: Path) -> None:
    """The page over TLS shows the name that was given with the certificate, in place of a number."""
    files, port = own_certificate(tmp_path), free_port()
    given = ("--cert", str(files.certificate), "--key", str(files.key), "--name", "table.example")
    # Short for 127.0.0.1, and not recognised as such: a table known to be this computer's alone invites no phones.
    options = ("--camera", "none", "--buttons", "none", "--host", "127.1", "--https-port", str(port), *given)
    with running_companion(tmp_path, *options) as companion:
        code = companion.address.split("?code=")[1]
        trusting = ssl.create_default_context(cafile=files.certificate)
        with closing(HTTPSConnection("127.0.0.1", port, timeout=30, context=trusting)) as connection:
            connection.request("GET", "/join", headers={"Authorization": f"Bearer {code}"})
            page = connection.getresponse().read().decode()

    assert f"table.example:{port}/join" in page


def test_the_service_manager_is_notified(tmp_path: Path) -> None:
    """It sends READY once it serves, the camera's status, watchdog pings while all workers run, then STOPPING."""
    path, watching = tmp_path / "notify", b"STATUS=The table is served, and the camera watches."
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(path))
        manager.settimeout(30)
        environ = {"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": "2000000"}
        with running_companion(tmp_path, "--open", "--buttons", "mock", environ=environ) as companion:
            messages = [manager.recv(100)]
            while messages.count(b"WATCHDOG=1") < 2 or watching not in messages:
                messages.append(manager.recv(100))
            companion.process.terminate()
            while messages[-1] != b"STOPPING=1":
                messages.append(manager.recv(100))
            status = companion.process.wait(timeout=15)

    assert next(line for line in messages if not line.startswith(b"STATUS=")) == b"READY=1"
    assert status == 0


def test_a_lost_folder_camera_does_not_end_the_companion(tmp_path: Path) -> None:
    """The page reports a camera that cannot be opened, and counts are entered by hand meanwhile."""
    from hardware.cameras.simulated_camera import SimulatedCamera
    from hardware.reader.throw_reader import ThrowReader

    camera = SimulatedCamera(1)
    ThrowReader.calibrate(*camera.calibration()).profile.save(tmp_path / "profile")
    camera.close()
    with running_companion(tmp_path, "--open", "--camera", "usb:77") as companion:
        lost = companion.until(lambda table: table["camera"]["state"] == "lost")
        entered = companion.ask("POST", "/api/throw", {"marked": 3})
        exactly = companion.ask("GET", "/api/camera")

    assert lost["camera"]["message"] == "I've lost the camera. Tap the counts for now; I'll carry on when it's back."
    assert "usb:77" in exactly["detail"]
    assert entered["throw_off"]["jade"] == 3


def test_an_unknown_set_of_sticks_is_played_by_hand(tmp_path: Path) -> None:
    """Without a profile the page says what is missing, and counts are tapped by hand."""
    (tmp_path / "pictures").mkdir()
    from hardware.cameras.simulated_camera import SimulatedCamera

    camera = SimulatedCamera(1)
    import cv2

    cv2.imwrite(str(tmp_path / "pictures" / "t1.png"), camera.calibration()[1])
    camera.close()
    with running_companion(tmp_path / "data", "--open", "--camera", f"folder:{tmp_path / 'pictures'}") as companion:
        table = companion.ask("GET", "/api/table")
        taught = companion.ask("GET", "/api/calibration")

    assert not taught["possible"]
    assert "from a folder" in taught["problem"]
    assert table["camera"]["state"] == "uncalibrated"
    assert table["camera"]["message"]


def test_a_failed_start_leaves_nothing_behind(tmp_path: Path) -> None:
    """After a start with a wrong camera, the corrected command starts the requested game."""
    status = subprocess.run(
        [sys.executable, "-m", "companion", "play", "--data", str(tmp_path), "--camera", "eye", "--jade", "Mia"],
        capture_output=True,
        check=False,
    ).returncode
    options = ["--camera", "none", "--jade", "Ana", "--variant", "puluc-bell", "--set", "spaces=11"]
    with running_companion(tmp_path, *options) as companion:
        table = companion.ask("GET", "/api/table")

    assert status == 2
    assert (table["players"]["jade"]["name"], table["variant"], table["rules"]["spaces"]) == ("Ana", "puluc-bell", 11)


@pytest.mark.parametrize("damage", [b"", b"\xff\xfe", b"short"])
def test_a_damaged_code_is_replaced(tmp_path: Path, damage: bytes) -> None:
    """A half-written code is replaced: it neither locks everyone out nor lets everyone in."""
    (tmp_path / "code").write_bytes(damage)
    code = table_code(tmp_path)

    assert len(code) == 8
    assert table_code(tmp_path) == code


def test_an_unreadable_profile_does_not_end_the_companion(tmp_path: Path) -> None:
    """An unreadable profile beside the games is reported on the page; one given on the command line is refused."""
    (tmp_path / "profile").mkdir()
    (tmp_path / "profile" / "profile.npz").write_bytes(b"from another version")
    with running_companion(tmp_path, "--open", "--camera", "usb:77") as companion:
        # The missing camera is reported first, whatever the state of the profile.
        assert companion.ask("GET", "/api/table")["camera"]["state"] == "lost"


def test_a_second_press_in_quick_succession_is_refused(tmp_path: Path) -> None:
    """A second press right after the first is refused: it was not meant for the new state."""
    referee = Referee(Store(tmp_path), first=GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1))
    for event in (ThrowEntered(4), ThrowEntered(1), ThrowStepped()):
        referee.submit(event)
    stopping = Event()
    stopping.set()
    shutdown = Shutdown(stopping, None, clock=monotonic)
    worker = PanelWorker(PanelKind.MOCK, PanelConfiguration(), referee, shutdown, stopping=stopping, clock=monotonic)
    worker.step()
    worker.submit(Confirmed())
    worker.step()
    with pytest.raises(NotAllowed, match="just moved on"):
        worker.submit(Confirmed())

    assert referee.state().phase == "move"
    worker.close()
    referee.close()


def test_the_code_is_created_once(tmp_path: Path) -> None:
    """The code is created once, so printed addresses stay valid."""
    assert table_code(tmp_path) == table_code(tmp_path)
    assert set(table_code(tmp_path)) <= set(CODE_LETTERS)
