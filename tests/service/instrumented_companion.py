"""``python -m tests.pressing [options] play ...``: the companion, with what a test needs of it done in its own process.

Mock pins are pressed on command, every event that was acknowledged is noted, and the simulated camera keeps a pace.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

import hardware.pace
import hardware.panel
import hardware.panel_worker
from companion.cli import main as puluc
from companion.referee.events import Event
from companion.referee.referee import Referee
from companion.referee.snapshot import Snapshot
from hardware.pins import Pins

DOWN_S = 0.06
"""Seconds that a pressed contact stays closed; longer than the chatter that is waited out, shorter than a held one."""
FRAMES_TOLD = 20
"""The number of frames is written down again after so many more."""


def main() -> None:
    """Prepare as asked, then be the companion."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--noted", type=Path, help="where a line is written for each acknowledged event: its number")
    parser.add_argument("--frames", type=Path, help="where the number of frames taken is written")
    parser.add_argument("--fps", type=float, help="frames a second of the simulated camera")
    chosen, words = parser.parse_known_args()
    if chosen.noted:
        note_events(chosen.noted)
    if chosen.frames:
        count_frames(chosen.frames)
    if chosen.fps:
        hardware.pace.FRAME_S = 1 / chosen.fps
    hardware.panel_worker.PRESS_SETTLE_S = 0.0
    press_when_told()
    sys.argv = ["puluc", *words]
    puluc()


def note_events(path: Path) -> None:
    """Write the number of each event down once whoever sent it has been answered; a hard kill cannot undo that."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    submit = Referee.submit

    def noting(self: Referee, event: Event, *, seen: int | None = None) -> Snapshot:
        snapshot = submit(self, event, seen=seen)
        os.write(file, f"{snapshot.number} {type(event).__name__}\n".encode())
        return snapshot

    Referee.submit = noting  # type: ignore[method-assign]  # that is what this is for


def count_frames(path: Path) -> None:
    """Keep the number of frames in a file."""
    exposure, taken = hardware.pace.Pace.exposure, 0

    def counted(self: hardware.pace.Pace) -> float:
        nonlocal taken
        taken += 1
        if taken % FRAMES_TOLD == 0:
            path.write_text(str(taken))
        return exposure(self)

    hardware.pace.Pace.exposure = counted  # type: ignore[method-assign]  # that is what this is for


def press_when_told() -> None:
    """Press the button that each line of standard input names, once there is a panel."""
    open_panel = hardware.panel.open_panel

    def opened(*words: Any, **named: Any) -> Any:
        panel = open_panel(*words, **named)
        assert panel is not None
        threading.Thread(target=press, args=(panel.factory,), daemon=True).start()
        return panel

    hardware.panel_worker.open_panel = opened  # type: ignore[attr-defined]  # where it is called


def press(factory: Any) -> None:
    """Close and open the contacts that are named, until nobody names any more."""
    buttons = Pins().buttons
    for line in sys.stdin:
        pin = factory.pin(getattr(buttons, line.strip()))
        pin.drive_low()
        time.sleep(DOWN_S)
        pin.drive_high()


if __name__ == "__main__":
    main()
