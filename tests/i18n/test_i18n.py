"""Sentences are rendered in their reader's language."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from threading import Thread

from companion import i18n
from companion.errors import NotAllowed
from companion.i18n import N_, _, ngettext, retranslate, use_language
from tests.i18n.pseudo import PSEUDO, accented


def test_a_sentence_is_said_in_the_present_language() -> None:
    """A sentence is translated into the language of the context."""
    with use_language(PSEUDO):
        assert _("{name} to throw.", name="Ana") == f"Ana {accented('to throw.')}"
        assert ngettext("{number} piece", "{number} pieces", 2) == f"2 {accented('pieces')}"

    assert _("{name} to throw.", name="Ana") == "Ana to throw."


def test_a_thread_of_its_own_speaks_english() -> None:
    """A new thread starts in English."""
    spoken: list[str] = []
    with use_language(PSEUDO):
        thread = Thread(target=lambda: spoken.append(_("Pass")))
        thread.start()
        thread.join()

    assert spoken == ["Pass"]


def test_a_sentence_can_be_rendered_again() -> None:
    """This works also if one sentence is an argument of another, and after pickling."""
    why = _("The camera is gone.")
    said = _("{why} I'll carry on when it's back.", why=why)
    sent = pickle.loads(pickle.dumps(said))  # noqa: S301 - our own

    with use_language(PSEUDO):
        assert retranslate(said) == retranslate(sent) == accented("The camera is gone. I'll carry on when it's back.")
        assert retranslate(ngettext("{number} piece", "{number} pieces", 1)) == f"1 {accented('piece')}"
        assert retranslate(N_("Pass")) == accented("Pass")
        assert retranslate("") == ""


def test_braces_without_facts_are_only_braces() -> None:
    """Without facts, braces stay as they are."""
    assert _('It should look like {"marked": 3}.') == 'It should look like {"marked": 3}.'


def test_the_translators_page_names_the_functions_there_are() -> None:
    """All that it imports in the program is there."""
    told = (Path(__file__).parents[2] / "docs/translating.md").read_text(encoding="utf-8")
    [names] = re.findall(r"`from companion\.i18n import ([^`]*)`", told)

    assert [name for name in names.split(", ") if not hasattr(i18n, name)] == []


def test_an_error_is_told_in_the_language_of_its_reader() -> None:
    """An error raised in English is shown in its reader's language."""
    error = NotAllowed(_("Throw the sticks first."))

    assert str(error) == "Throw the sticks first."
    with use_language(PSEUDO):
        assert str(error) == accented("Throw the sticks first.")
