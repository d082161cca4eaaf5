"""Saved games and the scores of finished ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from companion.i18n import _
from companion.referee.game_state import GameState, Phase
from companion.referee.player_names import display_name
from companion.rules.notation import write
from companion.rules.unit import Side
from companion.rules.variants import VARIANTS

Outcome = Literal["jade", "obsidian", "draw"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedGame:
    """A game in the list of saved games.

    number: of its first event, by which it is resumed. updated: time of its last event, in UTC.
    winner: jade, obsidian or draw, once it is over; else None. match: number of its match, or 0.
    """

    number: int
    name: str
    variant: str
    jade: tuple[str, ...]
    obsidian: tuple[str, ...]
    phase: str
    winner: Outcome | None
    position: str
    match: int
    updated: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How often each of two sides has won against the other.

    one, other: the players, a team's joined by commas, in alphabetical order.
    """

    variant: str
    one: str
    other: str
    one_wins: int
    other_wins: int
    draws: int


def saved_game(state: GameState, number: int) -> SavedGame:
    """The entry of a game in the list. ``number``: of the game's first event."""
    jade, obsidian = ", ".join(state.game.jade), ", ".join(state.game.obsidian)
    return SavedGame(
        number=number,
        name=_named(state.rules.name, jade, obsidian),
        variant=state.game.variant,
        jade=state.game.jade,
        obsidian=state.game.obsidian,
        phase=state.phase,
        winner=outcome(state),
        position=write(state.position),
        match=state.game.match,
    )


def localized(entry: SavedGame) -> SavedGame:
    """The entry with its default name in the context's language; names that people gave stay."""
    game = VARIANTS[entry.variant].name
    if entry.name != _named(game, ", ".join(entry.jade), ", ".join(entry.obsidian)):
        return entry
    jade, obsidian = (", ".join(map(display_name, team)) for team in (entry.jade, entry.obsidian))
    return replace(entry, name=_("{game}: {jade} against {obsidian}", game=_(game), jade=jade, obsidian=obsidian))


def _named(game: str, jade: str, obsidian: str) -> str:
    return f"{game}: {jade} against {obsidian}"


def outcome(state: GameState) -> Outcome | None:
    """jade, obsidian or draw if the game is over; else None."""
    if state.phase is not Phase.OVER:
        return None
    winner = state.winner()
    return "draw" if winner is None else "jade" if winner is Side.JADE else "obsidian"


def scores_of(games: list[SavedGame]) -> list[Score]:
    """The scores of finished games, by variant and opponents."""
    wins: dict[tuple[str, str, str], list[int]] = {}
    for game in games:
        sides = {"jade": ", ".join(game.jade), "obsidian": ", ".join(game.obsidian)}
        one, other = sorted(sides.values())
        tally = wins.setdefault((game.variant, one, other), [0, 0, 0])
        # By the side, because two of the same name may play each other.
        other_won = (game.winner == "obsidian") == (sides["jade"] == one)
        tally[2 if game.winner == "draw" else int(other_won)] += 1
    return [
        Score(variant=variant, one=one, other=other, one_wins=mine, other_wins=yours, draws=draws)
        for (variant, one, other), (mine, yours, draws) in sorted(wins.items())
    ]
