"""``puluc match``: the companion's levels against each other."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.advice.advisers import Advisers
from companion.advice.levels import LEVEL_NAMES
from companion.advice.odds import parse_chance
from companion.commands.game import advice_options, game, table_folders

if TYPE_CHECKING:
    from companion.advice.match import Tally

_Level = click.Choice(LEVEL_NAMES)


@click.command()
@advice_options
@click.option("--jade", required=True, type=_Level, help="Who plays Jade.")
@click.option("--obsidian", required=True, type=_Level, help="Who plays Obsidian.")
@click.option("--games", default=1000, show_default=True, type=click.IntRange(1), help="How many games.")
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
    data: Path | None,
    as_json: bool,
) -> None:
    """Let two of the companion's levels play many games against each other, and count who wins.

    Expert plays by the game's table where there is one, else it searches three turns ahead. Each game is thrown off.
    Turns are counted as "plies", passes among them.
    """
    from companion.advice.match import play, searching

    rules, chance = game(variant, changes), parse_chance(marked)
    with click.progressbar(length=games, file=sys.stderr, label=f"{jade} against {obsidian}") as bar:
        tally = play(
            rules,
            jade,
            obsidian,
            games=games,
            seed=seed,
            marked=chance,
            advisers=Advisers(*table_folders(data), search=searching),
            processes=os.cpu_count() or 1,
            progress=bar.update,
        )
    click.echo(json.dumps(asdict(tally)) if as_json else _told(tally, jade, obsidian))


def _told(tally: Tally, jade: str, obsidian: str) -> str:
    def share(wins: int) -> str:
        return f"{wins} ({wins / tally.games:.1%})"

    return (
        f"{tally.games} games: {jade} (Jade) won {share(tally.jade_wins)}, "
        f"{obsidian} (Obsidian) won {share(tally.obsidian_wins)}, drawn {share(tally.draws)}; "
        f"{tally.plies / tally.games:.1f} turns a game."
    )
