"""The credentials of a table: its code, the signed passes of the phones that have shown it, and the host."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import secrets
from pathlib import Path
from threading import Lock

from companion.errors import SettingsUnusable
from companion.i18n import _
from companion.service.privileges import read_regular_file
from companion.storage.atomic_file import write_private

log = logging.getLogger("puluc")

CODE_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Without letters that are mistaken for each other when read aloud or copied by hand."""
CODE_LENGTH = 8
"""Letters of a code. Eight are 40 bits, which take 170 years to find at a hundred guesses a second. Fewer are quicker
to type, and to guess."""
GROUP = 4
"""Letters in a group, as the code is shown."""


class Credentials:
    """Checks the code, signs the phones' passes, and remembers the host. Any thread may call it.

    code: None for an open table; an empty one lets nobody in.
    folder: where changes are stored, so that the same phones play and the same one is host after a restart; None
        stores nothing.
    key: what passes are signed with. host: the name of the host's phone, or None. had_host: whether there has been
        one.
    mark: a few letters that tell this table's passes from those of another table on the same computer, whatever the
        code is. None makes them from the key, as earlier versions did.
    """

    def __init__(
        self,
        code: str | None,
        *,
        folder: Path | None = None,
        key: bytes | None = None,
        host: str | None = None,
        had_host: bool = False,
        mark: str | None = None,
    ) -> None:
        self.code, self.host, self._had_host = code, host, had_host
        self._folder, self._key, self._lock = folder, key or secrets.token_bytes(32), Lock()
        self.mark = mark or hashlib.sha256(self._key).hexdigest()[:8]

    @classmethod
    def load(cls, folder: Path) -> Credentials:
        """The credentials of the table whose games are in ``folder``; made the first time. Raises SettingsUnusable."""
        code = table_code(folder)
        try:
            kept = json.loads((folder / "door.json").read_text(encoding="utf-8"))
            key, host = bytes.fromhex(kept["key"]), kept["host"]
            had_host, mark = kept.get("had_host", host is not None), bytes.fromhex(kept.get("mark", "")).hex()
            return cls(code, folder=folder, key=key, host=host, had_host=had_host, mark=mark)
        except FileNotFoundError:
            pass
        except (OSError, ValueError, TypeError, KeyError) as error:
            log.warning("The phones that had shown the code are forgotten and have to show it again: %s", error)
        made = cls(code, folder=folder)
        made._store()
        return made

    def is_code(self, code: str | None) -> bool:
        """Whether that is this table's code, in constant time. Case, blanks and dashes make no difference."""
        if self.code is None:
            return True
        # A phone that shows no code shows an empty one.
        if not code or not self.code:
            return False
        return hmac.compare_digest(_plain(code), _plain(self.code))

    def issue_pass(self, phone: str) -> str:
        """The pass that the phone of that name shows from now on in place of the code. It cannot be guessed."""
        return f"{phone}.{self._signature(phone)}"

    def verify_pass(self, shown: str | None) -> str | None:
        """The name of the phone that the pass was issued to, or None if it is not genuine."""
        phone, _, signature = (shown or "").partition(".")
        if not phone or self.code is None:
            return None
        good = hmac.compare_digest(signature.encode("utf-8", "replace"), self._signature(phone).encode())
        return phone if good else None

    def add_phone(self, phone: str) -> None:
        """A phone has shown the code. The first one of all is host."""
        with self._lock:
            if not self._had_host:
                self._change(host=phone)

    def set_host(self, phone: str | None) -> None:
        """Make that phone host; None leaves it to the next one that asks."""
        with self._lock:
            self._change(host=phone)

    def renew_code(self, host: str | None) -> None:
        """Make a new code, which every phone has to show. host: the host from then on.

        Raises SettingsUnusable if it cannot be stored. The old code stays valid then, and so do the passes until a
        restart.
        """
        with self._lock:
            code, key = _new_code(), secrets.token_bytes(32)
            if self._folder:
                # In this order: beside a new code, the old key would let in every old phone after a restart.
                _store_private(self._folder / "door.json", _door(key, host, self.mark, had_host=True))
                _store_private(self._folder / "code", code.encode())
            self.code, self._key, self.host, self._had_host = code, key, host, True

    def _signature(self, phone: str) -> str:
        return hmac.new(self._key, phone.encode("utf-8", "replace"), hashlib.sha256).hexdigest()

    def _change(self, *, host: str | None) -> None:
        self.host, self._had_host = host, self._had_host or host is not None
        self._store()

    def _store(self) -> None:
        if self._folder is None:
            return
        try:
            door = _door(self._key, self.host, self.mark, had_host=self._had_host)
            write_private(self._folder / "door.json", door)
        except OSError as error:
            # The game goes on; after a restart the host is the one stored last, or the phones show the code again.
            log.warning("The phones that have shown the code could not be stored: %s.", error)


def table_code(folder: Path) -> str:
    """The code of the table whose games are in ``folder``; made once, so that printed addresses stay valid."""
    return stored_code(folder) or _store_new_code(folder)


def stored_code(folder: Path) -> str | None:
    """The code of the table whose games are in ``folder``, or None. Raises SettingsUnusable if it cannot be read."""
    try:
        kept = read_regular_file(folder / "code").decode("ascii", "replace").strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SettingsUnusable(
            _("The table's code in '{folder}' cannot be read: {error}.", folder=folder, error=str(error))
        ) from error
    return kept if len(kept) == CODE_LENGTH and set(kept) <= set(CODE_LETTERS) else None


def readable(code: str) -> str:
    """The code in groups, as people read it to each other.

    >>> readable("k7mp3wqx")
    'k7mp 3wqx'
    """
    return " ".join(code[at : at + GROUP] for at in range(0, len(code), GROUP))


def _new_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def _store_new_code(folder: Path) -> str:
    code = _new_code()
    _store_private(folder / "code", code.encode())
    return code


def _store_private(file: Path, content: bytes) -> None:
    try:
        write_private(file, content)
    except OSError as error:
        raise SettingsUnusable(
            _("The table's code cannot be kept in '{folder}': {error}.", folder=file.parent, error=str(error))
        ) from error


def _door(key: bytes, host: str | None, mark: str, *, had_host: bool) -> bytes:
    return json.dumps({"key": key.hex(), "host": host, "had_host": had_host, "mark": mark}).encode()


def _plain(code: str) -> bytes:
    return "".join(code.split()).replace("-", "").lower().encode("utf-8", "replace")
