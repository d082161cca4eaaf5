"""A phone over the tray whose browser sends its pictures."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from companion.errors import CameraLost
from companion.i18n import _
from companion.phone_camera.mailbox import Mode, PhoneMailbox, PhonePicture, Wanted
from hardware.cameras.camera import Frame, Pixels

FRAME_WIDTH_PX = 640
HINT_S = 1.0
"""Seconds between two looks at the picture's quality, which take some milliseconds each."""


class PhoneCamera:
    """Takes the pictures that the page on the phone sends when they are asked for.

    ``taken_at`` is when the picture arrived; the network's delay is unknown.

    Parameters
    ----------
    mailbox : PhoneMailbox
    quality_hints : callable
        Says what could be better about a small frame, in sentences for the phone.

    Raises
    ------
    PhoneAway
        If no phone sends live pictures.
    """

    def __init__(
        self, mailbox: PhoneMailbox, *, quality_hints: Callable[[Pixels], tuple[str, ...]] = lambda _pixels: ()
    ) -> None:
        mailbox.check_phone()
        self._mailbox, self._quality_hints = mailbox, quality_hints
        self._hinted_at = self._seen_at = float("-inf")
        self._closed = False

    def prefetch_still(self) -> None:
        """Ask for a still and the frame after it, so that the still is there when that frame has come."""
        self._mailbox.ask(Wanted.LARGE, Wanted.SMALL)

    def prefetch(self) -> None:
        """Ask for the next frame, the next still and the frame after it, so that the phone takes them meanwhile."""
        self._mailbox.ask(Wanted.SMALL, Wanted.LARGE, Wanted.SMALL)

    def next_frame(self) -> Frame:
        """Wait for the next frame, 640 px wide."""
        frame = self._take(Wanted.SMALL)
        rows, columns = frame.pixels.shape[:2]
        if columns > FRAME_WIDTH_PX:
            size = (FRAME_WIDTH_PX, round(rows * FRAME_WIDTH_PX / columns))
            frame = _frame(cv2.resize(frame.pixels, size, interpolation=cv2.INTER_AREA), frame.taken_at)
        if frame.taken_at - self._hinted_at >= HINT_S:
            self._hinted_at = frame.taken_at
            self._mailbox.show_hints(self._quality_hints(frame.pixels))
        return frame

    def still(self) -> Frame:
        """Return a picture at full size that the phone took after it was asked for it, now or ahead."""
        return self._take(Wanted.LARGE)

    def close(self) -> None:
        """Stop asking for pictures. Later calls raise CameraLost."""
        self._closed = True

    def _take(self, wanted: Wanted) -> Frame:
        if self._closed:
            raise CameraLost(_("The connection to the phone is closed."))
        if self._mailbox.mode is Mode.PHOTOS:
            raise CameraLost(_("The phone is taking single photos now."))
        picture = self._mailbox.take(wanted)
        # A coarse clock may give two pictures the same time.
        self._seen_at = max(picture.arrived_at, np.nextafter(self._seen_at, np.inf))
        return _frame(decoded(picture), self._seen_at)


def decoded(picture: PhonePicture) -> Pixels:
    """The picture's pixels. Raises CameraLost if it is damaged, which the page's route has ruled out."""
    pixels = cv2.imdecode(np.frombuffer(picture.jpeg, np.uint8), cv2.IMREAD_COLOR)
    if pixels is None:
        raise CameraLost(_("The phone sent a damaged picture."))
    return np.asarray(pixels, np.uint8)


def _frame(pixels: object, taken_at: float) -> Frame:
    settled = np.asarray(pixels, np.uint8)
    settled.flags.writeable = False
    return Frame(settled, taken_at)
