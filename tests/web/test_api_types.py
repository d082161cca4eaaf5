"""The declarations that the page's scripts are checked against."""

from __future__ import annotations

from tests.web.api_types import TYPES, current


def test_the_declarations_are_those_of_the_api() -> None:
    """A change of the API is followed by ``python -m tests.web.api_types``."""
    assert TYPES.read_text(encoding="utf-8") == current()
