"""``puluc advise``: how likely a position is to be won, and which move wins most."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from companion.advice.adviser import Adviser, Estimate, Source
from companion.advice.advisers import Advisers
from companion.advice.odds import parse_chance
from companion.commands.game import advice_options, game, table_folders
from companion.commands.rules import move_as_json, request_of, turn_of
from companion.errors import CompanionError, Unknown
from companion.rules.notation import parse
from companion.rules.ruleset import Variant
from companion.rules.turns import Turn


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
    data: Path | None,
    make: bool,
    as_json: bool,
    position: str,
    values: tuple[str, ...],
) -> None:
    """Tell how likely the side to throw is to win in POSITION, and with a throw worth VALUE, what each move is worth.

    Where the game's table was made with puluc solve, the answer is exact but for the error that is stated; elsewhere
    it is an estimate from searching a second ahead. A draw counts half.

    With - in place of POSITION, lines POSITION or POSITION;VALUE[,VALUE] are read from standard input and answered in
    their order, a faulty one in its place. In JSON, "win" is the chance before the throw; with a VALUE, "thrown" is
    the chance after it, and "moves" are as told by puluc moves, each with its "win", best first.
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


def _adviser(rules: Variant, marked: Fraction, data: Path | None, make: bool) -> Adviser:
    if make:
        from companion.commands.solve import solved

        solved(rules, marked, data)
    return Advisers(*table_folders(data))(rules, marked)


def _answer(adviser: Adviser, rules: Variant, text: str, turn: Turn | None, as_json: bool) -> str:
    before = adviser.before_throw(parse(text, rules))
    told: dict[str, Any] = {
        "position": text,
        "win": before.win,
        "source": before.source,
        "error_bound": before.error_bound,
    }
    lines = [f"{text}: {_told(before)} for the side to throw"]
    if turn is not None:
        advice = adviser.in_turn(turn)
        told |= {"values": turn.values, "thrown": advice.best.win}
        told["moves"] = [move_as_json(turn, rated.step) | {"win": rated.win} for rated in advice.steps]
        lines.append(f"  after the throw of {' and '.join(map(str, turn.values))}: {_told(advice.best)}")
        lines += [f"  {rated.win:8.3%}  {rated.step}" for rated in advice.steps] or ["  nothing can be moved"]
    return json.dumps(told) if as_json else "\n".join(lines)


def _told(estimate: Estimate) -> str:
    if estimate.source is Source.SEARCH or estimate.error_bound is None:
        return f"about {estimate.win:.1%} (an estimate)"
    return f"{estimate.win:.3%} (exact, ±{estimate.error_bound:.4%})"
