"""A table's folder packed into one file, piece by piece, while a game may go on."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from companion.backup.contents import MANIFEST, Held, Manifest, kept_in, solved_in
from companion.machine import program
from companion.referee.copies import Copied
from companion.referee.swap import GAMES

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

PIECE = 256 * 1024
"""Bytes read at once. Higher takes more memory, lower more time."""
EFFORT = 1
"""zlib's level. Pictures, which are most of it, cannot be made smaller; the games shrink to a fifth on any level."""


class _Outgoing(io.RawIOBase):
    """Takes what the packer writes, and hands it on in pieces."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer) -> int:
        piece = bytes(data)
        self._pieces.append(piece)
        return len(piece)

    def taken(self) -> bytes:
        """What was written since it was last asked."""
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


def packed(folder: Path, games: Copied) -> Iterator[bytes]:
    """The backup of a table's folder, in pieces. games: a copy of the games that nobody writes to.

    The files are as they are when their turn comes; one that has gone by then is left out. The table's code is not in
    it, so a backup may be given away.
    """
    out = _Outgoing()
    held: list[Held] = []
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=EFFORT) as pack:
        for name, path in ((GAMES, games.path), *((name, folder / name) for name in kept_in(folder))):
            with suppress(FileNotFoundError):
                digest, size = sha256(), 0
                # No date: a clock that is far off would have none that fits.
                with path.open("rb") as file, pack.open(_entry(name), "w", force_zip64=True) as packing:
                    while piece := file.read(PIECE):
                        packing.write(piece)
                        digest.update(piece)
                        size += len(piece)
                        yield out.taken()
                held.append(Held(path=name, bytes=size, sha256=digest.hexdigest()))
        manifest = Manifest(
            made=datetime.now(UTC).isoformat(timespec="seconds"),
            program=program(),
            games=games.games,
            events=games.events,
            cases=sum(one.path.endswith("/case.json") for one in held),
            sticks=any(one.path.startswith("profile/") for one in held),
            solved=solved_in(folder),
            files=held,
        )
        pack.writestr(_entry(MANIFEST), manifest.model_dump_json(indent=1))
    yield out.taken()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    return entry
