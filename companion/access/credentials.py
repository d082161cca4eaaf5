"""Who is let in: the table's code, the passes of the phones that have shown it, and which of them is host."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import secrets
from pathlib import Path
from threading import Lock

from companion.advice.keeping import replacing
from companion.errors import SettingsUnusable
from companion.words import _

log = logging.getLogger("puluc")

CODE_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Without those that are mistaken for each other when read aloud or copied by hand."""
CODE_LENGTH = 8
"""Letters of a code. Eight are 40 bits: even at a hundred guesses a second found after 170 years. Fewer are quicker to
type and to guess."""
GROUP = 4
"""Letters that are shown together."""


class Door:
    """Knows the code, signs the phones' passes, and remembers the host. Any thread may call it.

    code: None for an open table; an empty one opens to nobody.
    folder: where changes are kept, so that after a restart the same phones play and the same one is host; None keeps
        nothing.
    key: what passes are signed with. host: the name of the host's phone.
    """

    def __init__(
        self, code: str | None, *, folder: Path | None = None, key: bytes | None = None, host: str | None = None
    ) -> None:
        self.code, self.host = code, host
        self._folder, self._key, self._lock = folder, key or secrets.token_bytes(32), Lock()

    @classmethod
    def of(cls, folder: Path) -> Door:
        """The door of the table whose games are there; its code is made once and kept. Raises SettingsUnusable."""
        code = table_code(folder)
        try:
            kept = json.loads((folder / "door.json").read_text(encoding="utf-8"))
            return cls(code, folder=folder, key=bytes.fromhex(kept["key"]), host=kept["host"])
        except FileNotFoundError:
            pass
        except (OSError, ValueError, TypeError, KeyError) as error:
            log.warning("Which phones had shown the code cannot be read; they have to show it again. %s", error)
        door = cls(code, folder=folder)
        door._keep()
        return door

    def knows(self, code: str | None) -> bool:
        """Whether that is this table's code, told in constant time. Case, blanks and dashes are free."""
        if self.code is None:
            return True
        # An empty code would be shown by every phone that shows none.
        if not code or not self.code:
            return False
        return hmac.compare_digest(_plain(code), _plain(self.code))

    def pass_for(self, phone: str) -> str:
        """What the phone of that name shows from now on in place of the code. It cannot be guessed."""
        return f"{phone}.{self._signature(phone)}"

    def phone_of(self, shown: str | None) -> str | None:
        """The name of the phone whose pass that is, or None."""
        phone, _, signature = (shown or "").partition(".")
        if not phone or self.code is None:
            return None
        good = hmac.compare_digest(signature.encode("utf-8", "replace"), self._signature(phone).encode())
        return phone if good else None

    def welcome(self, phone: str) -> None:
        """A phone has shown the code; where there is no host yet, it is host."""
        with self._lock:
            if self.host is None:
                self._change(host=phone)

    def hand_on(self, phone: str | None) -> None:
        """That phone is host from now on; None: the next one that asks."""
        with self._lock:
            self._change(host=phone)

    def renew(self, host: str | None) -> None:
        """Make a new code, with which every phone has to come in again. host: who is host then.

        Raises SettingsUnusable where it cannot be kept; then the old one still holds.
        """
        with self._lock:
            self.code = _written(self._folder) if self._folder else _fresh()
            self._key = secrets.token_bytes(32)
            self._change(host=host)

    def _signature(self, phone: str) -> str:
        return hmac.new(self._key, phone.encode("utf-8", "replace"), hashlib.sha256).hexdigest()

    def _change(self, *, host: str | None) -> None:
        self.host = host
        self._keep()

    def _keep(self) -> None:
        if self._folder is None:
            return
        try:
            _write(self._folder / "door.json", json.dumps({"key": self._key.hex(), "host": self.host}))
        except OSError as error:
            # The game goes on; only after a restart the phones have to show the code again.
            log.warning("Which phones have shown the code could not be kept: %s.", error)


def table_code(folder: Path) -> str:
    """The code that lets a phone play at this table; made once and kept, so that printed addresses stay good."""
    return kept_code(folder) or _written(folder)


def kept_code(folder: Path) -> str | None:
    """The code of the table whose games are there, or None. Raises SettingsUnusable where it may not be read."""
    file = folder / "code"
    try:
        kept = file.read_text(encoding="ascii", errors="replace").strip() if file.exists() else ""
    except OSError as error:
        raise SettingsUnusable(
            _("The table's code in '{folder}' cannot be read: {error}.", folder=folder, error=str(error))
        ) from error
    return kept if len(kept) == CODE_LENGTH and set(kept) <= set(CODE_LETTERS) else None


def readable(code: str) -> str:
    """The code as people read it to each other.

    >>> readable("k7mp3wqx")
    'k7mp 3wqx'
    """
    return " ".join(code[at : at + GROUP] for at in range(0, len(code), GROUP))


def _fresh() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def _written(folder: Path) -> str:
    code = _fresh()
    try:
        _write(folder / "code", code)
    except OSError as error:
        raise SettingsUnusable(
            _("The table's code cannot be kept in '{folder}': {error}.", folder=folder, error=str(error))
        ) from error
    return code


def _write(file: Path, text: str) -> None:
    """Put that into the file, whole or not at all and on the disk, for nobody else's eyes."""
    with replacing(file) as fresh:
        fresh.unlink(missing_ok=True)
        fresh.touch(mode=0o600)
        fresh.write_text(text, encoding="utf-8")


def _plain(code: str) -> bytes:
    return "".join(code.split()).replace("-", "").lower().encode("utf-8", "replace")
