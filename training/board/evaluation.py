"""Evaluate the reader by board and by kind of picture."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from companion.referee.board.expected import ExpectedBoard
from companion.rules.notation import write
from hardware.board.move_matching import BoardMatch, BoardStatus, match_board
from hardware.board.space_classifier import SpaceClassifier
from hardware.board.space_features import mixed
from training.board.labelled import LabelledPicture


def read(picture: LabelledPicture, classifier: SpaceClassifier) -> BoardMatch:
    """Read a picture from its features."""
    assert picture.turn is not None
    if picture.covered or picture.features is None:
        reason = "hand" if picture.covered else "moved"
        return BoardMatch(status=BoardStatus.UNSURE, confidence=0.0, tops=(), reason=reason)
    return match_board(
        ExpectedBoard.of_turn(picture.turn),
        classifier.probabilities(picture.features),
        mixed(picture.features),
        picture.beside,
    )


def verdict(picture: LabelledPicture, match: BoardMatch) -> str:
    """Return `right`, `asked` (needlessly unsure or refused), `told` (correctly reported), or the kind of error."""
    result = None if match.result is None else write(match.result)
    if match.status is BoardStatus.PLAYED:
        if picture.state == "right":
            return "right" if result == picture.result else "OTHER MOVE"
        return "TAKEN FOR A MOVE"
    match picture.state:
        case "right":
            same = picture.turn is not None and not picture.turn.steps()
            return "right" if same and match.status is BoardStatus.UNCHANGED else f"asked: {_short(match)}"
        case "nothing_moved":
            return "right" if match.status is BoardStatus.UNCHANGED else f"asked: {_short(match)}"
        case "illegal":
            return "told" if match.status is BoardStatus.ILLEGAL else f"not told: {_short(match)}"
        case "between" | "hand" as state:
            return "told" if match.reason == state else f"not told: {_short(match)}"
    raise AssertionError(picture.state)


def report(read_pictures: Iterable[tuple[LabelledPicture, BoardMatch]]) -> str:
    """Count the verdicts by kind of picture and by board, and list all errors."""
    by_kind: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    by_board: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    wrong = []
    for picture, match in read_pictures:
        said = verdict(picture, match)
        word = said.split(":")[0]
        kind = (
            f"rest, {'with a change' if picture.innocent else 'as before'}" if picture.kind == "rest" else picture.kind
        )
        by_kind[kind][word] += 1
        by_board[picture.board][word] += 1
        if word not in ("right", "told"):
            wrong.append(f"  {picture.file} {picture.board}, {picture.pieces}, {picture.kind}: {said}")
    lines = []
    for title, table in (("By kind of picture", by_kind), ("By board", by_board)):
        lines.append(f"{title}:")
        for name, counts in sorted(table.items()):
            lines.append(f"  {name:24} " + ", ".join(f"{count} {word}" for word, count in sorted(counts.items())))
    return "\n".join([*lines, "Not right:", *wrong])


def _short(match: BoardMatch) -> str:
    differ = "; ".join(f"{one.space}: {one.expected}->{one.found}" for one in match.differences)
    return f"{match.status} {match.reason or differ} {match.confidence:.2f}"
