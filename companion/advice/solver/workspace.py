"""The large arrays of a run, and what memory there is to spare for its moves."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.advice.solver.ranking import DRAWN, WON

Values = NDArray[np.float64] | NDArray[np.uint32]
"""Chances, of 1 or of WHOLE."""
Errors = NDArray[np.uint32] | NDArray[np.uint16]
"""Errors of chances, in units that make the largest integer WORST_BOUND."""
WHOLE = 2**32 - 2
"""The integer that stands for chance 1; even, so that one half is exact."""
SPARE_MEMORY = 512 << 20
"""Bytes, and at most a quarter of what stays free, in which the moves of a group are kept. Generating them anew in each
round took three quarters of the time."""


class Workspace:
    """Makes the arrays of a run: chances as numbers and choices in memory, or with a folder compact ones.

    Compact chances are integers of 32 bits, because they are read everywhere at once and must be in memory. Compact
    choices are a file in the folder: they are read and written in order, so hardly any need be in memory. The file goes
    with its array, even if the process is killed, where the system lets an open file be removed. spare: bytes of memory
    in which generated moves may be kept, so that they need not be generated again.
    """

    def __init__(self, folder: Path | None = None, spare: int = SPARE_MEMORY) -> None:
        self._folder, self.spare = folder, spare

    def win(self, size: int) -> Values:
        """An array for the win chances of a number of addresses, with those of finished games."""
        win: Values = np.zeros(size) if self._folder is None else np.zeros(size, np.uint32)
        win[DRAWN], win[WON] = (0.5, 1) if self._folder is None else (WHOLE // 2, WHOLE)
        return win

    def policy(self, shape: tuple[int, int]) -> NDArray[np.uint32]:
        """An array for choices."""
        if self._folder is None:
            return np.empty(shape, np.uint32)
        path = self._folder / "policy"
        array = np.memmap(path, np.uint32, mode="w+", shape=shape)
        with suppress(OSError):
            path.unlink()
        # Compiled code takes plain arrays.
        return np.asarray(array)
