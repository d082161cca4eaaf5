"""Moves and doubts in words."""

from __future__ import annotations

import pytest

from companion.referee.events import Event, GameStarted, MoveChosen, ThrowEntered
from companion.referee.game_state import PlayedMove, new_game
from companion.referee.reducer import apply
from companion.referee.snapshots.prompts import move_text, turn_text, unsure_text
from companion.rules.notation import parse
from companion.rules.turns import Turn
from companion.rules.unit import Side
from companion.rules.variants import variant


def test_a_count_with_another_value_is_told_with_it() -> None:
    """Else a piece would seem to move five spaces on a throw of 0."""
    state = new_game(GameStarted(variant="puluc", jade=("Ana",), obsidian=("Ben",), seed=1, begins=Side.JADE), 1)
    events: tuple[Event, ...] = (ThrowEntered(0), MoveChosen(None, 5), ThrowEntered(2), MoveChosen(None, 8))
    for step, event in enumerate(events, 2):
        state = apply(state, event, step)

    assert [turn_text(turn, state) for turn in state.turns] == [
        "Ana (Jade) threw 0 (worth 5): enter on 5.",
        "Ben (Obsidian) threw 2: enter on 8.",
    ]


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("1/J1Ooojjj6/2 0:0 J", "move 1 to 3, capturing 3 and freeing 3"),
        ("4/J1Oo6/3 0:0 J", "move 1 to 3, capturing 2"),
        ("4/J8/5 0:0 J", "move 1 to 3"),
    ],
)
def test_pieces_taken_back_are_not_called_captured(position: str, words: str) -> None:
    """A captured stack brings captives and frees own pieces; both numbers are given."""
    before = parse(position, variant("puluc"))
    [step] = [step for step in Turn(before, (2,)).steps() if step.move.start == 1]

    assert move_text(PlayedMove.of(step, before)) == words


@pytest.mark.parametrize(
    ("named", "position", "start", "words"),
    [
        ("boolik", "3/J1Ooj8/3 0:0 J", 1, "move 1 to 3, capturing 2 and taking back 1"),
        ("boolik", "3/1Jjo9/4 0:0 J", 2, "move 2 off the board, slaying 1, losing 1"),
        ("boolik", "4/1J'9/5 0:0 J", 2, "move 2 off the board"),
        ("buul", "2/3Ojj6J/4 0:0 J", 11, "move 11 off the board, freeing 2"),
        ("buul", "2/1Jjo1Oj7/3 0:0 J", 2, "move 2 off the board, slaying 1"),
        ("puluc-13", "3/3Oj6J/4 0:0 J", 11, "move 11 off the board"),
    ],
)
def test_what_becomes_of_own_pieces_is_told(named: str, position: str, start: int, words: str) -> None:
    """Where those taken back are slain on coming home they are not called freed; liberation frees."""
    before = parse(position, variant(named))
    [step] = [step for step in Turn(before, (2,)).steps() if step.move.start == start]

    assert move_text(PlayedMove.of(step, before)) == words


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("4/J8/5 0:0 J", "move 1 to 3, burning 1"),
        ("3/4Jjo4/4 0:0 J", "move 5 to 3, burning 2, slaying 1"),
        ("4/1J7/5 0:0 J", "move 2 to 4"),
    ],
)
def test_what_the_fire_burns_is_told(position: str, words: str) -> None:
    """Own pieces of the unit that lands there burn; its captives are slain."""
    before = parse(position, variant("bul").changed({"fire": "3"}))
    [step] = [step for step in Turn(before, (2,)).steps() if step.move.start]

    assert move_text(PlayedMove.of(step, before)) == words


def test_a_piece_that_rests_in_the_field_is_told_to_come_back() -> None:
    """The words go on from "Ana chose to" and "Put it back, then", like those of any other move."""
    before = parse("4/19/5(J') 0:0 J", variant("a-kaakil"))
    [step] = Turn(before, (3,)).steps()

    assert move_text(PlayedMove.of(step, before)) == "come back from the field to 17"


def test_a_turn_tells_what_burnt() -> None:
    """Afterwards, when the piece is no longer to be seen."""
    burning = GameStarted(
        variant="bul", jade=("Ana",), obsidian=("Ben",), seed=1, begins=Side.JADE, changes={"fire": "3"}
    )
    state = new_game(burning, 1)
    events: tuple[Event, ...] = (ThrowEntered(3), MoveChosen(None, 3))
    for step, event in enumerate(events, 2):
        state = apply(state, event, step)

    assert turn_text(state.turns[0], state) == "Ana (Jade) threw 3: enter on 3, burning 1."


def test_four_that_may_not_be_all_are_not_called_other_than_four() -> None:
    """One of them may be mostly hidden, or a fifth may lie under them."""
    sentence = unsure_text("count", 4)

    assert "there may be a fifth" in sentence
    assert "not four" not in sentence
    assert unsure_text("count", 3).startswith("I see three, not four.")
