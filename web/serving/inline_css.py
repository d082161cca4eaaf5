"""Inlines style sheets into the page, so that a phone on a slow network can paint without another request."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from flask import Flask
from markupsafe import Markup

INLINE = (
    "base.css",
    "dark.css",
    "board.css",
    "turn_panel.css",
    "throw.css",
    "countdown.css",
    "welcome.css",
    "game_tiles.css",
    "ending.css",
    "screens.css",
)
"""Style sheets inlined into the screens that name them. Each adds its bytes to all of these, and saves the first one a
round trip."""

UNREAD = re.compile(r"/\*.*?\*/|\n\s*", re.DOTALL)
"""Comments and line ends, which no browser reads: without them the first answer is one in ten smaller."""


def add_sheets(app: Flask) -> str:
    """Teach ``app``'s templates ``sheet(name)``, what stands between ``<style>`` and its end.

    Returns the content security policy's style sources: our own files, and these sheets by their digests.
    """
    sheets = _sheets(Path(app.root_path) / "static" / "styles")
    # ``_sheets`` has asserted that none contains ``</``, which could end the element early.
    marked_up = {name: Markup(text) for name, text in sheets.items()}  # noqa: S704 - our own sheets
    app.jinja_env.globals["sheet"] = marked_up.__getitem__
    digests = (b64encode(sha256(text.encode()).digest()).decode() for text in sheets.values())
    return " ".join(["'self'", *(f"'sha256-{digest}'" for digest in digests)])


def _sheets(folder: Path) -> Mapping[str, str]:
    sheets = {name: UNREAD.sub("", (folder / name).read_text(encoding="utf-8")) for name in INLINE}
    assert not any("</" in text for text in sheets.values()), "a sheet that ends before its end"
    return sheets
