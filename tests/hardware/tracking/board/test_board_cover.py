"""The board hidden from whoever watches the tray beside it."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.cameras.camera import Frame
from hardware.tracking.board.board_cover import BoardCover
from tests.hardware.board.drawn_board import profile


def test_the_newest_picture_of_the_tray_is_shown() -> None:
    """After the camera was taught again, it may lie where the last one lay in memory."""
    board = profile()
    cover = BoardCover(board.road, board.empty)
    shown = np.full((240, 320, 3), 100, np.uint8)
    blues = []
    for blue in (40, 45, 50, 60):
        tray = np.full((480, 640, 3), 100, np.uint8)
        tray[200:280, 95:545, 0] = blue
        blues.append(int(cover.hide(shown, tray)[120, 160, 0]))
        del tray

    assert blues == [40, 45, 50, 60]


def test_grey_levels_are_hidden_as_colours_are() -> None:
    """The tray is watched in grey levels, and compared with the empty tray in colour."""
    board = profile()
    cover, chance = BoardCover(board.road, board.empty), np.random.default_rng(1)
    tray = chance.integers(90, 110, board.empty.shape).astype(np.uint8)
    frame = Frame(np.asarray(tray // 2, np.uint8), 0.0)
    hidden = cv2.cvtColor(cover.hide(frame.small, tray), cv2.COLOR_BGR2GRAY)

    assert np.abs(hidden - cover.hide(frame.grey, tray).astype(float)).max() <= 2
    assert frame.small is frame.small
