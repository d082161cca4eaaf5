"""Names of players and sides in the reader's language. Stored names are the same in every language."""

from __future__ import annotations

from companion.advice.styles import OPPONENTS
from companion.i18n import N_, _
from companion.rules.unit import Side

_LEVELS = {
    "easy": N_("Easy"),
    "fair": N_("Fair"),
    "hard": N_("Hard"),
    "expert": N_("Expert"),
    "random": N_("Random"),
    **{name: opponent.label for name, opponent in OPPONENTS.items()},
}
_SIDES = {Side.JADE: N_("Jade"), Side.OBSIDIAN: N_("Obsidian")}


def localized_side(side: Side) -> str:
    """The name of a side in the context's language."""
    return _(_SIDES[side])


def english_side(side: Side) -> str:
    """The stored name of a player who gave none: the side in English."""
    return _SIDES[side]


def display_team(names: str) -> str:
    """A stored list of players, joined by commas, in the context's language.

    >>> display_team("Ana, easy, Obsidian 2")
    'Ana, Easy, Obsidian 2'
    """
    return ", ".join(map(display_name, names.split(", ")))


def display_name(name: str) -> str:
    """A stored player's name for display: levels and default names are translated.

    >>> display_name("easy"), display_name("Obsidian 2"), display_name("Ana")
    ('Easy', 'Obsidian 2', 'Ana')
    """
    if name in _LEVELS:
        return _(_LEVELS[name])
    for side in Side:
        number = name.removeprefix(english_side(side)).lstrip()
        if name.startswith(english_side(side)) and (not number or number.isdecimal()):
            return f"{localized_side(side)} {number}".rstrip()
    return name
