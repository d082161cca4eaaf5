"""Write the article on solved games from its template and figures: ``python -m tests.docs.solved_article``.

It writes ``docs/solved.md``, its plots, and the page's copy. The figures are in ``docs/solved.json``, as printed by
``puluc report --variant puluc --variant bul --exact`` and then by ``puluc report --variant ritual-warfare --variant
culin --variant buul --variant boolik``, both with ``--seed 20261123 --solve --json --out report``. Further games may
follow these.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from companion.advice.report.article import article
from companion.advice.report.plots import draw_article

ROOT = Path(__file__).parents[2]
ARTICLE, FIGURES = ROOT / "docs/solved.md", ROOT / "docs/solved.json"
PAGE, IMAGES = ROOT / "web/templates/screens/solved_article.html", ROOT / "web/static/images"
WIDE = '<div role="group" aria-label="Table" tabindex="0">'
"""Opens the part around a table that scrolls sideways on a phone."""


def figures() -> dict[str, dict[str, Any]]:
    """The report's figures by game."""
    return {one["variant"]: one for one in map(json.loads, FIGURES.read_text(encoding="utf-8").splitlines())}


def page(text: str) -> str:
    """The article as the page shows it, without its title."""
    _, _, body = text.partition("\n")
    html = str(MarkdownIt().enable("table").render(body.replace("../web/static/", "/static/")))
    html = html.replace("<table>", f"{WIDE}<table>").replace("</table>", "</table></div>")
    return html.replace(' style="text-align:right"', "")  # the page allows no styles inline


if __name__ == "__main__":
    text = article(figures())
    ARTICLE.write_text(text, encoding="utf-8")
    PAGE.write_text(page(text), encoding="utf-8")
    draw_article(figures(), IMAGES)
