"""How the solver's inner loops are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

_Function = TypeVar("_Function", bound=Callable[..., Any])


def compiled(function: _Function) -> _Function:
    """To machine code at the first call, kept on disk for the next time; other threads run meanwhile.

    Without reference counts, as nothing allocated inside outlives a call: counting the two dozen arrays that a move
    looks into took twenty times as long as the moves.
    """
    options: dict[str, Any] = {"nogil": True, "_nrt": False}
    try:
        return cast(_Function, njit(cache=True, **options)(function))
    except RuntimeError:
        # There is no folder to keep it in: neither this one nor the user's can be written. So it is compiled each time.
        return cast(_Function, njit(**options)(function))


def inlined(function: _Function) -> _Function:
    """Copied into the compiled functions that call it, which take half the time that they do through calls."""
    return cast(_Function, njit(inline="always")(function))
