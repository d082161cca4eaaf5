"""States of the table whose layout is tested."""

from __future__ import annotations

from companion.referee.events import (
    CameraChanged,
    CameraState,
    Confirmed,
    GameStarted,
    MoveChosen,
    Resigned,
    ThrowEntered,
    ThrowUnreadable,
)
from companion.rules.unit import Side
from hardware.tracking.throw_watcher import OBSTRUCTED
from tests.browser.conftest import House

LONG = "Wilhelmina-Josephine Featherstonehaugh 4"


def throwing(house: House) -> None:
    house.begin()


def reading(house: House) -> None:
    house.begin()
    house.see(3)


def unsure(house: House) -> None:
    house.begin()
    house.referee.submit(ThrowUnreadable(reason="touching"))


def moving(house: House) -> None:
    house.begin()
    house.referee.submit(ThrowEntered(2))
    house.referee.submit(MoveChosen(None, 2))
    house.referee.submit(ThrowEntered(0))
    house.referee.submit(MoveChosen(None, 5))
    house.referee.submit(ThrowEntered(3))


def three_moves(house: House) -> None:
    """One captures, one enters, one goes on."""
    house.begin()
    for marked, to in ((1, 1), (0, 5), (2, 2), (2, 8)):
        house.referee.submit(ThrowEntered(marked))
        house.referee.submit(MoveChosen(None, to))
    house.referee.submit(ThrowEntered(3))


def capturing_and_freeing(house: House) -> None:
    """One move takes an enemy stack that holds an own piece."""
    house.begin()
    for marked, start, to in ((4, None, 4), (3, None, 7), (1, None, 1), (3, 7, 4)):
        house.referee.submit(ThrowEntered(marked))
        house.referee.submit(MoveChosen(start, to))
    house.referee.submit(ThrowEntered(3))


def long_names(house: House) -> None:
    house.referee.submit(GameStarted(variant="puluc-13", jade=(LONG,), obsidian=("easy",), seed=7))
    reading(house)


def long_board(house: House) -> None:
    house.referee.submit(GameStarted(variant="puluc-13", jade=("Mia",), obsidian=("Ben",), seed=7))
    house.begin()
    for marked in (1, 1, 2, 1, 3, 1):
        [move, *_] = house.referee.submit(ThrowEntered(marked)).moves
        start, to = (None if move.start == "base" else move.start), (None if move.to == "home" else move.to)
        house.referee.submit(MoveChosen(start, to))
    house.referee.submit(ThrowEntered(1))


def winding_reading(house: House) -> None:
    house.referee.submit(GameStarted(variant="bul", jade=("Mia",), obsidian=("Ben",), seed=7, changes={"spaces": "19"}))
    reading(house)


def two_throws_obstructed(house: House) -> None:
    """Something at the edge of the picture keeps the camera from reading the second throw."""
    house.referee.submit(GameStarted(variant="aj-sayil", jade=("Mia",), obsidian=("Ben",), seed=7))
    house.begin()
    house.referee.submit(ThrowEntered(3))
    house.referee.submit(CameraChanged(state=CameraState.WATCHING, message=OBSTRUCTED))


def two_throws_reading(house: House) -> None:
    house.referee.submit(GameStarted(variant="aj-sayil", jade=("Mia",), obsidian=("Ben",), seed=7))
    house.begin()
    house.referee.submit(ThrowEntered(3))
    house.see(2)


def large_teams_reading(house: House) -> None:
    team = ("Ana", "Beto", "easy", "easy", "Carla", "Dora", "Eva", "Felipe")
    house.referee.submit(GameStarted(variant="aj-sakakil", jade=team, obsidian=team, seed=7))
    reading(house)


def large_teams_moving(house: House) -> None:
    large_teams_reading(house)
    house.referee.submit(ThrowEntered(3))
    house.referee.submit(ThrowEntered(2))


def two_throws_moving(house: House) -> None:
    two_throws_reading(house)
    house.referee.submit(Confirmed())


def capturing_and_slaying(house: House) -> None:
    """On a road that winds, with two throws, one move both captures and slays."""
    house.referee.submit(GameStarted(variant="aj-tiwil", jade=("Mia",), obsidian=("Ben",), seed=7, begins=Side.JADE))
    for first, second, enters, goes in ((0, 0, 5, 10), (4, 0, 16, 11)):
        house.referee.submit(ThrowEntered(first))
        house.referee.submit(ThrowEntered(second))
        house.referee.submit(MoveChosen(None, enters))
        house.referee.submit(MoveChosen(enters, goes))
    house.referee.submit(ThrowEntered(1))
    house.referee.submit(ThrowEntered(2))


def over(house: House) -> None:
    house.begin()
    house.referee.submit(Resigned(Side.JADE))
