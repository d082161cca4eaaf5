"""Reviews on the page and in the API: progress, text, drawings and refusals."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.advice.review.review import review as review_of
from companion.advice.review.review_summary import GradeThresholds
from companion.referee.events import GameStarted, Resigned, ThrowEntered
from companion.referee.history.game_summary import MINUS, finished_turns, review_view
from companion.referee.history.review_queue import ReviewQueue
from companion.referee.reducer import replay
from companion.referee.referee import Referee
from companion.rules.odds import FAIR
from companion.rules.unit import Side
from tests.advice.brute_force import BruteForceAdviser
from tests.advice.material_adviser import MaterialAdviser
from tests.referee.random_games import random_game
from tests.rules.games import game
from tests.web.routes.game.test_page import Parts
from tests.web.test_openapi import check
from web.app import create_app
from web.routes.game.review import ChanceBalance, chance_balance, verdict


@pytest.fixture
def reviews() -> ReviewQueue:
    return ReviewQueue(
        lambda rules, marked: BruteForceAdviser(rules, marked) if rules.spaces == 5 else MaterialAdviser()
    )


@pytest.fixture
def client(referee: Referee, reviews: ReviewQueue) -> FlaskClient:
    """A watcher's phone at a table that reviews games."""
    app = create_app(referee, code="maize-7", reviews=reviews)
    app.testing = True
    return app.test_client()


@pytest.fixture
def thought(client: FlaskClient, referee: Referee, reviews: ReviewQueue) -> Callable[..., int]:
    """Import a game and compute its review; returns its number."""

    def thought(*words: str, **how: Any) -> int:
        game = referee.import_game(random_game(*words, **how)).game
        client.get(f"/api/games/{game}/review")
        while reviews.step(patience=0):
            pass
        return game

    return thought


def review(client: FlaskClient, game: int) -> Any:
    answer = client.get(f"/api/games/{game}/review")
    assert answer.status_code == 200, answer.json
    return answer.json


def test_thinking_is_told_turn_by_turn(client: FlaskClient, referee: Referee, reviews: ReviewQueue) -> None:
    """At first there is only the progress, as JSON and on a page that reloads; then the whole review."""
    game = referee.import_game(random_game(seed=0)).game
    assert review(client, game)["state"] == "thinking"
    for _ in range(5):
        reviews.step(patience=0)
    answer, page = review(client, game), client.get(f"/games/{game}/review").text

    assert (answer["state"], answer["done"], answer["turns"], answer["review"]) == ("thinking", 4, 16, None)
    assert "4 of 16 turns are done." in page
    assert 'http-equiv="refresh"' in page

    while reviews.step(patience=0):
        pass
    assert review(client, game)["state"] == "done"
    assert 'http-equiv="refresh"' not in client.get(f"/games/{game}/review").text


def test_the_scenes_follow_the_game(client: FlaskClient, thought: Callable[..., int], referee: Referee) -> None:
    """There is a scene before the first turn and after each, up to the final position, with moves between them."""
    game = thought(seed=0)
    answer = review(client, game)
    turns = answer["review"]["turns"]

    assert len(answer["scenes"]) == len(turns) + 1 == 17
    assert answer["scenes"][-1]["position"] == referee.snapshot().position
    for before, after, turn in zip(answer["scenes"], answer["scenes"][1:], turns, strict=False):
        assert before["position"] == turn["position"]
        assert after["position"] == turn["result"]
        assert after["ends"] == [move["ends"] for move in turn["moves"]]
        assert bool(after["better"]) == (turn["best"] != turn["moves"])
        assert before["x"] < after["x"]
    assert answer["scenes"][-1]["now"] == "Mia (Jade) has won."
    assert "(exact)" in answer["scenes"][3]["now"]


def test_the_review_is_as_described(client: FlaskClient, thought: Callable[..., int]) -> None:
    """The JSON fits its schema, with every field; for teams, two throws and estimates too."""
    described: Any = client.get("/api/openapi.json").json
    schemas = described["components"]["schemas"]
    team = {"jade": ("A", "B"), "obsidian": ("C", "D")}
    for number in (thought(seed=0), thought("aj-sayil", seed=2, turns=20, **team)):
        check(review(client, number), schemas["GameReview"], schemas)


def test_the_page_is_readable_as_it_comes(client: FlaskClient, thought: Callable[..., int]) -> None:
    """Without a script the HTML has the chosen turn, its board and comment, the key moments and all turns."""
    game = thought(seed=0)
    page = client.get(f"/games/{game}/review?turn=8").text
    answer = review(client, game)
    scene = answer["scenes"][8]
    parts = Parts(page)

    for text in (scene["title"], scene["threw"], scene["did"], scene["now"], "Better: "):
        assert text in page
    assert page.count('class="row space"') == 5
    assert {"?turn=7", "?turn=9"} <= set(parts.addresses)
    assert {f"?turn={moment['turn']}" for moment in answer["review"]["moments"]} <= set(parts.addresses)
    assert all(f"?turn={turn}" in parts.addresses for turn in range(1, 17))
    assert not parts.inline
    assert "Exact: " in page


def test_throws_are_called_as_at_the_table(client: FlaskClient, thought: Callable[..., int]) -> None:
    """A throw that is worth another number than its count tells both."""
    answer = review(client, thought("puluc", seed=4, turns=40))
    counts = {turn["counts"] for turn in answer["review"]["turns"]}

    assert counts == {"0 (worth 5)", "1", "2", "3", "4"}
    assert {scene["threw"].partition(". ")[0] for scene in answer["scenes"][1:]} == {f"Threw {one}" for one in counts}


@pytest.mark.parametrize(
    ("asked", "title"), [("", "Turn 16 of"), ("?turn=99", "Turn 16"), ("?turn=-3", "Before"), ("?turn=x", "Turn 16")]
)
def test_any_turn_leads_somewhere(client: FlaskClient, thought: Callable[..., int], asked: str, title: str) -> None:
    """A missing or invalid number shows the end; a number out of range the nearest turn."""
    game = thought(seed=0)

    assert f'<h2 data-title tabindex="-1">{title}' in client.get(f"/games/{game}/review{asked}").text


def test_an_estimate_is_called_one(client: FlaskClient, thought: Callable[..., int]) -> None:
    """The page calls nothing exact that comes from a search."""
    game = thought("puluc", seed=4, turns=12)
    page = client.get(f"/games/{game}/review").text

    assert "(estimate)" in page
    assert "Estimates: " in page
    assert "exact" not in page.lower()


def test_a_game_without_a_turn_is_told_so(client: FlaskClient, referee: Referee) -> None:
    """The page says to play on; programs get the same sentence as a refusal."""
    game = referee.submit(GameStarted(variant="puluc", jade=("A",), obsidian=("B",), seed=1)).game
    referee.submit(ThrowEntered(1))
    page, answer = client.get(f"/games/{game}/review"), client.get(f"/api/games/{game}/review")

    assert page.status_code == 200
    assert "Play a turn, then look again." in page.text
    assert answer.status_code == 409
    assert answer.json is not None
    assert answer.json["problem"] in page.text


def test_a_game_given_up_before_its_first_turn_has_no_review(client: FlaskClient, referee: Referee) -> None:
    """The table has no link to it, and whoever finds another way is not told to play on."""
    begun = GameStarted(variant="puluc", jade=("A",), obsidian=("B",), seed=1, begins=Side.JADE)
    referee.submit(begun)
    referee.submit(Resigned(Side.JADE))
    page = client.get("/review", follow_redirects=True).text

    assert "data-review-link hidden" in client.get("/").text
    assert "This game ended before its first turn, so there is nothing to review." in page
    assert "Play a turn" not in page


def test_what_cannot_be_reviewed_is_refused(client: FlaskClient, watcher: FlaskClient, referee: Referee) -> None:
    """The game does not exist, or the table has no adviser."""
    game = referee.import_game(random_game(seed=0)).game

    assert client.get("/api/games/999/review").json == {"problem": "There is no saved game number 999."}
    assert client.get("/games/x/review").status_code == 422
    assert "There is no saved game number x." in client.get("/games/x/review").text
    assert watcher.get(f"/api/games/{game}/review").status_code == 409
    assert "This table has no adviser" in watcher.get(f"/games/{game}/review").text


def test_ways_lead_there(client: FlaskClient, referee: Referee) -> None:
    """There are links from the finished game, and from saved games with at least one turn."""
    begun = referee.submit(GameStarted(variant="puluc", jade=("A",), obsidian=("B",), seed=1)).game
    assert "data-review-link hidden" in client.get("/").text
    over = referee.import_game(random_game(seed=0)).game
    saved = client.get("/games").text

    assert re.search(rf'data-review-link><a href="/games/{over}/review"', client.get("/").text)
    assert f'href="/games/{over}/review"' in saved
    assert f'href="/games/{begun}/review"' not in saved


def test_sums_add_up_in_whole_numbers() -> None:
    """The numbers shown add up, and differ from the result only by rounding."""
    adviser = BruteForceAdviser(game("puluc spaces=5 pieces=2"))
    for seed in range(20):
        table = replay(enumerate(random_game(seed=seed), 1))
        found = review_view(
            review_of(finished_turns(table), adviser, thrown_off=True), table, marked=FAIR, grades=GradeThresholds()
        )
        shown, jade = chance_balance(found), found.sides[0]

        assert shown.began + shown.luckier() + shown.better() == shown.ended
        assert (shown.began, shown.ended) == (round(jade.initial), round(jade.final))
        assert abs(shown.luckier() - jade.luck) <= 2
        assert abs(shown.better() - jade.play) <= 1


@pytest.mark.parametrize("seed", [3, 19])
def test_the_sums_and_the_players_tell_one_number(client: FlaskClient, thought: Callable[..., int], seed: int) -> None:
    """The throws of a side's only player are worth the same wherever the page tells it, rounding and all."""
    page = client.get(f"/games/{thought(seed=seed)}/review").text
    jade, obsidian = re.findall(r"Throws of [^<]*</th><td>(.\d+)</td><td>(.\d+)</td>", page)
    told = re.findall(r"Own throws: (\d+) (more|fewer) wins", page)

    assert [f"{'+' if how == 'more' else MINUS}{wins}" for wins, how in told] == [jade[0], obsidian[1]]


@pytest.mark.parametrize(
    ("throws", "choices", "said"),
    [
        ((12, 9), (-5, 10), "Ana chose better, and had more luck, too."),
        ((-3, -9), (-5, 0), "Ben chose better, and had more luck, too."),
        ((12, -3), (-5, 0), "Ben chose better; Ana had more luck."),
        ((9, -9), (0, 5), "Ana chose better; both were equally lucky."),
        ((0, -1), (-5, 5), "Ben had more luck; both chose equally well."),
        ((0, 0), (0, 0), "Both chose equally well and were equally lucky."),
    ],
)
def test_one_sentence_says_who_played_well(throws: tuple[int, int], choices: tuple[int, int], said: str) -> None:
    """By the numbers of the table below it."""
    balance = ChanceBalance(began=50, begins=0, throws=throws, choices=choices, corrected=0, ended=50)

    assert verdict(balance, ("Ana", "Ben"), chose=(True, True)) == said


@pytest.mark.parametrize(
    ("chose", "throws", "said"),
    [
        ((False, False), (30, 20), "Ana had more luck, and nobody had a choice."),
        ((False, False), (10, -10), "Nobody had a choice, and both were equally lucky."),
        ((True, False), (30, 20), "Ana had more luck, and nobody else had a choice."),
        ((True, False), (-30, 20), "Ben had more luck, but only Ana had a choice."),
        ((False, True), (10, -10), "Only Ben had a choice, and both were equally lucky."),
    ],
)
def test_nobody_without_a_choice_is_said_to_choose_well(
    chose: tuple[bool, bool], throws: tuple[int, int], said: str
) -> None:
    """Choices are compared only if both sides had some, whatever those of one side cost."""
    for choices in ((-5 * chose[0], 5 * chose[1]), (0, 0)):
        balance = ChanceBalance(began=50, begins=0, throws=throws, choices=choices, corrected=0, ended=50)

        assert verdict(balance, ("Ana", "Ben"), chose=chose) == said


def test_a_review_asks_each_side_whether_it_had_a_choice(client: FlaskClient, thought: Callable[..., int]) -> None:
    """The sentence fits what the page says of each player."""
    page = client.get(f"/games/{thought(seed=1)}/review").text

    assert "Never had a choice." in page
    assert "Mia (Jade) had more luck, and nobody else had a choice." in page


def test_a_review_says_who_gave_up(client: FlaskClient, thought: Callable[..., int], referee: Referee) -> None:
    """After the last turn, which leaves both their chances, and in the sums."""
    game = thought(seed=0, turns=4)
    running = client.get(f"/games/{game}/review").text
    referee.submit(Resigned(Side.JADE))
    page, scenes = client.get(f"/games/{game}/review").text, review(client, game)["scenes"]

    assert "gave up" not in running
    assert scenes[-1]["now"].endswith("(exact). Mia (Jade) gives up. Ben (Obsidian) has won.")
    assert "gives up" not in scenes[-2]["now"]
    assert scenes[-1]["now"] in page
    assert '<th scope="row">When Mia (Jade) gave up</th>' in page
    assert "Ended with" not in page
