"""Compilation of the solver's inner loops with Numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit

_Function = TypeVar("_Function", bound=Callable[..., Any])


def compiled(function: _Function) -> _Function:
    """Compile at the first call, cache on disk, and release the GIL while it runs.

    Reference counting is off, because no array is allocated inside: counting the two dozen arrays that a move reads
    took twenty times as long as the moves.
    """
    options: dict[str, Any] = {"nogil": True, "_nrt": False}
    try:
        return cast(_Function, njit(cache=True, **options)(function))
    except RuntimeError:
        # No folder for the cache is writable, neither this one nor the user's: compile in every process.
        return cast(_Function, njit(**options)(function))


def argument(value: int) -> int:
    """A constant to pass to compiled functions. Numba would compile them anew for each plain number."""
    return cast(int, np.int32(value))


def inlined(function: _Function) -> _Function:
    """Inline into the compiled functions that call it, which then take half the time."""
    return cast(_Function, njit(inline="always")(function))
