"""What the addresses below /api do to the table, and what they refuse."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.referee.events import Face, GameStarted, Lot, MoveChosen, Picture, ThrowEntered, ThrowSeen
from companion.referee.referee import Referee
from web.routes.game.api import game_started


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
    move = answer.json["moves"][0]
    assert move | {"result": "", "after": {}} == {
        "from": "base",
        "to": 2,
        "value": 2,
        "unit": "J",
        "captures": 0,
        "frees": 0,
        "burns": 0,
        "slays": 0,
        "loses": 0,
        "result": "",
        "words": "enter on 2",
        "way": "enter on 2",
        "ends": ["jade", "2"],
        "which": "",
        "after": {},
    }
    assert move["after"]["base"] == {"jade": 4, "obsidian": 5}
    assert answer.headers["Cache-Control"] == "no-store"


def test_health(watcher: FlaskClient, referee: Referee) -> None:
    """GET /healthz says ok, and gives the table's number."""
    assert watcher.get("/healthz").json == {"status": "ok", "number": referee.snapshot().number}


def test_a_turn_by_hand(post: Any) -> None:
    """Throws, a correction, a move and an undo each return the new table."""
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


def test_a_person_may_tell_the_face_of_each_lot(post: Any, referee: Referee) -> None:
    """Faces are given in the order in which the lots were seen."""
    begun(referee)
    lots = tuple(Lot(x=n, y=0, angle=0, face=Face.PLAIN, confidence=0.9) for n in range(4))
    seen = Picture(jpeg=b"a picture", width=64, height=48)
    referee.submit(ThrowSeen(marked=0, confidence=0.9, lots=lots, picture=seen))

    assert post("/api/throw", marked=1, faces=["plain", "marked", "plain", "plain"])["throw"]["marked"] == 1
    verdict = referee.next_labelled_reading()
    assert verdict is not None
    assert verdict.faces == (Face.PLAIN, Face.MARKED, Face.PLAIN, Face.PLAIN)


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
    assert answer.json == {"problem": "You can only pass if no move is legal. Legal: base-2."}


@pytest.mark.parametrize(("body", "winner"), [({}, "obsidian"), ({"side": "obsidian"}, "jade")])
def test_a_side_gives_up(post: Any, referee: Referee, body: dict[str, str], winner: str) -> None:
    """Either the named side resigns or the one to move; the other has won."""
    begun(referee)
    table = post("/api/resign", **body)

    assert (table["phase"], table["turn"], table["winner"]) == ("over", "jade", winner)


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
    """Changed rules may be numbers, words or lists; a level is a computer player; unnamed people are named after their
    side.
    """
    table = post(
        "/api/games", variant="puluc-13", set={"pieces": "4", "spaces": 12, "values": [5, 0, 2, 3, 4]}, obsidian="easy"
    )

    assert (table["rules"]["spaces"], table["rules"]["pieces"], table["rules"]["values"]) == (12, 4, [5, 0, 2, 3, 4])
    assert table["players"] == {
        "jade": {"name": "Jade", "level": None},
        "obsidian": {"name": "Easy", "level": "easy"},
    }


def test_people_without_a_name_go_by_their_side() -> None:
    """``human`` becomes the side's name, names are stripped, and each game has its own seed."""
    one = game_started(variant="puluc", changes={}, jade="human", obsidian=" Ben ")
    other = game_started(variant="puluc", changes={}, jade="human", obsidian=" Ben ")

    assert (one.jade, one.obsidian) == (("Jade",), ("Ben",))
    assert one.seed != other.seed


def test_a_team_is_a_list(post: Any) -> None:
    """Players of a team throw in the order given; those without a name are numbered."""
    table = post("/api/games", variant="bul-teams", jade=["human", "Ana", "easy"], obsidian=["human"] * 3)

    assert [player["name"] for player in table["teams"]["jade"]] == ["Jade 1", "Ana", "Easy"]
    assert [player["name"] for player in table["teams"]["obsidian"]] == ["Obsidian 1", "Obsidian 2", "Obsidian 3"]
    assert table["rules"]["pieces"] == 3


def test_who_begins_may_be_agreed(post: Any) -> None:
    """If it is agreed who begins, there is no throw-off."""
    table = post("/api/games", begins="obsidian")

    assert (table["phase"], table["turn"]) == ("throw", "obsidian")


def test_an_evening_of_several_games(post: Any) -> None:
    """A match begins with its first variant, with the sizes of its source, and goes on with the next."""
    table = post("/api/games", variant="boolik", set={"spaces": 20}, evening=["bul", "buluc"], begins="jade")

    assert (table["variant"], table["rules"]["spaces"]) == ("bul", 9)
    assert table["match"] == {"variants": ["bul", "buluc"], "round": 1, "scores": []}


def test_rules_may_be_sent_back_as_they_are_told(post: Any, watcher: FlaskClient) -> None:
    """The field values in /api/variants are accepted as they are, including yes, no, none and all."""
    variants = watcher.get("/api/variants").json
    assert variants is not None
    by_id = {variant["id"]: variant for variant in variants["variants"]}

    assert set(by_id["puluc"]) == {"id", "name", "source", "rules", "sizes"}
    assert [size["spaces"] for size in by_id["aj-sakakil"]["sizes"]] == [19, 24, 29]
    for id_ in ("a-kaakil", "bul-teams"):
        assert post("/api/games", variant="puluc", set=by_id[id_]["rules"])["rules"]["fields"] == by_id[id_]["rules"]


def test_options_left_out_stay(post: Any) -> None:
    """Each option can be set alone; the others are kept."""
    assert post("/api/options", auto_move=True)["options"] == {
        "auto_throw": True,
        "auto_move": True,
        "draw": False,
        "begins": "throw_off",
        "marked": "0.5",
        "advice": True,
        "advice_after": False,
        "ask": False,
        "board": True,
        "board_moves": True,
    }
    assert post("/api/options", begins="loser", auto_throw=False, advice=False)["options"] == {
        "auto_throw": False,
        "auto_move": True,
        "draw": False,
        "begins": "loser",
        "marked": "0.5",
        "advice": False,
        "advice_after": False,
        "ask": False,
        "board": True,
        "board_moves": True,
    }


@pytest.mark.parametrize(("wish", "kept"), [("0.53", "0.53"), ("9/17", "0.53"), ("0.9999", "0.99"), ("1/2", "0.5")])
def test_the_chance_that_advice_reckons_with_is_set(post: Any, referee: Referee, wish: str, kept: str) -> None:
    """It is given in hundredths, kept from game to game, and used as an exact number."""
    assert post("/api/options", marked=wish)["options"]["marked"] == kept
    assert post("/api/games", jade="Mia")["options"]["marked"] == kept
    assert referee.state().marked == Fraction(kept)


def test_a_throw_may_wait_for_a_yes(post: Any) -> None:
    """Without auto throw, and when the companion throws for a computer player, confirming starts the throw."""
    post("/api/options", auto_throw=False)

    assert post("/api/games", begins="jade")["confirm"] == "Throw"
    assert post("/api/confirm")["confirm"] is None


def test_two_throws_are_told_apart(post: Any, player: FlaskClient) -> None:
    """If either throw allows a move, the refusal says so, and the body names one."""
    post("/api/games", variant="aj-sayil", jade="Ana", obsidian="Ben", begins="jade")
    assert [throw["value"] for throw in post("/api/throw", marked=2)["throws"]] == [2]
    table = post("/api/throw", marked=3)
    assert (table["left"], len(table["moves"])) == ([2, 3], 2)

    table = post("/api/move", **{"from": "base", "to": 3, "value": 3, "unit": "J"})
    assert table["left"] == [2]
    assert player.post("/api/move", json={"from": 3, "to": 6, "value": 3}).status_code == 409
    assert post("/api/move", **{"from": 3, "to": 5, "value": 2})["turn"] == "obsidian"


def test_a_unit_walks_back_from_the_enemy_field(post: Any) -> None:
    """A move may end in the enemy's field, and begin there."""
    post("/api/games", variant="puluc", set={"far_end": "walk_back", "spaces": 5}, begins="jade")
    post("/api/throw", marked=4)
    post("/api/move", **{"from": "base", "to": 4})
    post("/api/throw", marked=1)
    post("/api/move", **{"from": "base", "to": 5})
    post("/api/throw", marked=2)
    table = post("/api/move", **{"from": 4, "to": "field"})
    assert [unit["home"] for unit in table["board"]["fields"]["jade"]] == [True]

    post("/api/throw", marked=1)
    post("/api/confirm")
    post("/api/throw", marked=3)
    assert post("/api/move", **{"from": "field", "to": 3})["board"]["fields"]["jade"] == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/throw", {"marked": 2}),
        ("/api/options", {}),
        ("/api/undo", {}),
        ("/api/games", {}),
        ("/api/confirm", {}),
        ("/api/pass", {}),
        ("/api/resign", {}),
    ],
)
def test_a_second_tap_changes_nothing(player: FlaskClient, referee: Referee, path: str, body: dict[str, int]) -> None:
    """A request that names a past step is refused, and the table is unchanged."""
    step = referee.snapshot().step
    begun(referee)
    before = referee.snapshot()
    answer = player.post(path, json=body | {"step": step})

    assert answer.status_code == 409
    assert answer.json is not None
    assert "quicker" in answer.json["problem"]
    assert referee.snapshot() is before


def test_bodies_may_be_left_out(player: FlaskClient, referee: Referee) -> None:
    """If no field is needed the body may be missing, empty or an empty object, with or without a JSON content type."""
    bodies: tuple[dict[str, Any], ...] = ({}, {"content_type": "application/json"}, {"json": {}})
    for how in bodies:
        begun(referee)
        assert player.post("/api/undo", **how).status_code == 200
        assert player.post("/api/undo", **how).status_code == 200


def test_a_move_may_be_sent_as_the_table_spells_it(post: Any, referee: Referee) -> None:
    """A whole entry of the table's moves is a good body for /api/move."""
    referee.submit(GameStarted(variant="puluc", jade=("Jade",), obsidian=("Obsidian",), seed=1))
    begun(referee)
    referee.submit(ThrowEntered(4))
    referee.submit(MoveChosen(None, 4))
    referee.submit(ThrowEntered(4))
    moves = referee.snapshot().model_dump(mode="json", by_alias=True)["moves"]

    assert post("/api/move", **moves[-1])["position"] == moves[-1]["result"]
