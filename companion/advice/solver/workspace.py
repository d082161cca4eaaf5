"""The large arrays of a run: in memory, or in files that the system maps into memory as they are needed."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


class Workspace:
    """Makes the arrays of a run. Without a folder they are in memory.

    With one, each is a file there, of which only what is being worked on is in memory. A file goes with its array, even
    if the process is killed, where the system lets an open file be removed.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder, self._made = folder, 0

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
