"""The labelled pictures of boards: no move is reported where there is none, and every picture gets its label."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.rules.notation import parse, write
from companion.rules.turns import Turn
from companion.rules.variants import variant
from hardware.board.board_profile import BoardProfile
from hardware.board.board_reader import BoardReader
from hardware.cameras.picture_files import load_picture

HERE = Path(__file__).parents[2] / "data" / "boards"
SETS: list[dict[str, Any]] = json.loads((HERE / "labels.json").read_text())["sets"]


@pytest.mark.parametrize("labels", SETS, ids=[one["board"] for one in SETS])
def test_labelled_boards_are_read(labels: dict[str, Any], tmp_path: Path) -> None:
    """They show a printed sheet with markers and painted squares: moves, wrong moves, a hand, a knocked board."""
    rules = variant(labels["variant"])
    empty, taught = (load_picture(HERE / labels["id"] / f"{name}.jpg") for name in ("empty", "teach"))
    corners = labels["corners"] and [(float(x), float(y)) for x, y in labels["corners"]]
    BoardProfile.taught_from(empty, taught, parse(labels["position"], rules), corners=corners).save(tmp_path)
    reader = BoardReader(BoardProfile.load(tmp_path))
    assert reader.check()

    for picture in labels["images"]:
        turn = Turn(parse(picture["before"], rules), tuple(picture["values"]))
        match = reader.read(load_picture(HERE / picture["file"]), turn)
        result = None if match.result is None else write(match.result)
        assert (match.status, result) == (picture["status"], picture["result"]), picture["file"]
        if picture["reason"]:
            assert match.reason == picture["reason"], picture["file"]
        else:
            letters = {"jade": "J", "obsidian": "O", "empty": ".", "unclear": "?"}
            tops = "".join(letters[top] for top in match.tops)
            assert all(seen in (top, "?") for seen, top in zip(tops, picture["tops"], strict=True)), picture["file"]
