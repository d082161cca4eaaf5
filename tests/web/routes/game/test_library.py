"""Saved games, scores and records below /api."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.referee.referee import Referee


@pytest.fixture
def finished(post: Any) -> Any:
    """A match of one quick game that is over, and its table."""
    table = post("/api/games", set={"pieces": 1, "spaces": 5}, jade="Mia", obsidian="Ben", begins="jade")
    while table["phase"] != "over":
        table = post("/api/throw", marked=4 if table["turn"] == "jade" else 1)
        if table["phase"] == "move":
            table = post("/api/move", **table["moves"][0]) if table["moves"] else post("/api/pass")
    return table


def games(client: FlaskClient) -> Any:
    answer = client.get("/api/games")
    assert answer.json is not None
    return answer.json["games"]


def test_saved_games_are_listed_resumed_renamed_and_deleted(post: Any, watcher: FlaskClient) -> None:
    """Each request returns the table; the present game cannot be deleted, and a deleted one is no longer listed."""
    first = post("/api/games", jade="Mia", obsidian="Ben")["game"]
    post("/api/throw", marked=3)
    second = post("/api/games", variant="bul", jade="Ana", obsidian="easy")["game"]
    post("/api/throw", marked=2)
    assert [game["number"] for game in games(watcher)][:2] == [second, first]

    assert post(f"/api/games/{first}/resume")["throw_off"]["jade"] == 3
    assert post(f"/api/games/{first}/name", name=" Our evening ")["game"] == first
    assert next(game["name"] for game in games(watcher) if game["number"] == first) == "Our evening"

    assert post(f"/api/games/{second}/delete")["game"] == first
    assert second not in [game["number"] for game in games(watcher)]


def test_the_game_on_the_table_is_not_deleted(post: Any, player: FlaskClient) -> None:
    """Deleting the running game is refused with what to do first."""
    post("/api/throw", marked=3)
    game = post("/api/throw", marked=1)["game"]
    answer = player.post(f"/api/games/{game}/delete")

    assert answer.status_code == 409
    assert answer.json is not None
    assert "on the table" in answer.json["problem"]


@pytest.mark.parametrize("number", ["0", "999999999999999", "x", "-1", "٣"])
def test_a_game_that_is_not_saved(player: FlaskClient, number: str) -> None:
    """Any other number is refused in a sentence."""
    for what in ("resume", "name", "delete"):
        answer = player.post(f"/api/games/{number}/{what}", json={"name": "Ours"} if what == "name" else {})

        assert answer.status_code == 422
        assert answer.json == {"problem": f"There is no saved game number {number}."}
    assert player.get(f"/api/games/{number}/record").status_code == 422


def test_nobodys_strength_is_known_without_an_adviser(watcher: FlaskClient) -> None:
    """The dialog for a new game asks for them at every table."""
    assert watcher.get("/api/strengths").json == {"strengths": []}


def test_scores_are_counted_and_reset(finished: Any, post: Any, watcher: FlaskClient) -> None:
    """A finished game counts for the pairing until the scores are reset."""
    answer = watcher.get("/api/scores")
    assert answer.json is not None
    score = answer.json["scores"][0]
    assert (score["variant"], score["one"], score["other"]) == ("puluc", "Ben", "Mia")
    assert (score["one_wins"], score["other_wins"]) == ((0, 1) if finished["winner"] == "jade" else (1, 0))

    post("/api/scores/reset")

    assert watcher.get("/api/scores").json == {"scores": []}


def test_a_record_is_handed_out_and_brought_in(finished: Any, player: FlaskClient, post: Any) -> None:
    """An exported game is imported as a separate game at the same position."""
    answer = player.get(f"/api/games/{finished['game']}/record")
    assert answer.content_type == "text/plain; charset=utf-8"
    assert "attachment" in answer.headers["Content-Disposition"]

    brought = post("/api/records", text=answer.text)

    assert brought["game"] != finished["game"]
    for same in ("position", "phase", "winner", "rules", "teams"):
        assert brought[same] == finished[same]


@pytest.mark.parametrize("text", ["", "hello", "\x00", "variant: chess", "{}" * 500])
def test_what_is_no_record_is_refused(player: FlaskClient, referee: Referee, text: str) -> None:
    """Any other text is refused with a message, and nothing changes."""
    before = referee.snapshot()
    answer = player.post("/api/records", json={"text": text})

    assert answer.status_code == 422
    assert answer.json is not None
    assert answer.json["problem"]
    assert referee.snapshot() is before


def test_a_record_tapped_twice_comes_in_once(finished: Any, player: FlaskClient, post: Any) -> None:
    """The second tap was for the earlier table; after a reload it can be imported again."""
    text, seen = player.get(f"/api/games/{finished['game']}/record").text, finished["step"]
    once = post("/api/records", text=text, step=seen)
    twice = player.post("/api/records", json={"text": text, "step": seen})
    again = post("/api/records", text=text, step=once["step"])

    assert twice.status_code == 409
    assert again["game"] != once["game"]
    assert len(player.get("/api/games").json["games"]) == 4  # type: ignore[index]  # it is the list


def test_a_game_is_played_on_from_one_of_its_turns(finished: Any, player: FlaskClient, post: Any) -> None:
    """A new game stands on the table as the old one did then; the old one is kept as it was."""
    played = player.get(f"/api/games/{finished['game']}/record").text
    new = post(f"/api/games/{finished['game']}/play-on", turn=1)
    refused = player.post(f"/api/games/{finished['game']}/play-on", json={"turn": 99})

    assert (new["phase"], new["turn"], new["winner"]) == ("throw", "obsidian", None)
    assert new["game"] != finished["game"]
    assert refused.status_code == 422
    assert player.get(f"/api/games/{finished['game']}/record").text == played
