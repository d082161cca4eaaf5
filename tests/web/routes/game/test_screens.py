"""Every screen has its question written down, and is served as a page."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.referee.events import GameAgain, GameStarted, MoveChosen, Resigned, ThrowEntered
from companion.referee.referee import Referee
from companion.rules.position import Side

TOLD = (Path(__file__).parents[4] / "docs" / "screens.md").read_text(encoding="utf-8")


def test_every_screen_has_its_question(watcher: FlaskClient) -> None:
    """A new screen needs the question that a newcomer asks there, and its answer."""
    described = watcher.get("/api/openapi.json").json
    assert described is not None
    pages = [
        path
        for path, operations in described["paths"].items()
        if not path.startswith("/api/")
        and "text/html" in operations.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
    ]

    assert len(pages) > 10
    assert [path for path in pages if f"`{path}`" not in TOLD] == []


def test_the_match_is_summed_up(watcher: FlaskClient, referee: Referee) -> None:
    """It lists its games in order with the present one marked, and the total of wins."""
    evening = ("puluc", "bul", "buluc")
    begun = GameStarted(variant="puluc", jade=("Ana",), obsidian=("easy",), seed=1, evening=evening, begins=Side.JADE)
    referee.submit(begun)
    for loser in (Side.JADE, Side.OBSIDIAN):
        for marked in (4, 1) if referee.snapshot().phase == "throw_off" else ():
            referee.submit(ThrowEntered(marked))
        referee.submit(Resigned(loser))
        referee.submit(GameAgain())
    text = " ".join(watcher.get("/scores").text.replace("\N{EN DASH}", "-").split())

    assert '<li class="past">Puluc</li><li class="past">Bul</li><li aria-current="step">Buluc' in text
    assert '<h2>The whole match</h2> <p class="score"><span>Ana</span> <b>1 - 1</b> <span>Easy</span></p>' in text


def test_a_game_given_up_in_its_first_turn_has_no_review(watcher: FlaskClient, referee: Referee) -> None:
    """Neither before nor after its first throw is there a turn to look back at; after a turn there is."""
    games = {}
    for counts, moves in (((), ()), ((3, 1), ()), ((3, 1, 2), ()), ((3, 1, 2), (2,))):
        games[counts, moves] = referee.submit(
            GameStarted(variant="puluc", jade=("Ana",), obsidian=("Ben",), seed=1)
        ).game
        for marked in counts:
            referee.submit(ThrowEntered(marked))
        for to in moves:
            referee.submit(MoveChosen(None, to))
        if counts:
            referee.submit(Resigned(Side.JADE))
    text = watcher.get("/games").text

    assert [played for played, game in games.items() if f"/games/{game}/review" in text] == [((3, 1, 2), (2,))]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"spaces": "8", "pieces": "3"}, "<b>Bul</b>. Source: Wikipedia"),
        ({"far_end": "bounce"}, "<b>Bul, with rules of your own.</b> Based on: Wikipedia"),
    ],
)
def test_a_source_is_cited_only_for_what_it_says(
    watcher: FlaskClient, referee: Referee, changes: dict[str, str], says: str
) -> None:
    """A game with other rules than its source's is only based on that; sizes are agreed at every table."""
    referee.submit(GameStarted(variant="bul", jade=("Ana",), obsidian=("Ben",), seed=1, changes=changes))

    assert says in watcher.get("/rules").text
