"""The solved table of a game: how likely every position is to be won, 16 bits each, mapped from its file.

The file is MAGIC, the header's length (4 bytes, little-endian), the header (JSON), blanks up to a multiple of 64, two
bytes a position (little-endian), and the SHA-256 of all before it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.advice.keeping import replacing
from companion.advice.odds import FAIR
from companion.advice.solving.ranking import FIRST, Ranking
from companion.errors import TableUnusable
from companion.rules.position import Position
from companion.rules.ruleset import Variant

MAGIC = b"PULUCTB1"
SCALE = 65534
"""The chance 1 as stored; even, so that one half is stored exactly."""
ROUNDING = 0.5 / SCALE
"""What storing a chance in 16 bits adds to its error at most."""
_DIGEST = hashlib.sha256().digest_size
_PIECE = 1 << 20


def solved_rules(rules: Variant) -> dict[str, Any]:
    """The fields that a table depends on, ready for JSON. How teams rotate changes no chance."""
    fields = {name: value for name, value in rules.rules().items() if name not in ("teams", "players")}
    return fields | {"advancing": min(rules.pieces, rules.advancing or rules.pieces)}


def table_name(rules: Variant, marked: Fraction = FAIR) -> str:
    """The file name of a game's table; the same for games that differ in name only."""
    text = json.dumps({"rules": solved_rules(rules), "marked": str(marked)}, sort_keys=True)
    return f"{rules.spaces}-spaces-{rules.pieces}-pieces-{hashlib.sha256(text.encode()).hexdigest()[:12]}.table"


def write_table(
    path: Path, rules: Variant, marked: Fraction, win: NDArray[np.float64], *, bound: float, start: float
) -> None:
    """Write a table durably, or nothing. win: the chance of each position in the order of Ranking, without FIRST.

    bound: what they are off by at most. start: the chance of the side that begins.
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
        pieces = (np.rint(win[at : at + _PIECE] * SCALE).astype("<u2").tobytes() for at in range(0, len(win), _PIECE))
        for piece in (head + b" " * (-len(head) % 64), *pieces):
            file.write(piece)
            digest.update(piece)
        file.write(digest.digest())


@dataclass(frozen=True)
class Table:
    """A table that was opened and found whole.

    error_bound: what the chances were off by as solved; ``stored_bound`` what they are as stored, rounding included.
    start: the chance of the side that begins, as solved. stored: every chance times SCALE, in the order of Ranking.
    """

    path: Path
    rules: Variant
    marked: Fraction
    positions: int
    error_bound: float
    start: float
    stored: NDArray[np.uint16]

    @classmethod
    def open(cls, path: Path, rules: Variant, marked: Fraction = FAIR) -> Table:
        """Map the table, after checking that it is that game's and unaltered.

        Raises FileNotFoundError where there is none, and TableUnusable, naming the file and what is wrong with it.
        """
        try:
            header, begin = _header(path)
            found = {name: header[name] for name in ("positions", "error_bound", "start")}
            same = header["rules"] == solved_rules(rules), header["marked"] == str(marked)
            size = begin + 2 * int(header["positions"]) + _DIGEST
        except (KeyError, ValueError, TypeError) as error:
            raise TableUnusable(
                f"'{path}' is no table of a solved game, or its beginning is damaged. {_CURE}"
            ) from error
        if not same[0]:
            raise TableUnusable(f"'{path}' is a table for other rules: {_differences(header['rules'], rules)}. {_CURE}")
        if not same[1]:
            raise TableUnusable(f"'{path}' is a table for lots marked with chance {header['marked']}, not {marked}.")
        if path.stat().st_size != size:
            raise TableUnusable(f"'{path}' has {path.stat().st_size} bytes and should have {size}. {_CURE}")
        if not _is_whole(path):
            raise TableUnusable(f"'{path}' was altered since it was made: its checksum does not fit. {_CURE}")
        stored = np.memmap(path, dtype="<u2", mode="r", offset=begin, shape=(int(header["positions"]),))
        return cls(path, rules, marked, **found, stored=stored)

    @cached_property
    def ranking(self) -> Ranking:
        return Ranking(self.rules)

    @property
    def stored_bound(self) -> float:
        return self.error_bound + ROUNDING

    def win(self, position: Position) -> float | None:
        """How likely the side to throw is to win a game that is not over; None for a position no game can reach."""
        address = self.ranking.address(position)
        return None if address is None else float(self.stored[address - FIRST]) / SCALE


_CURE = "Delete it, and puluc solve makes it anew."


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
        return "it names none"
    return ", ".join(
        f"{name} is {found.get(name)}, not {wanted[name]}" for name in wanted if found.get(name) != wanted[name]
    )
