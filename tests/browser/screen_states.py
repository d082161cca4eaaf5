"""Every screen there is, taken from the companion's own description, and the table in each of its states."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from companion.referee.events import CameraChanged, CameraState, GameStarted, MoveChosen, ThrowEntered, ThrowUnreadable
from tests.browser.conftest import House
from tests.referee.random_games import random_game

MIA, BEN = "Мия", "Бен"
"""Names without a Latin letter, so that none is taken for English that was left untranslated."""
LONG = "Вильгельмина-Жозефина Фезерстонхау-Чамли"
"""A name as long as one may be."""
FILLED = {"/games/{number}/review": "/games/2/review?turn=8"}
"""For each address with a gap, one that leads to something: the game that ``furnish`` brings is the second."""


class Visit(NamedTuple):
    """One look at a screen: its address, and what is tapped once it is open."""

    path: str
    taps: tuple[str, ...] = ()


TABLE = Visit("/")
OPENED: tuple[Visit, ...] = (Visit("/", ("[data-menu] summary",)), Visit("/", ("[data-action=new]",)))
"""What opens on a tap: the menu, and the dialog for a new game."""


def described(openapi: Mapping[str, Any]) -> list[str]:
    """The addresses that answer with a page, as the companion describes them itself."""
    return [
        path
        for path, ways in openapi["paths"].items()
        if "text/html" in ways.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
    ]


def visits(openapi: Mapping[str, Any]) -> list[Visit]:
    """A visit to every screen but the table. Raises KeyError for a new one whose gaps ``FILLED`` does not fill."""
    paths = [path for path in described(openapi) if path != TABLE.path]
    return [*(Visit(FILLED[path] if "{" in path else path) for path in paths), *OPENED]


def furnish(house: House) -> None:
    """Have something to show on every screen: a finished game that is thought out, scores, sticks that were counted."""
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
    """Nobody has thrown yet."""
    new_game(house)


def throwing(house: House) -> None:
    """The first turn's throw is awaited."""
    new_game(house)
    house.begin()


def reading(house: House) -> None:
    """The camera has read a throw and shows it, among long names."""
    new_game(house, "puluc-13", LONG, "easy")
    house.begin()
    house.see(3)


def unsure(house: House) -> None:
    """The camera asks."""
    new_game(house)
    house.begin()
    house.referee.submit(ThrowUnreadable(reason="touching"))


def moving(house: House) -> None:
    """There is a choice of moves, some with a capture, and what they are worth is known."""
    new_game(house)
    house.begin()
    for event in (ThrowEntered(2), MoveChosen(None, 2), ThrowEntered(0), MoveChosen(None, 5), ThrowEntered(3)):
        house.referee.submit(event)
    house.advise()


def moved_by_the_computer(house: House) -> None:
    """The companion's own player has chosen, and somebody has to do it on the board."""
    new_game(house, jade="easy")
    house.begin()
    house.referee.submit(ThrowEntered(4))


def in_teams(house: House) -> None:
    """Three a side on a long road, two throws a turn."""
    jade, obsidian = (MIA, LONG, "easy"), (BEN, "Дора", "fair")
    house.referee.submit(GameStarted(variant="aj-sayil", jade=jade, obsidian=obsidian, seed=7))
    house.begin()
    house.referee.submit(ThrowEntered(2))


def over(house: House) -> None:
    """Somebody has won."""
    house.referee.import_game(random_game(seed=1, jade=(MIA,), obsidian=(BEN,)))


def camera_lost(house: House) -> None:
    """The camera needs help."""
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
