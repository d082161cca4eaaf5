"""The TypeScript declarations used to check the page's scripts."""

from __future__ import annotations

from tests.web.api_types import TYPES, current


def test_the_declarations_are_those_of_the_api() -> None:
    """After a change of the API run ``python -m tests.web.api_types``."""
    assert TYPES.read_text(encoding="utf-8") == current()
