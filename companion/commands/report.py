"""``puluc report``: measures of solved games, as Markdown and plots."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

import click

from companion.advice.report.article import GAMES, article
from companion.advice.solver.solved_table import table_name
from companion.advice.solver.solver import requirements
from companion.advice.table_adviser import AdviserFactory
from companion.commands.data_option import data_option
from companion.commands.game_options import game, marked_option, set_option, table_folders
from companion.errors import CompanionError, NotSolvable, SettingsUnusable
from companion.rules.odds import parse_chance
from companion.rules.variant import Variant
from companion.rules.variants import VARIANTS

if TYPE_CHECKING:
    from companion.advice.report.measures import Figures
    from companion.advice.solver.solved_table import SolvedTable

QUICK = 1000
"""Games of each pairing with --quick, for a first look."""


@click.command()
@click.option(
    "--variant", "ids", multiple=True, type=click.Choice(list(VARIANTS)), metavar="ID",
    help="A game to measure. Repeatable. [default: every game]",
)  # fmt: skip
@set_option
@marked_option
@click.option("--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder to write into.")
@click.option("--games", default=20_000, show_default=True, type=click.IntRange(2), help="Games of each pairing.")
@click.option("--seed", default=1, show_default=True, help="The same seed makes the same report.")
@click.option("--exact", is_flag=True, help="Compute how often each opponent with a style wins; minutes for each.")
@click.option("--quick", is_flag=True, help=f"Only {QUICK} games of each pairing.")
@data_option("Folder where games and tables are kept.")
@click.option("--solve", "make", is_flag=True, help="Solve games first that have no table.")
@click.option("--json", "as_json", is_flag=True, help="Also print one JSON object for each game.")
def report(
    ids: tuple[str, ...],
    changes: tuple[str, ...],
    marked: str,
    out: Path,
    games: int,
    seed: int,
    exact: bool,
    quick: bool,
    data: Path,
    make: bool,
    as_json: bool,
) -> int:
    """Measure solved games and write a report: report.md with plots as *.svg.

    For each game: how often the beginner wins, before and after each first throw; and from games between the
    companion's levels, played by compiled code over the table: how long a game lasts, how much luck a throw is, how
    much a choice weighs, and how well each level plays. The same seed makes the same files. With puluc, bul,
    ritual-warfare, culin and buul among them, the article solved.md is written too.

    Exit status: 0 all measured, 1 a game had no table and is named in the report.
    """
    chance = parse_chance(marked)
    chosen = [game(name, changes) for name in dict.fromkeys(ids) or VARIANTS]
    with _writing(out):
        out.mkdir(parents=True, exist_ok=True)
        # Tried before anything is measured, which can take hours.
        TemporaryFile(dir=out).close()
    games = QUICK if quick else games
    figures: list[Figures] = []
    missing: dict[str, str] = {}
    for rules in chosen:
        try:
            table = _table(rules, chance, data, make)
        except CompanionError as error:
            missing[rules.id] = " ".join(str(error).split())
            click.echo(f"{rules.id}: {missing[rules.id]}", err=True)
            continue
        # One table may serve several games, which differ in name and teams only: it is measured once.
        known = next((one for one in figures if table_name(one.rules, chance) == table_name(rules, chance)), None)
        figures.append(replace(known or _measured(table, games, seed, exact), rules=rules))
        if as_json:
            click.echo(json.dumps(figures[-1].as_json()))
    with _writing(out):
        _write(out, figures, missing, seed, shlex.join(_words(ids, changes, marked, games, seed, exact)))
    click.echo(f"The report is in '{out / 'report.md'}'.", err=True)
    return 1 if missing else 0


@contextmanager
def _writing(out: Path) -> Iterator[None]:
    """Raise SettingsUnusable if something cannot be written."""
    try:
        yield
    except OSError as error:
        raise SettingsUnusable(f"The report cannot be written to '{out}': {error.strerror}.") from error


def _words(
    ids: tuple[str, ...], changes: tuple[str, ...], marked: str, games: int, seed: int, exact: bool
) -> Iterator[str]:
    """The command line without what differs between computers."""
    yield from ("puluc", "report")
    for name in ids:
        yield from ("--variant", name)
    for change in changes:
        yield from ("--set", change)
    if marked != "0.5":
        yield from ("--marked", marked)
    yield from ("--games", str(games), "--seed", str(seed))
    if exact:
        yield "--exact"


def _table(rules: Variant, marked: Fraction, data: Path, make: bool) -> SolvedTable:
    """The game's solved table. Raises CompanionError if there is none."""
    if make:
        from companion.commands.solve import solved

        return solved(rules, marked, data)
    table = AdviserFactory(*table_folders(data)).table(rules, marked)
    if table is not None:
        return table
    requirements(rules)
    raise NotSolvable("There is no table of this game. Make it with puluc solve, or give --solve here.")


def _measured(table: SolvedTable, games: int, seed: int, exact: bool) -> Figures:
    # Compiled code is loaded here and not above: no other command needs it.
    from companion.advice.report.measures import games_needed, measure

    with click.progressbar(length=games_needed(games), file=sys.stderr, label=table.rules.id) as bar:
        return measure(table, games=games, seed=seed, exact=exact, progress=bar.update)


def _write(out: Path, figures: list[Figures], missing: dict[str, str], seed: int, command: str) -> None:
    from companion.advice.report.markdown import markdown

    plots: dict[str, str] = {}
    if figures:
        from companion.advice.report.plots import draw

        plots = draw(figures, out)
        found = {one.rules.id: one.as_json() for one in figures}
        # Its positions are those of nine spaces.
        if found.keys() >= set(GAMES) and found["puluc"]["examples"]:
            from companion.advice.report.plots import draw_article

            draw_article(found, out)
            (out / "solved.md").write_text(article(found), encoding="utf-8")
    (out / "report.md").write_text(markdown(figures, missing, plots, command=command, seed=seed), encoding="utf-8")
