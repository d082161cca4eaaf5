"""Which phone is a camera: it is let in once by a ticket, and recognised by a token from then on."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import secrets
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from companion.errors import NotAllowed, SettingsUnusable
from companion.i18n import _
from companion.phone_camera.absence import Subject
from companion.storage.atomic_file import write_private

log = logging.getLogger("puluc")

FILES = {Subject.TRAY: "phone-camera.json", Subject.BOARD: "phone-camera-board.json"}
TICKET_S = 900.0
"""Seconds for which a ticket can be used. Longer keeps a photograph of the QR code useful for longer; shorter expires
while somebody looks for a box to lay the phone on."""


class PhonePairing:
    """Lets in one phone at a time to be the camera over the tray, or over the board. Any thread may call it.

    folder: where a digest of the phone's token is stored, so that the same phone is the camera after a restart; None
        stores nothing.
    clock: monotonic seconds. subject: what the phone looks at.
    """

    def __init__(self, folder: Path | None, *, clock: Callable[[], float], subject: Subject = Subject.TRAY) -> None:
        self._file = None if folder is None else folder / FILES[subject]
        self._clock, self._lock = clock, Lock()
        self._ticket: str | None = None
        self._ticket_at = 0.0
        self._digest = self._load()

    @property
    def has_phone(self) -> bool:
        """Whether a phone has been let in."""
        return bool(self._digest)

    def ticket(self) -> str:
        """The ticket for the next phone; it works once. A fresh one if the last one was used or is too old.

        Raises NotAllowed while a phone is the camera.
        """
        with self._lock:
            if self._digest:
                raise NotAllowed(_("A phone is already the camera. Remove it first."))
            if self._ticket is None or self._clock() - self._ticket_at > TICKET_S / 2:
                self._ticket, self._ticket_at = secrets.token_urlsafe(16), self._clock()
            return self._ticket

    def is_ticket(self, shown: str | None) -> bool:
        """Whether that is the ticket, and has not been used."""
        ticket = self._ticket
        fresh = ticket is not None and self._clock() - self._ticket_at <= TICKET_S
        return fresh and hmac.compare_digest((shown or "").encode("utf-8", "replace"), (ticket or "").encode())

    def redeem(self, shown: str | None) -> str:
        """Let in the phone that shows the ticket, and return its token. Raises NotAllowed for any other ticket."""
        with self._lock:
            if not self.is_ticket(shown):
                raise NotAllowed(
                    _("This QR code was already used or has expired. Scan the new one on the host's screen.")
                )
            token = secrets.token_urlsafe(24)
            self._ticket, self._digest = None, _digest(token)
            try:
                self._store(self._digest)
            except OSError as error:
                # The game goes on; the phone only has to scan the code again after a restart.
                log.warning("The phone that is the camera could not be stored: %s.", error)
            return token

    def is_phone(self, token: str | None) -> bool:
        """Whether that is the token of the phone that is the camera."""
        digest = self._digest
        return bool(token and digest) and hmac.compare_digest(_digest(token or ""), digest)

    def end(self) -> None:
        """The phone is the camera no longer. Raises SettingsUnusable if that cannot be stored; then it still is."""
        with self._lock:
            try:
                self._store("")
            except OSError as error:
                raise SettingsUnusable(_("The phone cannot be removed: {error}.", error=str(error))) from error
            self._ticket, self._digest = None, ""

    def _load(self) -> str:
        if self._file is None:
            return ""
        try:
            return str(json.loads(self._file.read_text(encoding="utf-8"))["phone"])
        except FileNotFoundError:
            return ""
        except (OSError, ValueError, TypeError, KeyError) as error:
            log.warning("The phone that was the camera is forgotten and has to scan the code again: %s", error)
            return ""

    def _store(self, digest: str) -> None:
        if self._file is not None:
            write_private(self._file, json.dumps({"phone": digest}).encode())


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
