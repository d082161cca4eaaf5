"""A position and its moves, rule by rule; worked cases and properties cover the rest."""

from dataclasses import replace

import pytest

from companion.errors import IllegalMove
from companion.rules.notation import parse, write
from companion.rules.position import Position, Side
from companion.rules.turns import Turn
from companion.rules.variants import variant
from tests.rules.games import game, results


@pytest.mark.parametrize(
    ("changes", "text", "value", "result"),
    [
        # the far end, from space 8 with 2 and with 1
        ("far_end=return", "0/7J1/5 4:0 J", 2, "1/9/5 4:0 O"),
        ("far_end=loop", "0/7J1/5 4:0 J", 3, "0/1J7/5 4:0 O"),
        ("far_end=stop", "0/7J1/5 4:0 J", 1, "0/8J/5 4:0 O"),
        ("far_end=stop", "0/7J1/5 4:0 J", 2, None),
        ("far_end=bounce", "0/7J1/5 4:0 J", 1, "0/8J'/5 4:0 O"),
        ("far_end=bounce", "0/7J1/5 4:0 J", 2, "0/7J'1/5 4:0 O"),
        ("far_end=bounce spaces=5", "0/4J/5 4:0 J", 5, "1/5/5 4:0 O"),
        ("far_end=bounce spaces=5 pieces=1", "1/O4/0 0:0 J", 5, "0/O3J'/0 0:0 O"),
        ("far_end=walk_back", "0/7J1/5 4:0 J", 5, "0/9/5(J') 4:0 O"),
        ("far_end=walk_back", "0/9/5(J') 4:0 J", 4, "0/5J'3/5 4:0 O"),
        # a laden unit and the far end
        ("far_end=loop", "0/7Jo1/4 4:0 J", 3, "1/9/4 4:1 O"),
        ("far_end=stop", "0/7Jo1/4 4:0 J", 3, "1/9/4 4:1 O"),
        ("far_end=bounce", "0/7Jo1/4 4:0 J", 1, "0/8Jo/4 4:0 O"),
        ("captor=homeward far_end=stop", "0/7Jo1/4 4:0 J", 3, "0/4Jo4/4 4:0 O"),
        # a captor that had already turned heads where the game's captors head
        ("far_end=bounce", "0/3OJ'4/4 4:0 J", 1, "0/3Jo5/4 4:0 O"),
        ("far_end=bounce", "0/3Jo5/4 4:0 J", 2, "0/5Jo3/4 4:0 O"),
        # coming home
        ("captor=homeward exact_home=yes", "0/1Jo7/4 4:0 J", 2, "1/9/4 4:1 O"),
        ("captor=homeward exact_home=yes", "0/1Jo7/4 4:0 J", 3, None),
        ("exact_home=yes", "0/7Jo1/4 4:0 J", 2, "1/9/4 4:1 O"),
        ("exact_home=yes", "0/7Jo1/4 4:0 J", 3, None),
        ("exact_home=yes", "0/7J1/5 4:0 J", 3, "1/9/5 4:0 O"),
        ("captor=homeward rescued=slain", "0/Jjjo8/4 2:0 J", 1, "1/9/4 4:1 O"),
        ("captor=homeward", "0/Jjjo8/4 2:0 J", 1, "3/9/4 2:1 O"),
        # a captor that leaves
        ("captor=leaves", "0/3J1O3/4 4:0 J", 2, "1/9/4 4:1 O"),
        ("captor=leaves captor_retires=yes", "0/3J1O3/4 4:0 J", 2, "0/9/4 4+1:1 O"),
        # liberation: one left alone is free, several keep their heading
        ("captor=homeward liberation=yes", "0/1Oj4Oojj1J/2 1:0 J", 1, "4/1O4Oo'2/2 1:0 O"),
        ("liberation=yes", "0/1Oj4Oojj1J/2 1:0 J", 1, "4/1O4Oo2/2 1:0 O"),
        # the fire
        ("fire=5", "0/3J5/5 4:0 J", 1, "0/9/5 4+1:0 O"),
        ("fire=5", "0/3Jjo5/4 3:0 J", 1, "0/9/4 3+2:1 O"),
        ("fire=5", "0/3J5/5 4:0 J", 2, "0/5J3/5 4:0 O"),
        # a whole round ends where it began
        ("far_end=loop spaces=5", "0/1J3/5 4:0 J", 5, "0/1J3/5 4:0 O"),
    ],
)
def test_what_becomes_of_the_only_unit(changes: str, text: str, value: int, result: str | None) -> None:
    """Each field has its documented effect, alone and with others; None is no legal move."""
    assert results(f"puluc {changes}", text, value) == ([] if result is None else [result])


def test_own_units_share_and_are_captured_together() -> None:
    """Units on one space stay separate, in the order of their spelling; an enemy landing there captures them all."""
    shared = "puluc sharing=yes far_end=walk_back captor=homeward advancing=2"

    assert results(shared, "3/3J'1J3/5 0:0 J", 2) == ["3/1J'3J3/5 0:0 O", "3/3J'3J1/5 0:0 O"]
    assert "2/3(J,J')5/5 1:0 O" in results(shared, "2/1J1J'5/5 1:0 J", 2)
    assert "1/3Oojjj3O1/0 1:2 J" in results(shared, "1/3(J,Jjo)2OO1/0 1:2 O", 3)


def test_a_retreat_captures_or_is_none() -> None:
    """An unladen unit moves against its heading only to capture; a laden one never does."""
    backwards = "puluc retreat_captures=yes captor=homeward far_end=walk_back"

    assert results(backwards, "0/1O1J5/4 4:0 J", 2) == ["0/1Jo7/4 4:0 O", "0/1O3J3/4 4:0 O"]
    assert results(backwards, "0/3J'1O3/4 4:0 J", 2) == ["0/1J'3O3/4 4:0 O", "0/5Jo3/4 4:0 O"]
    assert results(backwards, "0/3Jo1O3/3 4:0 J", 2) == ["0/1Jo3O3/3 4:0 O"]
    assert results(f"{backwards} fire=2", "0/3J5/5 4:0 J", 2) == ["0/5J3/5 4:0 O"]


def test_no_more_advance_than_may() -> None:
    """A unit counts once however many pieces it has, on the highway and in the enemy field."""
    two = "puluc advancing=2 far_end=walk_back"

    assert results(two, "1/3Jjo5/4(J') 1:0 J", 2) == ["1/3Jjo3J'1/4 1:0 O", "1/5Jjo3/4(J') 1:0 O"]
    assert "0/1J1Jjo5/4 2:0 O" in results(two, "1/3Jjo5/4 2:0 J", 2)
    with pytest.raises(IllegalMove, match="no more units may be on the highway"):
        parse("1/3Jjo5/4(J') 1:0 J", game(two)).move(None, 2, 2)


def test_the_end() -> None:
    """A side with neither a piece in base nor a unit has lost, unless it has slain more and that decides."""
    last, most = variant("puluc"), game("puluc winner=most_captures")

    assert parse("0/4Oojjjj4/3 1:0 J", last).winner() is Side.OBSIDIAN
    assert parse("0/4Oj4/0 4:4 J", most).winner() is Side.OBSIDIAN
    assert parse("0/4Oj4/0 3+1:4 J", most).winner() is Side.JADE
    assert parse("5/9/5 0:0 J", last).winner() is None


def test_a_draw() -> None:
    """The game is drawn if no throw could ever move anything, or if both sides run out with equal numbers slain."""
    stuck = parse("0/O7J/0 4:4 J", variant("buluc"))
    waiting = parse("0/O6J1/0 4:4 O", variant("buluc"))
    eagle = game("puluc captor=leaves captor_retires=yes winner=most_captures")
    gone = Turn(parse("0/3J1O3/0 4:3+1 J", eagle), (2,)).results()

    assert stuck.is_drawn()
    assert stuck.is_over()
    assert stuck.winner() is None
    assert not waiting.is_drawn()
    assert [write(position) for position in gone] == ["0/9/0 4+1:4+1 O"]
    assert all(position.is_drawn() and position.is_over() for position in gone)


@pytest.mark.parametrize(
    ("start", "to", "why"),
    [
        (None, 9, "not 2 spaces ahead"),
        (None, 2, "your own unit is on space"),
        (5, 7, "Jade has no unit on space 5"),
        (7, 5, "Jade has no unit on space 7"),
        ("field", 8, "Jade has no unit in the field"),
        (0, 2, "has the spaces 1 to 9"),
        (2, 40, "has the spaces 1 to 9"),
    ],
)
def test_an_illegal_move_says_why_and_what_is_legal(start: int | None, to: int, why: str) -> None:
    """The refusal names the reason and the legal moves."""
    position = parse("4/1J4O2/4 0:0 J", variant("puluc"))

    with pytest.raises(IllegalMove, match=r"Legal on a throw worth 2: 2-4\.") as refused:
        position.move(start, to, 2)

    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("named", "text", "start", "value", "why"),
    [
        ("buluc", "4/8J/5 0:0 J", 9, 2, "it may not enter the enemy base"),
        ("buluc", "5/O8/4 0:0 O", 1, 2, "it may not enter the enemy base"),
        ("buluc", "4/5J3/5 0:0 J", 6, 2, "that is not 2 spaces ahead"),
        ("bul exact_home=yes", "4/1Jo7/4 0:0 J", 2, 3, "only the exact value brings it in"),
        ("puluc exact_home=yes", "4/7Jo1/4 0:0 J", 8, 3, "only the exact value brings it in"),
        ("boolik exact_home=yes", "4/1J'9/5 0:0 J", 2, 3, "only the exact value brings it in"),
        ("puluc", "4/4J4/5 0:0 J", 5, 1, "that is not 1 space ahead"),
    ],
)
def test_a_unit_that_may_not_leave_is_told_why(named: str, text: str, start: int, value: int, why: str) -> None:
    """It is refused for the base that it may not enter, or only with the exact value; not for the distance."""
    with pytest.raises(IllegalMove, match=f"{start}-home is not legal: {why}"):
        parse(text, game(named)).move(start, None, value)


def test_a_move_of_another_throw_is_refused() -> None:
    """A move that is legal for one throw is refused for another."""
    position = parse("4/1J4O2/4 0:0 J", variant("puluc"))

    with pytest.raises(IllegalMove, match="not 3 spaces ahead"):
        position.after(position.move(2, 4, 2), 3)


def test_no_move_from_an_empty_base_or_after_the_end() -> None:
    """A base without pieces enters none, and a finished game has no moves."""
    empty = parse("0/JJJJJ4/5 0:0 J", variant("puluc"))
    won = parse("0/4Oojjjj4/3 1:0 J", variant("puluc"))

    assert all(move.start is not None for move in empty.moves(5))
    with pytest.raises(IllegalMove, match="no piece left in the base"):
        empty.move(None, 5, 5)
    assert won.moves(1) == replace(won, turn=Side.OBSIDIAN).moves(1) == ()


def test_two_units_that_could_make_the_same_move_are_told_apart() -> None:
    """One goes forward and one back between the same spaces, so the move must name its unit."""
    rules = game("puluc retreat_captures=yes captor=homeward far_end=walk_back sharing=yes")
    position = parse("0/3(J,J')1O3/4 3:0 J", rules)
    ahead, back = (move for move in position.moves(2) if move.to == 6)

    with pytest.raises(IllegalMove, match="Name one of J, J'"):
        position.move(4, 6, 2)
    assert position.move(4, 6, 2, unit=back.unit) == back
    assert write(position.after(ahead, 2)) == "0/3J'1Jo3/4 3:0 O"
    assert write(position.after(back, 2)) == "0/3J1Jo3/4 3:0 O"


def test_equal_positions_hash_equally() -> None:
    """Two equal positions are the same dictionary key."""
    text = "4/1J4O2/4 0:0 J"

    assert {parse(text, variant("puluc")): 1}[parse(text, variant("puluc"))] == 1
    assert parse(text, variant("puluc")) != parse(text, variant("bul"))
    assert Position.start(variant("puluc"), Side.OBSIDIAN).turn is Side.OBSIDIAN
