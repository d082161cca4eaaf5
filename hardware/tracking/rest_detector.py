"""The interface of whatever detects that the tray is at rest."""

from __future__ import annotations

from typing import Protocol

from hardware.cameras.camera import Frame


class RestDetector(Protocol):
    """Detects whether the tray is at rest, and how it differs from when it was read last."""

    @property
    def has_changed(self) -> bool:
        """Whether something lies differently than when it was read last."""
        ...

    @property
    def is_settling(self) -> bool:
        """Whether nothing has moved for a moment and nothing reaches in, so that rest is expected."""
        ...

    @property
    def is_nudged(self) -> bool:
        """Whether most of it has not moved since it was read last."""
        ...

    @property
    def is_obstructed(self) -> bool:
        """Whether nothing moves, but something reaches into the picture."""
        ...

    @property
    def motions(self) -> int:
        """Number of frames with motion so far."""
        ...

    def update(self, frame: Frame) -> bool:
        """Take the next frame, and return whether the tray is at rest and clear."""
        ...

    def expect_delay(self) -> None:
        """Note that the next frame may be late, because a picture is read first."""
        ...

    def mark_read(self) -> None:
        """Note that the tray has been read as it is now. The next frame may be late."""
        ...

    def accept_obstruction(self) -> None:
        """Note that what reaches into the picture belongs there."""
        ...
