"""The doctor of a table that is served, with its parts told what to answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.doctor.finding import Check, Finding, State, well
from companion.doctor.serving import FRESH_S, Parts, ServingDoctor
from companion.doctor.sight import Sight
from companion.panel import Act, Button, Key, PanelKind, PanelState
from companion.referee.events import CameraChanged, CameraState, GameStarted, ThrowUnreadable
from companion.referee.referee import Referee
from companion.referee.store import Store
from tests.doctor.test_sight import GOOD


class Table:
    """A table and the doctor that looks at it."""

    def __init__(self, folder: Path) -> None:
        self.referee = Referee(
            Store(folder), first=GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1)
        )
        self.now = 0.0
        self.looks = 0
        self.seen: Sight = replace(GOOD, fit=None)
        self.parts = Parts(
            camera="pi",
            picture=lambda _patience: b"jpeg",
            dark=lambda: "",
            inspect=self._inspect,
            table=self.referee.table,
            sticks=lambda: "Maya sticks",
            panel=lambda: PanelState(kind=PanelKind.GPIO),
            no_panel="",
            data=lambda: (1, ""),
            solved=lambda: "solved",
            computer=lambda: [well(Check.PYTHON, "Python.")],
            url=lambda: "http://192.0.2.7:8080/",
            folder=str(folder),
        )

    def _inspect(self, jpeg: bytes) -> Sight:
        assert jpeg == b"jpeg"
        self.looks += 1
        return self.seen

    def found(self, **changes: Any) -> dict[Check, Finding]:
        """What a doctor of those parts finds, by its check."""
        doctor = ServingDoctor(replace(self.parts, **changes), clock=lambda: self.now)
        return {one.check: one for one in doctor.findings()}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    made.referee.submit(CameraChanged(state=CameraState.WATCHING))
    yield made
    made.referee.close()


def test_healthy_table(table: Table) -> None:
    """Everything that can be looked at is well, in the order of the checks."""
    found = table.found()

    assert list(found) == [check for check in Check if check in found]
    assert {one.state for one in found.values()} == {State.WELL, State.SKIPPED}
    assert [check for check, one in found.items() if one.state is State.SKIPPED] == [Check.LAMP]


def test_lost_camera_is_told_in_its_own_words(table: Table) -> None:
    """What cannot be seen is not judged."""
    table.referee.submit(CameraChanged(state=CameraState.LOST, message="Check its ribbon, at both ends."))
    found = table.found()

    assert found[Check.CAMERA].says == "Check its ribbon, at both ends."
    assert [found[check].state for check in (Check.FOCUS, Check.LIGHT, Check.TRAY)] == [State.SKIPPED] * 3
    assert table.looks == 0


def test_camera_that_has_just_begun_is_looked_through(table: Table) -> None:
    """It has not told the table of itself yet."""
    table.referee.submit(CameraChanged(state=CameraState.NONE))

    assert table.found()[Check.CAMERA].state is State.WELL


def test_no_picture_in_time(table: Table) -> None:
    """A camera that hangs is wrong, whatever it says of itself."""
    hangs = table.found(picture=lambda _patience: None)
    missing = table.found(picture=lambda _patience: None, dark=lambda: "The Pi sees no camera.")

    assert hangs[Check.CAMERA].state is State.WRONG
    assert missing[Check.CAMERA].says == "The Pi sees no camera."


def test_untaught_camera(table: Table) -> None:
    """Focus and light can be seen all the same."""
    found = table.found(sticks=lambda: "")

    assert found[Check.PROFILE].state is State.DOUBT
    assert found[Check.FOCUS].state is State.WELL


def test_tray_that_has_moved(table: Table) -> None:
    """The last throw was refused for it, so it is known without reading anew."""
    table.referee.submit(ThrowUnreadable(reason="moved"))

    assert table.found()[Check.TRAY].state is State.WRONG


def test_picture_of_another_camera(table: Table) -> None:
    """The camera's worker has said so."""
    table.referee.submit(CameraChanged(state=CameraState.UNCALIBRATED, message="Another size."))

    assert table.found()[Check.PROFILE].state is State.WRONG


def test_table_without_a_camera(table: Table) -> None:
    """Nothing of it is wrong."""
    table.referee.submit(CameraChanged(state=CameraState.NONE))
    found = table.found(camera="none", sticks=lambda: "")

    assert all(found[check].state is State.SKIPPED for check in (Check.CAMERA, Check.FOCUS, Check.TRAY, Check.PROFILE))


def test_buttons(table: Table) -> None:
    """One that is down, pins that could not be had, and a table that has none."""
    key = Key(button=Button.NEXT, down=True, short=Act.NEXT, held=Act.PASS)
    stuck = table.found(panel=lambda: PanelState(kind=PanelKind.GPIO, keys=(key,)))
    refused = table.found(no_panel="The pins cannot be had.", panel=lambda: PanelState(kind=PanelKind.NONE))
    none = table.found(panel=lambda: PanelState(kind=PanelKind.NONE))

    assert (stuck[Check.BUTTONS].state, refused[Check.BUTTONS].state) == (State.WRONG, State.WRONG)
    assert none[Check.BUTTONS].state is State.SKIPPED


def test_damaged_games(table: Table) -> None:
    assert table.found(data=lambda: (0, "malformed"))[Check.DATA].state is State.WRONG


def test_table_that_no_phone_reaches(table: Table) -> None:
    assert table.found(url=lambda: "http://127.0.0.1:8080/")[Check.ADDRESS].state is State.DOUBT


def test_many_phones_look_once(table: Table) -> None:
    """What was found holds for some seconds."""
    doctor = ServingDoctor(table.parts, clock=lambda: table.now)
    doctor.findings()
    table.now = FRESH_S
    doctor.findings()
    assert table.looks == 1
    table.now = FRESH_S + 0.1
    doctor.findings()

    assert table.looks == 2
