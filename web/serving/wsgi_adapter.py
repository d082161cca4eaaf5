"""Runs a WSGI application under an ASGI server: whole requests on threads, slow clients on none."""

from __future__ import annotations

import asyncio
import contextvars
import io
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from time import sleep, thread_time
from typing import Any, Protocol
from wsgiref.types import StartResponse, WSGIApplication

from web.serving.limits.admission import Admission, Peer
from web.serving.wsgi_request import LongBody, Message, Receive, body_length, environ_of, head_length, is_chunked

KEEP_OPEN = "puluc.keep_open"
"""Where in a request's environ the application finds how to continue its answer with a Stream."""
POSTPONEMENT = "puluc.postponement"
"""Where in a request's environ the application finds its Postponement."""
PLAYS = "puluc.plays"
"""Where in a request's environ the application notes that a player has sent it."""
PLAYERS_THREADS = 8
"""Requests from players' addresses served at once. More help only where requests wait for each other, and each costs
memory of its own."""
STRANGERS_THREADS = 4
"""The same for all other addresses."""
STRANGERS_AT_EASE = 12
"""Requests of strangers that may be under way before they are slowed down. Two pages that load at once take as many."""
STRANGERS_PACE = 16.0
"""Seconds that a thread of strangers pauses for each second of the processor's time, once they are slowed down. Lower
lets a flood of good requests slow the players down, higher shuts spectators out."""
SMALL_BODY = 64 * 1024
"""Bytes of a body that are taken in before the application sees the request. What is longer is read while the
application asks for it, on its thread, so only where it has let the request in."""
SLOWEST_BODY = 8 * 1024
"""Bytes a second that a client must send of a small body, on average, once it was given the usual patience."""
TAKEN_AT_ONCE = 256 * 1024
"""Bytes of an answer that are taken from the application before any is sent. Less occupies threads while phones read,
more takes memory."""
PIECE = 32 * 1024
"""Bytes of an answer that are sent at once. A client must take this much in the time that it is given."""

NO_CHUNKS = b'{"problem": "Send a Content-Length: this table does not read chunked bodies."}'
TOO_MANY = b'{"problem": "Too many requests came from your address. Wait a few seconds, then try again."}'

Send = Callable[[Message], Awaitable[None]]


class Stream(Protocol):
    """The continuation of a response for as long as the client listens."""

    async def run(self, send: Callable[[bytes], Awaitable[None]]) -> None:
        """Send pieces until it ends. Raises TimeoutError if the client does not receive them."""

    def close(self) -> None:
        """End it. Always called at the end, even if ``run`` was not."""


@dataclass(slots=True)
class Postponement:
    """Lets the application retry a request later, without occupying a thread meanwhile.

    wait_s: seconds to wait; the present response is then discarded. memo: the application's own data for the retry.
    withdrawn: called if the client leaves instead.
    """

    wait_s: float | None = None
    memo: object = None
    withdrawn: Callable[[], object] | None = None


@dataclass(slots=True)
class _Answer:
    """A response of the application.

    rest: the part not yet read, or None. close: tells the application that no more is read. stream: its continuation.
    """

    status: int = 500
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    pieces: list[bytes] = field(default_factory=list)
    rest: Iterator[bytes] | None = None
    close: Callable[[], object] = lambda: None
    stream: Stream | None = None

    def end(self) -> None:
        """Read no more of the response. A second call does nothing."""
        if self.rest is not None:
            self.rest = None
            self.close()


class _Gone(Exception):
    """The client has left before its request was complete."""


class WSGIAdapter:
    """An ASGI application that serves a WSGI application.

    A request occupies a thread only from its complete arrival until its response is ready, so clients that send or read
    slowly occupy none. Bodies without an announced length are never read. Strangers' requests have threads of their
    own, so that players never queue behind them.
    """

    def __init__(self, app: WSGIApplication, admission: Admission) -> None:
        self._app, self._admission = app, admission
        self._players = ThreadPoolExecutor(PLAYERS_THREADS, thread_name_prefix="players")
        self._strangers = ThreadPoolExecutor(STRANGERS_THREADS, thread_name_prefix="strangers")
        self._strangers_waiting = 0

    def close(self) -> None:
        """Accept no further requests."""
        for threads in (self._players, self._strangers):
            threads.shutdown(wait=False, cancel_futures=True)

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Serve one request, as ASGI has it."""
        assert scope["type"] == "http", scope["type"]
        if scope["client"] is None:
            await _until_gone(receive)  # it has left already, and the server will notice
            return
        peer: Peer = (*scope["client"], *scope["server"])
        loop = asyncio.get_running_loop()
        if is_chunked(scope):
            await _refuse(send, 411, NO_CHUNKS)
            return
        size = head_length(scope) + body_length(scope)
        if not self._admission.announce(peer, size, loop.time(), is_encrypted=scope["scheme"] == "https"):
            await _refuse(send, 429, TOO_MANY, (b"retry-after", b"5"))
            return
        postponement = Postponement()
        try:
            body = await self._body(scope, receive, peer)

            async def receive_more() -> Message:
                self._admission.await_client(peer, loop.time())
                try:
                    return await receive()
                finally:
                    self._admission.begin_work(peer)

            while True:
                self._admission.begin_work(peer)
                environ = environ_of(scope, io.BytesIO(body) if body is not None else LongBody(receive_more, loop))
                environ[POSTPONEMENT] = postponement
                threads = self._players if self._admission.is_trusted(peer[0]) else self._strangers
                answer = await self._run(threads, self._answer, environ)
                if environ.get(PLAYS):
                    self._admission.welcome_player(peer[0])
                if postponement.wait_s is None:
                    break
                await self._close(threads, answer)
                self._admission.await_client(peer, loop.time(), extra_s=postponement.wait_s)
                # A long body must not be read here; whoever sends one and leaves is noticed later.
                if await _is_gone(receive if body is not None else None, postponement.wait_s):
                    if postponement.withdrawn is not None:
                        postponement.withdrawn()
                    return
                postponement.wait_s = None
            await self._send(answer, threads, receive, send, peer)
        except _Gone:
            return
        finally:
            self._admission.await_client(peer, loop.time())

    async def _body(self, scope: MutableMapping[str, Any], receive: Receive, peer: Peer) -> bytes | None:
        """The body where it is small, or None. Raises _Gone where its client leaves before the end."""
        length = body_length(scope)
        if not length:
            if (await receive())["type"] == "http.disconnect":
                raise _Gone
            return b""
        now = asyncio.get_running_loop().time()
        self._admission.await_client(peer, now, extra_s=length / SLOWEST_BODY)
        if length > SMALL_BODY:
            return None
        body = bytearray()
        while len(body) < length:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise _Gone
            body += message.get("body", b"")
        return bytes(body)

    async def _run(self, threads: Executor, function: Callable[..., Any], *arguments: Any) -> Any:
        loop = asyncio.get_running_loop()
        run = contextvars.copy_context().run
        if threads is self._players:
            return await loop.run_in_executor(threads, run, function, *arguments)
        self._strangers_waiting += 1
        try:
            return await loop.run_in_executor(threads, run, self._paced, function, *arguments)
        finally:
            self._strangers_waiting -= 1

    def _paced(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the function, then pause if many strangers wait, to leave the processor to players. On a thread."""
        began = thread_time()
        outcome = function(*arguments)
        if self._strangers_waiting > STRANGERS_AT_EASE:
            sleep((thread_time() - began) * STRANGERS_PACE)
        return outcome

    def _answer(self, environ: dict[str, Any]) -> _Answer:
        """Call the application, and read the beginning of its response or all of it. On a thread."""
        answer = _Answer()

        def start_response(status: str, headers: list[tuple[str, str]], _error: object = None) -> Callable[..., object]:
            answer.status = int(status.split(" ", 1)[0])
            answer.headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
            return answer.pieces.append

        def keep_open(stream: Stream) -> None:
            answer.stream = stream

        if environ["REQUEST_METHOD"] != "HEAD":
            environ[KEEP_OPEN] = keep_open
        started: StartResponse = start_response
        whole = self._app(environ, started)
        answer.rest, answer.close = iter(whole), getattr(whole, "close", answer.close)
        self._take(answer)
        return answer

    def _take(self, answer: _Answer) -> None:
        """Read more of the response, and end it after the last piece or an error. On a thread."""
        assert answer.rest is not None
        taken = 0
        with ExitStack() as ended:
            ended.callback(answer.end)
            for piece in answer.rest:
                answer.pieces.append(piece)
                taken += len(piece)
                if taken >= TAKEN_AT_ONCE:
                    ended.pop_all()
                    return

    async def _close(self, threads: Executor, answer: _Answer) -> None:
        if answer.rest is not None:
            await self._run(threads, answer.end)
        if answer.stream is not None:
            answer.stream.close()

    async def _send(self, answer: _Answer, threads: Executor, receive: Receive, send: Send, peer: Peer) -> None:
        loop = asyncio.get_running_loop()

        async def send_piece(piece: bytes | memoryview) -> None:
            await send({"type": "http.response.body", "body": bytes(piece), "more_body": True})

        try:
            self._admission.await_client(peer, loop.time())
            await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
            while True:
                for piece in answer.pieces:
                    whole = memoryview(piece)
                    for at in range(0, len(piece), PIECE):
                        self._admission.await_client(peer, loop.time())
                        await send_piece(whole[at : at + PIECE])
                if answer.rest is None or peer not in self._admission:
                    break
                answer.pieces.clear()
                self._admission.begin_work(peer)
                await self._run(threads, self._take, answer)
            if answer.stream is not None:
                await self._listen(answer.stream, receive, send_piece, peer)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            await asyncio.shield(self._close(threads, answer))

    async def _listen(
        self, stream: Stream, receive: Receive, send: Callable[[bytes], Awaitable[None]], peer: Peer
    ) -> None:
        """Keep the stream going until it ends or its client leaves."""
        self._admission.begin_work(peer)
        listening = asyncio.create_task(stream.run(send))
        gone = asyncio.create_task(_until_gone(receive))
        try:
            await asyncio.wait({listening, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (listening, gone):
                task.cancel()
        outcome = await asyncio.gather(listening, gone, return_exceptions=True)
        if isinstance(outcome[0], TimeoutError):
            self._admission.drop(peer)
        elif isinstance(outcome[0], Exception):
            raise outcome[0]


async def _refuse(send: Send, status: int, body: bytes, *more: tuple[bytes, bytes]) -> None:
    """Refuse a request and hang up, before any more is done for it."""
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    headers += [(b"connection", b"close"), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _is_gone(receive: Receive | None, seconds: float) -> bool:
    """Wait that long. Answers at once if the client leaves meanwhile."""
    if receive is None:
        await asyncio.sleep(seconds)
        return False
    gone = asyncio.create_task(_until_gone(receive))
    try:
        await asyncio.wait({gone}, timeout=seconds)
        return gone.done()
    finally:
        gone.cancel()


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
