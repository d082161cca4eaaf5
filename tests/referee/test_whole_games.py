"""Every variant played at the table, from the throw-off to its end, stored and exported."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from companion.errors import IllegalMove, NotAllowed, NotationError, Unknown
from companion.referee.events import (
    Begins,
    Confirmed,
    GameAgain,
    GameDeleted,
    GameRenamed,
    GameResumed,
    GameStarted,
    MoveChosen,
    Options,
    OptionsSet,
    Resigned,
    ScoresReset,
    ThrowEntered,
    ThrowSeen,
    Undone,
)
from companion.referee.game_state import GameState, Phase, new_game
from companion.referee.history.game_record import export_game, parse_record
from companion.referee.reducer import apply, replay
from companion.referee.referee import Referee
from companion.referee.snapshots.snapshot import Snapshot, render_snapshot
from companion.rules.notation import write
from companion.rules.unit import Side
from companion.rules.variant_fields import Teams
from companion.rules.variants import VARIANTS
from companion.rules.variants import variant as variant_of
from companion.storage.store import Store

FIRST = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1)
ENDLESS = replace(FIRST, changes={"values": "3,3,3,3,3"})
LEVELS = ("easy", "fair", "random")


def team(side: str, variant: str, size: int = 3) -> tuple[str, ...]:
    """Players for this game: a team if it is played in teams."""
    teams = VARIANTS[variant].teams is not Teams.NONE
    return tuple(f"{side}{number}" for number in range(1, size + 1)) if teams else (side,)


def played(table: GameState, seed: int, *, turns: int = 2000, wrong: float = 0.0) -> GameState:
    """The game continued at random; now and then the camera misreads and is corrected."""
    chance, number = Random(seed), table.step
    while table.phase is not Phase.OVER and len(table.turns) < turns:
        number += 1
        if table.phase in (Phase.THROW, Phase.THROW_OFF):
            marked = sum(chance.random() < 0.5 for _ in range(4))
            if chance.random() < wrong:
                table = apply(table, ThrowSeen(marked=(marked + 1) % 5, confidence=0.9, lots=()), number)
            table = apply(table, ThrowEntered(marked), number)
        elif table.steps():
            step = chance.choice(table.steps())
            event = MoveChosen(step.move.start, step.move.to, step.value, str(step.move.unit))
            table = apply(table, event, number)
        else:
            table = apply(table, Confirmed(), number)
    return table


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_game_is_played_to_its_end_and_recorded(variant: str) -> None:
    """Random play ends; the record, including corrected counts, replays to the same position and reads the same."""
    rules = variant_of(variant)
    changes = {"spaces": "7"} if rules.spaces < 10 else {}
    game = GameStarted(
        variant=variant, jade=team("Ana", variant, 2), obsidian=team("Beto", variant, 2), seed=1, changes=changes
    )
    table = played(new_game(game, 1), seed=7, turns=400, wrong=0.3)
    text = export_game(table)
    again = replay(enumerate(parse_record(text), 1))

    assert write(again.position) == write(table.position)
    assert again.phase is table.phase
    assert export_game(again) == text
    assert "read" in text


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_snapshot_can_be_shown(variant: str) -> None:
    """At each step the snapshot is complete, its moves lead to valid positions, and undo restores the previous one."""
    game = GameStarted(variant=variant, jade=team("Ana", variant), obsidian=team("Beto", variant), seed=1)
    table = new_game(game, 1)
    for turns in range(1, 12):
        table = played(table, seed=turns, turns=turns)
        shown = render_snapshot(table.step, table, game=1)
        assert Snapshot.model_validate(shown.model_dump()) == shown
        assert shown.thrower in game.jade + game.obsidian
        before = table.before
        assert before is not None
        assert apply(table, Undone(), table.step + 1).position == before.position


def test_two_throws_are_thrown_first_and_used_in_either_order() -> None:
    """Ana throws 4 and 2, sees both, may begin with either, and the turn ends when both are used."""
    table = new_game(GameStarted(variant="aj-sayil", jade=("Ana",), obsidian=("Beto",), seed=1), 1)
    for marked in (4, 1, 4):
        table = apply(table, ThrowEntered(marked), table.step + 1)
    assert (table.phase, len(table.thrown)) == (Phase.THROW, 1)
    table = apply(table, ThrowEntered(2), table.step + 1)
    first = {(step.value, str(step.move)) for step in table.steps()}
    table = apply(table, MoveChosen(None, 2), table.step + 1)
    rest = {(step.value, str(step.move)) for step in table.steps()}
    done = apply(table, Confirmed(), table.step + 1)

    assert first == {(4, "base-4"), (2, "base-2")}
    assert rest == {(4, "2-6")}
    assert write(done.position) == "4/5J13/5 0:0 O"
    with pytest.raises(NotAllowed, match="already used"):
        apply(table, ThrowEntered(1), table.step + 1)
    back = apply(apply(table, Undone(), table.step + 1), ThrowEntered(1), table.step + 2)
    assert {step.value for step in back.steps()} == {4, 1}


def test_a_move_that_several_units_could_make_has_to_be_named() -> None:
    """Two own units on one space go the same way; the refusal names them, and naming one plays it."""
    table = new_game(GameStarted(variant="puluc", jade=("A",), obsidian=("B",), seed=1, changes={"sharing": "yes"}), 1)
    turns = ((4, None), (1, None), (2, (None, 2)), (0, (None, 5)), (3, (2, 5)), (1, (None, 9)), (0, (None, 5)))
    for marked, move in (*turns, (2, (9, 7)), (1, None)):
        table = apply(table, ThrowEntered(marked), table.step + 1)
        if move:
            table = apply(table, MoveChosen(*move), table.step + 1)

    assert [str(step.move.unit) for step in table.steps() if step.move.start == 5] == ["J", "Jo"]
    with pytest.raises(NotAllowed, match="Choose one: J with 1 or Jo with 1"):
        apply(table, MoveChosen(5, 6), table.step + 1)
    with pytest.raises(IllegalMove, match="5-7 is not legal"):
        apply(table, MoveChosen(5, 7, None, "Jo"), table.step + 1)
    assert write(apply(table, MoveChosen(5, 6, None, "Jo"), table.step + 1).position) == "3/4JJoO2/3 0:0 O"


@pytest.mark.parametrize(
    ("variant", "jade", "obsidian", "says"),
    [
        ("puluc", ("Ana", "Bea"), ("Carl", "Dora"), "is for two players"),
        ("aj-sayil", ("Ana", "Bea"), ("Carl",), "same number of players"),
        ("bul-teams", tuple("abcdefgh"), tuple("ijklmnop"), "1 to 7 players"),
        ("aj-sayil", (), (), "same number of players"),
    ],
)
def test_teams_that_do_not_fit_are_refused(
    variant: str, jade: tuple[str, ...], obsidian: tuple[str, ...], says: str
) -> None:
    """The refusal says how many play this game."""
    with pytest.raises(Unknown, match=says):
        new_game(GameStarted(variant=variant, jade=jade, obsidian=obsidian, seed=1), 1)


def test_shared_teams_take_turns_in_rotation() -> None:
    """In Bul each throw is the next player's of its side."""
    game = GameStarted(variant="bul-teams", jade=("A", "B", "C"), obsidian=("X", "Y", "Z"), seed=1)
    table = new_game(game, 1)
    for marked in (4, 1):
        table = apply(table, ThrowEntered(marked), table.step + 1)
    names: list[str] = []
    for _ in range(7):
        names.append(table.thrower)
        table = played(table, seed=len(names), turns=len(names))

    assert names == ["A", "X", "B", "Y", "C", "Z", "A"]


def test_players_of_owned_teams_throw_in_succession() -> None:
    """First all of one team throw, then all of the other; the sizes of Aj Sakakil depend on the number of players."""
    game = GameStarted(variant="aj-sakakil", jade=tuple("ABCDE"), obsidian=tuple("VWXYZ"), seed=1)
    table = new_game(game, 1)
    for marked in (4, 1):
        table = apply(table, ThrowEntered(marked), table.step + 1)
    names: list[str] = []
    for _ in range(11):
        names.append(table.thrower)
        table = played(table, seed=len(names), turns=len(names))

    assert "".join(names) == "ABCDEVWXYZA"
    assert table.rules.spaces == 24


def referee(folder: Path, first: GameStarted = FIRST) -> Referee:
    return Referee(Store(folder), first=first, seeds=lambda: 5)


def test_the_companions_own_players_draw_and_play_both_sides(tmp_path: Path) -> None:
    """Their throws are drawn, and only moves are confirmed; a restart in mid-game continues at the same place."""
    first = GameStarted(variant="aj-tiwil", jade=("easy", "fair"), obsidian=("hard", "random"), seed=3)
    table = referee(tmp_path, first)
    table.submit(OptionsSet(Options(draw=True)))
    shown = table.submit(Confirmed())
    for number in range(2000):
        if shown.phase == "over":
            break
        if number == 20:
            table.close()
            table = referee(tmp_path)
            assert table.snapshot() == shown
        assert shown.confirm
        shown = table.submit(Confirmed())

    assert shown.phase == "over"
    table.close()


@pytest.mark.parametrize("first", [FIRST, ENDLESS])
def test_where_all_throws_are_worth_the_same_chance_decides_who_begins(tmp_path: Path, first: GameStarted) -> None:
    """No throw-off would ever end, and two computer players would throw forever."""
    table = referee(tmp_path, first)
    begun = table.submit(ENDLESS)

    assert (begun.phase, begun.begun) == ("throw", True)
    table.submit(Resigned(Side.JADE))
    assert table.submit(GameAgain()).begun
    table.close()


def win(table: Referee, marks: tuple[int, ...] = (4, 1, 3, 3)) -> Snapshot:
    """Obsidian wins a game of one piece on five spaces in its first turn, unless the throws say otherwise."""
    for marked in marks:
        table.submit(ThrowEntered(marked))
        if table.snapshot().phase == "move":
            table.submit(Confirmed())
    return table.snapshot()


SHORT = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1, changes={"pieces": "1", "spaces": "5"})


def test_games_are_saved_resumed_renamed_and_deleted(tmp_path: Path) -> None:
    """A game left for another can be resumed, also after a restart; a deleted one cannot."""
    table = referee(tmp_path)
    for marked in (4, 1, 3):
        left = table.submit(ThrowEntered(marked))
    second = table.submit(SHORT)
    table.submit(GameRenamed(1, "Sunday"))
    resumed = table.submit(GameResumed(1))
    table.close()
    table = referee(tmp_path)

    assert [entry.number for entry in table.games()] == [1, second.game]
    assert table.games()[0].name == "Sunday"
    assert (resumed.position, resumed.phase, resumed.moves) == (left.position, left.phase, left.moves)
    assert table.snapshot() == resumed
    with pytest.raises(NotAllowed, match="on the table"):
        table.submit(GameDeleted(1))
    table.submit(GameDeleted(second.game))
    assert [entry.number for entry in table.games()] == [1]
    for gone in (GameResumed(second.game), GameRenamed(99, "x"), GameDeleted(99)):
        with pytest.raises(Unknown, match="no saved game"):
            table.submit(gone)
    table.close()


def test_scores_are_kept_by_variant_and_pairing(tmp_path: Path) -> None:
    """Each finished game counts once and an undone one not; until the scores are reset, a deleted one counts too."""
    table = referee(tmp_path, SHORT)
    assert win(table).winner == "obsidian"
    assert [(score.one, score.one_wins, score.other, score.other_wins) for score in table.scores()] == [
        ("Ana", 0, "Beto", 1)
    ]
    table.submit(Undone())
    assert table.scores() == []
    table.submit(Confirmed())
    table.submit(GameAgain())
    table.submit(GameDeleted(1))
    win(table)

    [score] = table.scores()
    assert (score.variant, score.other_wins) == ("puluc", 2)
    table.submit(ScoresReset())
    assert table.scores() == []
    game = table.snapshot().game
    for later in (OptionsSet(Options(advice=False)), GameAgain(), GameRenamed(game, "Sunday"), GameResumed(game)):
        table.submit(later)
    assert table.scores() == []
    table.submit(Undone())
    table.submit(Confirmed())
    assert len(table.scores()) == 1
    table.close()


@pytest.mark.parametrize(("begins", "turn"), [(Begins.WINNER, "obsidian"), (Begins.LOSER, "jade")])
def test_winner_or_loser_begins_the_next_game(tmp_path: Path, begins: Begins, turn: str) -> None:
    """As agreed, without a throw-off."""
    table = referee(tmp_path, SHORT)
    table.submit(OptionsSet(Options(begins=begins)))
    win(table)
    again = table.submit(GameAgain())

    assert (again.phase, again.turn) == ("throw", turn)
    table.close()


def test_an_evening_goes_through_its_games_with_one_score(tmp_path: Path) -> None:
    """After each game comes the next variant, after the last the first again; the match's score continues."""
    table = referee(tmp_path)
    evening = ("puluc", "bul", "buluc")
    begun = table.submit(GameStarted(variant="puluc", jade=("easy",), obsidian=("hard",), seed=1, evening=evening))
    table.submit(OptionsSet(Options(draw=True)))
    seen = []
    for _ in range(4):
        shown = table.submit(Confirmed())
        while shown.phase != "over":
            shown = table.submit(Confirmed())
        assert shown.match is not None
        seen.append(
            (shown.variant, shown.match.round, sum(s.one_wins + s.other_wins + s.draws for s in shown.match.scores))
        )
        table.submit(GameAgain())

    assert begun.match is not None
    assert seen == [("puluc", 1, 1), ("bul", 2, 2), ("buluc", 3, 3), ("puluc", 1, 1)]
    with pytest.raises(Unknown, match="no variant called"):
        table.submit(GameStarted(variant="puluc", jade=("A",), obsidian=("B",), seed=1, evening=("puluc", "chess")))
    table.submit(GameResumed(begun.game))
    with pytest.raises(NotAllowed, match="next game of this match has already been started"):
        table.submit(GameAgain())
    table.close()


def test_a_record_is_brought_to_the_table(tmp_path: Path) -> None:
    """An exported game is put on the list and gone on with; a faulty one changes nothing."""
    table = referee(tmp_path)
    for marked in (4, 1, 3):
        shown = table.submit(ThrowEntered(marked))
    text = export_game(table.state())
    brought = table.import_game(parse_record(text))

    assert (brought.position, brought.phase, len(brought.moves)) == (shown.position, shown.phase, len(shown.moves))
    assert len(table.games()) == 2
    with pytest.raises(NotationError, match=r"Line 8 of the record is wrong"):
        table.import_game(parse_record(text.replace("Throw-off: J 4", "Throw-off: J 9")))
    assert table.snapshot() == brought
    table.close()


def test_a_computer_player_goes_on_with_a_record_that_ends_in_its_turn(tmp_path: Path) -> None:
    """It proposes its move at once, as it did where the game was played; people may not choose one for it."""
    table = referee(tmp_path)
    record = export_game(played(new_game(replace(FIRST, obsidian=("easy",), begins=Side.OBSIDIAN), 1), 1, turns=2))
    brought = table.import_game(parse_record(f"{record.rstrip()}\n3. O easy: 3 | …\n"))
    played_on = table.submit(Confirmed())

    assert (brought.phase, brought.turn, brought.chosen is None) == ("move", "obsidian", False)
    assert played_on.turn == "jade"
    table.close()
