"""Resigning: the other side wins, the game counts, it can be undone, and the record says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import NotAllowed, NotationError
from companion.referee.events import (
    Begins,
    Event,
    GameAgain,
    GameStarted,
    MoveChosen,
    Options,
    OptionsSet,
    Resigned,
    ThrowEntered,
    ThrowSeen,
    ThrowStepped,
    Undone,
)
from companion.referee.history.game_record import export_game, parse_record
from companion.referee.reducer import replay
from companion.referee.referee import Referee
from companion.referee.saved_games import saved_game
from companion.rules.unit import Side
from companion.storage.store import Store
from tests.referee.conftest import TWO_PEOPLE


def test_resigning_loses_the_game(begun: Referee) -> None:
    """In either side's turn the other side wins at once, and everyone is told why."""
    over = begun.submit(Resigned(Side.OBSIDIAN))

    assert (over.phase, over.winner, over.resigned) == ("over", "jade", "obsidian")
    assert over.prompt == "Beto (Obsidian) gives up. Ana (Jade) has won."
    assert (over.moves, over.confirm, over.undo) == ([], None, True)


@pytest.mark.parametrize("event", [ThrowEntered(3), ThrowSeen(marked=3, confidence=0.9, lots=())])
def test_giving_up_is_possible_in_the_middle_of_a_turn(begun: Referee, event: ThrowEntered | ThrowSeen) -> None:
    """A throw may be read or waiting for its move; an undo restores that."""
    before = begun.submit(event)
    over = begun.submit(Resigned(Side.JADE))
    back = begun.submit(Undone())

    assert (over.winner, over.throw, over.moves) == ("obsidian", None, [])
    assert (back.phase, back.throw, back.moves) == (before.phase, before.throw, before.moves)
    assert (back.winner, back.resigned) == (None, None)


def test_it_counts_as_a_win(begun: Referee) -> None:
    """It counts in the scores, and for who begins the next game."""
    begun.submit(OptionsSet(Options(begins=Begins.WINNER)))
    begun.submit(Resigned(Side.JADE))
    [score] = begun.scores()
    again = begun.submit(GameAgain())

    assert (score.one, score.one_wins, score.other, score.other_wins) == ("Ana", 0, "Beto", 1)
    assert (again.phase, again.turn) == ("throw", "obsidian")


def test_there_must_be_a_game_to_give_up(referee: Referee) -> None:
    """Resigning is refused during the throw-off, and a second time."""
    with pytest.raises(NotAllowed, match="has not begun"):
        referee.submit(Resigned(Side.JADE))
    referee.submit(ThrowEntered(4))
    referee.submit(ThrowEntered(1))
    referee.submit(Resigned(Side.JADE))
    with pytest.raises(NotAllowed, match="The game is over"):
        referee.submit(Resigned(Side.OBSIDIAN))

    assert referee.snapshot().winner == "obsidian"


@pytest.mark.parametrize("event", [ThrowStepped(), ThrowSeen(marked=3, confidence=0.9, lots=())])
def test_a_reading_of_the_throw_off_begins_no_game(referee: Referee, event: ThrowStepped | ThrowSeen) -> None:
    """While it waits nobody can resign, and the snapshot says so; once somebody begins, both can."""
    before = referee.submit(event)
    with pytest.raises(NotAllowed, match="has not begun"):
        referee.submit(Resigned(Side.JADE))
    for marked in (4, 1):
        referee.submit(ThrowEntered(marked))
    reading = referee.submit(event)

    assert (before.phase, before.begun) == ("reading", False)
    assert (reading.phase, reading.begun) == ("reading", True)
    assert referee.submit(Resigned(Side.JADE)).winner == "obsidian"


def test_an_old_game_that_was_given_up_too_early_is_kept(tmp_path: Path) -> None:
    """Its folder opens, and its record can be read back, though nobody could resign like that now."""
    events: list[Event] = [TWO_PEOPLE, ThrowStepped(), Resigned(Side.JADE)]
    store = Store(tmp_path)
    store.append(events, saved_game(replay(enumerate(events, 1)), 1))
    store.close()
    referee = Referee(Store(tmp_path), first=TWO_PEOPLE)
    text = export_game(referee.state())
    brought = referee.import_game(parse_record(text))
    referee.close()

    assert brought.winner == "obsidian"
    assert export_game(referee.state()) == text


def test_a_record_tells_who_gave_up(begun: Referee) -> None:
    """It has a line of its own, also in the middle of a turn; imported again it leads to the same end."""
    for event in (ThrowEntered(3), MoveChosen(None, 3), ThrowEntered(2)):
        begun.submit(event)
    over = begun.submit(Resigned(Side.JADE))
    text = export_game(begun.state())
    brought = begun.import_game(parse_record(text))

    assert text.endswith("2. O Beto: 2 | …\n\nResigned: jade\n\nResult: obsidian\n")
    assert (brought.position, brought.winner, brought.resigned) == (over.position, "obsidian", "jade")
    assert export_game(begun.state()) == text
    with pytest.raises(NotationError, match="'nobody' cannot resign"):
        parse_record(text.replace("Resigned: jade", "Resigned: nobody"))


def test_players_of_one_level_in_a_team_are_told_apart(referee: Referee) -> None:
    """They are numbered on the board, in the team list and in prompts; a single one has no number."""
    teams = GameStarted(variant="aj-sakakil", jade=("easy", "Ana", "easy"), obsidian=("easy", "Beto", "hard"), seed=1)
    referee.submit(teams)
    referee.submit(ThrowEntered(4))
    begun = referee.submit(ThrowEntered(1))
    assert [one.name for one in begun.teams.jade] == ["Easy 1", "Ana", "Easy 2"]
    assert [one.name for one in begun.teams.obsidian] == ["Easy", "Beto", "Hard"]
    assert begun.players.jade.level == "easy"
    assert begun.prompt.startswith("Easy 1 (Jade)")

    while not any(begun.board.spaces):
        if begun.phase == "move":
            move = begun.moves[0]
            to = None if move.to == "home" else move.to
            begun = referee.submit(MoveChosen(None, to, move.value, move.unit))
        else:
            begun = referee.submit(ThrowEntered(3))

    [unit] = [unit for space in begun.board.spaces for unit in space]
    assert unit.player == "Easy 1"
