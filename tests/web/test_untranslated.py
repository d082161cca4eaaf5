"""In the pseudo-language every letter has an accent, so a plain letter on any page is untranslated."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import reduce
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from companion.referee.events import (
    CameraChanged,
    CameraState,
    Confirmed,
    Event,
    GameStarted,
    Options,
    OptionsSet,
    Resigned,
    ThrowEntered,
    ThrowSeen,
    ThrowUnreadable,
)
from companion.referee.history.review_queue import ReviewQueue
from companion.referee.referee import Referee
from companion.referee.workers.advice_worker import AdviceWorker
from companion.rules.unit import Side
from companion.rules.variants import VARIANTS
from companion.storage.store import Store
from tests.advice.material_adviser import MaterialAdviser
from tests.i18n.pseudo import PSEUDO
from tests.referee.random_games import random_game
from web.app import create_app

PLAIN = re.compile(r"[A-Za-z]+")
READ_ALOUD = ("alt", "aria-label", "placeholder", "title", "data-ask", "data-yes")
VOID = ("br", "hr", "img", "input", "link", "meta", "rect", "circle", "path", "line", "polygon", "polyline", "use")
NAMES = {"Puluc", "QR", "UTC"}
"""Words that are the same in every language."""
SOURCES = tuple({variant.source for variant in VARIANTS.values()})


class Reader(HTMLParser):
    """Collects a page's text except names, marked ``translate="no"``, and passages with a ``lang`` of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        foreign = tag != "html" and "lang" in known
        silent = self._silent or foreign or tag in ("script", "style") or known.get("translate") == "no"
        if not silent:
            self.texts += [known[name] or "" for name in READ_ALOUD if name in known]
        if tag not in VOID:
            self._open.append((tag, silent))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.texts.append(data)

    @property
    def _silent(self) -> bool:
        return bool(self._open) and self._open[-1][1]


def untranslated(page: str) -> list[str]:
    """Text on a page that has letters without an accent."""
    reader = Reader()
    reader.feed(page)
    return [text.strip() for text in reader.texts if set(PLAIN.findall(_without_sources(text))) - NAMES]


def _without_sources(text: str) -> str:
    """The text without the titles of cited books and pages, which are not translated."""
    return reduce(lambda left, source: left.replace(source, ""), SOURCES, text)


class Phone:
    """A phone with the pseudo-language, at a table whose players' names have no plain letter."""

    def __init__(self, folder: Path, **game: Any) -> None:
        known: dict[str, Any] = {"variant": "puluc", "jade": ("Μία",), "obsidian": ("Ξένος",), "seed": 7}
        self.referee = Referee(Store(folder), first=GameStarted(**known | game), advised=True)
        self.reviews = ReviewQueue(lambda _rules, _marked: MaterialAdviser())
        app = create_app(self.referee, code=None, reviews=self.reviews, offered={PSEUDO.code: PSEUDO})
        app.testing = True
        self._phone = app.test_client()
        self._phone.set_cookie("lang", PSEUDO.code)
        self.pages = sorted(
            rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()) and not rule.arguments
        )

    def happen(self, *events: Event) -> None:
        """Let the game go on, with the chances of its position."""
        for event in events:
            self.referee.submit(event)
        AdviceWorker(self.referee, lambda _rules, _marked: MaterialAdviser(), wait_s=0).step()

    def left(self, path: str) -> list[str]:
        """Untranslated text on that page, or in the JSON at that address."""
        if path == "/api/events":
            return []
        answer = self._phone.get(path)
        assert answer.status_code < 500, path
        if answer.mimetype == "text/html" and answer.status_code == 200:
            return untranslated(answer.text)
        if answer.is_json and path in ("/api/table", "/api/camera", "/api/calibration", "/api/sticks"):
            return [text for text in _sentences(answer.json) if PLAIN.search(text)]
        return []


def _sentences(json_value: Any) -> Iterator[str]:
    """Every text of several words, however deep, but for sources and positions, which are the same everywhere."""
    match json_value:
        case dict():
            for name, value in json_value.items():
                yield from _sentences(value) if name not in ("source", "position", "result") else ()
        case list():
            for value in json_value:
                yield from _sentences(value)
        case str() if " " in json_value.strip():
            yield json_value


@pytest.fixture
def phone(tmp_path: Path) -> Iterator[Callable[..., Phone]]:
    opened: list[Phone] = []

    def phone(**game: Any) -> Phone:
        opened.append(Phone(tmp_path / str(len(opened)), **game))
        return opened[-1]

    yield phone
    for one in opened:
        one.referee.close()


def test_every_page_is_translated(phone: Callable[..., Phone]) -> None:
    """There is a game under way, with chances and throw counts."""
    there = phone(begins=Side.JADE)
    there.happen(ThrowEntered(3), Confirmed(), ThrowEntered(2))

    left = {path: found for path in there.pages if (found := there.left(path))}

    assert not left


MOMENTS: dict[str, tuple[dict[str, Any], tuple[Event, ...]]] = {
    "throwing off": ({}, ()),
    "a tie": ({}, (ThrowEntered(2), ThrowEntered(2))),
    "a reading": ({}, (ThrowSeen(marked=2, confidence=0.9, lots=()),)),
    "an unsure camera": ({}, (ThrowUnreadable(reason="count"),)),
    "a lost camera": ({}, (CameraChanged(state=CameraState.LOST, message="it is gone"),)),
    "a pass": ({"begins": Side.JADE, "variant": "puluc-bell"}, (ThrowEntered(1),)),
    "no advice": ({"begins": Side.JADE}, (OptionsSet(Options(advice=False)), ThrowEntered(3))),
    "the end": ({"begins": Side.JADE}, (ThrowEntered(3), Confirmed(), Resigned(Side.JADE))),
    "a level": ({"begins": Side.OBSIDIAN, "obsidian": ("hard",)}, (ThrowEntered(3),)),
    "a match": ({"evening": ("puluc", "bul")}, (ThrowEntered(3),)),
    "a team": ({"variant": "aj-sakakil", "jade": ("Μία", "easy"), "obsidian": ("easy", "easy")}, (ThrowEntered(3),)),
    "nobody's name": ({"jade": ("Jade",), "obsidian": ("Obsidian",), "begins": Side.JADE}, (ThrowEntered(3),)),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_every_moment_of_a_game_is_translated(phone: Callable[..., Phone], moment: str) -> None:
    game, events = MOMENTS[moment]
    there = phone(**game)
    there.happen(*events)

    assert there.left("/") + there.left("/api/table") == []


def test_every_rule_is_translated(phone: Callable[..., Phone]) -> None:
    """This covers every game with all its drawings."""
    there = phone()
    for variant in VARIANTS:
        there.happen(GameStarted(variant=variant, jade=("Μία",), obsidian=("Ξένος",), seed=7))
        assert there.left("/rules") == [], variant


def test_a_review_is_translated(phone: Callable[..., Phone]) -> None:
    """It is checked while it is computed, and afterwards."""
    there = phone()
    game = there.referee.import_game(random_game(jade=("Μία",), obsidian=("Ξένος",))).game
    path = f"/games/{game}/review"
    assert there.left(path) == []

    while there.reviews.step(patience=0):
        pass
    assert there.left(path) == []


def test_what_is_left_is_found() -> None:
    """The check sees text and labels for screen readers, but no names, scripts, addresses or English passages."""
    page = (
        """<html lang="x"><h1>Ţáƀłé <b translate="no">Ana</b></h1><img src="a.png" alt="A stick">"""
        """<script>let a;</script><article lang="en"><p>A game</p><img alt="A plot"></article><p>Go on</p></html>"""
    )

    assert untranslated(page) == ["A stick", "Go on"]
