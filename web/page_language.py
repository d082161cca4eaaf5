"""The page's language on each phone, and the translations for the page's scripts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from hashlib import sha256

from flask import Response, g, request
from flask_openapi3.openapi import OpenAPI
from pydantic import BaseModel, Field
from werkzeug.exceptions import NotFound

from companion import i18n
from companion.i18n import ENGLISH, LOCALE, Language, _

COOKIE = "lang"
YEAR_S = 365 * 24 * 3600
SCRIPTED = LOCALE / "scripts.json"
"""The sentences in the page's scripts, each once; both English forms of one that has a plural."""
LARGEST_EXAMPLE = 1000
"""Every plural form of every language occurs below this number."""
SCRIPT = {"description": "Sentences, as a module", "content": {"text/javascript": {"schema": {"type": "string"}}}}


class ScriptName(BaseModel):
    """A version of the sentences."""

    name: str = Field(description="language and version")


@dataclass(frozen=True, slots=True)
class Script:
    """The translations for the page's scripts in one language. at: their address, new whenever one of them changes."""

    at: str
    body: str


def add_languages(app: OpenAPI, languages: Mapping[str, Language]) -> None:
    """Answer each request in the phone's language: the chosen one, else the one its browser asks for, else English."""

    @cache
    def script(code: str) -> Script:
        body = script_module(languages[code])
        return Script(f"/words/{code}-{sha256(body.encode()).hexdigest()[:12]}.js", body)

    def wanted() -> Language:
        chosen = request.cookies.get(COOKIE, "")
        if chosen in languages:
            return languages[chosen]
        return languages.get(request.accept_languages.best_match(list(languages)) or "", ENGLISH)

    @app.before_request
    def enter_language() -> None:
        g.language_block = i18n.use_language(wanted())
        g.language_block.__enter__()

    @app.teardown_request
    def leave_language(_error: BaseException | None) -> None:
        if block := g.pop("language_block", None):
            block.__exit__(None, None, None)

    @app.after_request
    def name_language(answer: Response) -> Response:
        answer.headers.setdefault("Content-Language", i18n.language().code)
        answer.vary.update(("Accept-Language", "Cookie"))
        return answer

    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.globals.update({"_": i18n._, "gettext": i18n._, "ngettext": i18n.ngettext})

    @app.context_processor
    def template_context() -> dict[str, object]:
        now = i18n.language()
        return {
            "language": now,
            "languages": list(languages.values()),
            "words_at": None if now is ENGLISH else script(now.code).at,
        }

    @app.get("/words/<string(maxlength=40):name>.js", responses={200: SCRIPT})
    def sentences(path: ScriptName) -> Response:
        """Send the translations for the page's scripts. They never change at their address."""
        there = script(code) if (code := path.name.rpartition("-")[0]) in languages else None
        if there is None or there.at != f"/words/{path.name}.js":
            raise NotFound(_("There are no translations at this address."))
        answer = Response(there.body, mimetype="text/javascript")
        answer.headers["Cache-Control"] = f"public, max-age={YEAR_S}, immutable"
        return answer


def script_module(language: Language) -> str:
    """The translations for the page's scripts in that language, as a module for static/common/i18n.js."""
    catalogue, (rule, examples) = language.catalogue, _plural(language)
    words = {
        said if isinstance(said, str) else said[0]: (
            catalogue.gettext(said)
            if isinstance(said, str)
            else [catalogue.ngettext(said[0], said[1], number) for number in examples]
        )
        for said in json.loads(SCRIPTED.read_text(encoding="utf-8"))
    }
    written = json.dumps(words, ensure_ascii=False, separators=(",", ":"))
    return f"export const plural = (n) => Number({rule});\nexport const words = {written};\n"


def _plural(language: Language) -> tuple[str, list[int]]:
    """The catalogue's rule for which form goes with a number ``n``, and for each form a number that it goes with."""
    rule = language.catalogue.info().get("plural-forms", ";plural=n != 1").rpartition("plural=")[2].rstrip("; ")
    # The rule is sent out as a script, so it has to be one: this raises ValueError for anything but arithmetic.
    form = c2py(rule)
    examples: dict[int, int] = {}
    for number in range(LARGEST_EXAMPLE):
        examples.setdefault(form(number), number)
    return rule, [examples[index] for index in sorted(examples)]
