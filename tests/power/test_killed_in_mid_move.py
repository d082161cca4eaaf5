"""The power is cut while a move is made on the watched board, and the move is played once."""

from __future__ import annotations

from pathlib import Path
from random import Random
from time import sleep

from tests.power.test_nothing_lost import PLAYS, next_step, written
from tests.service.companion_process import CompanionProcess, Table, running_companion

BOARD = ("--camera", "none", "--board-camera", "simulated:board", "--obsidian", "easy", "--open")
KILLS = 2
MOVED_S = 6.0
"""Seconds in which the drawn hand moves the computer's piece, and the board is read."""
SLOW_S = 90.0


def play_to_its_move(companion: CompanionProcess, chance: Random) -> Table:
    """Enter throws and moves until the computer's piece is to be moved."""
    table = companion.ask("GET", "/api/table")
    while (table["phase"], table["turn"]) != ("move", "obsidian"):
        status, answer = companion.request("POST", *next_step(table, chance))
        table = answer if status == 200 else companion.ask("GET", "/api/table")
    return table


def test_a_move_is_played_once(tmp_path: Path) -> None:
    """Killed before, while or after the piece is moved: what was stored stays, and the game goes on by the board."""
    chance, stored, proposed = Random(16), dict[int, str](), 0
    for kill in range(KILLS + 1):
        with running_companion(tmp_path, *BOARD) as companion:
            gone_on = companion.until(lambda table: table["phase"] != "move", SLOW_S)
            if kill:
                after = written(tmp_path)
                its_move = [kind for number, kind in after.items() if number > proposed]
                assert {number: after[number] for number in stored} == stored
                assert len(its_move) == 1, its_move
                assert its_move[0] in PLAYS
                assert gone_on["number"] == max(after)
            proposed = play_to_its_move(companion, chance)["number"]
            sleep(chance.uniform(0, MOVED_S))
        stored = written(tmp_path)
