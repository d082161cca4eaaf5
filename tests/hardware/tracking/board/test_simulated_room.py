"""Whole games in the simulated room without a tap after the start, with everything that goes wrong on a real table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from companion.referee.events import GameStarted
from companion.referee.game_state import Phase
from companion.rules.position import Position
from companion.rules.unit import Side
from hardware.cameras.simulated_board import BoardScene
from tests.hardware.tracking.board.simulated_room import SimulatedRoom, shifted

MakeRoom = Callable[[GameStarted], SimulatedRoom]


@pytest.fixture
def make_room(tmp_path: Path) -> Iterator[MakeRoom]:
    rooms: list[SimulatedRoom] = []

    def make(game: GameStarted) -> SimulatedRoom:
        rooms.append(SimulatedRoom(tmp_path, game))
        return rooms[-1]

    yield make
    for room in rooms:
        room.close()


def game(jade: str, obsidian: str, **more: int) -> GameStarted:
    changes = {name: str(value) for name, value in more.items()}
    return GameStarted(variant="puluc", jade=(jade,), obsidian=(obsidian,), seed=3, begins=Side.JADE, changes=changes)


def extra_piece(position: Position) -> BoardScene:
    """The position with one more piece of Jade on the first empty space from the middle."""
    scene = BoardScene.of(position)
    stacks = list(scene.stacks)
    order = sorted(range(len(stacks)), key=lambda at: abs(at - len(stacks) // 2))
    stacks[next(at for at in order if not stacks[at])] = (Side.JADE,)
    return replace(scene, stacks=tuple(stacks))


def wait_for_turn(room: SimulatedRoom) -> bool:
    """Whether a move is due; False if the game is over."""
    room.until(lambda: room.move_due() or room.over(), most_s=60.0)
    return not room.over()


def make_move(room: SimulatedRoom, chance: Random) -> Position:
    """Make the computer's move, or any legal one, and wait until the game has it."""
    turns, result = len(room.state.turns), chance.choice(room.right_results())
    room.put(result)
    room.until(lambda: len(room.state.turns) > turns)
    return result


def test_a_whole_game_against_easy_without_a_tap(make_room: MakeRoom) -> None:
    """Two illegal boards, a hand that stays and a knocked board on the way are told, and cost no wrong move."""
    room, chance = make_room(game("Ana", "easy", pieces=2)), Random(5)
    told: list[str] = []
    number = 0
    while wait_for_turn(room):
        number += 1
        before = room.state.position
        if number in (2, 5):
            room.shows(extra_piece(before))
            told.append(room.advance(1.2).status)
        elif number == 3:
            room.shows(replace(room.board.scene, hand=True))
            told.append(room.advance(3.0).reason)
        elif number == 4:
            room.shows(shifted(room.board.scene, 0.02, -0.012))
            told.append(room.advance(1.2).status)
        assert room.state.position == before
        result = make_move(room, chance)
        assert room.state.position == result

    assert told == ["illegal", "hand", "unchanged", "illegal"]
    assert number > 8
    assert room.state.winner() is not None


def test_two_people_play_by_the_board(make_room: MakeRoom) -> None:
    """A move before the throw counts confirms both; a piece pushed on before the next throw corrects the move."""
    room = make_room(game("Ana", "Beto"))
    room.until(lambda: room.state.phase is Phase.READING)
    [entered] = room.right_results()
    room.put(entered)
    room.until(lambda: bool(room.state.turns))
    confirmed = room.state
    wait_for_turn(room)
    while len(room.right_results()) < 2:
        make_move(room, Random(1))
        wait_for_turn(room)
    turns = len(room.state.turns)
    room.camera.holds = True
    taken, other = room.right_results()[:2]
    room.put(taken)
    room.until(lambda: len(room.state.turns) > turns)
    at_first = room.state.position
    room.put(other)
    room.until(lambda: room.state.position == other)
    room.camera.holds = False

    assert confirmed.position == entered
    assert at_first == taken
    assert len(room.state.turns) == turns + 1


def test_after_a_knock_that_is_too_far_it_waits(make_room: MakeRoom) -> None:
    """Pushed away the board is not read; put back, the game goes on."""
    room = make_room(game("Ana", "Beto"))
    wait_for_turn(room)
    scene = room.board.scene
    room.shows(shifted(scene, 0.0, -0.13))
    gone = room.advance(1.2)
    room.shows(scene)

    assert (gone.status, gone.reason) == ("unsure", "moved")
    assert make_move(room, Random(1)) == room.state.position
