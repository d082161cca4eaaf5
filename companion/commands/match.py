"""``puluc match``: let computer players play against each other."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.advice.levels import EXPERT, LEVEL_NAMES
from companion.advice.table_adviser import AdviserFactory
from companion.commands.game_options import advice_options, game, table_folders
from companion.rules.odds import parse_chance

if TYPE_CHECKING:
    from companion.advice.match import MatchScore

_Level = click.Choice(LEVEL_NAMES)


@click.command()
@advice_options
@click.option("--jade", required=True, type=_Level, help="Who plays Jade.")
@click.option("--obsidian", required=True, type=_Level, help="Who plays Obsidian.")
@click.option("--games", default=1000, show_default=True, type=click.IntRange(1), help="Number of games.")
@click.option("--seed", default=1, show_default=True, help="The same seed plays the same games.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def match(
    variant: str,
    changes: tuple[str, ...],
    jade: str,
    obsidian: str,
    games: int,
    seed: int,
    marked: str,
    data: Path,
    as_json: bool,
) -> None:
    """Play many games between two levels and count the wins.

    Expert plays by the game's table where there is one, else it searches three turns ahead. A throw decides who
    begins each game. Turns are counted as "plies", passes among them.
    """
    from companion.advice.match import fixed_depth_search, play_match

    rules, chance = game(variant, changes), parse_chance(marked)
    advisers = AdviserFactory(*table_folders(data), search=fixed_depth_search)
    with click.progressbar(length=games, file=sys.stderr, label=f"{jade} against {obsidian}") as bar:
        tally = play_match(
            rules,
            jade,
            obsidian,
            games=games,
            seed=seed,
            marked=chance,
            advisers=advisers,
            table=advisers.table(rules, chance) if EXPERT in (jade, obsidian) else None,
            processes=os.cpu_count() or 1,
            progress=bar.update,
        )
    click.echo(json.dumps(asdict(tally)) if as_json else _result_text(tally, jade, obsidian))


def _result_text(tally: MatchScore, jade: str, obsidian: str) -> str:
    def share(wins: int) -> str:
        return f"{wins} ({wins / tally.games:.1%})"

    return (
        f"{tally.games} games: {jade} (Jade) won {share(tally.jade_wins)}, "
        f"{obsidian} (Obsidian) won {share(tally.obsidian_wins)}, drawn {share(tally.draws)}; "
        f"{tally.plies / tally.games:.1f} turns a game."
    )
