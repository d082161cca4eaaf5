"""Max-min fairness: who has to give up a place when a newcomer finds all of them taken."""

from __future__ import annotations

from collections.abc import Mapping


def largest_holder(held: Mapping[str, int], newcomer: str) -> str | None:
    """The holder of the most places, or None where nobody holds more than the newcomer does.

    One who gives up a place to a newcomer never ends with fewer than the newcomer, so two holders cannot
    take a place from each other in turns for long.

    >>> largest_holder({"flood": 30, "family": 4}, "guest"), largest_holder({"flood": 2}, "flood")
    ('flood', None)
    """
    most = max(held, key=held.__getitem__, default=None)
    return most if most is not None and held[most] > held.get(newcomer, 0) else None
