"""gzip compression of text responses, for clients that accept it."""

from __future__ import annotations

import gzip
from functools import lru_cache

from flask import Flask, Response, request

MIN_BYTES = 500
"""Bytes below which a response is not compressed: it fits into one packet anyway."""
LEVEL = 6
"""gzip's level. Level 9 takes twice as long on a Pi and saves 1 % more."""
CACHED = 64
"""Compressed responses to cache. The page has fewer files than that, so each is compressed once."""
TEXTS = ("text/", "application/json", "application/javascript", "application/manifest+json", "image/svg+xml")
EVENT_STREAM = "text/event-stream"


def add_compression(app: Flask) -> None:
    """Compress the text responses of ``app``, except the event stream, which must not be buffered."""
    app.after_request(_compressed)


def _compressed(answer: Response) -> Response:
    kind = answer.mimetype or ""
    if not kind.startswith(TEXTS) or kind == EVENT_STREAM:
        return answer
    answer.vary.add("Accept-Encoding")
    # Responses without a body (304, 204, HEAD) and parts of files stay as they are.
    if answer.status_code != 200 or request.method == "HEAD" or "Content-Encoding" in answer.headers:
        return answer
    if not request.accept_encodings["gzip"]:
        return answer
    answer.direct_passthrough = False
    plain = answer.get_data()
    if len(plain) < MIN_BYTES:
        return answer
    answer.set_data(_gzipped(plain))
    answer.headers["Content-Encoding"] = "gzip"
    etag, _ = answer.get_etag()
    if etag:
        # The bytes differ, so the tag must be weak; it still matches the next time.
        answer.set_etag(etag, weak=True)
    return answer


@lru_cache(maxsize=CACHED)
def _gzipped(plain: bytes) -> bytes:
    # A timestamp would make equal responses differ.
    return gzip.compress(plain, LEVEL, mtime=0)
