"""The table's status in ``systemctl status`` and the log."""

from __future__ import annotations

import logging
from collections.abc import Callable

from companion.referee.events import CameraState
from companion.referee.referee import WAIT_S, Referee
from companion.referee.snapshots.snapshot import Snapshot

log = logging.getLogger("puluc")


class StatusLine:
    """Reports the camera's state to systemd, and its loss and return to the log.

    notify: sends one text to systemd. One thread calls ``step``.
    """

    def __init__(self, referee: Referee, notify: Callable[[str], object], *, wait_s: float = WAIT_S) -> None:
        self._referee, self._notify, self._wait_s = referee, notify, wait_s
        self._seen: Snapshot | None = None
        self._told = ""
        self._lost = False

    def step(self) -> None:
        """Wait briefly for a change of the table, and report the camera's state if it has changed."""
        snapshot = self._referee.newer(self._seen, self._wait_s)
        if snapshot is None:
            return
        self._seen = snapshot
        camera = self._referee.state().camera
        lost = camera.state is CameraState.LOST
        if lost and not self._lost:
            log.warning("The camera is lost, so counts are tapped. %s", camera.message)
        elif self._lost and not lost:
            log.info("The camera is back.")
        self._lost = lost
        said = camera.message or {
            CameraState.NONE: "The table is served.",
            CameraState.LOST: "The camera is lost; counts are tapped.",
            CameraState.UNCALIBRATED: "The camera does not know these sticks; counts are tapped.",
        }.get(camera.state, "The table is served, and the camera watches.")
        if said != self._told:
            self._notify(f"STATUS={said}")
        self._told = said
