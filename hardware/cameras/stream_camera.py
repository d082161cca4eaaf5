"""A USB camera, or a picture stream from the network such as an old phone sends."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from urllib.parse import urlsplit

import cv2
import numpy as np

from companion.errors import CameraLost
from companion.words import _
from hardware.camera import Frame, Pixels

WATCH_WIDTH_PX = 640
PATIENCE_S = 3.0
"""Silence after which the camera counts as lost. Lower and a busy network is taken for a broken one."""

_ASKED_PX = (1280, 960)


class StreamCamera:
    """Frames from OpenCV's own readers, never stale: a thread takes every frame as it comes and keeps none it need not.

    A frame counts as taken when waiting for it began. What a network delays before it reaches this machine is not
    known here; the order of frames is, and each one is newer than those before it.
    """

    def __init__(
        self,
        source: int | str,
        *,
        patience_s: float = PATIENCE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """source: a USB camera's number, or an http, https or rtsp address. Raises CameraLost if nothing answers there.

        patience_s: seconds without a frame after which the camera is given up; whole milliseconds count.
        """
        self._source, self._patience_s, self._clock = source, patience_s, clock
        self._changed = threading.Condition()
        # All of these are read and written under the condition only.
        self._opened = self._closed = False
        self._fault = ""
        self._wanted_after: float | None = None
        self._newest: Frame | None = None
        self._seen_at = float("-inf")
        # A daemon, because a driver that never returns from a read must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name=f"camera {self}", daemon=True)
        self._thread.start()
        with self._changed:
            # Opening has its own limit, which is this long as well; the rest is for a slow machine.
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
        # A password in the address is nobody else's business.
        return _("The camera at {address}", address=f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}")

    def watch(self) -> Frame:
        """The next frame to arrive, 640 px wide."""
        with self._changed:
            frame = self._next(after=self._seen_at)
        rows, columns = frame.pixels.shape[:2]
        if columns <= WATCH_WIDTH_PX:
            return frame
        size = (WATCH_WIDTH_PX, round(rows * WATCH_WIDTH_PX / columns))
        return _frame(cv2.resize(frame.pixels, size, interpolation=cv2.INTER_AREA), frame.taken_at)

    def still(self) -> Frame:
        """A frame as large as the camera sends them, begun after this call: the second, as the first was under way."""
        with self._changed:
            under_way = self._next(after=self._clock())
            return self._next(after=under_way.taken_at)

    def close(self) -> None:
        """Let go of the device or the connection; waits for the frame under way, a few seconds at most."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join(self._patience_s + 2)

    def _next(self, *, after: float) -> Frame:
        """The first frame whose waiting began later than ``after``. The caller holds the condition."""
        self._wanted_after, self._newest = after, None
        arrived = self._changed.wait_for(
            lambda: self._newest is not None or self._fault or self._closed, timeout=self._patience_s
        )
        self._wanted_after = None
        if self._closed:
            raise CameraLost(_("{camera} was closed; open it again.", camera=str(self)))
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
            return _("Check its plug, and that no other program uses it.")
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
            # Only this thread may let go: OpenCV does not allow it while another one reads.
            capture.release()

    def _step(self, capture: cv2.VideoCapture) -> bool:
        """Take one frame from the camera, and hand it over if somebody waits for it. False when it is over."""
        begun = self._clock()
        arrived = capture.grab()
        with self._changed:
            if self._closed or self._fault:
                return False
            wanted = self._wanted_after is not None and begun > self._wanted_after
        if arrived and not wanted:
            return True
        # Decoding is the dear part, so it is done for wanted frames only, and outside the lock.
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
            # More decoding threads would each hold back one frame.
            [
                *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, limit_ms),
                *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, limit_ms),
                *(cv2.CAP_PROP_N_THREADS, 1),
            ],
        )
    capture = cv2.VideoCapture(source, cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY)
    # Uncompressed, this size comes five times a second over USB 2. A camera that knows neither gives what it has.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, _ASKED_PX[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, _ASKED_PX[1])
    return capture


def _frame(pixels: object, taken_at: float) -> Frame:
    settled: Pixels = np.asarray(pixels, dtype=np.uint8)
    settled.flags.writeable = False
    return Frame(settled, taken_at)
