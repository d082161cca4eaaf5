"""What we ask of waitress beyond its own: connections that stay open without a thread, and refusals that arrive."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from time import monotonic
from typing import Any

from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.task import ErrorTask, WSGITask

from web.events import KEEP

LINGER_S = 10.0
"""Seconds for which the rest of a refused body is read away. Shorter, and a slow phone sees its connection reset in
place of the sentence; longer lets it hold the connection."""
LINGER_BYTES = 256 * 1024 * 1024
"""Bytes of a refused body that are read away; past them the connection is cut. They are not kept anywhere."""
SAID = {
    400: "That is no request that can be understood here.",
    413: "That is larger than this table takes in.",
    431: "That address, or what the browser sends along with it, is too long.",
    501: "This table cannot be asked that way.",
}


class Line:
    """A connection that stays open after its answer has begun. Only the server's own thread may use it."""

    def __init__(self, task: Task) -> None:
        self._task, self._channel = task, task.channel

    @property
    def gone(self) -> bool:
        """Whether the other side has left."""
        return not self._channel.connected or bool(self._channel.will_close)

    @property
    def waiting(self) -> bool:
        """Whether some of what was said has not left this computer yet."""
        return bool(self._channel.total_outbufs_len)

    def say(self, data: bytes) -> None:
        """Send that, as far as it goes at once, and the rest when it can be; to one who is gone, nothing."""
        try:
            self._task.write(data)
        except ClientDisconnected:
            self.hang_up()

    def hang_up(self) -> None:
        """End the answer, where all of it could be sent so far, and close the connection."""
        if not self.gone and not self.waiting:
            self._task.end()
        self._channel.handle_close()


class Task(WSGITask):  # type: ignore[misc]  # waitress has no types
    """An answer that may be kept open: ``environ[KEEP](arrived)`` makes its beginning all that this thread does.

    Once that is on its way, ``arrived`` is handed the Line.
    """

    arrived: Callable[[Line], None] | None = None

    def get_environment(self) -> dict[str, Any]:
        """The request as the application gets it."""
        environ: dict[str, Any] = super().get_environment()
        environ[KEEP] = self._keep
        return environ

    def _keep(self, arrived: Callable[[Line], None]) -> None:
        self.arrived = arrived

    def end(self) -> None:
        """Send what tells the other side that the answer is complete."""
        super().finish()

    def finish(self) -> None:
        """End the answer, or leave it open."""
        if self.arrived is None or self.request.command == "HEAD":
            self.end()
            return
        self.close_on_finish = False
        self.channel.kept = True
        self.arrived(Line(self))


class Refusal(ErrorTask):  # type: ignore[misc]  # waitress has no types
    """What waitress itself refuses, said as the application says it."""

    def execute(self) -> None:
        """Answer with a sentence, and have the rest of the request read away so that it is heard."""
        error = self.request.error
        body = json.dumps({"problem": SAID.get(error.code, "That cannot be done.")}).encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers += [("Content-Type", "application/json"), ("Cache-Control", "no-store")]
        self.set_close_on_finish()
        self.content_length = len(body)
        self.channel.lingers = True
        self.write(body)


class Channel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """One connection.

    kept: it is a Line now, and what else its client sends is not looked at.
    lingers: before it closes, what its client still sends is read away. Closed over unread bytes, the system would
        reset it, and the client would never see the answer.
    """

    task_class = Task
    error_task_class = Refusal
    kept = False
    lingers = False
    _closes_at: float | None = None
    _read_away = 0

    def received(self, data: bytes) -> bool:
        """Take in what the client sends."""
        if self._closes_at is not None:
            self._read_away += len(data)
            if monotonic() > self._closes_at or self._read_away > LINGER_BYTES:
                self.handle_close()
            return False
        return False if self.kept else bool(super().received(data))

    def handle_close(self) -> None:
        """Close, at once or after lingering."""
        if self.lingers and self._closes_at is None and self.connected:
            try:
                self.socket.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            else:
                self._closes_at = monotonic() + LINGER_S
                self.will_close = self.close_when_flushed = False
                return
        super().handle_close()
