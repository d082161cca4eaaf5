"""A stub of libcamera for the real picamera2: one sensor with autofocus at thirty frames a second.

It implements the part of libcamera's interface that picamera2 uses. Buffers are in this process's memory.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from enum import Enum, IntEnum
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

FRAME_S = 1 / 30
LAG = 2
"""Frames until a control takes effect."""
FINDING = 6
"""Frames until exposure, white balance and focus have converged."""
PADDED = 64
"""Bytes. Rows are a multiple of this long, and one step longer, so that every row is padded."""


class _Value:
    """A value that compares by its parts."""

    def __init__(self, *parts: Any, **named: Any) -> None:
        first = parts[0] if parts else None
        self.__dict__.update(first.__dict__ if isinstance(first, _Value) else named)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(type(self))

    def __str__(self) -> str:
        return f"{type(self).__name__}({self.__dict__})"


class Transform(_Value):
    def __init__(self, other: Transform | None = None, hflip: int = 0, vflip: int = 0, transpose: int = 0) -> None:
        super().__init__(*([other] if other is not None else []), hflip=hflip, vflip=vflip, transpose=transpose)


class ColorSpace(_Value):
    YcbcrEncoding = Enum("YcbcrEncoding", "Null Rec601 Rec709")
    Range = Enum("Range", "Full Limited")
    Sycc = classmethod(lambda cls: cls(primaries=1, transferFunction=1, ycbcrEncoding=2, range=1))
    Smpte170m = classmethod(lambda cls: cls(primaries=2, transferFunction=2, ycbcrEncoding=2, range=2))
    Rec709 = classmethod(lambda cls: cls(primaries=3, transferFunction=2, ycbcrEncoding=3, range=2))
    Raw = classmethod(lambda cls: cls(primaries=0, transferFunction=0, ycbcrEncoding=0, range=1))


class Size:
    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"

    def to_tuple(self) -> tuple[int, int]:
        return self.width, self.height


class Rectangle(Size):
    """Only used in isinstance checks."""


class PixelFormat:
    def __init__(self, name: str) -> None:
        self._name = name

    def __str__(self) -> str:
        return self._name


Orientation = Enum(
    "Orientation",
    "Rotate0 Rotate0Mirror Rotate180 Rotate180Mirror Rotate90Mirror Rotate270 Rotate90 Rotate270Mirror",
)
StreamRole = Enum("StreamRole", "StillCapture Raw VideoRecording Viewfinder")
ControlType = Enum("ControlType", "Bool Integer Float Rectangle Size")
Status = Enum("Status", "Pending Complete Cancelled")
ConfigurationStatus = Enum("ConfigurationStatus", "Valid Adjusted Invalid")
FrameStatus = Enum("FrameStatus", "Success Error Cancelled Startup")


class AfMode(IntEnum):
    Manual, Auto, Continuous = 0, 1, 2


class AfTrigger(IntEnum):
    Start, Cancel = 0, 1


class AfState(IntEnum):
    Idle, Scanning, Focused, Failed = 0, 1, 2, 3


class ControlId:
    """The name of a control or property, a singleton."""

    def __init__(self, name: str) -> None:
        self.name, self.type = name, ControlType.Integer


NAMES = (
    *("AeEnable", "ExposureTime", "ExposureTimeMode", "AnalogueGain", "AnalogueGainMode", "AwbEnable", "ColourGains"),
    *("AfMode", "AfTrigger", "AfState", "LensPosition", "FrameDurationLimits", "SensorTimestamp", "NoiseReductionMode"),
)
CONTROLS = {name: ControlId(name) for name in NAMES}
SEEN_ONLY = ("AfState", "SensorTimestamp")


class Memory:
    """Memory that the camera writes to."""

    fd, offset, length = -1, 0, 0


class FrameBuffer:
    Plane = Memory

    def __init__(self, planes: list[Memory]) -> None:
        self.planes = planes
        self.metadata = SimpleNamespace(status=FrameStatus.Success)


class Request:
    Status = Status

    def __init__(self, cookie: int) -> None:
        self.cookie, self.status = cookie, Status.Pending
        self.buffers: dict[Any, FrameBuffer] = {}
        self.controls: dict[ControlId, Any] = {}
        self.metadata: dict[ControlId, Any] = {}

    def add_buffer(self, stream: object, buffer: FrameBuffer) -> None:
        self.buffers[stream] = buffer

    def set_control(self, name: ControlId, value: Any) -> None:
        self.controls[name] = value

    def reuse(self) -> None:
        self.status, self.controls, self.metadata = Status.Pending, {}, {}


class Stream:
    """A stream, compared by identity."""

    def __init__(self, configuration: StreamConfiguration) -> None:
        self.configuration = configuration


class StreamConfiguration:
    def __init__(self, role: Any) -> None:
        self.stream, self.size, self.pixel_format = Stream(self), Size(640, 480), None
        self.stride = self.frame_size = self.buffer_count = 0
        self.color_space: Any = None
        raw = [PixelFormat("SRGGB10_CSI2P")] if role is StreamRole.Raw else []
        self.formats = SimpleNamespace(pixel_formats=raw, sizes=lambda _: [Size(2304, 1296), Size(4608, 2592)])

    def settle(self) -> None:
        """Set the stride and the frame size."""
        name, width = str(self.pixel_format), self.size.width
        row = width * 3 if name == "RGB888" else width
        self.stride = (row + PADDED - 1) // PADDED * PADDED + PADDED
        self.frame_size = self.stride * self.size.height * (3 if name == "YUV420" else 2) // 2
        if name == "RGB888":
            self.frame_size = self.stride * self.size.height


class CameraConfiguration:
    Status = ConfigurationStatus

    def __init__(self, roles: list[Any]) -> None:
        self._streams = [StreamConfiguration(role) for role in roles]
        self.orientation, self.sensor_config = Orientation.Rotate0, None

    def at(self, index: int) -> StreamConfiguration:
        return self._streams[index]

    def __iter__(self) -> Iterator[StreamConfiguration]:
        return iter(self._streams)

    def validate(self) -> Any:
        for stream in self._streams:
            stream.settle()
        return ConfigurationStatus.Valid


class Camera:
    """The camera. stalled: no frames arrive. taken: another program uses it. effective: its present controls."""

    def __init__(self) -> None:
        self.id = "/base/soc/i2c0mux/i2c@1/imx708@1a"
        self.properties = {ControlId("Model"): "imx708", ControlId("ColorFilterArrangement"): 0}
        settable = {name: one for name, one in CONTROLS.items() if name not in SEEN_ONLY and not name.endswith("Mode")}
        self.controls = {
            one: SimpleNamespace(min=0, max=10**6, default=0)
            for one in (*settable.values(), CONTROLS["AfMode"], CONTROLS["NoiseReductionMode"])
        }
        self.stalled = self.taken = False
        self.effective: dict[str, Any] = {}
        self.config: CameraConfiguration | None = None
        self.running = False
        self._lock = threading.Lock()
        self._queued: list[Request] = []
        self._coming: list[tuple[int, dict[str, Any]]] = []
        self._frames = self._focusing = 0

    def acquire(self) -> None:
        if self.taken:
            raise RuntimeError("Failed to acquire camera: Device or resource busy")

    def release(self) -> None:
        assert not self.running

    def generate_configuration(self, roles: list[Any]) -> CameraConfiguration:
        return CameraConfiguration(roles)

    def configure(self, config: CameraConfiguration) -> int:
        assert not self.running
        self.config = config
        return 0

    def start(self, controls: dict[ControlId, Any]) -> None:
        self.running, self._frames = True, 0
        self.effective = {one.name: value for one, value in controls.items()}
        self._coming.clear()
        threading.Thread(target=self._expose, daemon=True).start()

    def stop(self) -> None:
        with self._lock:
            self.running = False
            cancelled, self._queued = self._queued, []
        for request in cancelled:
            request.status = Status.Cancelled
        MANAGER.done(cancelled)

    def create_request(self, cookie: int) -> Request:
        return Request(cookie)

    def queue_request(self, request: Request) -> None:
        with self._lock:
            asked = {one.name: value for one, value in request.controls.items()}
            if asked:
                self._coming.append((self._frames + LAG, asked))
            self._queued.append(request)

    def _expose(self) -> None:
        while self.running:
            time.sleep(FRAME_S)
            with self._lock:
                if self.stalled or not self._queued or not self.running:
                    continue
                request = self._queued.pop(0)
                self._frames += 1
                for due, asked in [one for one in self._coming if one[0] <= self._frames]:
                    self._coming.remove((due, asked))
                    self.effective |= asked
                    if asked.get("AfTrigger") == AfTrigger.Start and asked.get("AfMode") == AfMode.Auto:
                        self._focusing = self._frames
            for stream, buffer in request.buffers.items():
                self._paint(stream.configuration, buffer)
            request.metadata = {CONTROLS[name]: value for name, value in self._seen().items()}
            request.status = Status.Complete
            MANAGER.done([request])

    def _paint(self, config: StreamConfiguration, buffer: FrameBuffer) -> None:
        """Write a picture, blue on the left and red on the right, with padding of another colour."""
        width, height, stride = config.size.width, config.size.height, config.stride
        half = width // 2
        if str(config.pixel_format) == "RGB888":
            row = bytes((200, 40, 20)) * half + bytes((20, 40, 200)) * (width - half)
            data = row.ljust(stride, b"\x7f") * height
        else:
            luma = (bytes([60]) * half + bytes([80]) * (width - half)).ljust(stride, b"\xff") * height
            data = luma + b"".join(
                (bytes([left]) * (half // 2) + bytes([right]) * (half // 2)).ljust(stride // 2, b"\xff") * (height // 2)
                for left, right in ((200, 90), (90, 200))
            )
        os.pwrite(buffer.planes[0].fd, data[: config.frame_size], 0)

    def _seen(self) -> dict[str, Any]:
        finding = max(0, FINDING - self._frames) / FINDING
        controls = self.effective
        fixed_time = controls.get("ExposureTimeMode") == 1 and controls.get("ExposureTime")
        fixed_gain = controls.get("AnalogueGainMode") == 1 and controls.get("AnalogueGain")
        fixed_colours = controls.get("AwbEnable") is False and controls.get("ColourGains")
        since = self._frames - self._focusing
        state = AfState.Scanning if self._focusing and since < FINDING else AfState.Focused
        return {
            "ExposureTime": controls["ExposureTime"] if fixed_time else round(9_000 + 3_000 * finding),
            "AnalogueGain": controls["AnalogueGain"] if fixed_gain else 2.0 + finding,
            "ColourGains": controls["ColourGains"] if fixed_colours else (1.9 + finding, 1.4),
            "LensPosition": controls.get("LensPosition", 1.0) if not self._focusing else 2.9,
            "AfState": state if self._focusing else AfState.Idle,
            "SensorTimestamp": time.monotonic_ns(),
        }


class Manager:
    """The camera manager, which reports completed requests."""

    def __init__(self) -> None:
        self.event_fd = os.eventfd(0, os.EFD_NONBLOCK)
        self.cameras = [Camera()]
        self._ready: list[Request] = []
        self._lock = threading.Lock()

    def done(self, requests: list[Request]) -> None:
        with self._lock:
            self._ready += requests
        os.eventfd_write(self.event_fd, 1)

    def get_ready_requests(self) -> list[Request]:
        with self._lock:
            with suppress(BlockingIOError):
                os.eventfd_read(self.event_fd)
            ready, self._ready = self._ready, []
        return ready


MANAGER = Manager()


class MemoryHeap:
    """Allocates this process's memory in place of the kernel's DMA heap."""

    def alloc(self, name: str, size: int) -> Any:
        handle = os.memfd_create(name)
        os.ftruncate(handle, size)
        return SimpleNamespace(get=lambda: handle, isValid=lambda: True)

    def close(self) -> None:
        """Nothing to close."""


def install() -> None:
    """Replace libcamera in this process, so that ``import picamera2`` gets the real one on this stub."""
    controls = ModuleType("libcamera.controls")
    controls.__dict__.update(CONTROLS)
    controls.__dict__.update(AfModeEnum=AfMode, AfTriggerEnum=AfTrigger, AfStateEnum=AfState, draft=MagicMock())
    library = ModuleType("libcamera")
    own = (Transform, ColorSpace, Size, Rectangle, PixelFormat, FrameBuffer, Request, CameraConfiguration)
    library.__dict__.update({one.__name__: one for one in own})
    library.__dict__.update(Orientation=Orientation, StreamRole=StreamRole, ControlType=ControlType, controls=controls)
    library.__dict__.update(
        CameraManager=SimpleNamespace(singleton=lambda: MANAGER),
        Camera=Camera,
        SensorConfiguration=SimpleNamespace,
        FrameMetadata=SimpleNamespace(Status=FrameStatus),
        properties=MagicMock(),
        FrameBufferAllocator=MagicMock(),
        _libcamera=library,
    )
    sys.modules |= {"libcamera": library, "libcamera.controls": controls, "pykms": MagicMock()}
    from picamera2.allocators import dmaallocator

    dmaallocator.DmaHeap = MemoryHeap
    dmaallocator.fcntl = SimpleNamespace(ioctl=lambda *_: 0)
