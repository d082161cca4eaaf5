"""A game's record is read back, and played on from any of its turns, also against Expert."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.errors import NotAllowed, NotationError, Unknown
from companion.referee.events import GameStarted
from companion.referee.game_state import new_game
from companion.referee.history.game_record import HEADING, export_game, first_turns, parse_record
from companion.referee.history.game_summary import finished_turns
from companion.referee.reducer import replay
from companion.rules.notation import write
from tests.referee.random_games import random_game

THROWN_OFF = f"{HEADING}\nVariant: puluc\nSet:\nJade: A\nObsidian: B\nBegins: thrown off"
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


def test_the_record_of_a_long_game_is_read_back() -> None:
    """Eight players a side take hundreds of turns."""
    team = tuple(f"Ana {number}" for number in range(1, 9))
    text = export_game(replay(enumerate(random_game("aj-sakakil", seed=1, jade=team, obsidian=team), 1)))

    assert len(text) > 64 * 1024
    assert export_game(replay(enumerate(parse_record(text), 1))) == text


def test_whose_piece_enters_is_read_back() -> None:
    """Who has no piece left throws for team-mates, and several of them may be able to enter one on the same space."""
    game = "aj-sayil players=3 pieces=1 sharing=no spaces=9"
    table = replay(enumerate(random_game(game, seed=7, jade=("a", "b", "c"), obsidian=("d", "e", "f")), 1))
    text = export_game(table)

    assert export_game(replay(enumerate(parse_record(text), 1))) == text


def test_a_record_with_too_many_steps_is_refused() -> None:
    """It is read no further, because each step takes longer than the one before."""
    header = [HEADING, "Variant: puluc-bell", "Set:", "Jade: A", "Obsidian: B", "Begins: jade"]
    passes = [f"{number}. {'OJ'[number % 2]} A: 1 | pass" for number in range(1, 2502)]

    with pytest.raises(NotationError, match=r"Line 2507 .* at most 5000 throws and moves"):
        parse_record("\n".join(header + passes))


def test_separators_in_names_and_values_are_read_back() -> None:
    """A semicolon stays in the name of who plays alone; in a team it separates names, and a comma takes its place."""
    alone = GameStarted(
        variant="puluc", jade=("Ana; Bea",), obsidian=("Bob",), seed=0, changes={"values": "5, 1, 2, 3, 4"}
    )
    team = GameStarted(variant="aj-sayil", jade=("Ana; Bea", "Eva"), obsidian=("Bob", "Leo"), seed=0)
    read = [parse_record(export_game(new_game(game, 1))) for game in (alone, team)]

    assert read[0] == [replace(alone, changes={"values": "5,1,2,3,4"})]
    assert read[1] == [replace(team, jade=("Ana, Bea", "Eva"))]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "first line"),
        (HEADING, "has no line"),
        (f"{HEADING}\nVariant: chess\nSet:\nJade: A\nObsidian: B\nBegins: jade", "no variant called 'chess'"),
        (f"{HEADING}\nVariant: puluc\nSet:\nJade: A\nObsidian: B\nBegins: jade\nnonsense", "Line 7"),
        (f"{HEADING}\nVariant: puluc\nSet:\nJade: A\nObsidian: B\nBegins: jade\n1. O B: 3 | base-7 |", "not O's turn"),
        (f"{HEADING}\nVariant: puluc\nSet:\nJade: A\nObsidian: B\nBegins: jade\n1. J A: 3 | base-4 |", "not 3 spaces"),
        (f"{HEADING}\nVariant: puluc\nSet:\nJade: A\nObsidian: B\nBegins: jade\n1. J A: 3 | hop |", "is not a move"),
        (f"{HEADING}\nVariant: puluc\nSet:\nJade: A\nObsidian: B\nBegins: obsidan", "'obsidan' cannot begin"),
        (f"{THROWN_OFF}\nThrow-off: O 4, J 1", "'O 4' is not J's throw"),
        (f"{THROWN_OFF}\nThrow-off: J 4, J 1", "'J 1' is not O's throw"),
        (f"{THROWN_OFF}\nThrow-off: J 4, O 1\nResult: jade", "result is 'not over', not 'jade'"),
        pytest.param("x" * 1_100_000, "at most", id="too long"),
    ],
)
def test_a_faulty_record_is_refused_at_its_line(text: str, says: str) -> None:
    """One sentence says which line does not fit and why."""
    with pytest.raises(NotationError, match=says) as refused:
        parse_record(text)

    assert "\n" not in str(refused.value)
