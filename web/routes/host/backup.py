"""Backups of the whole table in one file: the screen to download and restore them, and the API."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Response, make_response, render_template, request
from flask_openapi3.models import RawModel
from flask_openapi3.openapi import OpenAPI
from pydantic import BaseModel

from companion.backup.transfers import BackupTransfers
from companion.errors import NotAllowed
from companion.i18n import _
from web.routes.game.api import PLAYERS
from web.routes.game.page import PAGE
from web.schemas import RestoreRequest, UploadQuery
from web.security.access import Access, CodeWanted

LARGEST_PART = 2 * 1024**2
"""Bytes of a backup that a phone sends at once. The server accepts no request of more than twice that."""
ZIP = {"description": "The backup", "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}


class UploadPart(RawModel):
    """A part of a backup: raw bytes."""

    mimetypes = ["application/octet-stream"]  # noqa: RUF012 - as the library has it


class ReceivedPart(BaseModel):
    """How many bytes of the backup were received so far."""

    bytes: int


class BackupContents(BaseModel):
    """What is in the backup. word: names it in the request to restore it. solved: names of its solved tables."""

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


def add_backup(app: OpenAPI, access: Access, transfers: BackupTransfers | None, *, is_open: bool) -> None:
    """Add the routes of backups. transfers: sends and receives them; None for none. is_open: the table has no code."""

    def available() -> BackupTransfers:
        if transfers is None:
            raise NotAllowed(_("This table cannot make backups."))
        return transfers

    def receiving() -> BackupTransfers:
        if is_open:
            raise NotAllowed(
                _("Anyone may play at this table, so only the command puluc backup restore can restore it.")
            )
        return available()

    @app.get("/backup", responses={200: PAGE})
    def backup_screen() -> Response:
        """Show how to save everything in one file and bring it back."""
        return make_response(render_template("screens/backup.html", play=access.may_play(request), open=is_open))

    @app.get("/api/backup", responses={200: ZIP}, security=PLAYERS)
    def fetch_backup() -> Response:
        """Send everything of this table as one file: games, what the camera was taught, cases and settings."""
        if not access.may_play(request):
            raise CodeWanted(_("Only players can download a backup, because it holds everything the camera has seen."))
        pieces = available().pack()
        if request.method == "HEAD":
            # The server would neither take the pieces nor close them.
            pieces.close()
        answer = Response(pieces, mimetype="application/zip")
        name = f"puluc-{datetime.now(UTC):%Y-%m-%d}.zip"
        answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer

    @app.post("/api/backup/part", responses={200: ReceivedPart}, security=PLAYERS)
    def receive_part(query: UploadQuery, raw: UploadPart) -> dict[str, Any]:
        """Receive the next part of a backup, 2 MB at most."""
        raw.max_content_length = LARGEST_PART
        return ReceivedPart(bytes=receiving().receive(raw.get_data(), query.at)).model_dump()

    @app.post("/api/backup/check", responses={200: BackupContents}, security=PLAYERS)
    def check_backup() -> dict[str, Any]:
        """Check the backup that was sent. Nothing changes yet."""
        word, manifest = receiving().check()
        contents = manifest.model_dump(include=set(BackupContents.model_fields) - {"word", "bytes"})
        return BackupContents(word=word, bytes=manifest.bytes, **contents).model_dump()

    @app.post("/api/backup/restore", responses={200: Restoring}, security=PLAYERS)
    def restore_backup(body: RestoreRequest) -> dict[str, Any]:
        """Replace everything here by the backup that was checked. What was here is kept aside."""
        receiving().restore(body.word)
        return Restoring(restoring=True).model_dump()
