"""Every screen, taken from the companion's own route list, and the table in each of its states."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from companion.referee.events import CameraChanged, CameraState, GameStarted, MoveChosen, ThrowEntered, ThrowUnreadable
from tests.browser.conftest import House
from tests.referee.random_games import random_game

MIA, BEN = "Мия", "Бен"
"""Names without a Latin letter, so that none is mistaken for untranslated English."""
LONG = "Вильгельмина-Жозефина Фезерстонхау-Чамли"
"""A name of the maximum length."""
FILLED = {"/games/{number}/review": "/games/2/review?turn=8"}
"""A value for each gap in an address: the game that ``furnish`` imports is the second."""


class Visit(NamedTuple):
    """A visit to a screen: its address, the element tapped once it is open, and the one that this shows."""

    path: str
    taps: tuple[str, ...] = ()
    shows: str = "body"


TABLE = Visit("/")
OPENED: tuple[Visit, ...] = (
    Visit("/", ("[data-menu] summary",), "[data-menu] a"),
    Visit("/", ("[data-action=new]",), "dialog[open] button.main"),
)
"""Elements that a tap opens: the menu, and the dialog for a new game."""


def described(openapi: Mapping[str, Any]) -> list[str]:
    """The addresses of pages in the companion's route list. What is served below ``/api`` is part of a page."""
    return [
        path
        for path, operations in openapi["paths"].items()
        if not path.startswith("/api/")
        and "text/html" in operations.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
    ]


def visits(openapi: Mapping[str, Any]) -> list[Visit]:
    """A visit to every screen but the table. Raises KeyError for a new one with a gap that ``FILLED`` does not fill."""
    paths = [path for path in described(openapi) if path != TABLE.path]
    return [*(Visit(FILLED[path] if "{" in path else path) for path in paths), *OPENED]


def furnish(house: House) -> None:
    """Fill every screen with content: a finished game with its review, scores, counted sticks."""
    game = house.referee.import_game(random_game(seed=0, jade=(MIA,), obsidian=(BEN,))).game
    house.reviews.ask(game, house.referee.load_game(game))
    while house.reviews.step(patience=0):
        pass
    house.referee.submit(GameStarted(variant="puluc", jade=(MIA,), obsidian=(BEN,), seed=7))
    for marked in (4, 3):
        house.referee.submit(ThrowEntered(marked))


def new_game(house: House, variant: str = "puluc", jade: str = MIA, obsidian: str = BEN, **how: Any) -> None:
    house.referee.submit(GameStarted(variant=variant, jade=(jade,), obsidian=(obsidian,), seed=7, **how))


def throwing_off(house: House) -> None:
    """The throw-off, before anyone has thrown."""
    new_game(house)


def throwing(house: House) -> None:
    """The first turn, waiting for the throw."""
    new_game(house)
    house.begin()


def reading(house: House) -> None:
    """The camera has read a throw and shows it; player names are long."""
    new_game(house, "puluc-13", LONG, "easy")
    house.begin()
    house.see(3)


def unsure(house: House) -> None:
    """The camera could not read the throw and asks."""
    new_game(house)
    house.begin()
    house.referee.submit(ThrowUnreadable(reason="touching"))


def moving(house: House) -> None:
    """There is a choice of moves, some with a capture, with known chances."""
    new_game(house)
    house.begin()
    for event in (ThrowEntered(2), MoveChosen(None, 2), ThrowEntered(0), MoveChosen(None, 5), ThrowEntered(3)):
        house.referee.submit(event)
    house.advise()


def moved_by_the_computer(house: House) -> None:
    """A computer player has chosen its move, and a person has to make it on the board."""
    new_game(house, jade="easy")
    house.begin()
    house.referee.submit(ThrowEntered(4))


def in_teams(house: House) -> None:
    """Three players a side on a long road, with two throws a turn."""
    jade, obsidian = (MIA, LONG, "easy"), (BEN, "Дора", "fair")
    house.referee.submit(GameStarted(variant="aj-sayil", jade=jade, obsidian=obsidian, seed=7))
    house.begin()
    house.referee.submit(ThrowEntered(2))


def over(house: House) -> None:
    """The game is won."""
    house.referee.import_game(random_game(seed=1, jade=(MIA,), obsidian=(BEN,)))


def camera_lost(house: House) -> None:
    """The camera has a problem."""
    new_game(house)
    house.referee.submit(CameraChanged(state=CameraState.LOST, message="The camera is gone. Check its cable."))


STATES: tuple[Callable[[House], None], ...] = (
    throwing_off,
    throwing,
    reading,
    unsure,
    moving,
    moved_by_the_computer,
    in_teams,
    camera_lost,
    over,
)
