"""A language for tests: English with an accent on every letter, so that untranslated text stands out."""

from __future__ import annotations

import re
from gettext import NullTranslations

from companion.i18n import Language

LETTERS = dict(zip("abcdefghijklmnopqrstuvwxyz", "áƀçđéƒğħíĵķłɱñóƥɋřšţúṽŵẋýž", strict=True))
ACCENTS = str.maketrans(LETTERS | {plain.upper(): accented.upper() for plain, accented in LETTERS.items()})
GAP = re.compile(r"(\{\w+\})")


def accented(text: str) -> str:
    """That text without a plain letter, but for the names of its facts.

    >>> accented("{name} to throw.")
    '{name} ţó ţħřóŵ.'
    """
    return "".join(part if GAP.fullmatch(part) else part.translate(ACCENTS) for part in GAP.split(text))


class Accented(NullTranslations):
    """A catalogue that accents every sentence instead of looking it up."""

    def gettext(self, message: str) -> str:
        return accented(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return accented(super().ngettext(msgid1, msgid2, n))


PSEUDO = Language("en-XA", Accented())
"""By the code that is agreed for such languages; ``create_app(..., speaking={PSEUDO.code: PSEUDO})`` knows it."""
