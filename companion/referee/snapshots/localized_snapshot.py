"""A snapshot rendered lazily in each language."""

from __future__ import annotations

from collections.abc import Callable

from companion.i18n import ENGLISH, language, use_language
from companion.referee.snapshots.table_view import Snapshot


class LocalizedSnapshot:
    """Renders a snapshot at most once per language. Not thread-safe: the referee's lock guards it.

    render: makes the snapshot in the context's language.
    """

    def __init__(self, render: Callable[[], Snapshot]) -> None:
        self._render = render
        with use_language(ENGLISH):
            self._rendered = {ENGLISH.code: render()}

    @property
    def english(self) -> Snapshot:
        """The snapshot in English, which exists from the start."""
        return self._rendered[ENGLISH.code]

    def current(self) -> Snapshot:
        """The snapshot in the context's language."""
        code = language().code
        if code not in self._rendered:
            self._rendered[code] = self._render()
        return self._rendered[code]
