from __future__ import annotations

from companion.doctor import table
from companion.doctor.finding import State
from tests.doctor.test_computer import states

GROUPS = frozenset({"puluc", "video", "render", "gpio"})


def test_data() -> None:
    """A damaged file is said to be, and what to do first is to copy it away."""
    good, bad = table.data(3, "", "/games"), table.data(0, "row 7 missing from index", "/games")

    assert states(good, bad) == [State.WELL, State.WRONG]
    assert good.says == "Sound: 3 games in /games."
    assert "row 7 missing" in bad.says
    assert bad.cure.startswith("Copy the folder /games away")


def test_tables() -> None:
    """A game that is not solved is no fault; a damaged table is one that heals."""
    assert states(*(table.tables("Puluc", state) for state in ("solved", "missing", "none", "damaged"))) == [
        State.WELL,
        State.WELL,
        State.WELL,
        State.DOUBT,
    ]


def test_buttons() -> None:
    """All answer, nobody was asked, one is stuck, one is not felt, there are no pins."""
    assert states(
        table.buttons("", [], []),
        table.buttons("", [], None),
        table.buttons("", ["next"], []),
        table.buttons("", [], ["back"]),
        table.buttons("The pins cannot be had.", [], None),
    ) == [State.WELL, State.WELL, State.WRONG, State.WRONG, State.WRONG]
    assert "back" in table.buttons("", [], ["back"]).says


def test_lamp() -> None:
    """It shone, it did not, nobody was asked."""
    assert states(table.lamp(True), table.lamp(False), table.lamp(None)) == [State.WELL, State.WRONG, State.SKIPPED]


def test_service() -> None:
    """It runs; it does not; it comes and goes; its user is kept from the camera; there is none."""
    active = {"ActiveState": "active", "NRestarts": "0"}
    kept_out = table.service(active, frozenset({"puluc", "video"}))

    assert states(
        table.service(active, GROUPS),
        table.service({"ActiveState": "failed", "NRestarts": "2"}, GROUPS),
        table.service({"ActiveState": "active", "NRestarts": "9"}, GROUPS),
        kept_out,
    ) == [State.WELL, State.WRONG, State.DOUBT, State.WRONG]
    assert "gpio, render" in kept_out.says
    assert table.service(None, frozenset()).state is State.SKIPPED


def test_address() -> None:
    """Phones reach it, only this computer does, nobody serves there."""
    url = "http://192.0.2.7:8080/"

    assert states(
        table.address(url, True, alone=False),
        table.address(url, True, alone=True),
        table.address(url, False, alone=False),
    ) == [State.WELL, State.DOUBT, State.WRONG]
