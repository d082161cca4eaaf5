"""``puluc doctor``: with no table, beside one, and with somebody at the buttons."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import puluc
from companion.commands.doctor import as_dict
from companion.commands.examining import Asked, examine
from companion.commands.pressing import PRESS_S, Trial
from companion.doctor.finding import Check, Finding, State
from companion.panel import Button
from hardware.panel import Panel, open_panel
from hardware.pins import Pins
from tests.running import running


@pytest.fixture
def port() -> int:
    """A port on which nobody serves."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def found(asked: Asked) -> dict[Check, Finding]:
    told = examine(asked, say=lambda _: None, confirm=lambda _: True)
    return {one.check: one for one in told.findings}


def asked(folder: Path, port: int, *, camera: str = "none", buttons: str = "none") -> Asked:
    return Asked(data=folder, port=port, camera=camera, profile=None, buttons=buttons, config=None, press=False)


def test_json_is_one_object_a_line(tmp_path: Path, port: int) -> None:
    """Nothing else is printed; with nothing wrong the status is 0."""
    words = ["doctor", "--data", str(tmp_path), "--port", str(port), "--camera", "simulated", "--json"]
    done = CliRunner().invoke(puluc, words)
    lines = [json.loads(line) for line in done.stdout.splitlines()]

    assert [line["check"] for line in lines if line["state"] == "wrong"] == []
    assert {"check", "state", "title", "says", "cure", "facts"} == set(lines[0])
    assert [line["state"] for line in lines if line["check"] in ("camera", "focus", "light", "tray", "profile")] == [
        "well"
    ] * 5
    assert done.return_value is None or done.exit_code == 0


def test_status_says_that_something_is_wrong(tmp_path: Path, port: int) -> None:
    """A camera that is not there: the reason, the cure, and status 1."""
    words = ["doctor", "--data", str(tmp_path), "--port", str(port), "--camera", f"folder:{tmp_path / 'none'}"]
    done = CliRunner().invoke(puluc, words, standalone_mode=False)

    assert done.return_value == 1
    assert "✗ Camera" in done.stdout
    assert "Something is wrong: Camera." in done.stdout


def test_running_table_is_asked(tmp_path: Path) -> None:
    """Its camera is not taken from it: it tells what it sees, and how phones come to it is told as well."""
    with running(tmp_path) as companion:
        told = examine(asked(tmp_path, companion.port, camera="pi"), say=lambda _: None, confirm=lambda _: True)
        table = companion.ask("GET", "/api/table")

    states = {one.check: one.state for one in told.findings}
    assert states[Check.CAMERA] is State.WELL
    assert states[Check.DATA] is State.WELL
    assert states[Check.PROFILE] is State.WELL
    assert State.WRONG not in states.values()
    assert companion.address.split("?code=")[1] in told.invitation
    assert table["camera"]["state"] != "lost"


def test_onlooker_at_the_machine_is_told_to_be_a_player(tmp_path: Path) -> None:
    """Whoever cannot read the table's code is not told what is wrong there."""
    with running(tmp_path / "games", "--camera", "none") as companion:
        told = found(asked(tmp_path / "elsewhere", companion.port))

    assert told[Check.ADDRESS].cure == "Run: sudo puluc doctor"
    assert Check.CAMERA not in told


def test_damaged_games_are_found(tmp_path: Path, port: int) -> None:
    """Seen in a copy, so that nothing is left behind beside them."""
    with running(tmp_path, "--camera", "none", "--open") as companion:
        companion.ask("POST", "/api/throw", {"marked": 3})
    file = tmp_path / "puluc.sqlite3"
    before = sorted(path.name for path in tmp_path.iterdir())
    assert found(asked(tmp_path, port))[Check.DATA].state is State.WELL
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    for log in tmp_path.glob("puluc.sqlite3-*"):
        log.unlink()
    file.write_bytes(file.read_bytes()[:5000] + bytes(3000))

    assert found(asked(tmp_path, port))[Check.DATA].state is State.WRONG


def test_finding_as_json() -> None:
    """Plain JSON, the facts included."""
    finding = Finding(check=Check.DISK, state=State.WELL, says="Room.", facts={"free_mb": 12})

    assert json.loads(json.dumps(as_dict(finding))) == {
        "check": "disk",
        "state": "well",
        "title": "Disk",
        "says": "Room.",
        "cure": "",
        "facts": {"free_mb": 12},
    }


class Somebody:
    """A person at mock buttons, who presses what is asked for, but for some; and the clock they live by."""

    def __init__(self, *, leaves_out: Button | None = None, sees_the_lamp: bool = True) -> None:
        self.now, self.leaves_out, self.sees_the_lamp = 0.0, leaves_out, sees_the_lamp
        opened = open_panel("mock", Pins(), lambda _: None, lambda: "move", lambda: None, clock=lambda: self.now)
        assert opened is not None
        self.panel: Panel = opened
        self.finger: tuple[Button, float] | None = None
        self.trial = Trial(
            opened, say=self.told, confirm=lambda _: self.sees_the_lamp, clock=lambda: self.now, pause=self.wait
        )

    def told(self, sentence: str) -> None:
        button = next((one for one in Button if f"Press {one.value}," in sentence), None)
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
    """Those who came; their panels are closed at the end."""
    came: list[Somebody] = []
    yield came
    for one in came:
        one.panel.close()


def test_each_button_is_asked_for(somebody: list[Somebody]) -> None:
    """Who presses them all and sees the lamp is told that all is well."""
    somebody.append(Somebody())

    assert [one.state for one in somebody[0].trial.findings()] == [State.WELL, State.WELL]


def test_button_that_is_not_felt_is_named(somebody: list[Somebody]) -> None:
    """It is waited for, and the others are asked for all the same; a dark lamp is wrong, too."""
    somebody.append(Somebody(leaves_out=Button.NEXT, sees_the_lamp=False))
    buttons, lamp = somebody[0].trial.findings()

    assert (buttons.state, lamp.state) == (State.WRONG, State.WRONG)
    assert buttons.facts["unpressed"] == ["next"]
    assert somebody[0].now > PRESS_S


def test_stuck_button_is_named_and_not_asked_for(somebody: list[Somebody]) -> None:
    """Its wires touch."""
    somebody.append(Somebody())
    somebody[0].panel.press(Button.BACK, True)
    somebody[0].finger = Button.BACK, 1e9

    assert somebody[0].trial.stuck() == ["back"]
