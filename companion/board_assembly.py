"""Assembles what watches and teaches the board."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.calibration.board_mailbox import BoardMailbox
from companion.calibration.board_session import proposed_position
from companion.camera_spec import CameraSpec
from companion.errors import NotStored, ProfileUnusable
from companion.i18n import _
from companion.referee.referee import Referee
from companion.rules.variant import Variant

if TYPE_CHECKING:
    from hardware.board.board_profile import BoardProfile
    from hardware.board.board_reader import BoardReader
    from hardware.cameras.camera import Camera, Frame
    from hardware.cameras.simulated_board import SimulatedBoard
    from hardware.tracking.board.board_teacher import BoardTeacher
    from hardware.tracking.board.board_watcher import BoardWatcher
    from hardware.tracking.board.corrections import BoardLearner
    from hardware.tracking.board.simulated_hands import SimulatedHands

log = logging.getLogger("puluc")


class WatchedBoard:
    """Passes the camera's frames to whoever looks at the board: the teacher while it is taught, else the watcher.

    learner: to be stepped by a thread of its own. hands: move the pieces of a drawn board.
    """

    def __init__(
        self, watcher: BoardWatcher, teacher: BoardTeacher, learner: BoardLearner, hands: SimulatedHands | None = None
    ) -> None:
        self.watcher, self.teacher, self.learner, self._hands = watcher, teacher, learner, hands
        self._camera: Camera | None = None

    @property
    def is_needed(self) -> bool:
        """Whether a board is watched or taught."""
        return self.watcher.reader is not None or self.teacher.is_active

    def observe(self, camera: Camera, frame: Frame) -> None:
        """Take a frame. Raises CameraLost."""
        if self._hands is not None:
            self._hands.step(frame.taken_at)
        if camera is not self._camera:
            # While it was away, the referee has forgotten what was seen.
            self.watcher.use(self.watcher.reader)
            self._camera = camera
        (self.teacher if self.teacher.is_active else self.watcher).observe(camera, frame)


def drawn_board(spec: CameraSpec, referee: Referee) -> SimulatedBoard | None:
    """The board of a simulated camera that draws one, with so many spaces as the game on the table."""
    if not spec.draws_board:
        return None
    from hardware.cameras.simulated_board import BoardScene, SimulatedBoard

    position = referee.state().position
    return SimulatedBoard(position.rules.spaces, BoardScene.of(position))


def board_with_teaching(
    folder: Path, referee: Referee, drawn: SimulatedBoard | None = None
) -> tuple[WatchedBoard, BoardMailbox]:
    """The board whose profile is in ``folder``, if there is one, and teaching for phones. A drawn board is known."""
    from hardware.board.board_profile import FILE, BoardProfile
    from hardware.board.board_reader import BoardReader
    from hardware.tracking.board.board_teacher import BoardTeacher
    from hardware.tracking.board.board_watcher import BoardWatcher
    from hardware.tracking.board.corrections import BoardLearner

    def learnt(before: BoardReader, better: BoardReader) -> None:
        if watcher.reader is not before:
            return  # another board has been taught meanwhile
        try:
            if (folder / FILE).exists():
                better.profile.save(folder)
        except ProfileUnusable as error:
            log.warning("What was learnt of the board is not kept: %s", error)
        watcher.adopt(better)
        log.info("The board's reader has learnt from what you put right.")

    learner = BoardLearner(learnt)
    watcher = BoardWatcher(table=referee.state, see=referee.see_board, learn=learner.submit)

    def watch(reader: BoardReader | None) -> None:
        watcher.use(reader)
        referee.know_board(None if reader is None else reader.profile.road.spaces)

    def use(profile: BoardProfile, reader: BoardReader) -> None:
        profile.save(folder)
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
    if drawn is not None and watcher.reader is None:
        watch(BoardReader(_lesson(drawn, referee.state().rules)))
    mailbox = BoardMailbox(
        clock=time.monotonic, taught=watcher.reader is not None, look=watcher.check, forgotten=forget
    )
    hands = None
    if drawn is not None:
        from hardware.tracking.board.simulated_hands import SimulatedHands

        hands = SimulatedHands(drawn, referee.state)
    return WatchedBoard(watcher, BoardTeacher(mailbox, use=use), learner, hands), mailbox


def _lesson(drawn: SimulatedBoard, rules: Variant) -> BoardProfile:
    """The profile of a drawn board."""
    from hardware.board.board_profile import BoardProfile
    from hardware.cameras.simulated_board import BoardScene
    from hardware.cameras.simulated_camera import SimulatedCamera

    position = proposed_position(rules)
    shown = replace(drawn, scene=BoardScene.of(position))
    empty, pieces, corners = SimulatedCamera(board=shown).board_lesson()
    return BoardProfile.taught_from(empty, pieces, position, corners=corners)
