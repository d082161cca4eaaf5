"""The live table: server-sent events, each the newest state, until the listener goes or its time is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import BoundedSemaphore
from time import monotonic

from flask import Response

from companion.errors import CompanionError
from companion.referee.referee import Referee
from companion.words import Language, language, speaking

GLANCE = 0.5
"""Seconds between two looks whether the listener has gone. Higher holds its place longer, lower costs more wakings."""


class TooManyListeners(CompanionError, RuntimeError):
    """All places at the live table are taken."""


class Streams:
    """Hands out event streams, ``limit`` at once, each for ``lifetime`` seconds, a sign of life every ``heartbeat``.

    Each open stream holds one of the server's threads, so the limit must stay well below their number.
    """

    def __init__(self, referee: Referee, *, heartbeat: float, limit: int, lifetime: float) -> None:
        self._referee, self._heartbeat, self._lifetime = referee, heartbeat, lifetime
        self._places = BoundedSemaphore(limit)

    def open(self, gone: Callable[[], bool]) -> Response:
        """The table from now on, in the present language.

        ``gone`` tells whether the listener has left. Raises TooManyListeners.
        """
        if not self._places.acquire(blocking=False):
            raise TooManyListeners("Too many phones listen already. Ask for /api/table every few seconds instead.")
        answer = Response(self._told(gone, language()), mimetype="text/event-stream")
        # Not in the generator: one that was never begun runs no finally.
        answer.call_on_close(self._places.release)
        answer.headers["X-Accel-Buffering"] = "no"
        return answer

    def _told(self, gone: Callable[[], bool], tongue: Language) -> Iterator[str]:
        yield "retry: 2000\n\n"
        seen, spoken = None, monotonic()
        ends = spoken + self._lifetime
        while not gone() and monotonic() < ends:
            # The request's language is not this thread's any more.
            with speaking(tongue):
                snapshot = self._referee.newer(seen, min(GLANCE, self._heartbeat))
            if snapshot is not None:
                seen, spoken = snapshot, monotonic()
                yield f"id: {snapshot.number}\ndata: {snapshot.model_dump_json(by_alias=True)}\n\n"
            elif monotonic() - spoken >= self._heartbeat:
                spoken = monotonic()
                yield ": still here\n\n"
