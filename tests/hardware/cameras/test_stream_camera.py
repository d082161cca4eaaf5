"""Network cameras, on a real stream from this machine: its frames, a stop, a stall, and opening it again."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator

import pytest

from companion.errors import CameraLost
from hardware.cameras.stream_camera import StreamCamera
from tests.hardware.cameras.stream_server import StreamServer, number_in, serving


@pytest.fixture(name="server")
def fixture_server() -> Iterator[StreamServer]:
    """A network camera. All threads that the test starts must have ended."""
    before = set(threading.enumerate())
    with serving() as server:
        yield server
    assert set(threading.enumerate()) == before


def test_frames_are_small_and_in_order(server: StreamServer) -> None:
    """Frames are 640 pixels wide, and each is newer than the one before."""
    camera = StreamCamera(server.url)
    frames = [camera.next_frame() for _ in range(4)]
    camera.close()

    assert {frame.pixels.shape for frame in frames} == {(480, 640, 3)}
    numbers = [number_in(frame.pixels) for frame in frames]
    assert numbers == sorted(set(numbers))


def test_still_is_not_stale(server: StreamServer) -> None:
    """A still has full size, and the server began it after the call, however long no frame was taken."""
    camera = StreamCamera(server.url)
    camera.next_frame()
    while server.sent < 12:
        time.sleep(0.01)
    before = server.sent
    still = camera.still()
    camera.close()

    assert still.pixels.shape == (600, 800, 3)
    assert before < number_in(still.pixels) <= before + 4


def test_stopped_stream_is_lost_at_once(server: StreamServer) -> None:
    """Once the server has stopped, every call raises without waiting."""
    camera = StreamCamera(server.url)
    camera.next_frame()
    server.stop()
    began = time.monotonic()
    with pytest.raises(CameraLost, match="stopped sending"):
        camera.still()
    with pytest.raises(CameraLost, match="stopped sending"):
        camera.next_frame()
    took = time.monotonic() - began
    camera.close()

    assert took < 2


def test_stalled_stream_is_lost_in_time(server: StreamServer) -> None:
    """A connection that stays open but sends nothing is lost after ``patience_s``."""
    camera = StreamCamera(server.url, patience_s=0.3)
    camera.next_frame()
    server.stalled.set()
    time.sleep(0.05)
    began = time.monotonic()
    with pytest.raises(CameraLost, match=r"sent no picture for 0\.3 seconds|stopped sending"):
        camera.next_frame()
    took = time.monotonic() - began
    camera.close()

    assert took < 2


def test_reopening(server: StreamServer) -> None:
    """A closed stream can be opened again, also twice at the same time."""
    StreamCamera(server.url).close()
    first, second = StreamCamera(server.url), StreamCamera(server.url)
    numbers = [number_in(camera.next_frame().pixels) for camera in (first, second)]
    first.close()
    second.close()

    assert min(numbers) > 0


def test_address_without_a_server_is_lost() -> None:
    """It raises at once and leaves no thread behind."""
    with serving() as server:
        url = server.url
    before = threading.active_count()
    with pytest.raises(CameraLost, match=r"cannot be opened.*Check the address"):
        StreamCamera(url)

    assert threading.active_count() == before


def test_password_is_not_shown() -> None:
    """The message leaves out the password in the camera's address."""
    with serving() as server:
        url = server.url
    with pytest.raises(CameraLost) as lost:
        StreamCamera(url.replace("http://", "http://ana:secret@"))

    assert "secret" not in str(lost.value)
    assert "127.0.0.1" in str(lost.value)


@pytest.mark.skipif(sys.platform != "linux", reason="asks for a device that other systems may have")
def test_missing_usb_camera() -> None:
    """A USB camera that is not there is lost, and the message mentions its plug."""
    with pytest.raises(CameraLost, match=r"usb:63 cannot be opened.*plug"):
        StreamCamera(63)
