"""The HTML that the server renders, and the pictures."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from PIL import Image

from companion.advice.adviser import Estimate, EstimateSource, RatedStep, TurnAdvice
from companion.referee.advice_state import Question, SolvingProgress, current_question
from companion.referee.events import (
    GameStarted,
    MoveChosen,
    Options,
    OptionsSet,
    Picture,
    ThrowEntered,
    ThrowSeen,
    ThrowUnreadable,
)
from companion.referee.referee import Referee
from companion.rules.turns import Step
from companion.storage.store import Store
from web.app import create_app

STATIC = Path(__file__).parents[4] / "web" / "static"


class Parts(HTMLParser):
    """The elements of a page and the addresses they load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - its shape
        found = dict(attrs)
        self.addresses += [found[name] or "" for name in ("src", "href") if name in found]
        self.inline += [name for name in found if name == "style" or name.startswith("on")]


def two_moves(referee: Referee) -> tuple[Question, tuple[Step, ...]]:
    """Go to a turn of two moves: what advice is asked for there, and the moves."""
    for event in (ThrowEntered(3), ThrowEntered(1), ThrowEntered(2), MoveChosen(None, 2), ThrowEntered(3)):
        referee.submit(event)
    referee.submit(MoveChosen(None, 7))
    referee.submit(ThrowEntered(4))
    question, steps = current_question(referee.state()), referee.state().steps()
    assert question is not None
    return question, steps


def test_the_page_is_readable_as_it_comes(watcher: FlaskClient, referee: Referee) -> None:
    """The prompt, the turn, the board, the throw and the moves are in the HTML without any script."""
    for marked in (3, 1, 2):
        referee.submit(ThrowEntered(marked))
    text = watcher.get("/").text

    assert referee.snapshot().prompt in text
    assert 'data-phase="move"' in text
    assert 'data-side="jade"' in text
    assert text.count('class="row space"') == 9
    assert text.count("5 in base") == 2
    assert "Enter on 2" in text


def test_a_camera_that_moved_is_told_on_the_page(watcher: FlaskClient, referee: Referee) -> None:
    """The HTML has a message with a remedy, without any script."""
    referee.submit(ThrowUnreadable(reason="moved"))

    assert "The camera or the tray has moved. Put it back, or teach the camera again." in watcher.get("/").text


def test_the_chances_stand_in_the_page(watcher: FlaskClient, referee: Referee) -> None:
    """Without scripts it shows both sides' chances as a bar and in figures, their certainty, and with hints the moves,
    best first.
    """
    question, steps = two_moves(referee)
    rated = tuple(RatedStep(step, win) for step, win in zip(reversed(steps), (0.75, 0.735), strict=True))
    nothing = watcher.get("/").text
    referee.advise(question, TurnAdvice(Estimate(0.75, EstimateSource.EXACT, 8.6e-6), rated))
    referee.show_solving(None)
    unasked = watcher.get("/").text
    watcher.set_cookie("puluc_hints", "yes")
    text = " ".join(watcher.get("/").text.split())
    spanish = watcher.get("/", headers={"Accept-Language": "es"}).text

    assert "Chance to win" not in nothing
    assert "75.0%, best" not in unasked
    assert '<span class="name">Jade</span> <b>75.0%</b>' in text
    assert '<span class="name">Obsidian</span> <b>25.0%</b>' in text
    assert '<rect class="ours" width="75.0" height="10"/>' in text
    assert "Chance to win: exact" in text
    assert "<b>75.0\N{NO-BREAK SPACE}%</b>" in spanish
    assert text.index("<small>75.0%, best</small>") < text.index("<small>73.5%, 1.5 less</small>")


@pytest.mark.parametrize(
    ("source", "wins", "said"),
    [
        (EstimateSource.EXACT, (0.9999, 0.0001), ["&gt;99.9%", "&lt;0.1%", "&gt;99.9%, best", "&lt;0.1%, 100.0 less"]),
        (EstimateSource.SEARCH, (0.999, 0.001), ["&gt;99%", "&lt;1%", "&gt;99%, best", "&lt;1%, 100 less"]),
        (EstimateSource.SEARCH, (0.001, 0.001), ["&lt;1%", "&gt;99%", "&lt;1%, best", "&lt;1%, as good"]),
    ],
)
def test_a_chance_next_to_none_or_all_is_readable(
    watcher: FlaskClient, referee: Referee, source: EstimateSource, wins: tuple[float, float], said: list[str]
) -> None:
    """Without scripts its sign is escaped, once, over the board and beside the moves."""
    question, steps = two_moves(referee)
    rated = tuple(RatedStep(step, win) for step, win in zip(steps, wins, strict=True))
    referee.advise(question, TurnAdvice(Estimate(wins[0], source, 8.6e-6), rated))
    watcher.set_cookie("puluc_hints", "yes")
    text = watcher.get("/").text

    assert re.findall(r"<(?:b|small)>([^<]*%[^<]*)</", text) == said


def test_what_is_still_unknown_is_said_in_the_page(tmp_path: Path) -> None:
    """Chances are pending, estimated or exact; the page says which."""
    first = GameStarted(variant="puluc", jade=("Mia",), obsidian=("Ben",), seed=1)
    referee = Referee(Store(tmp_path), first=first, advised=True)
    watcher = create_app(referee, code="maize-7").test_client()
    for marked in (3, 1):
        referee.submit(ThrowEntered(marked))
    pending = watcher.get("/").text
    question = current_question(referee.state())
    assert question is not None
    referee.advise(question, TurnAdvice(Estimate(0.514, EstimateSource.SEARCH), ()))
    referee.show_solving(SolvingProgress(referee.state().rules, question.marked, done=0.4, left_s=200))
    estimate = watcher.get("/").text
    referee.submit(OptionsSet(Options(advice=False)))
    unwanted = watcher.get("/").text
    referee.close()

    assert "Chance to win: thinking…" in pending
    assert "<b>51%</b>" in estimate
    assert "Chance to win: estimate" in estimate
    assert "Working out this game exactly: 40% done, about 3 minutes left." in estimate
    assert "Chance to win" not in unwanted
    assert "Working out" not in unwanted


def test_a_name_stays_a_name(watcher: FlaskClient, referee: Referee) -> None:
    """Markup in a player's name is escaped."""
    referee.submit(GameStarted(variant="puluc", jade=("<b>Mia</b>",), obsidian=("Ben",), seed=1))
    text = watcher.get("/").text

    assert "<b>Mia" not in text
    assert "&lt;b&gt;Mia" in text


@pytest.mark.parametrize("path", ["/", "/games", "/scores", "/rules", "/solved", "/sticks", "/settings"])
def test_the_page_asks_nobody_else(player: FlaskClient, path: str) -> None:
    """All its parts come from this server and exist, and nothing is inline."""
    parts = Parts(player.get(path).text)

    assert parts.addresses
    assert not parts.inline
    assert all(address.startswith("/") and not address.startswith("//") for address in parts.addresses)
    assert all(
        player.get(address, buffered=True, follow_redirects=True).status_code == 200 for address in parts.addresses
    )


def test_scripts_make_elements_and_never_parse_them() -> None:
    """No script builds markup from data or contacts another host."""
    scripts = sorted(STATIC.rglob("*.js"))

    assert scripts
    for script in scripts:
        text = script.read_text()
        assert "innerHTML" not in text, script
        assert "insertAdjacentHTML" not in text, script
        assert "https://" not in text, script


@pytest.mark.parametrize(("name", "kind"), [("table/table.js", "text/javascript"), ("styles/base.css", "text/css")])
def test_parts_of_the_page_are_asked_for_again(watcher: FlaskClient, name: str, kind: str) -> None:
    """A part has a content type and an ETag for revalidation."""
    answer = watcher.get(f"/static/{name}", buffered=True)
    again = watcher.get(f"/static/{name}", headers={"If-None-Match": answer.headers["ETag"]}, buffered=True)

    assert answer.content_type.startswith(kind)
    assert answer.headers["Cache-Control"] == "no-cache"
    assert again.status_code == 304


def test_a_picture_is_kept_by_the_browser(watcher: FlaskClient, referee: Referee) -> None:
    """The picture of a reading is served unchanged and cached for ever."""
    picture = Picture(jpeg=b"\xff\xd8 a tiny picture \xff\xd9", width=4, height=3)
    seen = referee.submit(ThrowSeen(marked=2, confidence=0.9, lots=(), picture=picture)).throw
    assert seen is not None
    assert seen.seen is not None
    assert seen.seen.picture is not None
    answer = watcher.get(seen.seen.picture)

    assert answer.data == picture.jpeg
    assert answer.content_type == "image/jpeg"
    assert "immutable" in answer.headers["Cache-Control"]


def test_a_picture_comes_lighter_to_phones(watcher: FlaskClient, referee: Referee) -> None:
    """It has half the width while that is enough, and is cached as well; without a stored picture there is none."""
    jpeg = BytesIO()
    Image.effect_noise((1280, 960), 60).convert("RGB").save(jpeg, "JPEG", quality=85)
    picture = Picture(jpeg=jpeg.getvalue(), width=1280, height=960)
    seen = referee.submit(ThrowSeen(marked=2, confidence=0.9, lots=(), picture=picture)).throw
    assert seen is not None
    assert seen.seen is not None
    assert seen.seen.picture is not None
    answer = watcher.get(seen.seen.picture.replace("/pictures/", "/pictures/light/"))

    assert Image.open(BytesIO(answer.data)).size == (640, 480)
    assert len(answer.data) < len(jpeg.getvalue()) / 4
    assert "immutable" in answer.headers["Cache-Control"]
    assert watcher.get("/pictures/light/9999.jpg").status_code == 404


def test_every_game_and_level_can_be_chosen(watcher: FlaskClient) -> None:
    """The dialog for a new game lists all variants and levels."""
    text = watcher.get("/api/new-game").text

    assert all(f'value="{choice}"' in text for choice in ("puluc", "puluc-bell", "puluc-13", "human", "easy"))
