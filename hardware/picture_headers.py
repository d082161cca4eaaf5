"""What a picture file says about itself, and whether all of it is there, before anything is decoded.

Decoders fill what is missing with grey, complain to the terminal, or take gigabytes because a few bytes say so.
"""

from __future__ import annotations

import re
import struct
import zlib

_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
"""In a JPEG's picture data: a marker that ends it. 00 is an escape, D0 to D7 go on, FF is filling."""

_SEGMENT = re.compile(rb"\xff[^\x00\xff]")

_SIZES = {0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF}
"""JPEG markers that tell rows and columns."""

_WIDTH_TAG, _HEIGHT_TAG = 256, 257


class CutShort(ValueError):
    """The file ends before the picture does."""


class Damaged(ValueError):
    """The file says something impossible, or its check sums do not fit."""


def size(data: bytes) -> tuple[int, int] | None:
    """(columns, rows) of a JPEG, PNG, WebP, BMP or TIFF file's content, None when it is none of these.

    Raises CutShort or Damaged. Nothing is decoded, so a picture that claims to be huge costs nothing.
    """
    for beginning, reader in (
        (b"\xff\xd8", _jpeg),
        (b"\x89PNG\r\n\x1a\n", _png),
        (b"RIFF", _webp),
        (b"BM", _bmp),
        (b"II*\x00", _tiff),
        (b"MM\x00*", _tiff),
    ):
        if data.startswith(beginning):
            try:
                return reader(data)
            except (struct.error, IndexError) as error:
                raise CutShort from error
    return None


def _jpeg(data: bytes) -> tuple[int, int]:
    found: tuple[int, int] | None = None
    at = 2
    while True:
        # Decoders forgive filling between the segments, so it is skipped here too.
        start = _SEGMENT.search(data, at)
        if start is None:
            raise CutShort
        at = start.start()
        marker = data[at + 1]
        if marker == 0xD9:
            if found is None:
                raise Damaged
            return found
        (length,) = struct.unpack_from(">H", data, at + 2)
        if marker in _SIZES:
            rows, columns = struct.unpack_from(">HH", data, at + 5)
            found = columns, rows
        at += 2 + length
        if marker == 0xDA:
            after = _MARKER.search(data, at)
            if after is None:
                raise CutShort
            at = after.start()


def _png(data: bytes) -> tuple[int, int]:
    columns, rows = struct.unpack_from(">II", data, 16)
    at = 8
    while True:
        length, name = struct.unpack_from(">I4s", data, at)
        (check,) = struct.unpack_from(">I", data, at + 8 + length)
        if zlib.crc32(memoryview(data)[at + 4 : at + 8 + length]) != check:
            raise Damaged
        if name == b"IEND":
            return columns, rows
        at += 12 + length


def _webp(data: bytes) -> tuple[int, int] | None:
    length, form, kind = struct.unpack_from("<I4s4s", data, 4)
    if form != b"WEBP":
        return None
    if len(data) < length + 8:
        raise CutShort
    if kind == b"VP8X":
        columns, rows = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
        return columns, rows
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    columns, rows = struct.unpack_from("<HH", data, 26)
    return columns & 0x3FFF, rows & 0x3FFF


def _bmp(data: bytes) -> tuple[int, int]:
    (whole,) = struct.unpack_from("<I", data, 2)
    columns, rows = struct.unpack_from("<ii", data, 18)
    if len(data) < whole:
        raise CutShort
    # Rows are counted downwards when the number is negative.
    return abs(columns), abs(rows)


def _tiff(data: bytes) -> tuple[int, int]:
    order = "<" if data.startswith(b"II") else ">"
    (at,) = struct.unpack_from(f"{order}I", data, 4)
    (count,) = struct.unpack_from(f"{order}H", data, at)
    known: dict[int, int] = {}
    for entry in range(at + 2, at + 2 + 12 * count, 12):
        tag, kind = struct.unpack_from(f"{order}HH", data, entry)
        if tag in (_WIDTH_TAG, _HEIGHT_TAG):
            (known[tag],) = struct.unpack_from(f"{order}{'H' if kind == 3 else 'I'}", data, entry + 8)
    if len(known) < 2:
        raise Damaged
    return known[_WIDTH_TAG], known[_HEIGHT_TAG]
