"""The games that are kept, and the scores they made."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from companion.referee.names import shown
from companion.referee.table import Phase, Table
from companion.rules.notation import write
from companion.rules.unit import Side
from companion.rules.variant import VARIANTS
from companion.words import _

Outcome = Literal["jade", "obsidian", "draw"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A game on the list of saved ones.

    number: that of its start, by which it is resumed. name: to know it by. updated: when it last went on, in UTC.
    winner: jade, obsidian or draw, once it is over; else None. match: of which match it is a part, or 0.
    """

    number: int
    name: str
    variant: str
    jade: tuple[str, ...]
    obsidian: tuple[str, ...]
    phase: str
    winner: str | None
    position: str
    match: int
    updated: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How often each of two sides has won against the other, in games that are over.

    one, other: the players, a team's joined by commas; of two sides the one earlier in the alphabet first.
    """

    variant: str
    one: str
    other: str
    one_wins: int
    other_wins: int
    draws: int


def entry_of(table: Table, number: int) -> Entry:
    """The table as the list shows it. ``number``: that of the game's start."""
    jade, obsidian = ", ".join(table.game.jade), ", ".join(table.game.obsidian)
    return Entry(
        number=number,
        name=_named(table.rules.name, jade, obsidian),
        variant=table.game.variant,
        jade=table.game.jade,
        obsidian=table.game.obsidian,
        phase=table.phase,
        winner=outcome(table),
        position=write(table.position),
        match=table.game.match,
    )


def told(entry: Entry) -> Entry:
    """The same entry with its name in the present language, unless people gave it one of their own."""
    game = VARIANTS[entry.variant].name
    if entry.name != _named(game, ", ".join(entry.jade), ", ".join(entry.obsidian)):
        return entry
    jade, obsidian = (", ".join(map(shown, team)) for team in (entry.jade, entry.obsidian))
    return replace(entry, name=_("{game}: {jade} against {obsidian}", game=_(game), jade=jade, obsidian=obsidian))


def _named(game: str, jade: str, obsidian: str) -> str:
    return f"{game}: {jade} against {obsidian}"


def outcome(table: Table) -> Outcome | None:
    """jade, obsidian or draw, once the game is over; else None."""
    if table.phase is not Phase.OVER:
        return None
    winner = table.winner()
    return "draw" if winner is None else "jade" if winner is Side.JADE else "obsidian"


def scores_of(games: list[Entry]) -> list[Score]:
    """The scores of finished games, by variant and by who played whom."""
    wins: dict[tuple[str, str, str], list[int]] = {}
    for game in games:
        sides = {"jade": ", ".join(game.jade), "obsidian": ", ".join(game.obsidian)}
        one, other = sorted(sides.values())
        tally = wins.setdefault((game.variant, one, other), [0, 0, 0])
        tally[2 if game.winner == "draw" else int(sides[str(game.winner)] != one)] += 1
    return [
        Score(variant=variant, one=one, other=other, one_wins=mine, other_wins=yours, draws=draws)
        for (variant, one, other), (mine, yours, draws) in sorted(wins.items())
    ]
