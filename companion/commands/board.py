"""``puluc board``: teach the reader a board and its pieces, and read pictures of moves."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.commands.data_option import work_as_owner
from companion.commands.game_options import fields, game, game_options
from companion.commands.rules import move_as_json, turn_of
from companion.errors import PictureUnusable, ProfileUnusable
from companion.rules.notation import parse, write
from companion.rules.position import Position
from companion.rules.turns import Turn

if TYPE_CHECKING:
    from hardware.board.board_reader import BoardReader
    from hardware.board.move_matching import BoardMatch

picture = click.Path(path_type=Path)
folder = click.Path(path_type=Path)


def parse_corners(words: tuple[str, ...]) -> tuple[tuple[float, float], ...]:
    """Parse four points ``X,Y``, in one word or in four. Raises UsageError."""
    try:
        corners = [tuple(float(number) for number in point.split(",")) for point in " ".join(words).split()]
    except ValueError:
        corners = []
    if len(corners) != 4 or any(len(corner) != 2 for corner in corners):
        raise click.UsageError(
            f"'{' '.join(words)[:80]}' are not corners: write --corners X,Y X,Y X,Y X,Y, in pixels of the empty "
            "picture."
        )
    return tuple((x, y) for x, y in corners)


@click.group()
def board() -> None:
    """Teach the reader a board and its pieces, and read from pictures which move was played."""


@board.command(context_settings={"ignore_unknown_options": True})
@game_options
@click.option("--empty", type=picture, required=True, help="The board without pieces.")
@click.option("--teach", "taught", type=picture, required=True, help="The board with the pieces as --position says.")
@click.option(
    "--position", required=True, help="The position of --teach; on the highway at least one unit of each side."
)
@click.option(
    "--corners",
    metavar="X,Y X,Y X,Y X,Y",
    help="The highway's corners, seen from Jade's base: at Jade's end left, right, at Obsidian's end left, right. "
    "Boards of `puluc print board` are found without.",
)
@click.option("--out", type=folder, required=True, help="The folder for the profile.")
@click.argument("points", nargs=-1, metavar="")
def teach(
    variant: str,
    changes: tuple[str, ...],
    empty: Path,
    taught: Path,
    position: str,
    corners: str | None,
    out: Path,
    points: tuple[str, ...],
) -> None:
    """Teach the reader a board and both sides' pieces from two pictures."""
    from hardware.board.board_profile import BoardProfile
    from hardware.board.board_reader import BoardReader
    from hardware.cameras.picture_files import load_picture

    rules = game(variant, changes)
    if points and corners is None:
        raise click.UsageError(f"'{points[0][:80]}' was not expected.")
    profile = BoardProfile.taught_from(
        load_picture(empty),
        load_picture(taught),
        parse(position, rules),
        corners=None if corners is None else parse_corners((corners, *points)),
        changes=fields(changes),
    )
    is_clear = BoardReader(profile).check()
    # Only the pictures may be root's: the profile belongs to the owner of its folder.
    work_as_owner(out)
    profile.save(out)
    click.echo(f"The board's profile is in {out}.", err=True)
    if not is_clear:
        click.echo("I read that position only with doubt. More light or pieces that stand out would help.", err=True)


@board.command()
@game_options
@click.option("--profile", "directory", type=folder, required=True, help="Made by `puluc board teach`.")
@click.option("--position", required=True, help="The position before the move.")
@click.option("--values", required=True, metavar="V[,V]", help="What the throw is worth.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.argument("images", type=picture, nargs=-1, required=True)
def read(
    variant: str,
    changes: tuple[str, ...],
    directory: Path,
    position: str,
    values: str,
    as_json: bool,
    images: tuple[Path, ...],
) -> int:
    """Tell from pictures which legal move was played, or that none was.

    Exit status: 0 all played or unchanged, 1 an answer is illegal or unsure, 2 a picture could not be used.
    """
    from hardware.board.board_profile import BoardProfile
    from hardware.board.board_reader import BoardReader

    rules = game(variant, changes)
    turn = turn_of(rules, position, values.split(","))
    profile = BoardProfile.load(directory)
    if profile.road.spaces != rules.spaces:
        raise ProfileUnusable(
            f"The board in {directory} has {profile.road.spaces} spaces, this game {rules.spaces}: teach it again."
        )
    status = 0
    for answer in _answers(BoardReader(profile), turn, images):
        if "error" in answer:
            status = 2
            click.echo(answer["error"], err=True)
            continue
        if answer["status"] in ("illegal", "unsure"):
            status = max(status, 1)
        click.echo(json.dumps(answer) if as_json else _sentence(answer))
    return status


def _answers(reader: BoardReader, turn: Turn, images: tuple[Path, ...]) -> Iterator[dict[str, Any]]:
    """One answer for each picture; for an unusable picture, an error."""
    from hardware.cameras.picture_files import load_picture, naming

    for path in images:
        try:
            pixels = load_picture(path)
            start = time.process_time()
            with naming(path):
                match = reader.read(pixels, turn)
            yield _answer(path, turn, match, (time.process_time() - start) * 1000)
        except PictureUnusable as error:
            yield {"image": str(path), "error": str(error)}


def _answer(path: Path, turn: Turn, match: BoardMatch, ms: float) -> dict[str, Any]:
    moves = [] if match.result is None else path_to(turn, match.result)
    reason = "; ".join(f"space {one.space}: expected {one.expected}, found {one.found}" for one in match.differences)
    return {
        "image": str(path),
        "status": match.status.value,
        "result": None if match.result is None else write(match.result),
        "move": moves[0] if moves else None,
        **({"moves": moves} if len(moves) > 1 else {}),
        "confidence": round(match.confidence, 4),
        "reason": reason or match.reason,
        "spaces": [{"space": at, "top": top.value} for at, top in enumerate(match.tops, 1)],
        "ms": round(ms, 1),
    }


def path_to(turn: Turn, result: Position) -> list[dict[str, Any]]:
    """The moves, as in ``puluc moves``, that lead to a result of the turn: one, or one for each throw used."""
    for step in turn.steps():
        after = turn.after(step)
        if after.steps():
            rest = path_to(after, result)
            if rest:
                return [move_as_json(turn, step), *rest]
        elif after.handed_over() == result:
            return [move_as_json(turn, step)]
    return []


def _sentence(answer: dict[str, Any]) -> str:
    if answer["status"] == "played":
        return f"{answer['image']}: {answer['move']['from']}-{answer['move']['to']} was played: {answer['result']}."
    reason = f" ({answer['reason']})" if answer["reason"] else ""
    return f"{answer['image']}: {answer['status']}{reason}."
