"""The board hidden from whoever watches the tray beside it."""

from __future__ import annotations

import numpy as np

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
