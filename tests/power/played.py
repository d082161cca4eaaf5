"""``python -m tests.power.played FOLDER``: what a table does to its disk; each step is reported once it is done.

Run under strace, which sees the disk and the telling in one order.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from random import Random

from companion.access.credentials import table_code
from companion.referee.events import Confirmed, Event, GameAgain, GameStarted, Picture, ThrowEntered, ThrowSeen, Undone
from companion.referee.game_state import GameState, Phase
from companion.referee.referee import Referee
from companion.referee.throw_tally import SIMULATED
from companion.storage.store import Store

EVENTS = 70
LARGE = 120_000
"""Bytes of a reading's picture. So many that the log is put into the games and begun anew a few times."""
CHECKPOINT = 40
"""Pages after which the log is put into the games; 1000 in play, which would take a long game."""


def report(line: str) -> None:
    """Announce this; from here on it must not be lost."""
    os.write(1, f"{line}\n".encode())


def next_event(table: GameState, chance: Random) -> Event:
    """The next event at this table."""
    match table.phase:
        case Phase.OVER:
            return GameAgain()
        case Phase.READING:
            return Confirmed()
        case Phase.MOVE:
            return Confirmed() if table.chosen or len(table.shown_steps()) < 2 else Undone()
    if chance.random() < 0.4:
        return ThrowEntered(chance.randrange(5))
    picture = Picture(jpeg=chance.randbytes(LARGE), width=640, height=480)
    return ThrowSeen(marked=chance.randrange(5), confidence=1.0, lots=(), picture=picture, sticks=SIMULATED)


def main() -> None:
    """Play for a while in that folder, and start anew in the middle."""
    folder, chance = Path(sys.argv[1]), Random(5)
    for _ in range(2):
        referee = Referee(Store(folder), first=GameStarted(variant="puluc", jade=("Ana",), obsidian=("easy",), seed=5))
        referee._store._db.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT}")
        report(f"code {table_code(folder)}")
        for _ in range(EVENTS // 2):
            event = next_event(referee.state(), chance)
            snapshot = referee.submit(event)
            report(f"event {snapshot.number} {type(event).__name__} {snapshot.position}")
        referee.close()


if __name__ == "__main__":
    main()
