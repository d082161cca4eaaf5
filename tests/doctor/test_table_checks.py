from __future__ import annotations

from companion.doctor import table_checks
from companion.doctor.finding import FindingState
from tests.doctor.test_computer_checks import states

GROUPS = frozenset({"puluc", "video", "render", "gpio"})


def test_data() -> None:
    """For a damaged file the first remedy is to copy it."""
    good, bad = table_checks.data(3, "", "/games"), table_checks.data(0, "row 7 missing from index", "/games")

    assert states(good, bad) == [FindingState.OK, FindingState.ERROR]
    assert good.says == "3 games in /games, undamaged."
    assert "row 7 missing" in bad.says
    assert bad.cure.startswith("Copy the folder /games somewhere safe")


def test_tables() -> None:
    """An unsolved game is fine; a damaged table is a warning."""
    assert states(*(table_checks.tables("Puluc", state) for state in ("solved", "missing", "none", "damaged"))) == [
        FindingState.OK,
        FindingState.OK,
        FindingState.OK,
        FindingState.WARNING,
    ]


def test_buttons() -> None:
    """All work, nobody was asked, one is stuck, one sends no signal, there are no pins."""
    assert states(
        table_checks.buttons("", [], []),
        table_checks.buttons("", [], None),
        table_checks.buttons("", ["next"], []),
        table_checks.buttons("", [], ["back"]),
        table_checks.buttons("The pins cannot be had.", [], None),
    ) == [FindingState.OK, FindingState.OK, FindingState.ERROR, FindingState.ERROR, FindingState.ERROR]
    assert "back" in table_checks.buttons("", [], ["back"]).says


def test_lamp() -> None:
    """It lit up, it did not, nobody was asked."""
    assert states(table_checks.lamp(True), table_checks.lamp(False), table_checks.lamp(None)) == [
        FindingState.OK,
        FindingState.ERROR,
        FindingState.SKIPPED,
    ]


def test_service() -> None:
    """Running, stopped, restarting, its user without the camera's group, not installed."""
    active = {"ActiveState": "active", "NRestarts": "0"}
    kept_out = table_checks.service(active, frozenset({"puluc", "video"}))

    assert states(
        table_checks.service(active, GROUPS),
        table_checks.service({"ActiveState": "failed", "NRestarts": "2"}, GROUPS),
        table_checks.service({"ActiveState": "active", "NRestarts": "9"}, GROUPS),
        kept_out,
    ) == [FindingState.OK, FindingState.ERROR, FindingState.WARNING, FindingState.ERROR]
    assert "gpio, render" in kept_out.says
    assert table_checks.service(None, frozenset()).state is FindingState.SKIPPED


def test_address() -> None:
    """Phones can reach it, only this computer can, nothing answers."""
    url = "http://192.0.2.7:8080/"

    assert states(
        table_checks.address(url, True, alone=False),
        table_checks.address(url, True, alone=True),
        table_checks.address(url, False, alone=False),
    ) == [FindingState.OK, FindingState.WARNING, FindingState.ERROR]
