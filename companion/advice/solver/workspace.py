"""The large arrays of a run: in memory, or in files that the system maps into memory as they are needed; and what
memory there is to spare."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

SPARE_MEMORY = 512 << 20
"""Bytes, and at most a quarter of what stays free, in which the moves of a group are kept. Generating them anew in each
round took three quarters of the time."""


class Workspace:
    """Makes the arrays of a run. Without a folder they are in memory.

    With one, each is a file there, of which only what is being worked on is in memory. A file goes with its array, even
    if the process is killed, where the system lets an open file be removed. spare: bytes of memory in which generated
    moves may be kept, so that they need not be generated again.
    """

    def __init__(self, folder: Path | None = None, spare: int = SPARE_MEMORY) -> None:
        self._folder, self._made, self.spare = folder, 0, spare

    def zeros(self, size: int | tuple[int, ...], dtype: DTypeLike = np.float64) -> NDArray[Any]:
        """An array of zeros."""
        if self._folder is None:
            return np.zeros(size, dtype)
        path = self._folder / f"array-{self._made}"
        self._made += 1
        array = np.memmap(path, dtype=np.dtype(dtype), mode="w+", shape=size)
        with suppress(OSError):
            path.unlink()
        # Compiled code takes plain arrays.
        return np.asarray(array)
