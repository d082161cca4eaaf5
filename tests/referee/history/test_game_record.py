"""A game's record is played on from any of its turns, also against Expert."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import NotAllowed, Unknown
from companion.referee.events import GameStarted
from companion.referee.history.game_record import export_game, first_turns, parse_record
from companion.referee.history.game_summary import finished_turns
from companion.referee.reducer import replay
from companion.rules.notation import write
from tests.referee.random_games import random_game

GOLDEN = Path(__file__).parents[2] / "data" / "games"


@pytest.mark.parametrize("words", ["puluc", "bul-teams", "aj-sayil"])
def test_a_game_is_played_on_from_any_turn(words: str) -> None:
    """The new game stands where the old one stood after that turn, has another seed, and belongs to no match."""
    team = ("A", "B") if words == "bul-teams" else ("A",)
    table = replay(enumerate(random_game(words, seed=3, jade=team, obsidian=team, turns=9), 1))
    turns = finished_turns(table)

    for number in (0, 1, 5, len(turns)):
        events = first_turns(table, number, seed=77)
        again = replay(enumerate(events, 1))

        assert write(again.position) == write(turns[number - 1].after() if number else turns[0].turn.position)
        assert len(again.turns) == number
        assert isinstance(events[0], GameStarted)
        assert (events[0].seed, events[0].match) == (77, 0)


def test_no_game_goes_on_after_its_end() -> None:
    """A turn that was never played and the last of a finished game are refused."""
    table = replay(enumerate(random_game(seed=0), 1))
    turns = len(table.turns)

    with pytest.raises(Unknown, match="only 16 turns"):
        first_turns(table, turns + 1, seed=1)
    with pytest.raises(NotAllowed, match="Go back a turn"):
        first_turns(table, turns, seed=1)


@pytest.mark.parametrize("name", ["puluc", "puluc-bell"])
def test_a_game_against_expert_is_exported_and_read(name: str) -> None:
    """Its moves are its own decisions, so a record of them is read without its thinking again."""
    lines = (GOLDEN / f"{name}.txt").read_text().splitlines()
    text = "\n".join("Jade: expert" if line.startswith("Jade:") else line for line in lines)
    table = replay(enumerate(parse_record(text), 1))
    exported = export_game(table)

    assert write(table.position) in exported
    assert export_game(replay(enumerate(parse_record(exported), 1))) == exported
