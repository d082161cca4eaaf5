"""``python -m tests.service.instrumented_companion [options] play ...``: the companion, instrumented for tests.

Lines on standard input press its mock buttons; options log every acknowledged event and set the camera's frame rate.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

import hardware.cameras.pacing
import hardware.panel.panel
import hardware.panel.panel_worker
from companion.cli import main as puluc
from companion.referee.events import Event
from companion.referee.referee import Referee
from companion.referee.snapshots.snapshot import Snapshot
from hardware.panel.configuration import PanelConfiguration

DOWN_S = 0.06
"""Seconds that a press lasts: longer than the debounce time, shorter than a long press."""
FRAMES_TOLD = 20
"""The frame count is written after every so many frames."""


def main() -> None:
    """Instrument as asked, then run the companion."""
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
        hardware.cameras.pacing.FRAME_S = 1 / chosen.fps
    hardware.panel.panel_worker.PRESS_SETTLE_S = 0.0
    press_when_told()
    sys.argv = ["puluc", *words]
    puluc()


def note_events(path: Path) -> None:
    """Append each event's number to the file once its sender has been answered; a hard kill cannot undo that."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    submit = Referee.submit

    def noting(self: Referee, event: Event, *, seen: int | None = None) -> Snapshot:
        snapshot = submit(self, event, seen=seen)
        os.write(file, f"{snapshot.number} {type(event).__name__}\n".encode())
        return snapshot

    Referee.submit = noting  # type: ignore[method-assign]  # the purpose of this module


def count_frames(path: Path) -> None:
    """Write the number of frames taken to the file."""
    wait, taken = hardware.cameras.pacing.FramePacer.wait, 0

    def counted(self: hardware.cameras.pacing.FramePacer) -> float:
        nonlocal taken
        taken += 1
        if taken % FRAMES_TOLD == 0:
            path.write_text(str(taken))
        return wait(self)

    hardware.cameras.pacing.FramePacer.wait = counted  # type: ignore[method-assign]  # the purpose of this module


def press_when_told() -> None:
    """Press the button named by each line of standard input, once there is a panel."""
    open_panel = hardware.panel.panel.open_panel

    def opened(*words: Any, **named: Any) -> Any:
        panel = open_panel(*words, **named)
        assert panel is not None
        threading.Thread(target=press, args=(panel.factory,), daemon=True).start()
        return panel

    hardware.panel.panel_worker.open_panel = opened  # type: ignore[attr-defined]  # in the module that calls it


def press(factory: Any) -> None:
    """Close and open the named contacts until the input ends."""
    buttons = PanelConfiguration().buttons
    for line in sys.stdin:
        pin = factory.pin(getattr(buttons, line.strip()))
        pin.drive_low()
        time.sleep(DOWN_S)
        pin.drive_high()


if __name__ == "__main__":
    main()
