"""``puluc advise``: the win chance of a position, and the value of each move."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from companion.advice.adviser import Adviser, Estimate, EstimateSource
from companion.advice.table_adviser import AdviserFactory
from companion.commands.game_options import advice_options, game, table_folders
from companion.commands.rules import move_as_json, request_of, turn_of
from companion.errors import CompanionError, Unknown
from companion.rules.notation import parse
from companion.rules.odds import parse_chance
from companion.rules.turns import Turn
from companion.rules.variant import Variant


@click.command()
@advice_options
@click.option("--solve", "make", is_flag=True, help="Make the exact table first, if it is missing.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.argument("position")
@click.argument("values", nargs=-1, metavar="[VALUE [VALUE]]")
def advise(
    variant: str,
    changes: tuple[str, ...],
    marked: str,
    data: Path,
    make: bool,
    as_json: bool,
    position: str,
    values: tuple[str, ...],
) -> None:
    """Show the win chance of the side to throw in POSITION, and with VALUE the win chance of each move.

    Where the game's table was made with `puluc solve`, the answer is exact but for the error that is stated; elsewhere
    it is an estimate from searching for less than half a second. A draw counts half.

    With - in place of POSITION, lines POSITION or POSITION;VALUE[,VALUE] are read from standard input and answered in
    their order, a faulty one in its place. In JSON, "win" is the chance before the throw; with a VALUE, "thrown" is
    the chance after it, and "moves" are as in `puluc moves`, each with its "win", best first.
    """
    rules, chance = game(variant, changes), parse_chance(marked)
    adviser = _adviser(rules, chance, data, make)
    if position != "-":
        turn = turn_of(rules, position, values) if values else None
        click.echo(_answer(adviser, rules, position, turn, as_json))
        return
    if values:
        raise Unknown("With - the values stand in the lines that are read: POSITION or POSITION;VALUE[,VALUE].")
    for line in sys.stdin.buffer:
        text = line.decode("utf-8", "backslashreplace").rstrip("\r\n")
        try:
            asked, thrown = request_of(text, needs_values=False)
            answer = _answer(adviser, rules, asked, turn_of(rules, asked, thrown) if thrown else None, as_json)
        except CompanionError as error:
            answer = json.dumps({"error": str(error)}) if as_json else f"error: {error}"
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


def _adviser(rules: Variant, marked: Fraction, data: Path, make: bool) -> Adviser:
    if make:
        from companion.commands.solve import solved

        solved(rules, marked, data)
    return AdviserFactory(*table_folders(data))(rules, marked)


def _answer(adviser: Adviser, rules: Variant, text: str, turn: Turn | None, as_json: bool) -> str:
    before = adviser.before_throw(parse(text, rules))
    answer: dict[str, Any] = {
        "position": text,
        "win": before.win,
        "source": before.source,
        "error_bound": before.error_bound,
    }
    lines = [f"{text}: {_win_text(before)} for the side to throw"]
    if turn is not None:
        advice = adviser.in_turn(turn)
        answer |= {"values": turn.values, "thrown": advice.best.win}
        answer["moves"] = [move_as_json(turn, rated.step) | {"win": rated.win} for rated in advice.steps]
        lines.append(f"  after the throw of {' and '.join(map(str, turn.values))}: {_win_text(advice.best)}")
        lines += [f"  {rated.win:8.3%}  {rated.step}" for rated in advice.steps] or ["  nothing can be moved"]
    return json.dumps(answer) if as_json else "\n".join(lines)


def _win_text(estimate: Estimate) -> str:
    if estimate.source is EstimateSource.SEARCH or estimate.error_bound is None:
        return f"about {estimate.win:.1%} (an estimate)"
    return f"{estimate.win:.3%} (exact, ±{estimate.error_bound:.4%})"
