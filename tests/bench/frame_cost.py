"""Measure the cost of a frame between rests, tray and board in one picture: ``python -m tests.bench.frame_cost``.

It is processor time on one core, without that of taking the frame.
"""

# ruff: noqa: T201 - prints its results

from __future__ import annotations

import statistics
import time
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from companion.calibration.board_session import proposed_position
from companion.referee.events import CameraChanged, CameraState, GameStarted
from companion.referee.referee import Referee
from companion.rules.unit import Side
from companion.storage.store import Store
from hardware.board.board_profile import BoardProfile
from hardware.board.board_reader import BoardReader
from hardware.cameras.camera import Frame
from hardware.cameras.simulated_board import BoardScene, SimulatedBoard
from hardware.cameras.simulated_camera import SimulatedCamera
from hardware.tracking.board.board_watcher import BoardWatcher
from hardware.tracking.settling import SettlingDetector

FRAMES, FPS = 300, 10


def main() -> None:
    """Play frames that are at rest, measure, print."""
    cv2.setNumThreads(1)
    game = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=3, begins=Side.JADE)
    with TemporaryDirectory() as folder:
        referee = Referee(Store(Path(folder)), first=game)
        referee.submit(CameraChanged(state=CameraState.WATCHING))
        position = proposed_position(referee.state().rules)
        camera = SimulatedCamera(1, board=SimulatedBoard(9, BoardScene.of(position)), sleep=lambda _seconds: None)
        empty, pieces, corners = camera.board_lesson()
        reader = BoardReader(BoardProfile.taught_from(empty, pieces, position, corners=corners))
        tray, seen = camera.calibration()[0], [camera.next_frame().pixels for _ in range(10)]
        lit = [np.asarray(cv2.convertScaleAbs(one, alpha=1 - 0.02 * at), np.uint8) for at, one in enumerate(seen)]
        for light, frames in (("steady", seen), ("flickering", lit)):
            watcher = BoardWatcher(table=referee.state, see=referee.see_board, reader=reader)
            detector = SettlingDetector(tray, view=partial(watcher.hide, tray=tray))
            took = []
            for number, pixels in enumerate(islice(cycle(frames), FRAMES)):
                frame = Frame(pixels, number / FPS)
                began = time.process_time()
                watcher.observe(camera, frame)
                watched = time.process_time()
                detector.update(frame)
                took.append((1000 * (watched - began), 1000 * (time.process_time() - watched)))
            for name, pick in (
                ("median", statistics.median),
                ("fastest tenth", lambda part: sorted(part)[len(part) // 10]),
            ):
                board, beside = (pick(part) for part in zip(*took, strict=True))
                print(
                    f"{light} light, {name}: board {board:.2f} ms, tray {beside:.2f} ms, "
                    f"together {board + beside:.2f} ms"
                )
        camera.close()
        referee.close()


if __name__ == "__main__":
    main()
