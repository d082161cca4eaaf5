"""Reads table rows from a damaged SQLite file, page by page, without its B-trees.

Only the leaf pages of tables are looked at, each on its own, so a destroyed header, schema, index or inner page costs
no row. See https://www.sqlite.org/fileformat2.html for the format.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from pathlib import Path

Value = None | int | float | str | bytes

PAGE_SIZE = 4096
"""SQLite's default, assumed unless the file's header says otherwise."""
LARGEST_FILE = 512 * 1024**2
"""Bytes read of a file. A table's games take some 20 MB."""
LARGEST_ROW = 16 * 1024**2
"""Largest row assembled, in bytes; a picture has some 150 kB."""
TABLE_LEAF = 0x0D
FILE_HEADER, WAL_HEADER, FRAME_HEADER = 100, 32, 24
INTEGER_SIZES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


class _Torn(ValueError):
    """These bytes are not a valid cell."""


def scan(file: Path) -> Iterator[tuple[int, tuple[Value, ...]]]:
    """Every readable row with its rowid: those of the file first, then those of its write-ahead log.

    Rows of all tables are mixed, and a row that was moved to another page may occur twice. Damage raises no exception.
    """
    pages, logged = _pages(file), _logged(file.with_name(file.name + "-wal"))
    newest = pages | logged
    for layer in (pages, logged):
        for number, page in layer.items():
            yield from _rows(page, FILE_HEADER if number == 1 else 0, newest)


def _pages(file: Path) -> dict[int, bytes]:
    try:
        with file.open("rb", buffering=0) as reading:
            head = reading.read(FILE_HEADER)
            stated = int.from_bytes(head[16:18], "big")
            size = 65536 if stated == 1 else stated
            if size < 512 or size & (size - 1):
                size = PAGE_SIZE
            length = min(os.fstat(reading.fileno()).st_size, LARGEST_FILE)
            return {at // size + 1: _read(reading.fileno(), size, at) for at in range(0, length, size)}
    except OSError:
        return {}


def _read(handle: int, size: int, at: int) -> bytes:
    """One page; zeros where a worn card does not return it or the file ends within it."""
    try:
        return os.pread(handle, size, at).ljust(size, b"\0")
    except OSError:
        return bytes(size)


def _logged(file: Path) -> dict[int, bytes]:
    """The pages in the write-ahead log, up to its last commit."""
    try:
        data = file.read_bytes()[:LARGEST_FILE]
    except OSError:
        return {}
    size, salts = int.from_bytes(data[8:12], "big"), data[16:24]
    if not 512 <= size <= 65536:
        return {}
    pages: dict[int, bytes] = {}
    transaction: dict[int, bytes] = {}
    for at in range(WAL_HEADER, len(data) - FRAME_HEADER - size + 1, FRAME_HEADER + size):
        number, committed = struct.unpack_from(">II", data, at)
        if data[at + 8 : at + 16] != salts:
            continue  # damaged, or left from before the log was begun anew
        transaction[number] = data[at + FRAME_HEADER : at + FRAME_HEADER + size]
        if committed:
            pages |= transaction
            transaction = {}
    return pages


def _rows(page: bytes, start: int, pages: dict[int, bytes]) -> Iterator[tuple[int, tuple[Value, ...]]]:
    if page[start] != TABLE_LEAF:
        return
    (count,) = struct.unpack_from(">H", page, start + 3)
    for (at,) in struct.iter_unpack(">H", page[start + 8 : start + 8 + 2 * count]):
        try:
            yield _row(page, at, pages)
        except (_Torn, IndexError, UnicodeDecodeError):
            continue


def _row(page: bytes, at: int, pages: dict[int, bytes]) -> tuple[int, tuple[Value, ...]]:
    length, at = _varint(page, at)
    rowid, at = _varint(page, at)
    payload = _payload(page, at, length, pages)
    head, at = _varint(payload, 0)
    values: list[Value] = []
    body = head
    while at < head:
        kind, at = _varint(payload, at)
        value, body = _value(payload, kind, body)
        values.append(value)
    return rowid, tuple(values)


def _payload(page: bytes, at: int, length: int, pages: dict[int, bytes]) -> bytes:
    """The bytes of a row, including its overflow pages."""
    size = len(page)
    if length > LARGEST_ROW:
        raise _Torn
    local = length
    if length > size - 35:
        least = (size - 12) * 32 // 255 - 23
        local = least + (length - least) % (size - 4)
        local = local if local <= size - 35 else least
    parts = [page[at : at + local]]
    left = length - local
    follows = at + local
    while left > 0:
        page = pages.get(int.from_bytes(page[follows : follows + 4], "big"), b"")
        if not page:
            raise _Torn
        parts.append(page[4 : 4 + left])
        left -= len(parts[-1])
        follows = 0
    payload = b"".join(parts)
    if len(payload) != length:
        raise _Torn
    return payload


def _value(payload: bytes, kind: int, at: int) -> tuple[Value, int]:
    if kind in (0, 8, 9):
        return (None if kind == 0 else kind - 8), at
    size = INTEGER_SIZES.get(kind) or (8 if kind == 7 else (kind - 12) // 2)
    data = payload[at : at + size]
    if kind in (10, 11) or len(data) != size:
        raise _Torn
    if kind == 7:
        return float(struct.unpack(">d", data)[0]), at + size
    if kind < 7:
        return int.from_bytes(data, "big", signed=True), at + size
    return (data.decode() if kind % 2 else data), at + size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for place in range(9):
        byte = data[at + place]
        if place == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + place + 1
    raise _Torn
