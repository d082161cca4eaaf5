"""The language that people are spoken to in: English, unless whoever asks wants another.

The language belongs to the present context, as ``contextvars`` has it: a page's request sets its own, and whatever sets
none, such as the command line, the log and other programs, is spoken to in English.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from types import MappingProxyType

LOCALE = Path(__file__).with_name("locale")
"""Where the catalogues are: for each language LANGUAGE/LC_MESSAGES/puluc.po, and what it is compiled to."""
DOMAIN = "puluc"


@dataclass(frozen=True, slots=True)
class Language:
    """A language to speak in. code: as in ``<html lang>``. catalogue: what the sentences are in it."""

    code: str
    catalogue: NullTranslations

    @property
    def name(self) -> str:
        """What the language calls itself."""
        # Translators: the name of your own language, in your own language: Español, Français.
        return self.catalogue.gettext(later("English"))


ENGLISH = Language("en", NullTranslations())
_present: ContextVar[Language] = ContextVar("language", default=ENGLISH)


class Sentence(str):
    """Text that still knows what was meant, so that ``again`` can say it in another language.

    message, many, number, facts: what it was made from, as ``ngettext`` takes it; many None where only one form was.
    """

    message: str
    many: str | None = None
    number: int = 0
    facts: Mapping[str, object] = MappingProxyType({})


def language() -> Language:
    """The language of the present context."""
    return _present.get()


@contextmanager
def speaking(tongue: Language) -> Iterator[None]:
    """Speak in that language until the block is left."""
    before = _present.set(tongue)
    try:
        yield
    finally:
        _present.reset(before)


def _(message: str, **facts: object) -> Sentence:
    """That sentence in the present language, each ``{name}`` in it filled with the fact of that name.

    A sentence without facts is taken as it is, braces and all. A fact that is a Sentence, or an error made of one, is
    said in the same language.

    >>> _("{name} to throw.", name="Ana")
    'Ana to throw.'
    """
    return _said(message, None, 0, facts)


def ngettext(one: str, many: str, number: int, **facts: object) -> Sentence:
    """The form that goes with that number, which is a fact by the name of ``number``.

    >>> ngettext("{number} piece", "{number} pieces", 2), ngettext("{number} piece", "{number} pieces", 1)
    ('2 pieces', '1 piece')
    """
    return _said(one, many, number, {"number": number, **facts})


def later(message: str) -> str:
    """That sentence as it is, for the catalogues; ``_`` or ``again`` says it when somebody is there to read it."""
    return message


def again(text: str) -> str:
    """What was said before, now in the present language. Other people's words stay as they are."""
    if isinstance(text, Sentence):
        return _said(text.message, text.many, text.number, text.facts)
    return language().catalogue.gettext(text) if text else text


@cache
def languages() -> Mapping[str, Language]:
    """Every language there is a catalogue for, by its code; English first."""
    found = {ENGLISH.code: ENGLISH}
    for path in sorted(LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")):
        code = path.parent.parent.name.replace("_", "-")
        with path.open("rb") as compiled:
            found[code] = Language(code, GNUTranslations(compiled))
    return MappingProxyType(found)


def _said(message: str, many: str | None, number: int, facts: Mapping[str, object]) -> Sentence:
    catalogue = language().catalogue
    text = catalogue.gettext(message) if many is None else catalogue.ngettext(message, many, number)
    said = Sentence(text.format(**{name: _fact(fact) for name, fact in facts.items()}) if facts else text)
    said.message, said.many, said.number, said.facts = message, many, number, facts
    return said


def _fact(fact: object) -> object:
    return again(fact) if isinstance(fact, Sentence) else fact
