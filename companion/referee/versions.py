"""One snapshot, in every language that somebody asks for it in."""

from __future__ import annotations

from collections.abc import Callable

from companion.referee.views import Snapshot
from companion.words import ENGLISH, language, speaking


class Versions:
    """Makes a snapshot once for each language. make: makes it in the language of the present context.

    It is the caller's business that only one thread asks at a time.
    """

    def __init__(self, make: Callable[[], Snapshot]) -> None:
        self._make = make
        with speaking(ENGLISH):
            self._made = {ENGLISH.code: make()}

    @property
    def english(self) -> Snapshot:
        """The one that all others say the same as."""
        return self._made[ENGLISH.code]

    def now(self) -> Snapshot:
        """The one in the present language."""
        code = language().code
        if code not in self._made:
            self._made[code] = self._make()
        return self._made[code]
