"""Keeps the catalogues of sentences: ``python3 start.py words [LANGUAGE]``.

Finds every sentence in the program, brings each language's catalogue up to date, compiles it, and says what is still
to be translated. With a language there is no catalogue for, it begins one.
"""

from __future__ import annotations

import json
import re
import sys
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from companion.i18n import DOMAIN, LOCALE
from web.page_language import SCRIPTED

ROOT = Path(__file__).parents[2]
SOURCES = ("companion", "hardware", "web")
METHODS = [("**.py", "python"), ("**/templates/**.html", "jinja2"), ("**/static/**.js", "javascript")]
OPTIONS: dict[str, dict[str, Any]] = {
    "**/templates/**.html": {"silent": "false"},
    "**/static/**.js": {"jsx": False, "parse_template_string": True},
}
KEYWORDS: dict[str, tuple[int, ...] | None] = {"_": None, "N_": None, "t": None, "ngettext": (1, 2), "tn": (1, 2)}
TEMPLATE = LOCALE / f"{DOMAIN}.pot"
GAP = re.compile(r"\{\w*\}")
UNSTEADY = re.compile(rb'^"(POT-Creation-Date|PO-Revision-Date|Last-Translator|Generated-By|Report-Msgid).*\n', re.M)
"""Lines of a catalogue's head that would differ each time it is written."""
HEADER = """# The sentences of Puluc Companion. How to translate them: docs/translating.md.
#"""


def found() -> Catalog:
    """Every sentence in the program with the files that contain it."""
    catalogue = Catalog(project="Puluc Companion", version="1", charset="utf-8", header_comment=HEADER)
    for folder in SOURCES:
        for file, _line, message, comments, _context in extract_from_dir(
            ROOT / folder, METHODS, OPTIONS, KEYWORDS, comment_tags=["Translators:"], strip_comment_tags=True
        ):
            catalogue.add(message, None, [(f"{folder}/{file}", 0)], auto_comments=comments)
    return catalogue


def translated(path: Path, template: Catalog) -> Catalog:
    """A language's catalogue with exactly the current sentences; new ones are untranslated."""
    with path.open("rb") as file:
        catalogue = read_po(file, locale=path.parent.parent.name)
    catalogue.update(template, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    catalogue.header_comment, catalogue.fuzzy = HEADER, False
    catalogue.project, catalogue.version, catalogue.language_team = template.project, template.version, "none"
    return catalogue


def written(catalogue: Catalog) -> bytes:
    """The catalogue as the text that translators edit, in a deterministic form."""
    out = BytesIO()
    write_po(out, catalogue, width=120, include_lineno=False, sort_by_file=True)
    return UNSTEADY.sub(b"", out.getvalue())


class Steady(Catalog):
    """A catalogue whose header has no dates and nothing else that changes from day to day."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        return [
            ("Language", str(self.locale_identifier)),
            ("Plural-Forms", self.plural_forms),
            ("Content-Type", f"text/plain; charset={self.charset}"),
        ]


def compiled(catalogue: Catalog) -> bytes:
    """The catalogue as the program reads it. Untranslated sentences are left out and stay English."""
    steady, out = Steady(locale=catalogue.locale, charset="utf-8"), BytesIO()
    for message in messages(catalogue):
        steady[message.id] = message
    write_mo(out, steady)
    return out.getvalue()


def scripted(template: Catalog) -> bytes:
    """The sentences that the page's scripts use."""
    said = [
        message.id if isinstance(message.id, str) else list(message.id)
        for message in messages(template)
        if any(file.endswith(".js") for file, _ in message.locations)
    ]
    return (json.dumps(said, ensure_ascii=False, indent=1) + "\n").encode()


def current() -> dict[Path, bytes]:
    """Every file generated from the sentences in the program, up to date."""
    template = found()
    files = {TEMPLATE: written(template), SCRIPTED: scripted(template)}
    for path in catalogues():
        catalogue = translated(path, template)
        files[path] = written(catalogue)
        files[path.with_suffix(".mo")] = compiled(catalogue)
    return files


def said(path: Path, content: bytes) -> object:
    """The content of such a file regardless of its layout, since another version of Babel may break lines elsewhere."""
    if path.suffix == ".json":
        return json.loads(content)
    if path.suffix == ".mo":
        return GNUTranslations(BytesIO(content))._catalog  # type: ignore[attr-defined]  # no other way to see all
    translations = messages(read_po(BytesIO(content)))
    return {str(message.id): (message.string, message.locations, message.auto_comments) for message in translations}


def catalogues() -> list[Path]:
    """The catalogue of each language."""
    return sorted(LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def open_in(path: Path) -> list[str]:
    """What is left to translate in an up-to-date catalogue, one line for each fault."""
    with path.open("rb") as file:
        catalogue = read_po(file, locale=path.parent.parent.name)
    return [fault for message in messages(catalogue) for fault in faults(message, catalogue.num_plurals)]


def messages(catalogue: Catalog) -> list[Message]:
    """The catalogue's sentences without its header."""
    return [message for message in catalogue if message.id]


def faults(message: Message, forms: int) -> list[str]:
    """The faults of a translated sentence, in a language with this many plural forms."""
    ids = [message.id] if isinstance(message.id, str) else list(message.id)
    said = [message.string] if isinstance(message.string, str) else list(message.string or ())
    about = f"{ids[0]!r}"
    if message.fuzzy:
        return [f"{about} is marked fuzzy: look at it, and take the mark away."]
    if not all(said) or len(said) != (1 if len(ids) == 1 else forms):
        return [f"{about} is not translated."]
    wanted = set(GAP.findall(ids[-1]))
    # A form for one may leave its number out: "a piece".
    spare = {"{number}"} if len(ids) > 1 else set()
    return [
        f"{about} has {' '.join(sorted(wanted)) or 'no gaps'}, but {text!r} is translated with others."
        for text in said
        if not wanted - spare <= set(GAP.findall(text)) <= wanted
    ]


def begin(language: str) -> None:
    """Create an empty catalogue for a language. Exits if there is no such language."""
    try:
        locale = Locale.parse(language.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        sys.exit(f"There is no language '{language}'. Name one by its code, such as fr or pt-BR.")
    path = LOCALE / str(locale) / "LC_MESSAGES" / f"{DOMAIN}.po"
    if not path.exists():
        path.parent.mkdir(parents=True)
        path.write_bytes(written(Catalog(locale=locale, charset="utf-8", header_comment=HEADER)))


def main(wanted: list[str]) -> int:
    """Update all files; return 1 while anything is left to translate."""
    for language in wanted:
        begin(language)
    for path, content in current().items():
        path.write_bytes(content)
    left = {path: open_in(path) for path in catalogues()}
    for path, faults in left.items():
        report = [f"{path.relative_to(ROOT)}: {len(faults) or 'nothing'} left to do", *faults]
        sys.stdout.write("\n  ".join(report) + "\n")
    return 1 if any(left.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
