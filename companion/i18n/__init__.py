"""Translation of sentences for people.

The language belongs to the context, as in ``contextvars``: a request for a page sets its own; everything else, such as
the command line and the log, is in English.
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
"""The catalogues: LANGUAGE/LC_MESSAGES/puluc.po for each language, and its compiled form."""
DOMAIN = "puluc"


@dataclass(frozen=True, slots=True)
class Language:
    """A language. code: as in ``<html lang>``. catalogue: the translations."""

    code: str
    catalogue: NullTranslations

    @property
    def name(self) -> str:
        """The language's name in the language itself."""
        # Translators: the name of your own language, in your own language: Español, Français.
        return self.catalogue.gettext(N_("English"))


ENGLISH = Language("en", NullTranslations())
_present: ContextVar[Language] = ContextVar("language", default=ENGLISH)


class Sentence(str):
    """A translated text that can be translated again into another language, by ``retranslate``.

    message, many, number, facts: what it was made from, as in ``ngettext``; ``many`` is None for ``_``.
    """

    message: str
    many: str | None = None
    number: int = 0
    facts: Mapping[str, object] = MappingProxyType({})


def language() -> Language:
    """The language of the context."""
    return _present.get()


@contextmanager
def use_language(language: Language) -> Iterator[None]:
    """Use a language until the block is left."""
    before = _present.set(language)
    try:
        yield
    finally:
        _present.reset(before)


def _(message: str, **facts: object) -> Sentence:
    """Translate a sentence into the context's language, with each ``{name}`` replaced by the fact of that name.

    Without facts, braces stay. Facts that are Sentences are translated too.

    >>> _("{name} to throw.", name="Ana")
    'Ana to throw.'
    """
    return _said(message, None, 0, facts)


def ngettext(one: str, many: str, number: int, **facts: object) -> Sentence:
    """Translate a sentence with the plural form for ``number``, which is also a fact.

    >>> ngettext("{number} piece", "{number} pieces", 2), ngettext("{number} piece", "{number} pieces", 1)
    ('2 pieces', '1 piece')
    """
    return _said(one, many, number, {"number": number, **facts})


def N_(message: str) -> str:  # noqa: N802 - the name that gettext's manual gives it
    """Mark a constant for the catalogues; ``_`` or ``retranslate`` translates it when it is shown."""
    return message


def retranslate(text: str) -> str:
    """Translate a text into the context's language, whatever language it is in. Other texts stay as they are."""
    if isinstance(text, Sentence):
        return _said(text.message, text.many, text.number, text.facts)
    return language().catalogue.gettext(text) if text else text


@cache
def languages() -> Mapping[str, Language]:
    """Every language with a catalogue, by code; English first."""
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
    return retranslate(fact) if isinstance(fact, Sentence) else fact
