"""What players and sides are called, wherever people read it. What is kept of them is the same in every language."""

from __future__ import annotations

from companion.rules.unit import Side
from companion.words import _, later

_LEVELS = {
    "easy": later("Easy"),
    "fair": later("Fair"),
    "hard": later("Hard"),
    "expert": later("Expert"),
    "random": later("Random"),
}
_SIDES = {Side.JADE: later("Jade"), Side.OBSIDIAN: later("Obsidian")}


def colour(side: Side) -> str:
    """What a side is called."""
    return _(_SIDES[side])


def kept(side: Side) -> str:
    """What a player is called who gave no name, as that is written down."""
    return _SIDES[side]


def team(names: str) -> str:
    """The players of a side as scores keep them, joined by commas, as people read them."""
    return ", ".join(map(shown, names.split(", ")))


def shown(name: str) -> str:
    """A player's name as people read it: a level's, and that of somebody who gave none, in their language.

    >>> shown("easy"), shown("Obsidian 2"), shown("Ana")
    ('Easy', 'Obsidian 2', 'Ana')
    """
    if name in _LEVELS:
        return _(_LEVELS[name])
    for side in Side:
        number = name.removeprefix(kept(side)).lstrip()
        if name.startswith(kept(side)) and (not number or number.isdecimal()):
            return f"{colour(side)} {number}".rstrip()
    return name
