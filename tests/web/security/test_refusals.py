"""Every invalid request gets a sentence, never a server error."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as some

from companion.errors import NotStored
from companion.referee.events import Event, GameStarted
from companion.referee.referee import Referee
from companion.referee.saved_games import SavedGame
from companion.referee.throw_tally import CountedThrow
from companion.storage.store import Store
from web.app import create_app
from web.schemas import BODIES

POSTS = (
    "games",
    "throw",
    "confirm",
    "move",
    "pass",
    "resign",
    "undo",
    "again",
    "rethrow",
    "options",
    "games/1/resume",
    "games/2/name",
    "games/1/delete",
    "scores/reset",
    "records",
)


def problem(answer: Any, status: int) -> str:
    """The message of a refusal with this status."""
    assert answer.status_code == status, answer.text
    assert list(answer.json) == ["problem"]
    return str(answer.json["problem"])


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("throw", {}, "'marked' is missing: it takes the number of marked sides, a whole number from 0 to 4."),
        ("throw", {"marked": 5}, "'marked' takes the number of marked sides, a whole number from 0 to 4."),
        ("throw", {"marked": "3"}, "'marked' takes the number of"),
        ("throw", {"marked": True}, "'marked' takes the number of"),
        ("move", {"from": "home", "to": 3}, '\'from\' takes a space number, "base" or "field".'),
        ("move", {"from": 1}, '\'to\' is missing: it takes a space number, "home" or "field".'),
        ("undo", {"step": "new"}, "'step' takes the step of the table you saw"),
        ("games", {"varient": "puluc"}, "There is no field 'varient' here. The fields are: step, variant, set, jade"),
        ("games", {"set": [1]}, "'set' takes rules to change"),
        ("games", {"set": {"ice": 10}}, "There is no rule called 'ice'. The rules that can be set: spaces"),
        ("games", {"set": {"fire": 10.5}}, "'set' takes rules to change"),
        ("games", {"begins": "both"}, "'begins' takes jade or obsidian to agree on who begins"),
        ("games", {"evening": "bul"}, "'evening' takes the ids of variants to play one after another"),
        ("games", {"evening": ["bul", "chess"]}, "There is no variant called 'chess'."),
        ("games", {"jade": [], "obsidian": []}, "Both teams need the same number of players, not 0 against 0."),
        ("games", {"jade": ["Ana", "Ben"]}, "Both teams need the same number of players, not 2 against 1."),
        ("games", {"jade": ["Ana", "Ben"], "obsidian": ["Cyd", "Dora"]}, "Puluc is for two players"),
        ("throw", {"marked": 3, "faces": ["up"]}, "'faces' takes marked or plain for each stick seen"),
        (
            "throw",
            {"marked": 3, "faces": ["marked"] * 3 + ["plain"]},
            "3 marked and these 4 sides do not match the 0",
        ),
        ("options", {"draw": 1}, "'draw' takes true if the computer rolls"),
        ("options", {"begins": "me"}, "'begins' takes throw_off, winner or loser"),
        ("options", {"drew": True}, "There is no field 'drew' here. The fields are: step, ask, auto_throw"),
        ("options", {"marked": 0.53}, "'marked' takes the chance of a marked side"),
        ("options", {"marked": "often"}, "'often' is not a chance of a marked side. Write a number such as 0.53"),
        ("options", {"marked": "1"}, "The chance of a marked side must be more than 0 and less than 1, not 1."),
        ("options", {"marked": "1e-999999999"}, "'1e-999999999' is not a chance of a marked side"),
        ("games/1/name", {}, "'name' is missing: it takes a name for the game"),
        ("games/77/resume", {}, "There is no saved game number 77."),
        ("games/x/delete", {}, "There is no saved game number x."),
        ("games/77/name", {"name": "Ours"}, "There is no saved game number 77."),
        ("records", {"text": 7}, "'text' takes the record of a game, as text."),
        ("games", {"variant": "chess"}, "There is no variant called 'chess'. Known: puluc"),
        ("games", {"jade": ""}, "A player's name can have 1 to 40 char"),
    ],
)
def test_a_wrong_field_is_named(player: FlaskClient, path: str, body: object, said: str) -> None:
    """An invalid body gets 422 with the field and its accepted values."""
    assert problem(player.post(f"/api/{path}", json=body), 422).startswith(said)


def test_a_rule_that_does_not_fit_is_named(player: FlaskClient) -> None:
    """The message uses the rule's label; the JSON also has its field."""
    answer = player.post("/api/games", json={"set": {"spaces": 3}})

    assert answer.status_code == 422
    assert answer.json == {"problem": "“Spaces of the highway”: a highway has 5 to 60 spaces.", "rules": ["spaces"]}


@pytest.mark.parametrize("body", [b"{", b"\xff", b"marked=3", b"[" * 60000])
def test_what_is_not_json_is_refused(player: FlaskClient, body: bytes) -> None:
    """A damaged body is refused even if no field is needed: it may have asked for something else."""
    assert "not JSON" in problem(player.post("/api/undo", data=body, content_type="application/json"), 400)


@pytest.mark.parametrize("body", ["[]", "3", "null", '"{}"'])
def test_json_that_is_no_object_is_refused(player: FlaskClient, body: str) -> None:
    """Lists, numbers and text are refused."""
    assert "JSON object" in problem(player.post("/api/undo", data=body), 422)


def test_too_large_a_body_is_refused(player: FlaskClient) -> None:
    """The limit is 64 kB."""
    assert "64 kB" in problem(player.post("/api/throw", data=b" " * 70000), 413)


def test_a_long_record_may_be_larger(player: FlaskClient) -> None:
    """The record of a whole evening is accepted; one longer than any game is not."""
    status = player.post("/api/records", json={"text": "x" * 200_000}).status_code

    assert status not in (200, 413, 500)
    assert "1024 kB" in problem(player.post("/api/records", json={"text": "x" * 1_100_000}), 413)


def test_wrong_addresses_and_methods(player: FlaskClient) -> None:
    """An unknown address or method gets a message too."""
    problem(player.get("/api/tables"), 404)
    problem(player.get("/static/../app.py"), 404)
    problem(player.post("/api/table"), 405)
    problem(player.get("/api/undo"), 405)


@pytest.mark.parametrize("number", ["7", "0", "-1", "x", "٣", "9" * 15, "9" * 5000])
def test_a_picture_that_is_not_kept(watcher: FlaskClient, number: str) -> None:
    """A number without a picture, or something that is no number, gets 404."""
    problem(watcher.get(f"/pictures/{number}.jpg"), 404)


def test_an_illegal_move_is_refused_and_named(player: FlaskClient) -> None:
    """It gets 409 with the legal moves."""
    for marked in (3, 1, 2):
        player.post("/api/throw", json={"marked": marked})

    assert "Legal on a throw worth 2: base-2." in problem(player.post("/api/move", json={"from": "base", "to": 3}), 409)


class FullDisk(Store):
    """A store on a full disk."""

    full = False

    def append(self, events: Sequence[Event], entry: SavedGame, thrown: Sequence[CountedThrow] = ()) -> None:
        if self.full:
            raise NotStored(
                "This could not be saved, so it was not done. Check that the disk has room, then try again."
            )
        super().append(events, entry, thrown)


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    """The event is refused with 409."""
    store = FullDisk(tmp_path)
    referee = Referee(store, first=GameStarted(variant="puluc", jade=("Jade",), obsidian=("Obsidian",), seed=1))
    store.full = True
    client = create_app(referee, code=None).test_client()

    assert "the disk has room" in problem(client.post("/api/throw", json={"marked": 1}), 409)
    referee.close()


def test_a_fault_of_ours_is_one_sentence(referee: Referee) -> None:
    """After an internal error the phone shows a sentence and no traceback."""
    app = create_app(referee, code=None)
    app.logger.disabled = True

    @app.get("/broken")
    def broken() -> str:
        raise ZeroDivisionError

    assert "Something went wrong. Check what the table shows" in problem(app.test_client().get("/broken"), 500)


anything = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=20),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
words = some.sampled_from(
    [
        "base",
        "field",
        "aj-sayil",
        "bul-teams",
        "home",
        "human",
        "easy",
        "hard",
        "puluc",
        "puluc-bell",
        "bell",
        "11",
        "5,1,2,3,4",
    ]
)
rules = some.dictionaries(
    some.sampled_from(["spaces", "pieces", "values", "name", "id", "teams", "far_end", "fire"]),
    some.integers(-2, 12) | words | anything,
)
names = some.sampled_from(
    sorted({field.alias or name for b in BODIES.values() for name, field in b.model_fields.items()})
)
bodies = some.dictionaries(names, some.integers(-1, 12) | words | rules | anything, max_size=4)
raw = some.binary(max_size=40) | (bodies | anything).map(json.dumps).map(str.encode)


@settings(max_examples=60, deadline=None)
@given(asked=some.lists(some.tuples(some.sampled_from(POSTS), raw), min_size=1, max_size=12))
def test_nothing_that_is_sent_breaks_the_table(asked: list[tuple[str, bytes]]) -> None:
    """Any bodies in any order get the table or a message, never a server error."""
    with TemporaryDirectory() as folder:
        referee = Referee(
            Store(Path(folder)), first=GameStarted(variant="puluc", jade=("Jade",), obsidian=("easy",), seed=1)
        )
        client = create_app(referee, code=None).test_client()
        for path, body in asked:
            answer = client.post(f"/api/{path}", data=body)
            assert answer.status_code in (200, 400, 409, 422), answer.text
            assert answer.json is not None
            assert ("problem" in answer.json) == (answer.status_code != 200)
        referee.close()


@pytest.mark.parametrize("body", [b"\x0c", b"\t", b" "])
def test_blanks_are_no_empty_body(player: FlaskClient, body: bytes) -> None:
    """Blanks are not JSON, so they do not undo a step either; an empty body does."""
    player.post("/api/throw", json={"marked": 3})

    assert player.post("/api/undo", data=body).status_code == 400
    assert player.post("/api/undo", data=b"").status_code == 200
