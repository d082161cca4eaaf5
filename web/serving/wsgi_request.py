"""An ASGI request as a WSGI application expects it."""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import Callable, Coroutine, MutableMapping
from typing import Any
from urllib.parse import unquote_to_bytes

Message = MutableMapping[str, Any]
Receive = Callable[[], Coroutine[Any, Any, Message]]


class LongBody(io.RawIOBase):
    """A body that is received while the application reads it, on any thread but the server's."""

    def __init__(self, receive: Receive, loop: asyncio.AbstractEventLoop) -> None:
        self._receive, self._loop = receive, loop
        self._rest = memoryview(b"")
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer. Raises ConnectionError if the client leaves."""
        while not self._rest and not self._ended:
            message = asyncio.run_coroutine_threadsafe(self._receive(), self._loop).result()
            if message["type"] == "http.disconnect":
                raise ConnectionError("the client left before its request was complete")
            self._rest = memoryview(message.get("body", b""))
            self._ended = not message.get("more_body", False)
        count = min(len(buffer), len(self._rest))
        buffer[:count], self._rest = self._rest[:count], self._rest[count:]
        return count


def body_length(scope: MutableMapping[str, Any]) -> int:
    """The announced length of the body in bytes; 0 without one."""
    values = [value for name, value in scope["headers"] if name == b"content-length"]
    # The server has already refused anything but a number.
    return int(values[0]) if values else 0


def head_length(scope: MutableMapping[str, Any]) -> int:
    """The approximate size in bytes of the request line and headers."""
    line = len(scope["method"]) + len(scope["raw_path"]) + len(scope["query_string"]) + 16
    return line + sum(len(name) + len(value) + 4 for name, value in scope["headers"])


def is_chunked(scope: MutableMapping[str, Any]) -> bool:
    return any(name == b"transfer-encoding" for name, _ in scope["headers"])


def environ_of(scope: MutableMapping[str, Any], body: io.IOBase) -> dict[str, Any]:
    """The WSGI environ of a request (PEP 3333)."""
    host, port = scope["server"] or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": scope["client"][0],
        "REMOTE_PORT": str(scope["client"][1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        if b"_" in name:
            continue  # it could pass for the header with a dash in its place
        key = name.decode("latin-1").upper().replace("-", "_")
        key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
        text = value.decode("latin-1")
        if key in environ:
            text = environ[key] + ("; " if key == "HTTP_COOKIE" else ",") + text
        environ[key] = text
    return environ
