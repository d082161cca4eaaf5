"""A phone's own settings: kept in a cookie, and rendered into every page before any script runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

STYLES = Path(__file__).parents[4] / "web" / "static"


@pytest.mark.parametrize("path", ["/", "/settings", "/rules"])
def test_a_phone_that_says_nothing_is_left_to_its_system(watcher: FlaskClient, path: str) -> None:
    """The system's preferences for dark colours and for motion apply."""
    text = watcher.get(path).text

    assert 'media="(prefers-color-scheme: dark)"' in text
    assert 'content="light dark"' in text
    assert '<html lang="en">' in text


@pytest.mark.parametrize(("theme", "media"), [("dark", "all"), ("light", "not all")])
def test_colours_are_kept_without_any_script(watcher: FlaskClient, theme: str, media: str) -> None:
    """The form is enough, and watchers may use it too."""
    answer = watcher.get(f"/settings?theme={theme}&motion=less")
    pages = [watcher.get(path).text for path in ("/", "/settings", "/scores")]

    assert answer.status_code == 302
    assert answer.headers["Location"] == "/settings"
    for text in pages:
        assert f'<style media="{media}" data-dark>' in text
        assert f'name="color-scheme" content="{theme}"' in text
        assert '<html lang="en" data-motion=less>' in text
    assert f'value="{theme}" checked' in pages[1]


def test_hints_are_shown_without_any_script(watcher: FlaskClient) -> None:
    """The same cookie as the table's button sets; the form shows which it is."""
    watcher.get("/settings?hints=yes")
    shown = watcher.get("/settings").text
    watcher.get("/settings?hints=no")

    assert 'name="hints" value="yes" checked' in shown
    assert 'name="hints" value="no" checked' in watcher.get("/settings").text


def test_a_cookie_that_says_nonsense_is_passed_over(watcher: FlaskClient) -> None:
    """It is treated as missing."""
    watcher.set_cookie("puluc_theme", 'all"><script>')
    watcher.set_cookie("puluc_motion", "wild")
    text = watcher.get("/").text

    assert 'media="(prefers-color-scheme: dark)"' in text
    assert '<html lang="en">' in text


def test_an_invalid_setting_is_not_kept(watcher: FlaskClient) -> None:
    """The other settings in the same request are kept."""
    watcher.get("/settings?theme=pink&motion=less")

    assert watcher.get_cookie("puluc_theme") is None
    assert watcher.get_cookie("puluc_motion") is not None


def test_only_one_file_knows_the_dark() -> None:
    """Otherwise a phone with a setting unlike its system's would get a mixture of colours."""
    speaking = [style.name for style in sorted(STYLES.rglob("*.css")) if "prefers-color-scheme" in style.read_text()]

    assert speaking == []


def test_watchers_may_not_change_the_table(watcher: FlaskClient, player: FlaskClient) -> None:
    """They see its options, but cannot change them."""
    assert 'data-liked="no" disabled' in watcher.get("/settings").text
    assert 'data-liked="yes"' in player.get("/settings").text


def test_looking_back_leads_to_the_game_on_the_table(watcher: FlaskClient) -> None:
    """The number of saved games does not matter."""
    assert watcher.get("/review").headers["Location"] == "/games/1/review"
