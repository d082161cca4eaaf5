"""How strongly people play, by their choices in the latest finished games, and which level plays about as well."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from companion.advice.adviser import Adviser
from companion.advice.levels import LEVEL_NAMES
from companion.advice.review.choice_losses import ChoiceLosses, choice_losses, like_level
from companion.errors import CompanionError
from companion.i18n import _
from companion.referee.game_state import GameState, Phase
from companion.referee.history.game_summary import finished_turns
from companion.referee.player_names import display_name
from companion.referee.referee import WAIT_S, Referee
from companion.rules.variant import Variant

GAMES = 40
"""The latest finished games that count."""
FEWEST = 50
"""Choices before a level is named, four or five games. In puluc and bul, 50 choices of a level named it in 78 and 73 %
of the cases; 20 in 64 and 59 %, 200 in 94 and 95 %."""
MOST = 200
"""A player's latest choices that count: fewer follow a learner sooner, more are less a matter of chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStrength:
    """The level that plays about as well as a player. name: for display. words: what that was found by."""

    name: str
    level: str
    words: str


class PlayerStrengths:
    """Rates the choices in finished games, the latest first. Only its own thread calls ``step``; any may ask.

    Nothing is stored: after a restart the games are rated again. adviser: of a game whose perfect play is known, or
    None.
    """

    def __init__(self, referee: Referee, adviser: Callable[[Variant, Fraction], Adviser | None]) -> None:
        self._referee, self._adviser = referee, adviser
        self._rated: Mapping[int, tuple[int, Mapping[str, list[ChoiceLosses]]]] = {}
        self.rate_again()

    def rate_again(self) -> None:
        """Rate all games again, because perfect play is known in one more."""
        self._waiting = [game.number for game in self._referee.games() if game.winner][GAMES - 1 :: -1]

    def step(self, wait_s: float = WAIT_S) -> None:
        """Rate one finished game; else wait at most ``wait_s`` seconds for a change at the table."""
        table, waiting = self._referee.snapshot(), self._waiting
        if table.phase == Phase.OVER and self._rated.get(table.game, (0,))[0] != table.step:
            waiting.append(table.game)
        if not waiting:
            self._referee.newer(table, wait_s)
            return
        try:
            state = self._referee.load_game(game := waiting.pop())
        except CompanionError:
            return  # Deleted meanwhile, or damaged, which is told to whoever opens it.
        # Replaced as a whole, because other threads read it.
        rated = {**self._rated, game: (state.step, self._losses(state))}
        self._rated = {number: rated[number] for number in sorted(rated)[-GAMES:]}

    def known(self) -> list[PlayerStrength]:
        """The players with enough choices, in the context's language."""
        losses: dict[str, list[ChoiceLosses]] = defaultdict(list)
        for _step, players in self._rated.values():
            for name, found in players.items():
                losses[name] += found
        return [_strength(name, found[-MOST:]) for name, found in losses.items() if len(found) >= FEWEST]

    def _losses(self, state: GameState) -> Mapping[str, list[ChoiceLosses]]:
        losses: dict[str, list[ChoiceLosses]] = defaultdict(list)
        adviser = self._adviser(state.rules, state.marked)
        if adviser is not None and state.turns:
            for played in finished_turns(state):
                position = played.turn.position
                team = state.team(position.turn)
                name = team[(position.player - 1) % len(team)]
                if name not in LEVEL_NAMES:
                    losses[name] += choice_losses(played, adviser)
        return losses


def _strength(name: str, losses: list[ChoiceLosses]) -> PlayerStrength:
    found, shown = like_level(losses), display_name(name)
    words = _(
        "{name}'s last {choices} choices cost {lost} wins in 100 games each; {level}'s would have cost {would}.",
        name=shown,
        choices=found.choices,
        lost=f"{found.lost:.1f}",
        level=display_name(found.level),
        would=f"{found.level_lost:.1f}",
    )
    return PlayerStrength(name=shown, level=found.level, words=words)
