"""The layout of the board on a screen, and the board after each move, as the page draws them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.referee.events import GameStarted
from companion.referee.game_state import new_game
from companion.referee.history.game_record import parse_record
from companion.referee.reducer import apply
from companion.referee.snapshots.board_layout import Direction, cells, columns, homeward
from companion.referee.snapshots.snapshot import render_snapshot
from companion.rules.notation import parse as parse_position
from companion.rules.notation import write
from companion.rules.unit import Side

GAMES = Path(__file__).parents[2] / "data" / "games"


@pytest.mark.parametrize("spaces", [9, 11, 13, 19, 30, 45])
def test_every_space_has_one_cell_next_to_its_neighbours(spaces: int) -> None:
    """Each space lies beside the next one, in the same row or the row above."""
    wide = columns(spaces)
    laid = cells(spaces, wide)
    places = {number: divmod(at, wide or 1) for at, number in enumerate(laid) if number is not None}

    assert sorted(places) == [*range(1, spaces + 1)]
    for number in range(1, spaces):
        (row, column), (next_row, next_column) = places[number], places[number + 1]
        assert abs(row - next_row) + abs(column - next_column) == 1


@pytest.mark.parametrize("spaces", [9, 13, 30])
def test_heading_home_points_at_the_next_cell(spaces: int) -> None:
    """On every space but the last before a base, the direction leads to the neighbour that is nearer home."""
    steps: dict[Direction, tuple[int, int]] = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
    wide = columns(spaces)
    places = {number: divmod(at, wide or 1) for at, number in enumerate(cells(spaces, wide))}

    for number in range(2, spaces):
        for side, following in ((Side.JADE, number - 1), (Side.OBSIDIAN, number + 1)):
            down, right = steps[homeward(side, number, spaces=spaces, columns=wide)]
            row, column = places[number]
            assert places[following] == (row + down, column + right), (side, number)


def test_units_at_the_ends_head_for_their_base() -> None:
    """Off the last space, and out of the enemy's field, the way home is up or down."""
    assert homeward(Side.JADE, 1, spaces=13, columns=5) == "down"
    assert homeward(Side.OBSIDIAN, 13, spaces=13, columns=5) == "up"
    assert homeward(Side.OBSIDIAN, None, spaces=13, columns=5) == "up"


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.txt")), ids=lambda path: path.stem)
def test_the_board_after_a_move_is_that_of_its_result(path: Path) -> None:
    """In every golden game, the spaces that change and the rest of the board give the board of the result."""
    started, *events = parse_record(path.read_text())
    assert isinstance(started, GameStarted)
    state, compared = new_game(started, 1), 0
    for number, event in enumerate(events, 2):
        state = apply(state, event, number)
        shown = render_snapshot(number, state, game=1)
        for move in shown.moves:
            spaces = [move.after.spaces.get(at, units) for at, units in enumerate(shown.board.spaces, 1)]
            result = parse_position(move.result, state.rules)
            compared += 1

            assert write(result) == move.result
            assert [[(unit.own, unit.captives, unit.owner) for unit in units] for units in spaces] == [
                [(unit.own, unit.captives, unit.owner.value) for unit in units] for units in result.spaces
            ]
            assert move.after.turn == result.turn.value
            assert move.after.base.jade == sum(result.camps[0].base)
            assert len(move.after.fields.obsidian) == len(result.resting(Side.OBSIDIAN))

    assert compared
