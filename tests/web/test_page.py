"""What the server itself writes into the page, and the pictures beside it."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.referee.events import GameStarted, Picture, ThrowEntered, ThrowSeen
from companion.referee.referee import Referee

STATIC = Path(__file__).parents[2] / "web" / "static"


class Parts(HTMLParser):
    """The elements of a page, and what they ask for."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - its shape
        found = dict(attrs)
        self.addresses += [found[name] or "" for name in ("src", "href") if name in found]
        self.inline += [name for name in found if name == "style" or name.startswith("on")]


def test_the_page_is_readable_as_it_comes(watcher: FlaskClient, referee: Referee) -> None:
    """The prompt, whose turn it is, the board, the throw and the moves stand in the page without any script."""
    for marked in (3, 1, 2):
        referee.submit(ThrowEntered(marked))
    text = watcher.get("/").text

    assert referee.snapshot().prompt in text
    assert 'data-phase="move"' in text
    assert 'data-side="jade"' in text
    assert text.count('class="row space"') == 9
    assert text.count("5 in base") == 2
    assert "Enter on 2" in text


def test_a_name_stays_a_name(watcher: FlaskClient, referee: Referee) -> None:
    """Markup in a player's name is shown, not obeyed."""
    referee.submit(GameStarted(variant="puluc", jade=("<b>Mia</b>",), obsidian=("Ben",), seed=1))
    text = watcher.get("/").text

    assert "<b>Mia" not in text
    assert "&lt;b&gt;Mia" in text


@pytest.mark.parametrize("path", ["/", "/games", "/scores", "/records", "/rules"])
def test_the_page_asks_nobody_else(player: FlaskClient, path: str) -> None:
    """Everything the page is made of is here, is found, and nothing is written inline."""
    parts = Parts(player.get(path).text)

    assert parts.addresses
    assert not parts.inline
    assert all(address.startswith("/") and not address.startswith("//") for address in parts.addresses)
    assert all(player.get(address, buffered=True).status_code == 200 for address in parts.addresses)


def test_scripts_make_elements_and_never_parse_them() -> None:
    """No script writes markup from data, and none reaches for another host."""
    scripts = sorted(STATIC.glob("*.js"))

    assert scripts
    for script in scripts:
        text = script.read_text()
        assert "innerHTML" not in text, script
        assert "insertAdjacentHTML" not in text, script
        assert "https://" not in text, script


@pytest.mark.parametrize(("name", "kind"), [("table.js", "text/javascript"), ("table.css", "text/css")])
def test_parts_of_the_page_are_asked_for_again(watcher: FlaskClient, name: str, kind: str) -> None:
    """A part comes with its type, and with a mark by which a browser asks whether it has changed."""
    answer = watcher.get(f"/static/{name}", buffered=True)
    again = watcher.get(f"/static/{name}", headers={"If-None-Match": answer.headers["ETag"]}, buffered=True)

    assert answer.content_type.startswith(kind)
    assert answer.headers["Cache-Control"] == "no-cache"
    assert again.status_code == 304


def test_a_picture_is_kept_by_the_browser(watcher: FlaskClient, referee: Referee) -> None:
    """The picture of a reading is handed out as it came, and never needs to be asked for again."""
    picture = Picture(jpeg=b"\xff\xd8 a tiny picture \xff\xd9", width=4, height=3)
    seen = referee.submit(ThrowSeen(marked=2, confidence=0.9, lots=(), picture=picture)).throw
    assert seen is not None
    assert seen.seen is not None
    assert seen.seen.picture is not None
    answer = watcher.get(seen.seen.picture)

    assert answer.data == picture.jpeg
    assert answer.content_type == "image/jpeg"
    assert "immutable" in answer.headers["Cache-Control"]


def test_every_game_and_level_can_be_chosen(watcher: FlaskClient) -> None:
    """The dialog for a new game offers the variants and the levels that there are."""
    text = watcher.get("/").text

    assert all(f'value="{choice}"' in text for choice in ("puluc", "puluc-bell", "puluc-13", "human", "easy"))
