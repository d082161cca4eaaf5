"""Answers made smaller on their way to the phone: gzip, where the phone takes it and the answer is text."""

from __future__ import annotations

import gzip
from functools import lru_cache

from flask import Flask, Response, request

LEAST = 500
"""Bytes below which an answer goes as it is: one packet carries it either way. Lower costs time and saves nothing."""
EFFORT = 6
"""gzip's level. 9 takes twice as long on a Pi and saves one byte in a hundred."""
KEPT = 64
"""Answers kept compressed. The page's own files are fewer than that, so each is compressed once."""
TEXTS = ("text/", "application/json", "application/javascript", "application/manifest+json", "image/svg+xml")
LIVE = "text/event-stream"


def add_compressing(app: Flask) -> None:
    """Have every text that ``app`` answers compressed, but for the live stream, which must not be held back."""
    app.after_request(_compressed)


def _compressed(answer: Response) -> Response:
    kind = answer.mimetype or ""
    if not kind.startswith(TEXTS) or kind == LIVE:
        return answer
    answer.vary.add("Accept-Encoding")
    # What has no body of its own (304, 204, an answer to HEAD) or is a part of a file stays as it is.
    if answer.status_code != 200 or request.method == "HEAD" or "Content-Encoding" in answer.headers:
        return answer
    if not request.accept_encodings["gzip"]:
        return answer
    answer.direct_passthrough = False
    plain = answer.get_data()
    if len(plain) < LEAST:
        return answer
    answer.set_data(_squeezed(plain))
    answer.headers["Content-Encoding"] = "gzip"
    etag, _ = answer.get_etag()
    if etag:
        # The same words in other bytes: a weak mark says so, and still answers "not changed" the next time.
        answer.set_etag(etag, weak=True)
    return answer


@lru_cache(maxsize=KEPT)
def _squeezed(plain: bytes) -> bytes:
    # The time of the compressing would make equal answers differ.
    return gzip.compress(plain, EFFORT, mtime=0)
