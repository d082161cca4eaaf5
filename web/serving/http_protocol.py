"""uvicorn's HTTP protocol, without pipelining."""

from __future__ import annotations

from httptools import HttpParserError
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class HTTPProtocol(HttpToolsProtocol):
    """Closes the connection of a client that sends a request before the previous one is answered.

    No browser does so, and it makes a flood cheap: one kilobyte of pipelined requests took this server ten times as
    long as a single request. Once a response has begun, a new request is accepted, because the client may have
    received all of the response before this server has finished it.
    """

    def on_message_begin(self) -> None:
        """Handle the start of a request."""
        if self.cycle is not None and not self.cycle.response_started:
            self.cycle.disconnected = True
            self.transport.abort()
            raise HttpParserError("pipelined")
        super().on_message_begin()
