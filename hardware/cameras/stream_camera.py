"""A USB camera, or a video stream from the network, such as an old phone's."""

from __future__ import annotations

import sys
import threading
import time
from urllib.parse import urlsplit

import cv2
import numpy as np

from companion.errors import CameraLost
from companion.i18n import _
from hardware.cameras.camera import Frame, Pixels

FRAME_WIDTH_PX = 640
PATIENCE_S = 3.0
"""Seconds without a frame after which the camera counts as lost. Lower mistakes a busy network for a broken one."""

_REQUESTED_PX = (1280, 960)


class StreamCamera:
    """Reads frames with OpenCV. A thread grabs every frame as it arrives, so that none is ever stale.

    ``taken_at`` is when the wait for the frame began; the network's delay is unknown. Frames are in order.

    Parameters
    ----------
    source : int or str
        A USB camera's number, or an http, https or rtsp address.
    patience_s : float
        Seconds without a frame after which the camera counts as lost, in whole milliseconds.

    Raises
    ------
    CameraLost
        If nothing answers.
    """

    def __init__(self, source: int | str, *, patience_s: float = PATIENCE_S) -> None:
        self._source, self._patience_s = source, patience_s
        self._changed = threading.Condition()
        # Guarded by the condition.
        self._opened = self._closed = False
        self._fault = ""
        self._wanted_after: float | None = None
        self._newest: Frame | None = None
        self._seen_at = float("-inf")
        # A daemon, so that a driver that hangs in a read cannot keep the program from ending.
        self._thread = threading.Thread(target=self._run, name=f"camera {self}", daemon=True)
        self._thread.start()
        with self._changed:
            # Opening has the same limit of its own; the rest is for a slow machine.
            if not self._changed.wait_for(lambda: self._opened or self._fault, timeout=patience_s + 2):
                self._fault = _(
                    "{camera} did not answer within {seconds} seconds. {advice}",
                    camera=str(self),
                    seconds=f"{patience_s:g}",
                    advice=self._advice(),
                )
            fault = self._fault
        if fault:
            self.close()
            raise CameraLost(fault)

    def __str__(self) -> str:
        if isinstance(self._source, int):
            return _("The camera usb:{source}", source=self._source)
        parts = urlsplit(self._source)
        # The address may contain a password.
        return _("The camera at {address}", address=f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}")

    def next_frame(self) -> Frame:
        """Wait for the next frame, 640 px wide."""
        with self._changed:
            frame = self._next(after=self._seen_at)
        rows, columns = frame.pixels.shape[:2]
        if columns <= FRAME_WIDTH_PX:
            return frame
        size = (FRAME_WIDTH_PX, round(rows * FRAME_WIDTH_PX / columns))
        return _frame(cv2.resize(frame.pixels, size, interpolation=cv2.INTER_AREA), frame.taken_at)

    def still(self) -> Frame:
        """Return the second frame to arrive, at full size: the exposure of the first may have begun before."""
        with self._changed:
            under_way = self._next(after=time.monotonic())
            return self._next(after=under_way.taken_at)

    def close(self) -> None:
        """Release the device or connection. Waits a few seconds at most for the current frame."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join(self._patience_s + 2)

    def _next(self, *, after: float) -> Frame:
        """Return the first frame whose wait began later than ``after``. The caller holds the condition."""
        self._wanted_after, self._newest = after, None
        arrived = self._changed.wait_for(
            lambda: self._newest is not None or self._fault or self._closed, timeout=self._patience_s
        )
        self._wanted_after = None
        if self._closed:
            raise CameraLost(_("{camera} is closed.", camera=str(self)))
        if self._fault:
            raise CameraLost(self._fault)
        if not arrived or self._newest is None:
            raise CameraLost(
                _(
                    "{camera} has sent no picture for {seconds} seconds. {advice}",
                    camera=str(self),
                    seconds=f"{self._patience_s:g}",
                    advice=self._advice(),
                )
            )
        self._seen_at = self._newest.taken_at
        return self._newest

    def _advice(self) -> str:
        if isinstance(self._source, int):
            return _("Check its plug, and close any other program that uses it.")
        return _("Check the address, and that the camera is on and in the same network.")

    def _run(self) -> None:
        try:
            capture = _capture(self._source, self._patience_s)
        except (cv2.error, OverflowError) as error:
            with self._changed:
                self._fault = _(
                    "{camera} cannot be opened ({error}). {advice}",
                    camera=str(self),
                    error=str(error),
                    advice=self._advice(),
                )
                self._changed.notify_all()
            return
        try:
            with self._changed:
                self._opened = capture.isOpened()
                if not self._opened:
                    self._fault = _("{camera} cannot be opened. {advice}", camera=str(self), advice=self._advice())
                self._changed.notify_all()
            while self._step(capture):
                pass
        finally:
            # OpenCV does not allow this while another thread reads.
            capture.release()

    def _step(self, capture: cv2.VideoCapture) -> bool:
        """Grab one frame, and publish it if one is wanted. Returns False once the stream has ended."""
        begun = time.monotonic()
        arrived = capture.grab()
        with self._changed:
            if self._closed or self._fault:
                return False
            wanted = self._wanted_after is not None and begun > self._wanted_after
        if arrived and not wanted:
            return True
        # Decoding is slow, so only wanted frames are decoded, outside the lock.
        decoded, pixels = capture.retrieve() if arrived else (False, None)
        with self._changed:
            if not decoded or pixels is None:
                self._fault = _(
                    "{camera} has stopped sending pictures. {advice}", camera=str(self), advice=self._advice()
                )
            else:
                self._newest = _frame(pixels, begun)
            self._changed.notify_all()
        return not self._fault


def _capture(source: int | str, patience_s: float) -> cv2.VideoCapture:
    if isinstance(source, str):
        limit_ms = round(patience_s * 1000)
        return cv2.VideoCapture(
            source,
            cv2.CAP_FFMPEG,
            # Each further decoding thread would delay the stream by one frame.
            [
                *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, limit_ms),
                *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, limit_ms),
                *(cv2.CAP_PROP_N_THREADS, 1),
            ],
        )
    capture = cv2.VideoCapture(source, cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY)
    # Uncompressed, USB 2 carries only five frames of this size a second. Cameras ignore what they do not support.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, _REQUESTED_PX[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, _REQUESTED_PX[1])
    return capture


def _frame(pixels: object, taken_at: float) -> Frame:
    settled: Pixels = np.asarray(pixels, dtype=np.uint8)
    settled.flags.writeable = False
    return Frame(settled, taken_at)
