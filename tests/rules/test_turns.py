"""Turns of one throw or two, and teams whose players take turns."""

from random import Random

import pytest

from companion.rules.notation import parse, write
from companion.rules.odds import turn_odds
from companion.rules.position import Position, Side
from companion.rules.turns import Turn, ends_of_throws
from tests.rules.games import game, random_game, results


def steps(words: str, text: str, *values: int) -> list[str]:
    return [str(step) for step in Turn(parse(text, game(words)), values).steps()]


def test_two_throws_in_either_order() -> None:
    """Either throw may be used first if both orders use both; equal throws are one choice."""
    assert steps("aj-sayil", "4/4J14/5 0:0 J", 3, 2) == ["5-8 with 3", "5-7 with 2"]
    assert steps("aj-sayil", "4/4J14/5 0:0 J", 2, 2) == ["5-7 with 2"]
    assert results("aj-sayil", "4/4J14/5 0:0 J", 3, 2) == ["4/9J9/5 0:0 O"]


def test_the_only_order_that_uses_both() -> None:
    """Home needs an exact 5 here: after the 3 it could not be used, after the 5 the 3 enters again."""
    assert steps("aj-sayil exact_home=yes", "0/4J'14/5 4:0 J", 3, 5) == ["5-home with 5"]
    assert results("aj-sayil exact_home=yes", "0/4J'14/5 4:0 J", 3, 5) == ["0/2J16/5 4:0 O"]


def test_the_only_moves_that_use_both() -> None:
    """The unit on 4 may not use the 2 to go to 6, because then no unit could use the 4."""
    assert steps("buluc throws=2", "0/3J2J2/5 3:0 J", 2, 4) == ["7-9 with 2", "4-8 with 4"]
    assert results("buluc throws=2", "0/3J2J2/5 3:0 J", 2, 4) == ["0/7JJ/5 3:0 O"]


def test_a_throw_of_no_use_is_lost() -> None:
    """If only one throw can be used, any usable one may be; if none can, the turn is passed."""
    assert results("buluc throws=2", "0/5J3/5 4:0 J", 4, 3) == ["0/8J/5 4:0 O"]
    assert results("buluc throws=2", "0/5J3/5 4:0 J", 2, 3) == ["0/7J1/5 4:0 O", "0/8J/5 4:0 O"]
    assert results("buluc throws=2", "0/8J/5 4:0 J", 4, 3) == []
    assert results("puluc-bell throws=2", "5/9/5 0:0 J", 0, 3) == ["4/2J6/5 0:0 O"]


@pytest.mark.parametrize("words", ["bul", "aj-sayil players=2", "buluc throws=2 advancing=2"])
def test_all_throws_together_end_as_step_by_step(words: str) -> None:
    """The ends of each throw, in the order of the steps that lead there."""

    def ends(turn: Turn) -> list[Position]:
        afters = [turn.after(step) for step in turn.steps()]
        return [end for after in afters for end in ends(after) or [after.handed_over()]]

    throws = list(turn_odds(game(words)))
    for position, _ in list(random_game(game(words), Random(3), turns=40))[::5]:
        together = list(ends_of_throws(position, throws))

        assert together == [tuple(dict.fromkeys(ends(Turn(position, values)))) for values in throws]


def test_between_two_throws() -> None:
    """The second throw may bring a captor home, or enter a piece after coming home."""
    turn = Turn(parse("4/3JO14/4 0:0 J", game("aj-sayil")), (1, 5))
    capture = next(step for step in turn.steps() if step.move.captures)
    between = turn.after(capture)

    assert (write(between.position), between.values) == ("4/4Jo14/4 0:0 J", (5,))
    assert [write(position) for position in between.results()] == ["5/19/4 0:1 O"]
    assert results("aj-sayil", "4/Jo18/4 0:0 J", 1, 3) == ["4/2J16/4 0:1 O", "4/J18/4 0:1 O"]


def test_a_first_throw_that_ends_the_game_ends_the_turn() -> None:
    """The second throw is not used, although another order would use both."""
    assert results("aj-sayil", "4/3J2O12/0 0:4 J", 3, 1) == ["4/6Jo12/0 0:4 O", "4/6OJ11/0 0:4 O"]


def test_all_of_one_team_then_all_of_the_other() -> None:
    """Players who own their pieces throw in succession, and each moves only their own."""
    position = Position.start(game("aj-sayil players=3"))
    throwers = []
    for _ in range(7):
        throwers.append((position.turn.letter, position.player))
        position = position.passed()

    assert throwers == [("J", 1), ("J", 2), ("J", 3), ("O", 1), ("O", 2), ("O", 3), ("J", 1)]
    assert results("aj-sayil players=2", "4,4/2JJ:215/5,5 0,0:0,0 J:2", 1, 2) == ["4,4/2J3J:212/5,5 0,0:0,0 O"]


def test_a_player_with_nothing_left_throws_for_the_team() -> None:
    """The throw moves any team-mate's unit or enters a team-mate's piece; otherwise only one's own."""
    words = "aj-sayil players=3 pieces=2 throws=1"

    assert results(words, "0,1,2/3J:215/2,2,2 2,0,0:0,0,0 J", 2) == [
        "0,1,1/1J:31J:215/2,2,2 2,0,0:0,0,0 J:2",
        "0,1,2/5J:213/2,2,2 2,0,0:0,0,0 J:2",
    ]
    assert results(words, "1,1,2/3J:215/2,2,2 1,0,0:0,0,0 J", 2) == ["0,1,2/1J1J:215/2,2,2 1,0,0:0,0,0 J:2"]


def test_rescued_pieces_go_back_to_their_owners() -> None:
    """Captives count as slain for the player who lost them, and each rescued piece is its owner's again."""
    words = "aj-sayil players=3 pieces=2 throws=1"

    assert results(words, "1,1,2/1J:2jo:2o:317/2,1,1 0,0,0:0,0,0 J:2", 4) == ["2,2,2/19/2,1,1 0,0,0:0,1,1 J:3"]


def test_a_capture_keeps_every_owner() -> None:
    """Capturing a stack frees its captives and captures its own pieces; each keeps its player."""
    words = "aj-sayil players=3 pieces=2 throws=1"

    assert results(words, "2,1,1/1J:2o:31O:315/2,2,0 0,0,1:0,0,0 O:3", 2) == ["2,1,1/1O:3o:3j:217/2,2,0 0,0,1:0,0,0 J"]


@pytest.mark.parametrize("begins", Side)
def test_shared_teams_rotate_who_throws(begins: Side) -> None:
    """Each side's players throw in turn, whichever side began; the pieces belong to the side."""
    position = Position.start(game("bul-teams players=2"), begins)
    throwers = []
    for _ in range(6):
        throwers.append((position.turn is begins, position.player))
        assert {move.unit.player for move in position.moves(3)} == {1}
        position = position.after(position.moves(3)[0], 3)

    assert throwers == [(True, 1), (False, 1), (True, 2), (False, 2), (True, 1), (False, 1)]


def test_advancing_counts_each_players_own_units() -> None:
    """If players own their pieces, one unit at a time means one for each player."""
    assert results("aj-sayil players=2 throws=1", "4,5/J18/5,5 0,0:0,0 J:2", 1) == ["4,4/(J,J:2)18/5,5 0,0:0,0 O"]
    assert results("aj-sayil players=2 throws=1", "4,4/(J,J:2)18/5,5 0,0:0,0 J:2", 1) == ["4,4/JJ:217/5,5 0,0:0,0 O"]
