"""A phone that takes one photograph of each throw, held by hand over the printed tray sheet."""

from __future__ import annotations

import time
from collections.abc import Callable

import cv2
import numpy as np

from companion.errors import CameraLost
from companion.i18n import N_, _
from companion.phone_camera.absence import Absence, PhoneAway
from companion.phone_camera.mailbox import Mode, PhoneMailbox
from companion.printing.tray_plan import MARKER_MM, PAPERS
from hardware.cameras.camera import Frame, Pixels
from hardware.cameras.pacing import FramePacer
from hardware.cameras.phone_camera import decoded
from hardware.registration.markers import find_markers

PX_PER_MM = 4.0
"""Pixels of a straightened photograph per millimetre of paper: 1188 x 840 for A4. Higher adds no detail that a held
phone has taken, lower loses thin marks."""
FRAME_WIDTH_PX = 640
MOVING_S = 0.6
"""Seconds for which frames move after a photograph has come, so that it counts as a new throw."""
NO_SHEET = N_("I need to see all four black squares of the printed tray. Take the photo again.")


class PhotoCamera:
    """Shows the newest photograph, straightened by the printed sheet's markers, as if a fixed camera had taken it.

    Parameters
    ----------
    mailbox : PhoneMailbox
    taken : callable, optional
        Called with each new photograph that shows the sheet.
    clock, sleep : callable
        Return monotonic seconds, and wait for the given number of seconds.

    Raises
    ------
    PhoneAway
        If no phone sends photographs.
    """

    def __init__(
        self,
        mailbox: PhoneMailbox,
        *,
        taken: Callable[[], object] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        mailbox.check_phone()
        self._mailbox, self._pacer = mailbox, FramePacer(clock=clock, sleep=sleep)
        self._taken = taken
        # A photograph from before is shown, and is no new throw. Who only asks whether the phone is there needs none.
        self._photo = self._from_before = mailbox.photo
        self._straight: Pixels | None = None
        self._moving_until = float("-inf")
        self._number, self._closed = 0, False

    def next_frame(self) -> Frame:
        """Wait for the next frame of the photograph, 640 px wide; it moves for a moment when there is a new one."""
        picture = self._current()
        rows, columns = picture.shape[:2]
        size = (FRAME_WIDTH_PX, round(rows * FRAME_WIDTH_PX / columns))
        taken_at = self._pacer.wait()
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        if taken_at < self._moving_until:
            self._number += 1
            small = np.roll(small[::-1], 40 * self._number, axis=1)
        return _frame(small, taken_at)

    def still(self) -> Frame:
        """The photograph."""
        return _frame(self._current().copy(), self._pacer.wait())

    def close(self) -> None:
        """Stop. Later calls raise CameraLost."""
        self._closed = True

    def _current(self) -> Pixels:
        if self._closed:
            raise CameraLost(_("The connection to the phone is closed."))
        self._mailbox.check_phone()
        if self._mailbox.mode is not Mode.PHOTOS:
            raise PhoneAway(self._mailbox.subject, Absence.CLOSED)
        if self._from_before is not None:
            self._straight = straightened(decoded(self._from_before))
            self._from_before = None
        photo = self._mailbox.photo
        if photo is not None and photo is not self._photo:
            self._photo = photo
            straight = straightened(decoded(photo))
            self._mailbox.show_hints(() if straight is not None else (NO_SHEET,))
            if straight is not None:
                self._straight, self._moving_until = straight, self._pacer.now() + MOVING_S
                self._taken()
        if self._straight is None:
            # Nothing is read before the first photograph.
            self._moving_until = float("inf")
            return _blank()
        if self._moving_until == float("inf"):
            self._moving_until = self._pacer.now() + MOVING_S
        return self._straight


def straightened(photo: Pixels) -> Pixels | None:
    """The printed sheet as seen from straight above, or None without its four markers.

    The paper's size does not matter: a letter sheet comes out a little stretched, the same in every photograph.
    """
    seen = find_markers(photo, min_markers=4)
    if seen is None:
        return None
    sheet = PAPERS["a4"]
    there = [(left, top) for left, top, _right, _bottom in sheet.markers]
    square = np.array([[0, 0], [MARKER_MM, 0], [MARKER_MM, MARKER_MM], [0, MARKER_MM]])
    wanted = np.concatenate([np.array(corner) + square for corner in there]) * PX_PER_MM
    found = np.concatenate([seen.corners[marker] for marker in sorted(seen.corners)])
    matrix, _inliers = cv2.findHomography(found, wanted)
    if matrix is None:
        return None
    size = (round(sheet.width * PX_PER_MM), round(sheet.height * PX_PER_MM))
    return np.asarray(cv2.warpPerspective(photo, matrix, size, flags=cv2.INTER_AREA), np.uint8)


def _blank() -> Pixels:
    sheet = PAPERS["a4"]
    size = (round(sheet.height * PX_PER_MM), round(sheet.width * PX_PER_MM), 3)
    ramp = np.linspace(60, 200, size[1], dtype=np.uint8)
    return np.broadcast_to(ramp[None, :, None], size).copy()


def _frame(pixels: object, taken_at: float) -> Frame:
    settled = np.ascontiguousarray(pixels, np.uint8)
    settled.flags.writeable = False
    return Frame(settled, taken_at)
