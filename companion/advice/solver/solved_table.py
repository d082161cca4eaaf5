"""The solved table of a game: the win chance of every position in 16 bits, memory-mapped from a file.

The file holds MAGIC, the length of the header (4 bytes, little-endian), the header (JSON), blanks up to a multiple of
64 bytes, two bytes a position (little-endian), and the SHA-256 of everything before it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.advice.solver.ranking import FIRST, Ranking
from companion.advice.solver.workspace import Values
from companion.errors import TableUnusable
from companion.rules.odds import FAIR
from companion.rules.position import Position
from companion.rules.variant import Variant
from companion.storage.atomic_file import replacing

MAGIC = b"PULUCTB1"
SCALE = 65534
"""The stored value of chance 1; even, so that one half is exact."""
ROUNDING = 0.5 / SCALE
"""The maximum rounding error of a stored chance."""
_DIGEST = hashlib.sha256().digest_size
_PIECE = 1 << 20


def solved_rules(rules: Variant) -> dict[str, Any]:
    """The rules that a table depends on, ready for JSON. The rotation of teams changes no chance."""
    fields = {name: value for name, value in rules.rules().items() if name not in ("teams", "players")}
    return fields | {"advancing": min(rules.pieces, rules.advancing or rules.pieces)}


def table_name(rules: Variant, marked: Fraction = FAIR) -> str:
    """The file name of a game's table, the same for games that differ only in name."""
    text = json.dumps({"rules": solved_rules(rules), "marked": str(marked)}, sort_keys=True)
    return f"{rules.spaces}-spaces-{rules.pieces}-pieces-{hashlib.sha256(text.encode()).hexdigest()[:12]}.table"


def write_table(
    path: Path, rules: Variant, marked: Fraction, win: Values, *, whole: float = 1.0, bound: float, start: float
) -> None:
    """Write a table atomically and durably.

    Parameters
    ----------
    win : (positions,) float64 or uint32 array
        Win chance of the side to throw, in the order of Ranking.
    whole : float
        The number in ``win`` that stands for chance 1.
    bound : float
        Maximum error of these chances.
    start : float
        Win chance of the side that begins the game.
    """
    header = {
        "rules": solved_rules(rules),
        "marked": str(marked),
        "positions": len(win),
        "error_bound": bound,
        "rounding": ROUNDING,
        "start": start,
    }
    text = json.dumps(header).encode()
    head = MAGIC + len(text).to_bytes(4, "little") + text
    digest = hashlib.sha256()
    with replacing(path) as fresh, fresh.open("wb") as file:
        cuts = range(0, len(win), _PIECE)
        pieces = (np.rint(win[at : at + _PIECE] * (SCALE / whole)).astype("<u2").tobytes() for at in cuts)
        for piece in chain([head + b" " * (-len(head) % 64)], pieces):
            file.write(piece)
            digest.update(piece)
        file.write(digest.digest())


@dataclass(frozen=True)
class SolvedTable:
    """A table that was opened and verified.

    Attributes
    ----------
    error_bound, stored_bound : float
        Maximum error of the chances as solved, and as stored with rounding.
    start : float
        Win chance of the side that begins the game, as solved.
    stored : (positions,) uint16 array, memory-mapped
        Win chance of the side to throw times SCALE, in the order of Ranking.
    """

    path: Path
    rules: Variant
    marked: Fraction
    positions: int
    error_bound: float
    start: float
    stored: NDArray[np.uint16]

    @classmethod
    def open(cls, path: Path, rules: Variant, marked: Fraction = FAIR) -> SolvedTable:
        """Memory-map the table after checking that it belongs to the game and is undamaged.

        Raises FileNotFoundError if there is none, and TableUnusable, which names the file and the fault.
        """
        try:
            header, begin = _header(path)
            found = {name: header[name] for name in ("positions", "error_bound", "start")}
            same = header["rules"] == solved_rules(rules), header["marked"] == str(marked)
            size = begin + 2 * int(header["positions"]) + _DIGEST
        except (KeyError, ValueError, TypeError) as error:
            raise TableUnusable(
                f"'{path}' is not the table of a solved game, or its header is damaged. {_CURE}"
            ) from error
        if not same[0]:
            raise TableUnusable(f"'{path}' is a table for other rules: {_differences(header['rules'], rules)}. {_CURE}")
        if not same[1]:
            raise TableUnusable(
                f"'{path}' is a table for a chance of {header['marked']} of a marked face, not {marked}."
            )
        if path.stat().st_size != size:
            raise TableUnusable(f"'{path}' has {path.stat().st_size} bytes and should have {size}. {_CURE}")
        if not _is_whole(path):
            raise TableUnusable(f"'{path}' has changed since it was made: its checksum is wrong. {_CURE}")
        stored = np.memmap(path, dtype="<u2", mode="r", offset=begin, shape=(int(header["positions"]),))
        return cls(path, rules, marked, **found, stored=stored)

    @cached_property
    def ranking(self) -> Ranking:
        """The numbering of the game's positions."""
        return Ranking(self.rules)

    @property
    def stored_bound(self) -> float:
        """The maximum error of a stored chance."""
        return self.error_bound + ROUNDING

    def win(self, position: Position) -> float | None:
        """The win chance of the side to throw in a position that is not over; None if no game can reach it."""
        address = self.ranking.address(position)
        return None if address is None else float(self.stored[address - FIRST]) / SCALE


_CURE = "Delete it and run puluc solve again."


def _header(path: Path) -> tuple[Mapping[str, Any], int]:
    with path.open("rb") as file:
        start = file.read(len(MAGIC) + 4)
        if start[: len(MAGIC)] != MAGIC:
            raise ValueError("another kind of file")
        length = int.from_bytes(start[len(MAGIC) :], "little")
        text = file.read(length)
    end = len(start) + length
    header = json.loads(text)
    if not isinstance(header, dict):
        raise TypeError("no fields")
    return header, end + -end % 64


def _is_whole(path: Path) -> bool:
    left, digest = path.stat().st_size - _DIGEST, hashlib.sha256()
    with path.open("rb") as file:
        while left:
            piece = file.read(min(left, _PIECE))
            digest.update(piece)
            left -= len(piece)
        return file.read() == digest.digest()


def _differences(found: Any, rules: Variant) -> str:
    wanted = solved_rules(rules)
    if not isinstance(found, dict):
        return "it names no rules"
    return ", ".join(
        f"{name} is {found.get(name)}, not {wanted[name]}" for name in wanted if found.get(name) != wanted[name]
    )
