"""People's strengths are found in their finished games, where perfect play is known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.advice.adviser import Adviser
from companion.referee.events import Event, GameStarted, Undone
from companion.referee.referee import Referee
from companion.referee.workers.player_strengths import PlayerStrengths
from companion.storage.store import Store
from tests.advice.material_adviser import MaterialAdviser
from tests.referee.random_games import random_game

GAMES = 4


@pytest.fixture(scope="module")
def played() -> list[Event]:
    """A game with 16 choices of Mia's."""
    return random_game("puluc", seed=1, obsidian=("easy",))


@pytest.fixture
def referee(tmp_path: Path, played: list[Event]) -> Iterator[Referee]:
    """Mia has played that game some times, and once another against Ben."""
    referee = Referee(Store(tmp_path), first=GameStarted(variant="puluc", jade=("A",), obsidian=("B",), seed=1))
    referee.import_game(random_game("puluc", seed=9))
    for _ in range(GAMES):
        referee.import_game(played)
    yield referee
    referee.close()


def rate_all(strengths: PlayerStrengths) -> None:
    for _ in range(GAMES + 2):
        strengths.step(wait_s=0)


def test_people_with_enough_choices_are_rated_once_perfect_play_is_known(referee: Referee) -> None:
    """Ben has too few, and Easy is no person. What was finished before the game was solved counts too."""
    advisers: list[Adviser] = []
    strengths = PlayerStrengths(referee, lambda _rules, _marked: advisers[0] if advisers else None)
    rate_all(strengths)
    assert strengths.known() == []
    advisers.append(MaterialAdviser())
    rate_all(strengths)
    assert strengths.known() == []
    strengths.rate_again()
    rate_all(strengths)
    [mia] = strengths.known()

    assert mia.name == "Mia"
    assert re.fullmatch(
        rf"Mia's last \d+ choices cost \d\.\d wins in 100 games each; {mia.level.title()}'s would have cost \d\.\d\.",
        mia.words,
    )


def test_a_finished_game_counts_at_once_and_only_once(referee: Referee, played: list[Event]) -> None:
    """Another game ends on the table; its last move is taken back and made again."""
    strengths = PlayerStrengths(referee, lambda _rules, _marked: MaterialAdviser())
    rate_all(strengths)
    [before] = strengths.known()
    referee.import_game(played)
    strengths.step(wait_s=0)
    [more] = strengths.known()
    referee.submit(Undone())
    strengths.step(wait_s=0)
    referee.submit(played[-1])
    strengths.step(wait_s=0)

    assert before.words != more.words
    assert strengths.known() == [more]
