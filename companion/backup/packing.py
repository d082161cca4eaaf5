"""Packs a table's folder into one ZIP file, piece by piece, while a game may go on."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from companion.backup.manifest import MANIFEST, BackupFile, Manifest, files_to_back_up, solved_tables
from companion.service.machine import program
from companion.storage.database_copy import DatabaseCopy
from companion.storage.restore import GAMES

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

PIECE = 256 * 1024
"""Bytes read at once. Higher takes more memory, lower more time."""
EFFORT = 1
"""zlib's level. Pictures, most of the size, do not compress; the games shrink to a fifth at any level."""


class _Buffer(io.RawIOBase):
    """Collects what the ZIP writer writes until it is drained."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer) -> int:
        piece = bytes(data)
        self._pieces.append(piece)
        return len(piece)

    def drain(self) -> bytes:
        """What was written since the last call."""
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


def pack_backup(folder: Path, games: DatabaseCopy) -> Iterator[bytes]:
    """Yield a backup of a table's folder in pieces. games: a copy of the games that nobody writes to.

    Each file is read when its turn comes; one that is gone by then is left out. A backup holds no table code, so it may
    be given away.
    """
    out = _Buffer()
    held: list[BackupFile] = []
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=EFFORT) as pack:
        for name, path in ((GAMES, games.path), *((name, folder / name) for name in files_to_back_up(folder))):
            with suppress(FileNotFoundError):
                digest, size = sha256(), 0
                # Without a date: ZIP has none for a clock that is far off.
                with path.open("rb") as file, pack.open(_entry(name), "w", force_zip64=True) as packing:
                    while piece := file.read(PIECE):
                        packing.write(piece)
                        digest.update(piece)
                        size += len(piece)
                        yield out.drain()
                held.append(BackupFile(path=name, bytes=size, sha256=digest.hexdigest()))
        manifest = Manifest(
            made=datetime.now(UTC).isoformat(timespec="seconds"),
            program=program(),
            games=games.games,
            events=games.events,
            cases=sum(one.path.endswith("/case.json") for one in held),
            sticks=any(one.path.startswith("profile/") for one in held),
            solved=solved_tables(folder),
            files=held,
        )
        pack.writestr(_entry(MANIFEST), manifest.model_dump_json(indent=1))
    yield out.drain()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    return entry
