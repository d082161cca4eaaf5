"""What the addresses below /api do to the table, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.referee.events import GameStarted, MoveChosen, ThrowEntered, ThrowSeen
from companion.referee.referee import Referee
from web.api import game_started


def begun(referee: Referee) -> None:
    """Let Jade win the throw for the first turn."""
    referee.submit(ThrowEntered(3))
    referee.submit(ThrowEntered(1))


def test_the_table_is_the_referees_snapshot(watcher: FlaskClient, referee: Referee) -> None:
    """GET /api/table answers the snapshot, with moves spelt from and to, and is never cached."""
    begun(referee)
    referee.submit(ThrowEntered(2))
    answer = watcher.get("/api/table")

    assert answer.text == referee.snapshot().model_dump_json(by_alias=True)
    assert answer.json is not None
    assert answer.json["moves"][0] | {"result": ""} == {
        "from": "base",
        "to": 2,
        "captures": 0,
        "slays": 0,
        "result": "",
    }
    assert answer.headers["Cache-Control"] == "no-store"


def test_health(watcher: FlaskClient, referee: Referee) -> None:
    """GET /healthz says ok, and how far the table has come."""
    assert watcher.get("/healthz").json == {"status": "ok", "number": referee.snapshot().number}


def test_a_turn_by_hand(post: Any) -> None:
    """Throws, a correction, a move and an undo each answer the table that is so then."""
    assert post("/api/throw", marked=3)["turn"] == "obsidian"
    assert post("/api/throw", marked=1)["phase"] == "throw"
    assert post("/api/throw", marked=4)["throw"]["value"] == 4
    assert post("/api/throw", marked=0)["throw"]["value"] == 5
    moved = post("/api/move", **{"from": "base", "to": 5})
    assert (moved["position"], moved["turn"]) == ("4/4J4/5 0:0 O", "obsidian")
    assert post("/api/undo")["phase"] == "move"


def test_a_reading_is_confirmed_or_looked_at_again(post: Any, referee: Referee) -> None:
    """Looking again forgets a reading; confirming makes it count."""
    begun(referee)
    referee.submit(ThrowSeen(marked=2, confidence=0.9, lots=()))

    assert post("/api/rethrow")["phase"] == "throw"

    referee.submit(ThrowSeen(marked=3, confidence=0.9, lots=()))

    assert post("/api/confirm")["throw"] == {
        "marked": 3,
        "value": 3,
        "source": "camera",
        "confidence": 0.9,
        "seen": {"picture": None, "width": 0, "height": 0, "lots": []},
    }


def test_confirm_plays_the_only_move(post: Any, referee: Referee) -> None:
    """With one legal move, confirming plays it."""
    begun(referee)
    referee.submit(ThrowEntered(2))

    assert post("/api/confirm")["position"] == "4/1J7/5 0:0 O"


def test_a_throw_worth_nothing_is_passed(post: Any) -> None:
    """In Bell's table one marked face is worth nothing, and the turn is passed."""
    post("/api/games", variant="puluc-bell")
    post("/api/throw", marked=3)
    post("/api/throw", marked=2)
    post("/api/throw", marked=1)

    assert post("/api/pass")["turn"] == "obsidian"


def test_pass_is_refused_while_a_move_is_legal(player: FlaskClient, referee: Referee) -> None:
    """A move is compulsory, and the refusal names it."""
    begun(referee)
    referee.submit(ThrowEntered(2))
    answer = player.post("/api/pass")

    assert answer.status_code == 409
    assert answer.json == {"problem": "A move is compulsory while one is legal: base-2."}


def test_a_game_is_played_again_when_over(post: Any, player: FlaskClient) -> None:
    """Again is refused while the game goes on, and starts the same one once it is over."""
    assert player.post("/api/again").status_code == 409

    table = post("/api/games", set={"pieces": 1, "spaces": 5}, jade="Mia", obsidian="Ben")
    while table["phase"] != "over":
        table = post("/api/throw", marked=4 if table["turn"] == "jade" else 1)
        if table["moves"]:
            table = post("/api/move", **{key: table["moves"][0][key] for key in ("from", "to")})
        elif table["phase"] == "move":
            table = post("/api/pass")
    again = post("/api/again")

    assert table["winner"] in ("jade", "obsidian")
    assert (again["phase"], again["players"]["jade"]["name"], again["rules"]["spaces"]) == ("throw_off", "Mia", 5)


def test_a_new_game_takes_rules_and_players(post: Any) -> None:
    """Changed rules may be numbers, words or lists; a level plays by itself; a person unnamed goes by the side."""
    table = post(
        "/api/games", variant="puluc-13", set={"pieces": "4", "spaces": 12, "values": [5, 0, 2, 3, 4]}, obsidian="easy"
    )

    assert table["rules"] | {"name": "", "source": ""} == {
        "name": "",
        "source": "",
        "spaces": 12,
        "pieces": 4,
        "values": [5, 0, 2, 3, 4],
    }
    assert table["players"] == {
        "jade": {"name": "Jade", "level": None},
        "obsidian": {"name": "Easy", "level": "easy"},
    }


def test_people_without_a_name_go_by_their_side() -> None:
    """``human`` becomes the side's name, blanks around a name go, and each game has chance of its own."""
    one = game_started(variant="puluc", changes={}, jade="human", obsidian=" Ben ")
    other = game_started(variant="puluc", changes={}, jade="human", obsidian=" Ben ")

    assert (one.jade, one.obsidian) == ("Jade", "Ben")
    assert one.seed != other.seed


@pytest.mark.parametrize(
    ("path", "body"),
    [("/api/throw", {"marked": 2}), ("/api/undo", {}), ("/api/games", {}), ("/api/confirm", {}), ("/api/pass", {})],
)
def test_a_second_tap_changes_nothing(player: FlaskClient, referee: Referee, path: str, body: dict[str, int]) -> None:
    """Whoever says a step that is past is refused, and the table stays as it is."""
    step = referee.snapshot().step
    begun(referee)
    before = referee.snapshot()
    answer = player.post(path, json=body | {"step": step})

    assert answer.status_code == 409
    assert answer.json is not None
    assert "gone on" in answer.json["problem"]
    assert referee.snapshot() is before


def test_bodies_may_be_left_out(player: FlaskClient, referee: Referee) -> None:
    """Where no field is needed, no body is: with a JSON content type or without, empty or an empty object."""
    ways: tuple[dict[str, Any], ...] = ({}, {"content_type": "application/json"}, {"data": b" "}, {"json": {}})
    for how in ways:
        begun(referee)
        assert player.post("/api/undo", **how).status_code == 200
        assert player.post("/api/undo", **how).status_code == 200


def test_a_move_may_be_sent_as_the_table_spells_it(post: Any, referee: Referee) -> None:
    """A whole entry of the table's moves is a good body for /api/move."""
    referee.submit(GameStarted(variant="puluc", jade="Jade", obsidian="Obsidian", seed=1))
    begun(referee)
    referee.submit(ThrowEntered(4))
    referee.submit(MoveChosen(None, 4))
    referee.submit(ThrowEntered(4))
    moves = referee.snapshot().model_dump(mode="json", by_alias=True)["moves"]

    assert post("/api/move", **moves[-1])["position"] == moves[-1]["result"]
