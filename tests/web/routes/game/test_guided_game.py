"""The guided game is a real game: each lesson's move is legal, and it teaches to enter, capture and carry off."""

from __future__ import annotations

from flask.testing import FlaskClient

from companion.referee.events import MoveChosen
from companion.referee.reducer import apply
from web.routes.game.guided_game import LESSONS, state_before


def test_each_throw_leads_to_the_next(watcher: FlaskClient) -> None:
    """Without a script: every page says its move and links to the next, up to the end."""
    for number in range(1, len(LESSONS) + 1):
        page = watcher.get(f"/learn?throw={number}").text
        assert f"Throw {number} of 6" in page
        assert f'href="?throw={number + 1}"' in page
        assert (page.count(' chosen"'), page.count('class="came"')) == (2, 1)
    assert 'href="/learn"' in watcher.get("/rules").text
    last = watcher.get("/learn?throw=7").text
    assert "That is all you need to know." in last
    assert "carry your captives off the far end" in last
    assert watcher.get("/learn?throw=nonsense").text == watcher.get("/learn").text


def test_it_teaches_to_enter_to_capture_and_to_carry_off_the_far_end() -> None:
    lesson = LESSONS[4]
    after = apply(state_before(5), MoveChosen(lesson.start, lesson.to), 100)
    made = [move for turn in after.turns for move in turn.made]

    assert [move.move.start for move in made[:2]] == [None, None]
    assert (made[2].move.captures, made[4].slain) == (1, 1)
