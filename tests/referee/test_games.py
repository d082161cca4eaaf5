"""Which games the table plays, and that they come to their end there."""

from pathlib import Path
from random import Random

import pytest

from companion.errors import Unknown
from companion.referee.events import Confirmed, GameStarted, ThrowEntered
from companion.referee.referee import Referee
from companion.referee.store import Store
from companion.referee.table import opened


@pytest.mark.parametrize(
    ("variant", "changes"),
    [
        ("aj-sayil", {}),
        ("bul-teams", {}),
        ("puluc", {"throws": "2"}),
        ("puluc", {"sharing": "yes"}),
        ("puluc", {"far_end": "walk_back"}),
    ],
)
def test_what_the_table_cannot_show_is_refused(variant: str, changes: dict[str, str]) -> None:
    """Better no game than one that the board on the page does not show as it is."""
    with pytest.raises(Unknown, match="cannot be refereed at the table yet"):
        opened(GameStarted(variant=variant, jade="Ana", obsidian="Beto", seed=1, changes=changes), 1)


@pytest.mark.parametrize(
    ("variant", "changes"),
    [("boolik", {}), ("buluc", {}), ("buul", {}), ("puluc-looping", {}), ("bul", {"fire": "5", "spaces": "7"})],
)
def test_our_own_players_play_a_game_to_its_end(tmp_path: Path, variant: str, changes: dict[str, str]) -> None:
    """Hard against Fair, throw after throw, each move proposed and confirmed, until somebody has won or nobody can."""
    few = changes | {"pieces": "2"}
    game = GameStarted(variant=variant, jade="hard", obsidian="fair", seed=3, changes=few)
    referee, chance = Referee(Store(tmp_path), first=game), Random(5)
    shown = referee.snapshot()
    for _ in range(500):
        if shown.phase == "over":
            break
        if shown.phase == "move":
            shown = referee.submit(Confirmed())
        else:
            shown = referee.submit(ThrowEntered(sum(chance.random() < 0.5 for _ in range(4))))
    referee.close()

    assert shown.phase == "over"
    assert shown.prompt == "The game is drawn." if shown.winner is None else "has won" in shown.prompt
