"""Assembles what watches and teaches the board."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import TYPE_CHECKING

from companion.calibration.board_mailbox import BoardMailbox
from companion.errors import NotStored, ProfileUnusable
from companion.i18n import _
from companion.referee.referee import Referee
from companion.storage.atomic_file import to_disk

if TYPE_CHECKING:
    from hardware.board.board_profile import BoardProfile
    from hardware.board.board_reader import BoardReader
    from hardware.cameras.camera import Camera, Frame
    from hardware.tracking.board.board_teacher import BoardTeacher
    from hardware.tracking.board.board_watcher import BoardWatcher

log = logging.getLogger("puluc")


class WatchedBoard:
    """Passes the camera's frames to whoever looks at the board: the teacher while it is taught, else the watcher."""

    def __init__(self, watcher: BoardWatcher, teacher: BoardTeacher) -> None:
        self.watcher, self.teacher = watcher, teacher

    @property
    def is_needed(self) -> bool:
        """Whether a board is watched or taught."""
        return self.watcher.reader is not None or self.teacher.is_active

    def observe(self, camera: Camera, frame: Frame) -> None:
        """Take a frame. Raises CameraLost."""
        (self.teacher if self.teacher.is_active else self.watcher).observe(camera, frame)


def board_with_teaching(folder: Path, referee: Referee) -> tuple[WatchedBoard, BoardMailbox]:
    """The board whose profile is in ``folder``, if there is one, and teaching for phones."""
    from hardware.board.board_profile import FILE, BoardProfile
    from hardware.board.board_reader import BoardReader
    from hardware.tracking.board.board_teacher import BoardTeacher
    from hardware.tracking.board.board_watcher import BoardWatcher

    watcher = BoardWatcher(table=referee.state, see=referee.see_board)

    def watch(reader: BoardReader | None) -> None:
        watcher.use(reader)
        referee.know_board(None if reader is None else reader.profile.road.spaces)

    def use(profile: BoardProfile, reader: BoardReader) -> None:
        profile.save(folder)
        try:
            to_disk(folder)
            to_disk(folder.parent)
        except OSError as error:
            raise ProfileUnusable(
                _("The profile cannot be saved in {folder}: {error}.", folder=folder, error=error.strerror)
            ) from error
        watch(reader)

    def forget() -> None:
        try:
            (folder / FILE).unlink(missing_ok=True)
        except OSError as error:
            raise NotStored(
                _("The profile cannot be removed from {folder}: {error}.", folder=folder, error=error.strerror)
            ) from error
        watch(None)

    if (folder / FILE).exists():
        try:
            watch(BoardReader(BoardProfile.load(folder)))
        except ProfileUnusable as error:
            log.warning("%s The board is not watched.", error)
    mailbox = BoardMailbox(
        clock=time.monotonic, taught=watcher.reader is not None, look=watcher.check, forgotten=forget
    )
    return WatchedBoard(watcher, BoardTeacher(mailbox, use=use)), mailbox
