"""``puluc variants`` and ``puluc moves``: the rules, for scripts."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

import click

from companion.commands.game_options import game, game_options
from companion.errors import CompanionError, Unknown
from companion.rules.notation import parse, write
from companion.rules.turns import Step, Turn
from companion.rules.variant import Variant
from companion.rules.variants import VARIANTS

LONGEST_LINE = 10_000
"""Longest line of a batch, in characters; more than any position needs. Longer lines are refused."""


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def variants(as_json: bool) -> None:
    """List all games with their rules and sources."""
    for rules in VARIANTS.values():
        if as_json:
            answer = {"id": rules.id, "name": rules.name, "source": rules.source, "rules": rules.rules()}
            click.echo(json.dumps(answer))
        else:
            click.echo(f"{rules.id:15} {rules.name} ({rules.source})")


@click.command()
@game_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.argument("position")
@click.argument("values", nargs=-1, metavar="VALUE [VALUE]")
def moves(variant: str, changes: tuple[str, ...], as_json: bool, position: str, values: tuple[str, ...]) -> None:
    """List the legal moves in POSITION with a throw worth VALUE, and their results.

    POSITION is one line such as '5/9/5 0:0 J'; docs/notation.md explains it. With - in its place, lines
    POSITION;VALUE[,VALUE] are read from standard input and answered in their order, a faulty one in its place.

    With two VALUEs, where a turn has two throws, "results" are the positions after the whole turn. "moves" are the
    single steps it can begin with: each tells the "value" it uses, its "result" in the middle of the turn, and in
    "left" the value that is then to be used. Ask again with that result and that one value for the steps that
    follow; where nothing is left, the turn has been handed over. One VALUE in such a game is the rest of a turn.
    """
    rules = game(variant, changes)
    if position != "-":
        turn = turn_of(rules, position, values)
        click.echo(_as_json(position, turn) if as_json else _as_text(position, turn))
        return
    if values:
        raise Unknown("With - the values stand in the lines that are read: POSITION;VALUE[,VALUE].")
    # Bytes, so that no encoding can stop the batch: what is not text is refused like any other wrong character.
    for line in sys.stdin.buffer:
        text = line.decode("utf-8", "backslashreplace").rstrip("\r\n")
        sys.stdout.write(f"{answer_line(rules, text, as_json=as_json)}\n")
        sys.stdout.flush()


def answer_line(rules: Variant, line: str, *, as_json: bool) -> str:
    """The answer to one line of a batch; for a faulty line, its error."""
    try:
        position, values = request_of(line)
        turn = turn_of(rules, position, values)
    except CompanionError as error:
        return json.dumps({"error": str(error)}) if as_json else f"error: {error}"
    return _as_json(position, turn) if as_json else _as_text(position, turn)


def request_of(line: str, *, needs_values: bool = True) -> tuple[str, list[str]]:
    """Parse one line of a batch into a position and values. Raises Unknown for a malformed line."""
    if len(line) > LONGEST_LINE:
        raise Unknown(f"A line has at most {LONGEST_LINE} characters; this one has {len(line)}.")
    position, semicolon, values = line.partition(";")
    if needs_values and not semicolon:
        raise Unknown(f"{line[:80]!r} is not a request: write POSITION;VALUE[,VALUE].")
    return position, values.split(",") if semicolon else []


def turn_of(rules: Variant, text: str, values: Sequence[str]) -> Turn:
    """The turn in that position with those values. Raises NotationError, or Unknown for an impossible value."""
    position = parse(text, rules)
    known = {str(value): value for value in rules.values}
    for value in values:
        if value not in known:
            raise Unknown(f"{value[:40]!r} is not a value of a throw in this game: it is one of {', '.join(known)}.")
    if not 1 <= len(values) <= rules.throws:
        most = "one value" if rules.throws == 1 else "one value or two"
        raise Unknown(f"A turn has {most} in this game; {len(values)} were given.")
    return Turn(position, tuple(known[value] for value in values))


def _after(turn: Turn, step: Step) -> tuple[str, tuple[int, ...]]:
    """The position after the step and the values left; if none are left, the turn is handed over."""
    after = turn.after(step)
    if after.values and after.steps():
        return write(after.position), after.values
    return write(after.handed_over()), ()


def _as_json(text: str, turn: Turn) -> str:
    moves = [move_as_json(turn, step) for step in turn.steps()]
    results = set(map(write, turn.results())) if len(turn.values) > 1 else {move["result"] for move in moves}
    return json.dumps({"position": text, "values": turn.values, "results": sorted(results), "moves": moves})


def move_as_json(turn: Turn, step: Step) -> dict[str, Any]:
    """A move as JSON. With two throws a turn it has the value used and the values left."""
    rules, move, (result, left) = turn.position.rules, step.move, _after(turn, step)
    found: dict[str, Any] = {
        "from": "base" if move.start is None else move.start,
        "to": "home" if move.to is None else move.to,
        "captures": move.captures,
        "result": result,
    }
    if len(turn.values) > 1:
        found |= {"value": step.value, "left": left}
    if rules.sharing or rules.owners > 1:
        found["unit"] = str(move.unit)
    return found


def _as_text(text: str, turn: Turn) -> str:
    position = turn.position
    lines = [f"{text} with {' and '.join(map(str, turn.values))}:"]
    for step in turn.steps():
        result, left = _after(turn, step)
        captures = f", capturing {step.move.captures}" if step.move.captures else ""
        burns = f", burning {burnt}" if (burnt := position.burnt_by(step.move)) else ""
        then = f", then {left[0]}" if left else ""
        lines.append(f"  {step if len(turn.values) > 1 else step.move}{captures}{burns}: {result}{then}")
    if len(lines) > 1:
        return "\n".join(lines)
    winner = position.winner()
    if winner is not None:
        return f"{lines[0]} the game is over, {winner.value.capitalize()} has won"
    return f"{lines[0]} {'the game is drawn' if position.is_drawn() else 'nothing can be moved, so the turn is passed'}"
