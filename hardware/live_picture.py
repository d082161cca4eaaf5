"""The tray as the phones see it now: one small picture, however many look and however slowly."""

from __future__ import annotations

import cv2

from hardware.camera import Frame, Pixels

EVERY_S = 0.12
"""Seconds between two pictures. Lower is smoother on the phones and costs a Pi more: each takes it about 3 ms."""

WIDTH, QUALITY = 640, 70
"""Of a picture: some 30 kB as JPEG. Larger or better ones come late over a busy network."""


class LivePicture:
    """Keeps the newest picture only. The camera's thread shows; any thread takes."""

    def __init__(self) -> None:
        self._jpeg: bytes | None = None
        self._taken_at = float("-inf")

    def jpeg(self) -> bytes | None:
        """The newest picture, or None."""
        return self._jpeg

    def follow(self, frame: Frame) -> None:
        """Show the frame, unless the last one is too recent."""
        if frame.taken_at - self._taken_at >= EVERY_S:
            self._taken_at = frame.taken_at
            self.show(frame.pixels)

    def show(self, pixels: Pixels) -> None:
        """Show this picture now."""
        rows, columns = pixels.shape[:2]
        if columns > WIDTH:
            size = (WIDTH, round(rows * WIDTH / columns))
            pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA).astype("uint8")
        done, jpeg = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        assert done, f"JPEG cannot hold an array of shape {pixels.shape}"
        self._jpeg = jpeg.tobytes()

    def clear(self) -> None:
        """Show nothing, until the next picture."""
        self._jpeg, self._taken_at = None, float("-inf")
