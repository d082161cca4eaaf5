"""Matches between levels are repeatable and complete, and print a stable format."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from random import Random
from time import sleep

import pytest
from click.testing import CliRunner

from companion.advice.levels import LEVEL_NAMES, LEVELS, at_random
from companion.advice.match import LONGEST, MatchScore, play_game, play_match
from companion.commands.match import match
from companion.errors import Unknown
from companion.rules.variants import VARIANTS, variant
from tests.rules.games import game

SMALL = game("puluc spaces=5 pieces=2")


@pytest.mark.slow
def test_the_same_seed_plays_the_same_games() -> None:
    """The number of processes makes no difference; another seed plays other games."""
    one = play_match(SMALL, "easy", "expert", games=60, seed=7)

    assert play_match(SMALL, "easy", "expert", games=60, seed=7, processes=2) == one
    assert play_match(SMALL, "easy", "expert", games=60, seed=8) != one


@pytest.mark.slow
@pytest.mark.parametrize("hashing", ["1", "2"])
def test_the_same_seed_plays_the_same_games_in_another_run(hashing: str) -> None:
    """No result depends on set order, which differs between runs."""
    words = ["--set", "spaces=6", "--jade", "expert", "--obsidian", "easy", "--games", "10", "--seed", "5", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "companion", "match", *words],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": hashing},
    )

    assert MatchScore(**json.loads(done.stdout)) == play_match(
        variant("puluc").changed({"spaces": "6"}), "expert", "easy", games=10, seed=5
    )


def test_every_game_ends_in_one_way() -> None:
    """Wins and draws add up to the number of games for all levels."""
    for jade, obsidian in permutations(LEVEL_NAMES, 2):
        tally = play_match(SMALL, jade, obsidian, games=5, seed=1)

        assert tally.games == 5 == tally.jade_wins + tally.obsidian_wins + tally.draws
        assert tally.plies > 10


@pytest.mark.parametrize("id", VARIANTS)
def test_plays_every_variant(id: str) -> None:  # noqa: A002 - the field's own name
    """With several players a side, too, each game ends within the limit in a win or a draw."""
    rules = variant(id)
    for words in {id, f"{id} players=2"} if rules.teams != "none" else {id}:
        score = play_game(game(words), (LEVELS["easy"], at_random), Fraction(1, 2), Random(1))

        assert (score.games, score.jade_wins + score.obsidian_wins + score.draws) == (1, 1)
        assert 2 < score.plies < LONGEST


def test_the_higher_throw_begins() -> None:
    """Both sides begin about equally often, so equal levels win equally often, within four standard deviations."""
    tally = play_match(SMALL, "easy", "easy", games=400, seed=3)

    assert abs(tally.jade_wins - 200) < 4 * 10


def test_a_game_with_one_possible_throw_can_begin() -> None:
    """A throw-off could never be decided there, so a random side begins."""
    rules = SMALL.changed({"values": "2,2,2,2,2"})

    score = play_match(rules, "random", "random", games=3, seed=1)

    assert score.jade_wins + score.obsidian_wins + score.draws == 3
    assert score.plies > 6


def test_unfair_lots_make_other_games() -> None:
    """Throws use the given chance of a marked face."""
    fair, unfair = (play_match(SMALL, "easy", "easy", games=50, seed=3, marked=Fraction(p)) for p in ("1/2", "9/10"))

    assert fair != unfair


def test_an_unknown_level_is_named() -> None:
    """The message lists the existing levels."""
    with pytest.raises(Unknown, match=r"'grand' is not a level.*easy, fair, hard, expert, random"):
        play_match(SMALL, "grand", "easy", games=1, seed=1)


def test_the_command_prints_one_object() -> None:
    """Standard output has only the score; the text without --json agrees with it."""
    words = ["--variant", "puluc", "--set", "spaces=5", "--jade", "hard", "--obsidian", "random", "--games", "20"]
    as_json = CliRunner().invoke(match, [*words, "--seed", "4", "--json"], catch_exceptions=False)
    as_text = CliRunner().invoke(match, [*words, "--seed", "4"], catch_exceptions=False)

    score = MatchScore(**json.loads(as_json.stdout))
    assert score == play_match(variant("puluc").changed({"spaces": "5"}), "hard", "random", games=20, seed=4)
    assert as_text.stdout.startswith(f"20 games: hard (Jade) won {score.jade_wins} (")


@pytest.mark.slow
def test_ctrl_c_stops_a_long_match_at_once() -> None:
    """The processes that play end with it, instead of playing their fifty games."""
    words = ["match", "--jade", "expert", "--obsidian", "hard", "--games", "1000"]
    playing = subprocess.Popen(
        [sys.executable, "-m", "companion", *words], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    children = Path(f"/proc/{playing.pid}/task/{playing.pid}/children")

    def seconds(child: str) -> float:
        """Processor time of a process that plays; 0 of others."""
        plays = b"--multiprocessing-fork" in Path(f"/proc/{child}/cmdline").read_bytes()
        return plays * int(Path(f"/proc/{child}/stat").read_text().split(")")[1].split()[11]) / os.sysconf("SC_CLK_TCK")

    try:
        # What they use beyond their imports, they play.
        while max(map(seconds, children.read_text().split()), default=0.0) < 1.2:
            sleep(0.1)
        os.killpg(playing.pid, signal.SIGINT)

        assert playing.communicate(timeout=5)[1].count("Traceback") == 0
    finally:
        with suppress(ProcessLookupError):
            os.killpg(playing.pid, signal.SIGKILL)
        playing.wait()
