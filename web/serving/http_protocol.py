"""The HTTP of one connection: uvicorn's, without pipelining."""

from __future__ import annotations

from httptools import HttpParserError
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class HTTPProtocol(HttpToolsProtocol):
    """Ends the connection of a client that sends a request while the last one waits for its answer.

    No browser does that, and it costs a client nothing: the first kilobyte of such requests took this server ten times
    as long as a single one. Once an answer has begun a client may know all of it before this server has closed it.
    """

    def on_message_begin(self) -> None:
        """A request begins."""
        if self.cycle is not None and not self.cycle.response_started:
            self.cycle.disconnected = True
            self.transport.abort()
            raise HttpParserError("pipelined")
        super().on_message_begin()
