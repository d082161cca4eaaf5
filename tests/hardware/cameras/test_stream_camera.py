"""Network cameras: a real stream on this machine, watched, stopped, stalled and found again."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator

import pytest

from companion.errors import CameraLost
from hardware.camera_stream import StreamCamera
from tests.hardware.stream_server import StreamServer, number_in, serving


@pytest.fixture(name="server")
def fixture_server() -> Iterator[StreamServer]:
    """A network camera; whatever threads the test begins must be over with it."""
    before = set(threading.enumerate())
    with serving() as server:
        yield server
    assert set(threading.enumerate()) == before


def test_watched_frames_are_small_and_in_order(server: StreamServer) -> None:
    """Frames arrive 640 wide, each newer than the last."""
    camera = StreamCamera(server.url)
    frames = [camera.watch() for _ in range(4)]
    camera.close()

    assert {frame.pixels.shape for frame in frames} == {(480, 640, 3)}
    numbers = [number_in(frame.pixels) for frame in frames]
    assert numbers == sorted(set(numbers))


def test_still_was_not_under_way_when_asked_for(server: StreamServer) -> None:
    """A still is whole, and was begun by the sender after it was asked for, however long nobody looked."""
    camera = StreamCamera(server.url)
    camera.watch()
    while server.sent < 12:
        time.sleep(0.01)
    before = server.sent
    still = camera.still()
    camera.close()

    assert still.pixels.shape == (600, 800, 3)
    assert before < number_in(still.pixels) <= before + 4


def test_stopped_stream_is_lost_at_once(server: StreamServer) -> None:
    """When the sender goes, the next frame asked for says so without waiting, and so does every later one."""
    camera = StreamCamera(server.url)
    camera.watch()
    server.stop()
    began = time.monotonic()
    with pytest.raises(CameraLost, match="stopped sending"):
        camera.still()
    with pytest.raises(CameraLost, match="stopped sending"):
        camera.watch()
    took = time.monotonic() - began
    camera.close()

    assert took < 2


def test_stalled_stream_is_lost_in_time(server: StreamServer) -> None:
    """A connection that stays open but sends nothing is given up after the patience that was set."""
    camera = StreamCamera(server.url, patience_s=0.3)
    camera.watch()
    server.stalled.set()
    time.sleep(0.05)
    began = time.monotonic()
    with pytest.raises(CameraLost, match=r"sent no picture for 0\.3 seconds|stopped sending"):
        camera.watch()
    took = time.monotonic() - began
    camera.close()

    assert took < 2


def test_reopening(server: StreamServer) -> None:
    """A stream that was left can be opened again, twice at the same time as well."""
    StreamCamera(server.url).close()
    first, second = StreamCamera(server.url), StreamCamera(server.url)
    numbers = [number_in(camera.watch().pixels) for camera in (first, second)]
    first.close()
    second.close()

    assert min(numbers) > 0


def test_nobody_answers() -> None:
    """An address where nothing listens is lost at once, and no thread stays behind."""
    with serving() as server:
        url = server.url
    before = threading.active_count()
    with pytest.raises(CameraLost, match=r"cannot be opened.*Check the address"):
        StreamCamera(url)

    assert threading.active_count() == before


def test_password_is_not_told() -> None:
    """The sentence for the players does not show the password in the camera's address."""
    with serving() as server:
        url = server.url
    with pytest.raises(CameraLost) as lost:
        StreamCamera(url.replace("http://", "http://ana:secret@"))

    assert "secret" not in str(lost.value)
    assert "127.0.0.1" in str(lost.value)


@pytest.mark.skipif(sys.platform != "linux", reason="asks for a device that other systems may have")
def test_missing_usb_camera() -> None:
    """A USB camera that is not there is lost with a sentence about its plug."""
    with pytest.raises(CameraLost, match=r"usb:63 cannot be opened.*plug"):
        StreamCamera(63)
