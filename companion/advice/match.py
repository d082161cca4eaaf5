"""Matches between two levels: any number of games, repeatable by their seed."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from multiprocessing import get_context
from random import Random

from companion.advice.adviser import Adviser
from companion.advice.levels import EXPERT, LEVEL_NAMES, LEVELS, Level, expert
from companion.advice.search import SearchAdviser
from companion.advice.solver.ranking import is_two_sided
from companion.advice.solver.solved_table import SolvedTable
from companion.errors import Unknown
from companion.i18n import _
from companion.rules.odds import FAIR, LOTS
from companion.rules.position import Position
from companion.rules.turns import Turn
from companion.rules.unit import Side
from companion.rules.variant import Variant

SEARCH_DEPTH = 3
"""Turns that Expert looks ahead in a match without a solved table: fixed, so that a seed repeats a match anywhere."""
LONGEST = 10_000
"""Turns after which a game counts as drawn: two careful players may avoid each other for ever."""
_AT_A_TIME = 50
COMPILED_FROM = 2000
"""Games of a match from which it is played by compiled code. Loading that takes two seconds, in which the rules' own
path plays about 700 games; the games are the same."""
_MOST_COMPILED_PIECES = 10
_COMPILED_AT_A_TIME = 500

AdviserMaker = Callable[[Variant, Fraction], Adviser]
"""Makes the adviser of a game with given lots, in the process that plays it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchScore:
    """The results of some games. plies: turns played, passes included, the throw-off not."""

    jade_wins: int = 0
    obsidian_wins: int = 0
    draws: int = 0
    games: int = 0
    plies: int = 0

    def __add__(self, other: MatchScore) -> MatchScore:
        return MatchScore(
            jade_wins=self.jade_wins + other.jade_wins,
            obsidian_wins=self.obsidian_wins + other.obsidian_wins,
            draws=self.draws + other.draws,
            games=self.games + other.games,
            plies=self.plies + other.plies,
        )


def fixed_depth_search(rules: Variant, marked: Fraction) -> Adviser:
    """The adviser of a match without a solved table."""
    return SearchAdviser(rules, marked, depth=SEARCH_DEPTH)


def play_match(
    rules: Variant,
    jade: str,
    obsidian: str,
    *,
    games: int,
    seed: int,
    marked: Fraction = FAIR,
    advisers: AdviserMaker = fixed_depth_search,
    table: SolvedTable | None = None,
    processes: int = 1,
    compiled_from: int = COMPILED_FROM,
    progress: Callable[[int], object] | None = None,
) -> MatchScore:
    """Play a match between two levels. A throw-off decides who begins each game.

    The seed determines the games, whatever the number of processes and whether compiled code plays them.

    Parameters
    ----------
    advisers : callable
        Makes Expert's adviser. Picklable if there are several processes.
    table : SolvedTable, optional
        The table by which those advisers play. Without it, matches of Expert are not played by compiled code.
    compiled_from : int
        Number of games from which compiled code plays them, if it can.
    progress : callable, optional
        Called after each batch with its number of games.

    Raises Unknown for a name that is no level.
    """
    for name in (jade, obsidian):
        if name not in LEVEL_NAMES:
            raise Unknown(
                _(
                    "'{name}' is not a level. The levels are: {levels}.",
                    name=name[:40],
                    levels=", ".join(LEVEL_NAMES),
                )
            )
    names = (jade, obsidian)
    parts: Iterable[MatchScore]
    if games >= compiled_from and is_compilable(rules) and (table or EXPERT not in names):
        parts = _compiled(rules, names, marked, table, seed, games, processes)
    else:
        batch = partial(_batch, rules, jade, obsidian, marked, advisers, seed)
        parts = _played(batch, list(_batches(games, _AT_A_TIME)), processes)
    tally = MatchScore()
    for part in parts:
        tally += part
        if progress:
            progress(part.games)
    return tally


def is_compilable(rules: Variant) -> bool:
    """Whether compiled code can play the game with the same choices.

    Not where players own their pieces, nor where several units may share a space, which it lists in another order; and
    its lookup tables grow with the square of the pieces.
    """
    alone = rules.advancing == 1 or not rules.sharing
    return is_two_sided(rules) and alone and rules.pieces <= _MOST_COMPILED_PIECES


def _batches(games: int, size: int) -> Iterator[range]:
    return (range(first, min(first + size, games)) for first in range(0, games, size))


def _compiled(
    rules: Variant,
    levels: tuple[str, str],
    marked: Fraction,
    table: SolvedTable | None,
    seed: int,
    games: int,
    threads: int,
) -> Iterator[MatchScore]:
    # Loaded here, because compiled code loads slowly.
    from companion.advice.solver.playing.match_player import MatchPlayer

    player = MatchPlayer(rules, marked, *levels, longest=LONGEST, table=table)

    def batch(numbers: range) -> MatchScore:
        results = player.play([f"{seed}:{number}" for number in numbers])
        lost, drawn, won = (int((results[:, 0] == result).sum()) for result in range(3))
        plies = int(results[:, 1].sum())
        return MatchScore(jade_wins=won, obsidian_wins=lost, draws=drawn, games=len(numbers), plies=plies)

    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(batch, _batches(games, _COMPILED_AT_A_TIME))


def _played(batch: Callable[[range], MatchScore], batches: list[range], processes: int) -> Iterator[MatchScore]:
    if processes == 1 or len(batches) < 2:
        yield from map(batch, batches)
        return
    # At Ctrl-C they end at once, instead of with their games.
    at_once = (signal.SIGINT, signal.SIG_DFL)
    with ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=signal.signal, initargs=at_once
    ) as pool:
        yield from pool.map(batch, batches)


def _batch(
    rules: Variant, jade: str, obsidian: str, marked: Fraction, advisers: AdviserMaker, seed: int, numbers: range
) -> MatchScore:
    adviser = advisers(rules, marked) if EXPERT in (jade, obsidian) else None
    players = [expert(adviser) if name == EXPERT and adviser else LEVELS[name] for name in (jade, obsidian)]
    tally = MatchScore()
    for number in numbers:
        tally += play_game(rules, (players[0], players[1]), marked, Random(f"{seed}:{number}"))
    return tally


def play_game(rules: Variant, players: tuple[Level, Level], marked: Fraction, chance: Random) -> MatchScore:
    """Play one game between the levels of (Jade, Obsidian), drawing every throw from ``chance``."""
    faces = float(marked)

    def thrown() -> int:
        return rules.values[sum(chance.random() < faces for _ in range(LOTS))]

    position = Position.start(rules, _begins(rules, thrown, chance))
    plies = 0
    while not position.is_over() and plies < LONGEST:
        level = players[position.turn.index]
        turn = Turn(position, tuple(thrown() for _ in range(rules.throws)))
        while turn.values and turn.steps():
            turn = turn.after(level(turn, chance))
        position = turn.handed_over()
        plies += 1
    winner = position.winner()
    return MatchScore(
        jade_wins=int(winner is Side.JADE),
        obsidian_wins=int(winner is Side.OBSIDIAN),
        draws=int(winner is None),
        games=1,
        plies=plies,
    )


def _begins(rules: Variant, thrown: Callable[[], int], chance: Random) -> Side:
    """The side with the higher throw; ties are thrown again. A random side if all throws are worth the same."""
    if len(set(rules.values)) == 1:
        return chance.choice(list(Side))
    while True:
        jade, obsidian = thrown(), thrown()
        if jade != obsidian:
            return Side.JADE if jade > obsidian else Side.OBSIDIAN
