"""The article on solved games has the report's figures, and the page shows the same text."""

import re
from importlib.resources import files
from itertools import pairwise

import pytest

from companion.advice.report.article import article
from companion.advice.styles import OPPONENTS
from tests.docs.solved_article import ARTICLE, PAGE, figures, page


def test_every_figure_is_the_reports() -> None:
    """The article is its template filled with the report's figures, and the page's copy is made from it."""
    text = ARTICLE.read_text(encoding="utf-8")

    assert text == article(figures())
    assert PAGE.read_text(encoding="utf-8") == page(text)


def test_a_figure_that_both_games_share_is_given_once() -> None:
    """It is not repeated as "70% of the time in Puluc and 70% in Bul"."""
    text = " ".join(ARTICLE.read_text(encoding="utf-8").split())

    assert re.findall(r"(?<![\d.])(\d+%)[a-zP ]* and \1", text) == []


def test_no_figure_is_typed_by_hand() -> None:
    """Outside the placeholders the template has no number but years, and the numbers of its rules of thumb."""
    template = files("companion.advice.report").joinpath("article.md").read_text(encoding="utf-8")
    typed = re.findall(r"\d[\d.,]*\d|\d", re.sub(r"\{[^}]*\}", "", template))

    assert {number for number in typed if not re.fullmatch(r"1[89]\d\d|20\d\d|[1-5]\.?|3", number)} == set()


@pytest.mark.parametrize("game", ["puluc", "bul"])
def test_the_ladder_is_even(game: str) -> None:
    """From random to perfect play each opponent wins more than the one before, by the mean step within 1.5 points."""
    one = figures()[game]
    rungs = [one["levels"]["random"]["wins"][0], *(one["ladder"][name][0] for name in OPPONENTS), 0.5]
    steps = [after - before for before, after in pairwise(rungs)]
    mean = (rungs[-1] - rungs[0]) / len(steps)

    assert all(abs(step - mean) < 0.015 for step in steps), steps
