"""``puluc review``: luck and skill in a saved or recorded game."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import click
from pydantic import BaseModel

from companion.advice.review.review import DEPTH
from companion.advice.review.review import review as review_game
from companion.advice.review.review_summary import GradeThresholds
from companion.advice.search import SearchAdviser
from companion.advice.table_adviser import AdviserFactory
from companion.commands.data_option import data_option
from companion.commands.game_options import marked_option, table_folders
from companion.commands.record import kept, text_of
from companion.errors import Unknown
from companion.referee.game_state import GameState
from companion.referee.history.game_record import parse_record
from companion.referee.history.game_summary import MINUS, finished_turns, of_100, points, review_view, thrown_off
from companion.referee.reducer import replay
from companion.referee.snapshots.review_view import MomentView, ReviewPlayerView, ReviewTurnView, ReviewView
from companion.rules.odds import parse_chance
from companion.rules.unit import Side

WORDS = 46
"""Width of the column of moves; longer text is not cut off."""


@click.command()
@data_option()
@marked_option
@click.option(
    "--depth",
    default=DEPTH,
    show_default=True,
    type=click.IntRange(1, 6),
    help="Turns to look ahead if the game is not solved; each more takes about six times as long.",
)
@click.option("--inaccuracy", default=5.0, show_default=True, help="Points lost from which a choice is an inaccuracy.")
@click.option("--mistake", default=10.0, show_default=True, help="Points lost from which it is a mistake.")
@click.option("--blunder", default=20.0, show_default=True, help="Points lost from which it is a blunder.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.argument("game", required=False)
def review(
    data: Path,
    marked: str,
    depth: int,
    inaccuracy: float,
    mistake: float,
    blunder: float,
    as_json: bool,
    game: str | None,
) -> None:
    """Tell luck from skill, turn by turn, in a finished or running game.

    GAME is the number of a saved game (`puluc record list` lists them), the file of a game's record, or - for a record
    on standard input; without it, the game on the table.

    A point is one game won more or less out of 100 from there. The luck of a throw is what it changed, the loss of a
    choice is what the best choice would have kept. For each side, the chance at the end less that at the beginning is
    its luck and its skill together: its own throws less the other's, and what the other gave away less what it gave.

    With --json the lines are of several kinds, named in "kind": one "game"; a "turn" each, with "before", "thrown" and
    "after" as the thrower's chance to win (0 to 1), "luck" and "loss" in points, "grade", the "best" moves, and in
    "instead" what each other throw would have been worth; up to three of "moment", whose "what" is throw or choice;
    and a "player" and a "side" each. "correction" and "corrected" are 0 where chances are exact; elsewhere they are
    the points by which a later look put an estimate right, and count as luck of a side.
    """
    grades, chance = GradeThresholds(inaccuracy, mistake, blunder), parse_chance(marked)
    table = _game(data, game)
    advisers = AdviserFactory(*table_folders(data), search=partial(SearchAdviser, depth=depth))
    found = reviewed(table, advisers, chance, grades)
    for line in json_lines(found) if as_json else text_lines(found, table):
        click.echo(line)


def reviewed(table: GameState, advisers: AdviserFactory, marked: Fraction, grades: GradeThresholds) -> ReviewView:
    """Review the game with the best adviser available; shows progress on a terminal's standard error."""
    turns = finished_turns(table)
    with click.progressbar(length=len(turns), label="Thinking", file=sys.stderr) as bar:
        found = review_game(
            turns,
            advisers(table.rules, marked),
            thrown_off=thrown_off(table),
            marked=marked,
            grades=grades,
            progress=lambda done: bar.update(done - bar.pos),
        )
    return review_view(found, table, marked=marked, grades=grades)


def json_lines(found: ReviewView) -> Iterator[str]:
    """The review as JSON objects, one a line, each with its kind."""
    whole = found.model_dump(mode="json", by_alias=True, exclude={"turns", "moments", "players", "sides"})
    yield json.dumps({"kind": "game", **whole})
    parts: dict[str, list[Any]] = {
        "turn": [*found.turns],
        "moment": [*found.moments],
        "player": [*found.players],
        "side": [*found.sides],
    }
    for kind, views in parts.items():
        for view in views:
            yield json.dumps({"kind": kind, **_dumped(view)})


def _dumped(view: BaseModel) -> dict[str, Any]:
    fields = view.model_dump(mode="json", by_alias=True)
    # In a line of its own, a moment's kind is what it was: a throw or a choice.
    return {"what" if name == "kind" else name: value for name, value in fields.items()}


def text_lines(found: ReviewView, table: GameState) -> Iterator[str]:
    """The review as text: one line a turn, the decisive moments, and the sums."""
    jade, obsidian = found.sides
    ended = {"jade": f"{jade.name} has won.", "obsidian": f"{obsidian.name} has won.", "draw": "It was drawn."}
    how = ended.get(found.winner or "", "It is not over yet.")
    if table.resigned:
        how = f"{(jade if table.resigned is Side.JADE else obsidian).name} gave up. {how}"
    yield f"{table.rules.name}: {jade.name} against {obsidian.name}. {how}"
    yield found.certainty
    yield ""
    yield f"{jade.name} would have won {of_100(found.initial)} of 100 games before anything was thrown."
    if found.thrown_off:
        yield f"After the throw for who begins: {of_100(found.start)} ({points(100 * (found.start - found.initial))})."
    yield ""
    yield "In games won of 100: what each throw brought its player, what the choice cost, and how many Jade then wins."
    yield f"{'turn':>4}  {'threw':7} {'luck':>5}  {'did':{WORDS}} {'choice':>6}  {'Jade wins':>9}"
    for turn in found.turns:
        yield from _turn(turn)
    yield ""
    decided = "What decided the game:" if found.winner else "What has mattered most so far:"
    yield "What mattered most until then:" if table.resigned else decided
    for moment in found.moments:
        yield from _moment(moment, found.turns[moment.turn - 1])
    yield ""
    for player in found.players:
        choices = "1 choice" if player.decisions == 1 else f"{player.decisions} choices"
        yield (
            f"{_named(player)}: luck {_exactly(player.luck)}, gave away {player.loss:.1f} in {choices}"
            f" ({player.average_loss:.1f} each); inaccuracies {player.inaccuracies}, mistakes {player.mistakes},"
            f" blunders {player.blunders}."
        )
    for side in found.sides:
        yield (
            f"{side.name}: from {side.initial:.1f} to {side.final:.1f}"
            f" = luck {_exactly(side.luck)} and skill {_exactly(side.play)}."
        )


def _turn(turn: ReviewTurnView) -> Iterator[str]:
    threw, chose = " ".join(map(str, turn.values)), _chose(turn)
    grade = f"  {turn.grade}" if turn.grade else ""
    did = f"{_named(turn)}: {turn.words}"
    yield f"{turn.turn:4}  {threw:7} {_exactly(turn.luck):>5}  {did:{WORDS}} {chose:>6}  {of_100(turn.jade):>9}{grade}"
    if turn.grade:
        yield f"{'':20} better: {turn.best_words}"


def _named(whose: ReviewTurnView | ReviewPlayerView) -> str:
    colour = whose.side.capitalize()
    return colour if whose.player == colour else f"{whose.player} ({colour})"


def _chose(turn: ReviewTurnView) -> str:
    if not turn.decision:
        return "forced" if turn.moves else "pass"
    return "best" if turn.loss < 0.05 else f"{MINUS}{turn.loss:.1f}"


def _moment(moment: MomentView, turn: ReviewTurnView) -> Iterator[str]:
    yield f"  Turn {moment.turn}. {moment.title}. {moment.what_if}"
    if moment.kind == "throw":
        others = ", ".join(f"{' and '.join(map(str, one.values))}: {of_100(one.win)}" for one in turn.instead)
        yield f"      What if? Games won of 100 with each throw: {others}."


def _exactly(number: float) -> str:
    return f"{'+' if number >= 0 else MINUS}{abs(number):.1f}"


def _game(data: Path, game: str | None) -> GameState:
    """The game to review: by number, from a record, or the current one."""
    if game is None or (game.isascii() and game.isdigit()):
        with kept(data) as referee:
            return referee.load_game(int(game) if game else referee.snapshot().game)
    if game != "-" and not Path(game).is_file():
        raise Unknown(f"'{game[:80]}' is neither the number of a saved game nor the file of a record.")
    with click.open_file(game, encoding="utf-8") as file:
        return replay(enumerate(parse_record(text_of(file)), 1))
