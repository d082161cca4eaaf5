"""Everything of the table in one file: a screen to fetch it and to bring it back, and the same for programs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Response, make_response, render_template, request
from flask_openapi3.models import RawModel
from flask_openapi3.openapi import OpenAPI
from pydantic import BaseModel

from companion.backup.desk import BackupDesk
from companion.errors import NotNow
from companion.words import _
from web.access import Access, CodeWanted
from web.api import PLAYERS
from web.bodies import BackupWord, Where
from web.page import PAGE

LARGEST_PART = 2 * 1024**2
"""Bytes of a backup that a phone hands in at once. The server takes in no request of more than twice that."""
ZIP = {
    "description": "The backup",
    "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
}


class Part(RawModel):
    """A part of a backup, as it is."""

    mimetypes = ["application/octet-stream"]  # noqa: RUF012 - as the library has it


class HandedIn(BaseModel):
    """How much of the backup is here."""

    bytes: int


class Looked(BaseModel):
    """What is in the backup. word: names it to whoever wants it restored. solved: games whose exact tables it had."""

    word: str
    made: str
    games: int
    events: int
    cases: int
    sticks: bool
    solved: list[str]
    bytes: int


class Restoring(BaseModel):
    """The table starts again with what was in the backup."""

    restoring: bool


def add_backup(app: OpenAPI, access: Access, desk: BackupDesk | None, *, is_open: bool) -> None:
    """Teach ``app`` the addresses of backups. desk: who makes them; None where nobody does. is_open: it has no code."""

    def made() -> BackupDesk:
        if desk is None:
            raise NotNow(_("Nobody here can make backups."))
        return desk

    def bringing() -> BackupDesk:
        if is_open:
            raise NotNow(
                _("Everyone may play at this table, so it is restored with the command puluc backup restore only.")
            )
        return made()

    @app.get("/backup", responses={200: PAGE})
    def backup_screen() -> Response:
        """Show how everything is kept in one file, and brought back."""
        return make_response(render_template("backup.html", play=access.may_play(request), open=is_open))

    @app.get("/api/backup", responses={200: ZIP}, security=PLAYERS)
    def fetch_backup() -> Response:
        """Hand out everything of this table in one file: games, the camera's profile, cases and settings."""
        if not access.may_play(request):
            raise CodeWanted(_("Only players can fetch a backup: it holds all that the camera saw."))
        pieces = made().packed()
        if request.method == "HEAD":
            # The server would never come to taking the pieces, nor to closing them.
            pieces.close()
        answer = Response(pieces, mimetype="application/zip")
        name = f"puluc-{datetime.now(UTC):%Y-%m-%d}.zip"
        answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer

    @app.post("/api/backup/part", responses={200: HandedIn}, security=PLAYERS)
    def hand_in_backup(query: Where, raw: Part) -> dict[str, Any]:
        """Hand in the next part of a backup, of 2 MB at most."""
        raw.max_content_length = LARGEST_PART
        return HandedIn(bytes=bringing().hand_in(raw.get_data(), query.at)).model_dump()

    @app.post("/api/backup/check", responses={200: Looked}, security=PLAYERS)
    def check_backup() -> dict[str, Any]:
        """Look at the backup that was handed in. Nothing changes yet."""
        word, manifest = bringing().check()
        told = manifest.model_dump(include=set(Looked.model_fields) - {"word", "bytes"})
        return Looked(word=word, bytes=manifest.bytes, **told).model_dump()

    @app.post("/api/backup/restore", responses={200: Restoring}, security=PLAYERS)
    def restore_backup(body: BackupWord) -> dict[str, Any]:
        """Put the backup that was looked at in the place of all that is here. What was here is kept aside."""
        bringing().restore(body.word)
        return Restoring(restoring=True).model_dump()
