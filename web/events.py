"""The live table: server-sent events, each the newest state, to every page that listens."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from flask import Response

from companion.errors import CompanionError
from companion.referee.referee import Referee
from companion.referee.snapshot import Snapshot
from companion.words import Language, _, language, speaking

KEEP = "puluc.keep"
"""Where in a request's environ the server offers to keep its connection open."""
PATIENCE_S = 30.0
"""Seconds that a page may leave what it was told unread before it is given up. It comes back by itself; longer keeps
the places of phones that are gone, shorter hangs up on those behind a bad wall."""
RETRY = b"retry: 2000\n\n"
"""Milliseconds after which a listener whose stream has ended comes back."""


class TooManyListeners(CompanionError, RuntimeError):
    """All places at the live table are taken."""


class Line(Protocol):
    """An open connection to a page."""

    @property
    def gone(self) -> bool:
        """Whether the page has left."""

    @property
    def waiting(self) -> bool:
        """Whether the page has not taken yet all that was said."""

    def say(self, data: bytes) -> None:
        """Say that; never waits for the page."""

    def hang_up(self) -> None:
        """Close the connection."""


@dataclass(slots=True, kw_only=True)
class _Listener:
    """One page. phone: the phone's name if it may play, else None. told: what it was told last.

    since, spoken: when it came, and when it was told anything last.
    """

    line: Line
    phone: str | None
    tongue: Language
    told: Snapshot | None = None
    since: float = 0.0
    spoken: float = 0.0


class Streams:
    """Tells ``limit`` pages at once, each for ``lifetime`` seconds, with a sign of life every ``heartbeat`` seconds.

    No page holds a thread: the server's own loop calls ``step``, which says to each what it does not know yet. What is
    said is written once for all who speak a language. A page that has not taken the last is told nothing more until it
    has, and then the newest, so that a slow one neither holds up the others nor falls behind.
    """

    def __init__(self, referee: Referee, *, heartbeat: float, limit: int, lifetime: float) -> None:
        self.heartbeat = heartbeat
        self._referee, self._limit, self._lifetime = referee, limit, lifetime
        self._arrived: deque[_Listener] = deque()
        self._listeners: list[_Listener] = []
        self._newest: dict[str, tuple[Snapshot, bytes]] = {}
        self._stale = False

    def open(self, keep: Callable[[Callable[[Any], None]], None] | None, *, phone: str | None) -> Response:
        """The table from now on, in the present language. Raises TooManyListeners.

        keep: how the server keeps the connection open; where it cannot, the stream ends after the present state, and
            the listener comes back for the next.
        phone: which phone it is, if it may play.
        """
        if len(self._listeners) + len(self._arrived) >= self._limit:
            raise TooManyListeners(_("Too many pages listen already. Ask for /api/table every few seconds instead."))
        if keep is None:
            told = [RETRY, _event(self._referee.snapshot())]
        else:
            tongue = language()
            keep(lambda line: self._arrived.append(_Listener(line=line, phone=phone, tongue=tongue)))
            told = [RETRY]
        # An iterator, because the length of a list would be announced as that of the whole.
        answer = Response(iter(told), mimetype="text/event-stream")
        answer.headers["X-Accel-Buffering"] = "no"
        return answer

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Have ``changed`` called when there is something new to tell; answers how to have it called no more."""

        def noted() -> None:
            self._stale = True
            changed()

        return self._referee.subscribe(noted)

    def step(self, now: float) -> None:
        """Tell each page what it does not know yet. now: monotonic seconds."""
        while self._arrived:
            listener = self._arrived.popleft()
            listener.since = listener.spoken = now
            self._listeners.append(listener)
        if self._stale:
            self._stale = False
            self._newest.clear()
        for listener in self._listeners:
            self._tell(listener, now)
        self._listeners = [listener for listener in self._listeners if not listener.line.gone]

    def here(self) -> tuple[int, int]:
        """How many phones play and how many pages watch."""
        listeners = list(self._listeners)
        phones = {listener.phone for listener in listeners if listener.phone is not None}
        return len(phones), sum(listener.phone is None for listener in listeners)

    def hears(self, phone: str) -> bool:
        """Whether that phone listens now."""
        return any(listener.phone == phone for listener in list(self._listeners))

    def _tell(self, listener: _Listener, now: float) -> None:
        line = listener.line
        if line.gone:
            return
        snapshot, event = self._now(listener.tongue)
        if line.waiting:
            if now - listener.spoken > PATIENCE_S:
                line.hang_up()
        elif listener.told is not snapshot:
            listener.told, listener.spoken = snapshot, now
            line.say(event)
        elif now - listener.spoken >= self.heartbeat:
            listener.spoken = now
            line.say(b": still here\n\n")
        if now - listener.since > self._lifetime:
            line.hang_up()

    def _now(self, tongue: Language) -> tuple[Snapshot, bytes]:
        """The newest snapshot in that language, and how it is said."""
        if tongue.code not in self._newest:
            with speaking(tongue):
                snapshot = self._referee.snapshot()
            self._newest[tongue.code] = snapshot, _event(snapshot)
        return self._newest[tongue.code]


def _event(snapshot: Snapshot) -> bytes:
    return f"id: {snapshot.number}\ndata: {snapshot.model_dump_json(by_alias=True)}\n\n".encode()
