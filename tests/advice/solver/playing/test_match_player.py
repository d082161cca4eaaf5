"""Compiled matches play the games that the rules' own path plays."""

from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest

from companion.advice.match import fixed_depth_search, is_compilable, play_match
from companion.advice.solver.playing.mersenne_twister import WORDS, below, key, seed_state, uniform, unseeded
from companion.advice.solver.solver import solve
from companion.advice.table_adviser import AdviserFactory
from companion.rules.odds import FAIR
from tests.rules.games import game

ALWAYS, NEVER = 0, 10**9


def test_the_random_numbers_are_those_of_python() -> None:
    """Chances and choices agree for several seeds, beyond the first refill of the generator's state."""
    state = np.zeros(WORDS + 1, np.int64)
    for seed in ("1:0", "5:123456", "a longer seed, so that its words do not fill up evenly"):
        chance = Random(seed)
        seed_state(state, unseeded(), key(seed))
        for number in range(500):
            assert uniform(state) == chance.random()
            assert below(state, 1 + number % 9) == chance.choice(range(1 + number % 9))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "levels"),
    [
        ("puluc spaces=7 pieces=3", ("hard", "random")),
        ("bul", ("easy", "fair")),
        ("aj-sayil", ("fair", "hard")),
        ("aj-tiwil", ("random", "easy")),
        ("a-kaakil fire=7", ("hard", "fair")),
        ("buluc spaces=5 pieces=2 exact_home=yes", ("random", "random")),
        ("puluc spaces=5 values=2,2,2,2,2", ("random", "easy")),
    ],
)
def test_the_same_seed_plays_the_same_games(words: str, levels: tuple[str, str]) -> None:
    """By compiled code and by the rules, with unfair lots: every result and every number of turns."""
    rules, unfair = game(words), Fraction(3, 5)
    for first in range(2):
        one, two = (
            play_match(rules, *levels, games=2, seed=first, marked=unfair, compiled_from=path)
            for path in (ALWAYS, NEVER)
        )

        assert one == two


@pytest.mark.slow
@pytest.mark.parametrize("words", ["puluc spaces=5 pieces=2", "aj-sayil spaces=5 pieces=1", "puluc spaces=6 fire=2"])
def test_expert_plays_the_same_games_from_the_table(words: str, tmp_path: Path) -> None:
    """Against another level, with one throw a turn and with two."""
    rules = game(f"{words} pieces=2")
    table = solve(rules, FAIR, tmp_path)
    advisers = AdviserFactory(tmp_path, search=fixed_depth_search)
    one, two = (
        play_match(rules, "expert", "hard", games=10, seed=2, advisers=advisers, table=table, compiled_from=path)
        for path in (ALWAYS, NEVER)
    )

    assert one == two


def test_other_games_are_left_to_the_rules() -> None:
    """Where players own their pieces, several units share a space, or the lookup tables would be too large."""
    assert all(map(is_compilable, map(game, ("puluc", "bul-teams players=4", "aj-sakalil", "boolik"))))
    assert not any(
        map(is_compilable, map(game, ("aj-sakakil players=2", "puluc sharing=yes", "puluc pieces=20 advancing=20")))
    )
