"""The checks of a running table with scripted parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.camera_spec import CameraSpec
from companion.doctor.camera_checks import PictureQuality, ProfileFit
from companion.doctor.finding import Check, Finding, FindingState, passed
from companion.doctor.live_checks import FRESH_S, DiagnosticSources, LiveDoctor
from companion.panel import Button, ButtonStatus, PanelAction, PanelKind, PanelState
from companion.referee.events import CameraChanged, CameraState, GameStarted, ThrowUnreadable
from companion.referee.referee import Referee
from companion.storage.store import Store
from tests.doctor.test_camera_checks import GOOD


class Table:
    """A stub of a table, and its facts."""

    def __init__(self, folder: Path) -> None:
        self.referee = Referee(
            Store(folder), first=GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1)
        )
        self.now = 0.0
        self.looks = 0
        self.seen: PictureQuality = GOOD
        self.parts = DiagnosticSources(
            camera=CameraSpec("pi"),
            picture=lambda _patience: b"jpeg",
            dark=lambda: "",
            inspect=self._inspect,
            table=self.referee.state,
            sticks=lambda: "Maya sticks",
            is_being_taught=lambda: False,
            board=lambda _patience: passed(Check.BOARD, "The board."),
            panel=lambda: PanelState(kind=PanelKind.GPIO),
            no_panel="",
            data=lambda: (1, ""),
            solved=lambda: "solved",
            computer=lambda: [passed(Check.PYTHON, "Python.")],
            url=lambda: "http://192.0.2.7:8080/",
            folder=str(folder),
        )

    def _inspect(self, jpeg: bytes) -> PictureQuality:
        assert jpeg == b"jpeg"
        self.looks += 1
        return self.seen

    def found(self, **changes: Any) -> dict[Check, Finding]:
        """The findings for these facts, by check."""
        doctor = LiveDoctor(replace(self.parts, **changes), clock=lambda: self.now)
        return {one.check: one for one in doctor.findings()}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    made.referee.submit(CameraChanged(state=CameraState.WATCHING))
    yield made
    made.referee.close()


def test_healthy_table(table: Table) -> None:
    """All checks but the lamp's pass, in their order."""
    found = table.found()

    assert list(found) == [check for check in Check if check in found]
    assert {one.state for one in found.values()} == {FindingState.OK, FindingState.SKIPPED}
    assert [check for check, one in found.items() if one.state is FindingState.SKIPPED] == [Check.LAMP]


def test_message_of_a_lost_camera_is_shown(table: Table) -> None:
    """The checks of the picture are skipped."""
    table.referee.submit(CameraChanged(state=CameraState.LOST, message="Check its ribbon, at both ends."))
    found = table.found()

    assert found[Check.CAMERA].says == "Check its ribbon, at both ends."
    assert [found[check].state for check in (Check.FOCUS, Check.LIGHT, Check.TRAY)] == [FindingState.SKIPPED] * 3
    assert table.looks == 0


def test_picture_of_a_camera_that_has_just_started_is_checked(table: Table) -> None:
    """It has not reported its state yet."""
    table.referee.submit(CameraChanged(state=CameraState.NONE))

    assert table.found()[Check.CAMERA].state is FindingState.OK


def test_no_picture_in_time(table: Table) -> None:
    """A camera that hangs fails its check, whatever its reported state."""
    hangs = table.found(picture=lambda _patience: None)
    missing = table.found(picture=lambda _patience: None, dark=lambda: "The Pi sees no camera.")

    assert hangs[Check.CAMERA].state is FindingState.ERROR
    assert missing[Check.CAMERA].says == "The Pi sees no camera."


def test_untaught_camera(table: Table) -> None:
    """Focus and light are still checked."""
    found = table.found(sticks=lambda: "")

    assert found[Check.PROFILE].state is FindingState.WARNING
    assert found[Check.FOCUS].state is FindingState.OK


def test_camera_that_is_being_taught(table: Table) -> None:
    """It is in use, so there is no picture to wait for, and nothing is wrong with it."""
    table.referee.submit(CameraChanged(state=CameraState.UNCALIBRATED, message="Somebody is teaching me."))
    found = table.found(is_being_taught=lambda: True, picture=lambda _patience: pytest.fail("waited"))
    checks = (Check.CAMERA, Check.FOCUS, Check.LIGHT, Check.TRAY, Check.PROFILE)

    assert {found[check].state for check in checks} == {FindingState.SKIPPED}
    assert found[Check.CAMERA].says == "Somebody is teaching the camera right now."


def test_tray_that_has_moved(table: Table) -> None:
    """The last throw was refused for that reason, so no new reading is needed."""
    table.referee.submit(ThrowUnreadable(reason="moved"))

    assert table.found()[Check.TRAY].state is FindingState.ERROR


def test_tray_that_is_elsewhere_in_the_picture(table: Table) -> None:
    """The picture shows it before any throw is read; one that shows nothing is not compared."""
    table.seen = replace(GOOD, fit=ProfileFit.MOVED)
    moved = table.found()
    table.seen = replace(GOOD, edge=None, fit=None)
    blank = table.found()

    assert (moved[Check.TRAY].state, moved[Check.PROFILE].state) == (FindingState.ERROR, FindingState.WARNING)
    assert blank[Check.TRAY].state is FindingState.SKIPPED
    assert blank[Check.PROFILE].says == "The camera knows them: Maya sticks."


def test_picture_of_another_camera(table: Table) -> None:
    """The camera's worker has reported it."""
    table.referee.submit(CameraChanged(state=CameraState.UNCALIBRATED, message="Another size."))

    assert table.found()[Check.PROFILE].state is FindingState.ERROR


def test_table_without_a_camera(table: Table) -> None:
    """All of the camera's checks are skipped."""
    table.referee.submit(CameraChanged(state=CameraState.NONE))
    found = table.found(camera=CameraSpec("none"), sticks=lambda: "")

    assert all(
        found[check].state is FindingState.SKIPPED for check in (Check.CAMERA, Check.FOCUS, Check.TRAY, Check.PROFILE)
    )


def test_buttons(table: Table) -> None:
    """A button that is down, pins that cannot be opened, and a table without buttons."""
    key = ButtonStatus(button=Button.NEXT, down=True, short=PanelAction.NEXT, held=PanelAction.PASS)
    stuck = table.found(panel=lambda: PanelState(kind=PanelKind.GPIO, keys=(key,)))
    refused = table.found(no_panel="The pins cannot be had.", panel=lambda: PanelState(kind=PanelKind.NONE))
    none = table.found(panel=lambda: PanelState(kind=PanelKind.NONE))

    assert (stuck[Check.BUTTONS].state, refused[Check.BUTTONS].state) == (FindingState.ERROR, FindingState.ERROR)
    assert none[Check.BUTTONS].state is FindingState.SKIPPED


def test_damaged_games(table: Table) -> None:
    assert table.found(data=lambda: (0, "malformed"))[Check.DATA].state is FindingState.ERROR


def test_table_that_no_phone_can_reach(table: Table) -> None:
    assert table.found(url=lambda: "http://127.0.0.1:8080/")[Check.ADDRESS].state is FindingState.WARNING


def test_findings_are_shared_by_many_phones(table: Table) -> None:
    """The findings are cached for some seconds."""
    doctor = LiveDoctor(table.parts, clock=lambda: table.now)
    doctor.findings()
    table.now = FRESH_S
    doctor.findings()
    assert table.looks == 1
    table.now = FRESH_S + 0.1
    doctor.findings()

    assert table.looks == 2
