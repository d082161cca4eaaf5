"""A network camera on this machine: numbered pictures as motion JPEG over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

import cv2
import numpy as np

from hardware.cameras.camera import Pixels

FRAME_S = 0.03
_BITS = 12


def numbered(number: int, width: int = 800, height: int = 600) -> bytes:
    """A picture with its number encoded as a row of black and white fields."""
    picture = np.full((height, width, 3), 90, np.uint8)
    for bit in range(_BITS):
        field = picture[: height // 4, bit * width // _BITS : (bit + 1) * width // _BITS]
        field[:] = 255 if number >> bit & 1 else 0
    encoded, jpeg = cv2.imencode(".jpg", picture)
    assert encoded
    return jpeg.tobytes()


def number_in(pixels: Pixels) -> int:
    """The number encoded in a picture of any size."""
    rows, columns = pixels.shape[:2]
    fields = [pixels[rows // 8, (2 * bit + 1) * columns // (2 * _BITS)].mean() for bit in range(_BITS)]
    return sum((field > 128) << bit for bit, field in enumerate(fields))


class StreamServer:
    """Serves the stream at ``url`` until it is stopped. sent: the number of the newest picture begun."""

    def __init__(self) -> None:
        self.sent = 0
        self.stalled = Event()
        self._stopped = Event()
        camera = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                try:
                    for jpeg in camera.pictures():
                        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                        self.wfile.write(head.encode() + jpeg + b"\r\n")
                except OSError:
                    # The viewer has disconnected.
                    return

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        # Stopping waits for the serving threads.
        self._server.daemon_threads = False
        self.url = f"http://127.0.0.1:{self._server.server_port}/stream"
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, name="stream server")
        self._thread.start()

    def pictures(self) -> Iterator[bytes]:
        while not self._stopped.wait(FRAME_S):
            if not self.stalled.is_set():
                self.sent += 1
                yield numbered(self.sent)

    def stop(self) -> None:
        if not self._stopped.is_set():
            self._stopped.set()
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()


@contextmanager
def serving() -> Iterator[StreamServer]:
    """Run a network camera for the duration of a test."""
    server = StreamServer()
    try:
        yield server
    finally:
        server.stop()
