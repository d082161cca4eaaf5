"""Take the pictures that a board is taught with, once everything is still, and learn from them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import numpy as np

from companion.calibration.board_mailbox import BoardMailbox
from companion.calibration.board_session import BoardStage, BoardTeaching
from companion.calibration.mailbox import StepSuperseded
from companion.calibration.session import Busy
from companion.errors import CompanionError, ProfileUnusable
from companion.i18n import _
from companion.referee.board.expected import ExpectedBoard
from companion.referee.board.sightings import Top
from companion.rules.notation import parse
from hardware.board.board_profile import BoardProfile
from hardware.board.board_reader import BoardReader
from hardware.board.move_matching import BoardStatus
from hardware.board.road import RoadGeometry
from hardware.cameras.camera import Camera, Frame, Pixels, SupportsLock
from hardware.cameras.picture_files import encode_picture
from hardware.tracking.settling import SettlingDetector


class BoardTeacher:
    """Does what the phones ask for, on the camera's thread.

    use: saves a profile and watches its board from now on. Raises a CompanionError.
    """

    def __init__(self, mailbox: BoardMailbox, *, use: Callable[[BoardProfile, BoardReader], None]) -> None:
        self._mailbox, self._use = mailbox, use
        self._motion = SettlingDetector()
        self._empty: Pixels | None = None
        self._pieces: Pixels | None = None
        self._learnt: tuple[BoardProfile, BoardReader] | None = None

    @property
    def is_active(self) -> bool:
        """Whether a board is being taught."""
        return self._mailbox.pending().is_open

    def observe(self, camera: Camera, frame: Frame) -> None:
        """Take a frame, and do what is asked for. Raises CameraLost."""
        now = self._mailbox.pending()
        still = self._motion.update(frame)
        if now.busy is None or (now.busy is Busy.STILL and not still):
            return
        with suppress(StepSuperseded):
            if now.busy is Busy.SAVING:
                self._save(now)
            elif now.busy is Busy.LEARNING:
                self._corners(now)
            elif now.stage is BoardStage.EMPTY:
                if isinstance(camera, SupportsLock) and not camera.is_locked:
                    # Both pictures in one exposure. The tray's, where it was taught, stays as it is.
                    camera.lock()
                self._take_empty(now, camera.still().pixels)
            else:
                self._pieces = camera.still().pixels
                self._mailbox.publish_picture(now.step, "pieces", encode_picture(self._pieces).jpeg)
                self._learn(now)

    def _take_empty(self, now: BoardTeaching, pixels: Pixels) -> None:
        assert now.rules is not None
        self._empty, self._pieces = pixels, None
        self._mailbox.publish_picture(now.step, "empty", encode_picture(pixels).jpeg)
        printed = RoadGeometry.printed(pixels, now.rules.spaces)
        rows, columns = pixels.shape[:2]
        self._mailbox.update(
            now.step,
            stage=BoardStage.CORNERS if printed is None else BoardStage.PIECES,
            width=columns,
            height=rows,
            printed=printed is not None,
            corners=None if printed is None else _ends(printed),
        )

    def _corners(self, now: BoardTeaching) -> None:
        """Check the corners; if the picture with pieces is there already, learn from it again."""
        assert now.rules is not None
        assert now.corners is not None
        try:
            RoadGeometry.between(now.corners, now.rules.spaces)
        except ProfileUnusable as error:
            self._mailbox.update(now.step, stage=BoardStage.CORNERS, corners=None, problem=str(error))
            return
        if self._pieces is None:
            self._mailbox.update(now.step, stage=BoardStage.PIECES)
        else:
            self._learn(now)

    def _learn(self, now: BoardTeaching) -> None:
        assert now.rules is not None
        assert self._empty is not None
        assert self._pieces is not None
        position = parse(now.position, now.rules)
        try:
            profile = BoardProfile.taught_from(
                self._empty,
                self._pieces,
                position,
                corners=None if now.printed else now.corners,
                changes=now.changes,
            )
            reader = BoardReader(profile)
            match = reader.match(reader.sight(profile.taught), ExpectedBoard(position))
            if match.reason == "hand":
                raise ProfileUnusable(_("There's a hand in the picture. Take it away, then try again."))
        except CompanionError as error:
            self._mailbox.update(now.step, stage=BoardStage.PIECES, problem=str(error))
            return
        self._learnt = profile, reader
        self._mailbox.update(
            now.step,
            stage=BoardStage.SHOWN,
            spaces=tuple(zip(Top.of_all(position), match.tops, strict=True)),
            clear=match.status is BoardStatus.UNCHANGED,
        )

    def _save(self, now: BoardTeaching) -> None:
        assert self._learnt is not None
        try:
            self._use(*self._learnt)
        except CompanionError as error:
            self._mailbox.update(now.step, problem=str(error))
            return
        self._mailbox.update(now.step, stage=BoardStage.DONE, taught=True, problem="")


def _ends(road: RoadGeometry) -> tuple[tuple[float, float], ...]:
    """The four corners of a road."""
    ends = np.concatenate([road.quads[0, :2], road.quads[-1, 2:]])
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in ends)
