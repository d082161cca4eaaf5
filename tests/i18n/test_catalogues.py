"""Every sentence is translated into every language that has a catalogue, and none is lost on the way."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from jinja2 import Environment, nodes

from tests.i18n import catalogues
from web.page_language import SCRIPTED

UP_TO_DATE = "python3 start.py words"


@pytest.fixture(scope="module")
def template() -> Catalog:
    return catalogues.found()


@pytest.fixture(scope="module")
def current() -> dict[Path, bytes]:
    return catalogues.current()


def test_every_file_is_up_to_date(current: dict[Path, bytes]) -> None:
    """If it fails, sentences changed after the catalogues were made: run the command again."""
    stale = [
        path.name
        for path, content in current.items()
        if not path.exists() or catalogues.said(path, path.read_bytes()) != catalogues.said(path, content)
    ]

    assert not stale, UP_TO_DATE


def test_spanish_is_there() -> None:
    """There is a Spanish catalogue."""
    assert "es" in {path.parent.parent.name for path in catalogues.catalogues()}


@pytest.mark.parametrize("path", catalogues.catalogues(), ids=lambda path: path.parent.parent.name)
def test_every_sentence_is_translated(path: Path) -> None:
    """None is missing or fuzzy, and each has the same placeholders as the English one."""
    assert catalogues.open_in(path) == []


def test_a_careless_translation_is_found() -> None:
    """The check finds missing and fuzzy sentences, and lost or misspelt placeholders."""
    careless = Catalog(locale="es")
    for message, said in (
        ("Pass", ""),
        ("{name} to throw.", "Le toca tirar."),
        ("{name} is throwing…", "{nombre} está tirando …"),
        (("{number} piece", "{number} pieces"), ("una pieza", "{number} piezas")),
    ):
        careless.add(message, said)
    careless.add("Throw", "Tirar", flags=["fuzzy"])

    found = [fault for message in careless if message.id for fault in catalogues.faults(message, 2)]

    assert [fault.split(" ")[0] for fault in found] == ["'Pass'", "'{name}", "'{name}", "'Throw'"]


def test_every_sentence_is_given_its_facts() -> None:
    """A placeholder without a value would fail only when somebody is there to read it."""
    for said in (*_in_the_program(), *_in_the_templates()):
        gaps = set(catalogues.GAP.findall(said.text))
        given = {f"{{{name}}}" for name in said.facts}
        assert said.open or gaps - {"{number}"} == given - {"{number}"}, said


def test_every_sentence_of_the_scripts_is_sent() -> None:
    """Sentences missed by the extraction, such as one within another's arguments, would stay English."""
    sent = {said if isinstance(said, str) else said[0] for said in json.loads(SCRIPTED.read_text(encoding="utf-8"))}
    for path in (catalogues.ROOT / "web" / "static").rglob("*.js"):
        said = re.findall(r'\btn?\(\s*("(?:[^"\\]|\\.)*")', path.read_text(encoding="utf-8"))
        assert {json.loads(one) for one in said} <= sent, path.name


def test_every_sentence_of_the_program_is_in_the_catalogue(template: Catalog) -> None:
    """Sentences missed by the extraction would stay English."""
    for said in (*_in_the_program(), *_in_the_templates()):
        assert said.text in template, said


@dataclass(frozen=True, slots=True)
class Said:
    """A call that translates, with its sentence. open: it has further arguments, known only when it runs."""

    where: str
    text: str
    facts: tuple[str, ...]
    open: bool


def _in_the_program() -> Iterator[Said]:
    for path in (path for folder in catalogues.SOURCES for path in (catalogues.ROOT / folder).rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match call:
                case ast.Call(func=ast.Name("_" | "ngettext"), args=[ast.Constant(str(text)), *_], keywords=facts):
                    names = tuple(fact.arg for fact in facts if fact.arg)
                    yield Said(f"{path}:{call.lineno}", text, names, len(names) < len(facts))


def _in_the_templates() -> Iterator[Said]:
    reader = Environment()  # noqa: S701 - it only reads them
    for path in (catalogues.ROOT / "web" / "templates").glob("*.html"):
        for call in reader.parse(path.read_text(encoding="utf-8")).find_all(nodes.Call):
            match call.node, call.args:
                case nodes.Name(name="_" | "ngettext"), [nodes.Const(value=str(text)), *_]:
                    names = tuple(fact.key for fact in call.kwargs)
                    yield Said(f"{path}:{call.lineno}", text, names, call.dyn_kwargs is not None)
