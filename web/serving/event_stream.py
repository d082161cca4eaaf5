"""Server-sent events: sends the newest state of the table to every listening page."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from threading import Lock
from time import monotonic

from flask import Response

from companion.errors import CompanionError
from companion.i18n import Language, _, language, use_language
from companion.referee.referee import Referee
from companion.referee.snapshots.snapshot import Snapshot
from web.serving.limits.admission import connection_limit, group_of
from web.serving.limits.fair_share import largest_holder

STREAMS = "puluc.streams"
"""Under which of the application's extensions the server finds the EventStreams that it keeps going."""
KEPT_FOR_PLAYERS = 0.5
"""The part of all places that only phones that play may have."""
STREAMED, WATCHED = 0.8, 0.6
"""The parts of an address's connections that may be streams, and that may be those of watchers. The rest is left for
requests: otherwise pages that only listen would keep out taps and, on this computer, the health check."""
PATIENCE_S = 30.0
"""Seconds that a page may leave what it was sent unread before it is given up. It comes back by itself; longer keeps
the places of phones that are gone, shorter disconnects those with poor reception."""
ABSENCE_S = 60.0
"""Seconds for which a phone still counts as present after its stream has ended or it has made another request. Shorter
lets somebody else become host while the host's phone is only out of reach; longer makes the others wait for a host who
has left."""
WOKEN_AT_ONCE = 16
"""Listeners that are sent a change before requests get their turn. More of them hold up the next tap for longer."""
RETRY = b"retry: 2000\n\n"
"""Milliseconds after which a listener whose stream has ended comes back."""


class TooManyListeners(CompanionError, RuntimeError):
    """All places at the event stream are taken."""

    def __init__(self) -> None:
        super().__init__(_("Too many pages are connected already. Ask for /api/table every few seconds instead."))


class Listener:
    """A listening page.

    phone: the phone's name if it may play, else None. group: the addresses that its connection is counted under.
    holder: the holder whose share of places it counts towards.
    """

    def __init__(self, streams: EventStreams, phone: str | None, group: str) -> None:
        self.phone, self.group, self.holder = phone, group, phone or group
        self._streams, self._language = streams, language()
        self._wake: asyncio.Event | None = None
        self._ended = False

    async def run(self, send: Callable[[bytes], Awaitable[None]]) -> None:
        """Send each new state, and a heartbeat after a while without one.

        Raises TimeoutError if the page does not read.
        """
        now = asyncio.get_running_loop().time
        self._wake = asyncio.Event()
        sent: Snapshot | None = None
        ends, spoken = now() + self._streams.lifetime, now()
        while not (self._ended or self._streams.is_closed) and now() < ends:
            self._wake.clear()
            snapshot, event = self._streams.newest(self._language)
            silence_s = now() - spoken
            if snapshot is not sent or silence_s >= self._streams.heartbeat:
                async with asyncio.timeout(self._streams.patience_s):
                    await send(b": still here\n\n" if snapshot is sent else event)
                sent, spoken, silence_s = snapshot, now(), 0.0
            try:
                async with asyncio.timeout(min(self._streams.heartbeat - silence_s, ends - now())):
                    await self._wake.wait()
            except TimeoutError:
                continue

    def wake(self) -> None:
        """Signal a new state. Only the server's thread may call it."""
        if self._wake is not None:
            self._wake.set()

    def end(self) -> None:
        """Make ``run`` return. Only the server's thread may call it."""
        self._ended = True
        self.wake()

    def close(self) -> None:
        """Release the place. Any thread may call it, repeatedly."""
        self._streams.release(self)


class EventStreams:
    """Sends the state of the table to ``limit`` pages at once, each for ``lifetime`` seconds at most.

    No page occupies a thread, and each state is rendered once per language. A slow page skips outdated states, and
    neither delays the others nor falls behind. If all places are taken, or all of an address, a newcomer gets one from
    the holder with the most, so nobody can fill them all; and some are reserved for phones that play.

    heartbeat: seconds of silence after which a heartbeat is sent. clock: monotonic seconds.
    """

    def __init__(
        self,
        referee: Referee,
        *,
        heartbeat: float,
        limit: int,
        lifetime: float,
        patience_s: float = PATIENCE_S,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.heartbeat, self.lifetime, self.patience_s = heartbeat, lifetime, patience_s
        self._referee, self._limit, self._clock = referee, limit, clock
        self._lock = Lock()
        self._listeners: dict[Listener, None] = {}  # in the order in which they came
        self._seen_at: dict[str, float] = {}
        self._newest: dict[str, tuple[Snapshot, bytes]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self.is_closed = False

    def listen(self, keep_open: Callable[[Listener], None] | None, *, phone: str | None, address: str) -> Response:
        """The beginning of a stream in the present language. Raises TooManyListeners.

        keep_open: has the server continue the answer; None where it cannot. Then the stream ends after the present
            state, and the page comes back for the next.
        phone: which phone it is, if it may play. address: where it is.
        """
        if keep_open is None:
            sent = [RETRY, _event(self._referee.snapshot())]
        else:
            listener = Listener(self, phone, group_of(address))
            self._add(listener)
            keep_open(listener)
            sent = [RETRY]
        # An iterator, because the length of a list would be announced as that of the whole.
        answer = Response(iter(sent), mimetype="text/event-stream")
        answer.headers["X-Accel-Buffering"] = "no"
        return answer

    def open_on(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to send what changes. loop: the one that runs the listeners."""
        self._loop = loop
        self._unsubscribe = self._referee.subscribe(lambda: self._on_loop(self._changed))

    def close(self) -> None:
        """End every stream, also those of pages that come back meanwhile. Only the server's thread may call it."""
        self.is_closed = True
        if self._unsubscribe is not None:
            self._unsubscribe()
        for listener in self._all():
            listener.end()

    def end_players(self, *, but: str) -> None:
        """End the streams of phones that play, except that phone's. They come back with what they may do then.

        Any thread may call it.
        """
        for listener in self._all():
            if listener.phone not in (None, but):
                self._on_loop(listener.end)

    def present(self, *, also: str | None = None) -> tuple[int, int]:
        """How many phones that play and how many pages that watch are listening.

        also: a phone that plays and counts even if it does not listen.
        """
        listeners = self._all()
        phones = {also, *(listener.phone for listener in listeners)} - {None}
        return len(phones), sum(listener.phone is None for listener in listeners)

    def is_open(self, listener: Listener) -> bool:
        """Whether that listener still has its place."""
        with self._lock:
            return listener in self._listeners

    def is_present(self, phone: str) -> bool:
        """Whether that phone listens now, or listened or made a request a moment ago."""
        with self._lock:
            seen_at = self._seen_at.get(phone)
            return any(listener.phone == phone for listener in self._listeners) or (
                seen_at is not None and self._clock() - seen_at < ABSENCE_S
            )

    def note(self, phone: str) -> None:
        """Note that this phone makes a request now. Any thread may call it."""
        with self._lock:
            self._note(phone)

    def newest(self, tongue: Language) -> tuple[Snapshot, bytes]:
        """The newest snapshot in that language, and the event that carries it. Only the server's thread may call it."""
        if tongue.code not in self._newest:
            with use_language(tongue):
                snapshot = self._referee.snapshot()
            self._newest[tongue.code] = snapshot, _event(snapshot)
        return self._newest[tongue.code]

    def release(self, listener: Listener) -> None:
        """Release that listener's place. Any thread may call it."""
        with self._lock:
            if listener not in self._listeners:
                return
            del self._listeners[listener]
            if listener.phone is not None:
                self._note(listener.phone)

    def _note(self, phone: str) -> None:
        now = self._clock()
        self._seen_at = {one: at for one, at in self._seen_at.items() if now - at < ABSENCE_S} | {phone: now}

    def _add(self, listener: Listener) -> None:
        """Give the newcomer a place, if necessary from the holder with the most. Raises TooManyListeners."""
        with self._lock:
            playing = listener.phone is not None
            rivals = [one for one in self._listeners if (one.phone is not None) is playing]
            limit = self._limit if playing else self._limit - int(self._limit * KEPT_FOR_PLAYERS)
            if self._fills_its_address(listener):
                self._replace([one for one in rivals if one.group == listener.group], listener)
            elif len(self._listeners) >= self._limit or len(rivals) >= limit:
                self._replace(rivals, listener)
            self._listeners[listener] = None

    def _replace(self, rivals: list[Listener], newcomer: Listener) -> None:
        """End the oldest stream of the rival with the most. Raises TooManyListeners if the newcomer has as many."""
        largest = largest_holder(Counter(one.holder for one in rivals), newcomer.holder)
        if largest is None:
            raise TooManyListeners
        victim = next(one for one in rivals if one.holder == largest)
        del self._listeners[victim]
        self._on_loop(victim.end)

    def _fills_its_address(self, listener: Listener) -> bool:
        """Whether one more would leave too few connections to the requests of its address."""
        phones = [one.phone for one in self._listeners if one.group == listener.group]
        limit = connection_limit(listener.group)
        return len(phones) >= limit * STREAMED or (listener.phone is None and phones.count(None) >= limit * WATCHED)

    def _all(self) -> list[Listener]:
        with self._lock:
            return list(self._listeners)

    def _changed(self) -> None:
        self._newest.clear()
        # Players first; their requests are served between the batches.
        self._wake(sorted(self._all(), key=lambda listener: listener.phone is None))

    def _wake(self, listeners: list[Listener]) -> None:
        for listener in listeners[:WOKEN_AT_ONCE]:
            listener.wake()
        if len(listeners) > WOKEN_AT_ONCE and self._loop is not None:
            self._loop.call_soon(self._wake, listeners[WOKEN_AT_ONCE:])

    def _on_loop(self, call: Callable[[], None]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call)


def _event(snapshot: Snapshot) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (snapshot.number, snapshot.as_json)
