"""A referee on a fresh folder, and short ways to play it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.referee.events import GameStarted, ThrowEntered
from companion.referee.referee import Referee
from companion.storage.store import Store

TWO_PEOPLE = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1)


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Referee]:
    """Ana against Beto, nothing thrown yet."""
    referee = Referee(Store(tmp_path), first=TWO_PEOPLE)
    yield referee
    referee.close()


@pytest.fixture
def begun(referee: Referee) -> Referee:
    """Ana has won the throw-off and is to throw."""
    referee.submit(ThrowEntered(4))
    referee.submit(ThrowEntered(1))
    return referee
