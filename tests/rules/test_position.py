"""The rules against worked cases, against themselves in a mirror, and over whole random games."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import IllegalMove
from companion.rules.notation import parse, write
from companion.rules.position import Move, Position, Side, Unit
from companion.rules.variant import VARIANTS, variant

CASES = [
    json.loads(line) for line in (Path(__file__).parents[1] / "data" / "rules-cases.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize("id", VARIANTS)
def test_worked_cases(id: str) -> None:  # noqa: A002 - the field's own name
    """Every worked case of the variant leads to exactly the positions it names."""
    cases = [case for case in CASES if case["variant"] == id]

    assert len(cases) >= 30
    for case in cases:
        position, (value,) = parse(case["position"], variant(id)), case["values"]
        assert sorted({write(position.after(move, value)) for move in position.moves(value)}) == case["results"], case


@pytest.mark.parametrize(
    ("id", "counts"),
    [("puluc", [5, 25, 221, 1897]), ("puluc-bell", [5, 25, 182, 1294]), ("puluc-13", [5, 25, 225, 1985])],
)
def test_move_counts_by_depth(id: str, counts: list[int]) -> None:  # noqa: A002 - the field's own name
    """The number of ways a game can go on, over all throws, depth by depth."""
    rules = variant(id)

    def ways(position: Position, depth: int) -> int:
        if depth == 0:
            return 1
        total = 0
        for value in rules.values:
            moves = position.moves(value)
            after = [position.after(move, value) for move in moves] or [position.passed()]
            total += sum(ways(next_, depth - 1) for next_ in after)
        return total

    start = Position.start(rules)
    assert [ways(start, depth) for depth in range(1, 5)] == counts


def mirrored(position: Position) -> Position:
    """The same position seen from the other end, with the sides' names exchanged."""
    spaces = tuple(unit and Unit(unit.owner.other, unit.own, unit.captives) for unit in reversed(position.spaces))
    return Position(spaces, position.base[::-1], position.slain[::-1], position.turn.other)


@given(st.sampled_from(sorted(VARIANTS)), st.integers(0, 2**32))
def test_random_games(id: str, seed: int) -> None:  # noqa: A002 - the field's own name
    """Pieces are conserved, spelling is kept and the mirror has the mirrored moves, to the game's end."""
    rules, chance = variant(id), Random(seed)
    position = Position.start(rules)
    for _ in range(3000):
        if position.winner():
            break
        assert parse(write(position), rules) == position
        value = rules.values[sum(chance.random() < 0.5 for _ in range(4))]
        after = {position.after(move, value) for move in position.moves(value)} or {position.passed()}
        other = mirrored(position)
        assert {mirrored(next_) for next_ in after} == (
            {other.after(move, value) for move in other.moves(value)} or {other.passed()}
        )
        position = chance.choice(sorted(after, key=write))

    assert position.winner() is not None


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (Move(None, 9), "not 2 spaces ahead"),
        (Move(None, 2), "held by an own unit"),
        (Move(5, 7), "Jade has no unit on space 5"),
        (Move(7, 5), "Jade has no unit on space 7"),
        (Move(0, 2), "has the spaces 1 to 9"),
        (Move(2, 40), "has the spaces 1 to 9"),
    ],
)
def test_an_illegal_move_says_why_and_what_is_legal(move: Move, why: str) -> None:
    """The refusal names the reason and the legal moves."""
    position = parse("4/1J4O2/4 0:0 J", variant("puluc"))

    with pytest.raises(IllegalMove, match=r"Legal on a throw worth 2: 2-4\.") as refused:
        position.after(move, 2)

    assert why in str(refused.value)


def test_no_move_from_an_empty_base_or_after_the_end() -> None:
    """A base without pieces enters none, and a won game has no moves."""
    empty = parse("0/JJJJJ4/5 0:0 J", variant("puluc"))
    won = parse("0/4Oojjjj4/3 1:0 J", variant("puluc"))

    assert all(move.start is not None for move in empty.moves(5))
    with pytest.raises(IllegalMove, match="no piece left in the base"):
        empty.after(Move(None, 5), 5)
    assert won.winner() is Side.OBSIDIAN
    assert won.moves(1) == replace(won, turn=Side.OBSIDIAN).moves(1) == ()
