"""``puluc doctor`` without a table, with a running one, and with a person at the buttons."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.camera_spec import CameraSpec
from companion.cli import puluc
from companion.commands.button_test import PRESS_S, ButtonTest
from companion.commands.diagnostics import DoctorOptions, diagnose
from companion.commands.doctor import as_dict
from companion.doctor.finding import Check, Finding, FindingState
from companion.panel import Button
from hardware.cameras.simulated_camera import SimulatedCamera
from hardware.panel.configuration import PanelConfiguration
from hardware.panel.panel import Panel, open_panel
from hardware.reader.throw_reader import ThrowReader
from tests.hardware.board.drawn_board import profile
from tests.phone_camera.answering_phone import jpeg_of
from tests.service.companion_process import free_port, running_companion


@pytest.fixture
def port() -> int:
    return free_port()


def found(asked: DoctorOptions) -> dict[Check, Finding]:
    findings = diagnose(asked, say=lambda _: None, confirm=lambda _: True)
    return {one.check: one for one in findings.findings}


def options(
    folder: Path, port: int, *, camera: str = "none", board_camera: str = "none", buttons: str = "none"
) -> DoctorOptions:
    return DoctorOptions(
        data=folder,
        port=port,
        camera=CameraSpec.parse(camera),
        board_camera=CameraSpec.parse(board_camera),
        profile=None,
        buttons=buttons,
        config=None,
        press=False,
    )


def test_json_is_one_object_a_line(tmp_path: Path, port: int) -> None:
    """Nothing else is printed; without a problem the status is 0."""
    words = ["doctor", "--data", str(tmp_path), "--port", str(port), "--camera", "simulated", "--json"]
    done = CliRunner().invoke(puluc, words)
    lines = [json.loads(line) for line in done.stdout.splitlines()]

    assert [line["check"] for line in lines if line["state"] == "wrong"] == []
    assert {"check", "state", "title", "says", "cure", "facts"} == set(lines[0])
    assert [line["state"] for line in lines if line["check"] in ("camera", "focus", "light", "tray", "profile")] == [
        "well"
    ] * 5
    assert done.return_value is None or done.exit_code == 0


def test_drawn_sticks_are_not_taken_for_taught_ones(tmp_path: Path, port: int) -> None:
    """Where a camera draws a board too, it is checked without the real sticks that were taught at this table."""
    with closing(SimulatedCamera(1)) as camera:
        pictures = [picture[::2, ::2].copy() for picture in camera.calibration()]
    ThrowReader.calibrate(*pictures).profile.save(tmp_path / "profile")
    sticks = found(options(tmp_path, port, camera="simulated:board"))[Check.PROFILE]

    assert sticks.state is FindingState.OK
    assert "drawn sticks" in sticks.says


def test_status_is_1_if_there_is_a_problem(tmp_path: Path, port: int) -> None:
    """For a missing camera: the reason, the remedy and status 1."""
    words = ["doctor", "--data", str(tmp_path), "--port", str(port), "--camera", f"folder:{tmp_path / 'none'}"]
    done = CliRunner().invoke(puluc, words, standalone_mode=False)

    assert done.return_value == 1
    assert "✗ Camera" in done.stdout
    assert "Problems found: Camera." in done.stdout


def test_running_table_is_asked(tmp_path: Path) -> None:
    """The running table keeps its camera and is asked for its findings; the report ends with its invitation."""
    with running_companion(tmp_path, "--board-camera", "simulated:board") as companion:
        findings = diagnose(options(tmp_path, companion.port, camera="pi"), say=lambda _: None, confirm=lambda _: True)
        table = companion.ask("GET", "/api/table")

    states = {one.check: one.state for one in findings.findings}
    assert states[Check.CAMERA] is FindingState.OK
    assert states[Check.DATA] is FindingState.OK
    assert states[Check.PROFILE] is FindingState.OK
    assert states[Check.BOARD] is FindingState.OK
    assert FindingState.ERROR not in states.values()
    assert companion.address.split("?code=")[1] in findings.invitation
    assert table["camera"]["state"] != "lost"


def test_table_reports_only_to_its_players(tmp_path: Path) -> None:
    """Without the table's code nothing about it is shown."""
    with running_companion(tmp_path / "games", "--camera", "none") as companion:
        refused = found(options(tmp_path / "elsewhere", companion.port))

    assert refused[Check.ADDRESS].cure == "Run: sudo puluc doctor"
    assert Check.CAMERA not in refused


def test_damaged_games_are_found(tmp_path: Path, port: int) -> None:
    """They are checked in a copy, so nothing is left behind in their folder."""
    with running_companion(tmp_path, "--camera", "none", "--open") as companion:
        companion.ask("POST", "/api/throw", {"marked": 3})
    file = tmp_path / "puluc.sqlite3"
    before = sorted(path.name for path in tmp_path.iterdir())
    assert found(options(tmp_path, port))[Check.DATA].state is FindingState.OK
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    for log in tmp_path.glob("puluc.sqlite3-*"):
        log.unlink()
    file.write_bytes(file.read_bytes()[:5000] + bytes(3000))

    assert found(options(tmp_path, port))[Check.DATA].state is FindingState.ERROR


def test_a_camera_over_the_board_is_looked_through(tmp_path: Path, port: int) -> None:
    """There is no picture; the board is unknown; the picture, a blur until the first throw, does not show it."""
    pictures = tmp_path / "pictures"
    asked = options(tmp_path, port, board_camera=f"folder:{pictures}")
    missing = found(asked)[Check.BOARD]
    known = profile()
    pictures.mkdir()
    (pictures / "1.jpg").write_bytes(jpeg_of(known.empty))
    unknown = found(asked)[Check.BOARD]
    known.save(tmp_path / "board")
    elsewhere = found(asked)[Check.BOARD]

    assert [one.state for one in (missing, unknown, elsewhere)] == [
        FindingState.ERROR,
        FindingState.WARNING,
        FindingState.WARNING,
    ]
    assert "no folder of pictures" in missing.says
    assert "doesn't know your board" in unknown.says
    assert "has moved" in elsewhere.says


def test_finding_as_json() -> None:
    """A finding is plain JSON, with its facts."""
    finding = Finding(check=Check.DISK, state=FindingState.OK, says="Room.", facts={"free_mb": 12})

    assert json.loads(json.dumps(as_dict(finding))) == {
        "check": "disk",
        "state": "well",
        "title": "Disk",
        "says": "Room.",
        "cure": "",
        "facts": {"free_mb": 12},
    }


class Somebody:
    """A person at mock buttons who presses all but one on request, with a clock."""

    def __init__(self, *, leaves_out: Button | None = None, sees_the_lamp: bool = True) -> None:
        self.now, self.leaves_out, self.sees_the_lamp = 0.0, leaves_out, sees_the_lamp
        opened = open_panel(
            "mock", PanelConfiguration(), lambda _: None, lambda: "move", lambda: None, clock=lambda: self.now
        )
        assert opened is not None
        self.panel: Panel = opened
        self.finger: tuple[Button, float] | None = None
        self.trial = ButtonTest(
            opened, say=self.hear, confirm=lambda _: self.sees_the_lamp, clock=lambda: self.now, pause=self.wait
        )

    def hear(self, sentence: str) -> None:
        button = next((one for one in Button if f"Press {one.value} " in sentence), None)
        if button is not None and button is not self.leaves_out:
            self.panel.press(button, True)
            self.finger = button, self.now + 0.3

    def wait(self, seconds: float) -> None:
        self.now += seconds
        if self.finger and self.now > self.finger[1]:
            self.panel.press(self.finger[0], False)
            self.finger = None


@pytest.fixture
def somebody() -> Iterator[list[Somebody]]:
    """A list of people whose panels are closed at the end."""
    came: list[Somebody] = []
    yield came
    for one in came:
        one.panel.close()


def test_each_button_is_asked_for(somebody: list[Somebody]) -> None:
    """Both checks pass if all are pressed and the lamp is seen."""
    somebody.append(Somebody())

    assert [one.state for one in somebody[0].trial.findings()] == [FindingState.OK, FindingState.OK]


def test_button_without_a_signal_is_named(somebody: list[Somebody]) -> None:
    """The test waits for it and goes on with the others; a dark lamp fails as well."""
    somebody.append(Somebody(leaves_out=Button.NEXT, sees_the_lamp=False))
    buttons, lamp = somebody[0].trial.findings()

    assert (buttons.state, lamp.state) == (FindingState.ERROR, FindingState.ERROR)
    assert buttons.facts["unpressed"] == ["next"]
    assert somebody[0].now > PRESS_S


def test_stuck_button_is_named_and_not_asked_for(somebody: list[Somebody]) -> None:
    """A button that is down from the start is reported, not asked for."""
    somebody.append(Somebody())
    somebody[0].panel.press(Button.BACK, True)
    somebody[0].finger = Button.BACK, 1e9

    assert somebody[0].trial.stuck() == ["back"]
