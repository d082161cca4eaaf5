"""The turns of a review are derived from the events of a game, and described in plain words."""

from __future__ import annotations

from itertools import pairwise

import pytest

from companion.errors import NotAllowed
from companion.referee.events import ThrowEntered, Undone
from companion.referee.history.game_summary import finished_turns, throw_comment, thrown_off
from companion.referee.reducer import apply, replay
from companion.referee.referee import Referee
from companion.rules.notation import write
from companion.rules.unit import Side
from tests.referee.random_games import random_game


@pytest.mark.parametrize("words", ["puluc", "puluc-bell", "bul-teams", "aj-sayil", "aj-tiwil"])
def test_the_turns_lead_to_where_the_table_stands(words: str) -> None:
    """Each turn starts where the previous one ended, and the last one ends at the table's position."""
    team = ("A", "B") if words not in ("puluc", "puluc-bell") else ("A",)
    table = replay(enumerate(random_game(words, seed=3, jade=team, obsidian=team, turns=60), 1))
    turns = finished_turns(table)

    assert len(turns) == len(table.turns)
    for turn, following in pairwise(turns):
        assert write(turn.after()) == write(following.turn.position)
    assert write(turns[-1].after()) == write(table.position)


def test_what_was_taken_back_does_not_count() -> None:
    """After an undo only the earlier turns are left; a throw that waits for its move is not a turn yet."""
    events = random_game(seed=0, begins=Side.OBSIDIAN, turns=4)
    table = replay(enumerate(events, 1))
    back = apply(apply(table, Undone(), 100), Undone(), 101)

    assert [len(finished_turns(table)), len(finished_turns(back))] == [4, 3]
    assert finished_turns(apply(back, ThrowEntered(0), 102)) == finished_turns(back)
    assert not thrown_off(table)
    assert finished_turns(table)[0].turn.position.turn is Side.OBSIDIAN


def test_a_game_without_a_turn_has_nothing_to_tell(begun: Referee) -> None:
    """It is refused with a remedy."""
    assert thrown_off(begun.state())
    with pytest.raises(NotAllowed, match="nothing to review yet"):
        finished_turns(begun.state())


def test_the_same_number_is_called_the_same() -> None:
    """A throw is graded by the points that are shown, so that 3 fewer wins are never ordinary and unlucky."""
    assert {throw_comment(luck) for luck in (-2.51, -3, -3.49)} == {"An unlucky throw: 3 fewer wins in 100 games."}
    assert {throw_comment(luck) for luck in (1.51, 2.49)} == {"An ordinary throw: 2 more wins in 100 games."}
    assert {throw_comment(luck) for luck in (-0.4, 0, 0.4)} == {"An ordinary throw."}
