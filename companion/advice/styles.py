"""Styles of play: the computer's opponents between random and perfect play, each with something it is after.

A style adds up what a step brings, makes the step of the highest sum, and every so often any step at all. The weights
make the style, the slips its strength.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass, fields

from companion.i18n import N_


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """The weights of what a step brings, whole numbers so that equal sums are equal in binary fractions too.

    captures, slain: pieces that the step captures and slays. risk: pieces that the enemy's next throw captures, on
    average, if it captures the most it can; subtracted. hunt: the same for the side's own next throw. enters: 1 if a
    piece enters. front: the spaces from its base to the unit before the step. leaves: 1 if a unit leaves without
    captives.
    """

    captures: int = 0
    slain: int = 0
    risk: int = 0
    hunt: int = 0
    enters: int = 0
    front: int = 0
    leaves: int = 0

    @property
    def weights(self) -> tuple[int, ...]:
        return astuple(self)


FEATURES = tuple(field.name for field in fields(Style))


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponent:
    """One rung of the ladder.

    slip: the share of its choices in which it makes any legal step. label, sentence: its name, and what it does, for
    players.
    """

    label: str
    sentence: str
    style: Style
    slip: float


OPPONENTS: Mapping[str, Opponent] = {
    "hasty": Opponent(
        label=N_("Hasty"),
        sentence=N_("Runs with the piece in front, and more than a third of its moves are whims."),
        style=Style(front=1),
        slip=0.36,
    ),
    "timid": Opponent(
        label=N_("Timid"),
        sentence=N_("Stays out of reach at almost any price, and lets many a capture go."),
        style=Style(captures=1, risk=16, leaves=1),
        slip=0.07,
    ),
    "greedy": Opponent(
        label=N_("Greedy"),
        sentence=N_(
            "Takes all it can, then runs on with the piece in front, and never asks which enemy might take it back."
        ),
        style=Style(captures=16, slain=8, enters=3, front=2),
        slip=0.09,
    ),
    "bold": Opponent(
        label=N_("Bold"),
        sentence=N_("Takes what it can, presses on and lies in wait for more, with little thought for its own safety."),
        style=Style(captures=16, slain=4, risk=1, hunt=3, enters=3, front=1),
        slip=0.0,
    ),
    "careful": Opponent(
        label=N_("Careful"),
        sentence=N_("Thinks first of what it may lose, and captures only where that is safe enough."),
        style=Style(captures=8, slain=8, risk=16, enters=1),
        slip=0.03,
    ),
    "shrewd": Opponent(
        label=N_("Shrewd"),
        sentence=N_("Weighs every gain against every risk, one throw ahead."),
        style=Style(captures=16, slain=6, risk=17, hunt=3, enters=2, leaves=-2),
        slip=0.0,
    ),
}
"""Weakest first. The weights were searched, and the slips set, so that in puluc and bul their shares of games won
against perfect play lie about evenly between those of random and of perfect play."""
