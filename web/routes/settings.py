"""How this phone likes its page, and how the table likes its game: one screen, and what every page needs of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from flask import Flask, Request, Response, make_response, redirect, render_template, request
from flask_openapi3.openapi import OpenAPI
from pydantic import BaseModel, Field
from werkzeug.wrappers import Response as BaseResponse

from companion.referee.referee import Referee
from web.access import Access
from web.page import PAGE
from web.words import COOKIE as LANGUAGE

THEME, MOTION, BOTTOM = "puluc_theme", "puluc_motion", "puluc_bottom"
"""Cookies rather than the browser's own store, because the server writes the first view, in the right colours."""
YEAR_S = 365 * 24 * 3600
THEMES = ("auto", "light", "dark")
MOTIONS = ("auto", "less")
BOTTOMS = ("jade", "obsidian")
DARK_FOR = {"auto": "(prefers-color-scheme: dark)", "light": "not all", "dark": "all"}
"""For which media the dark colours hold, by theme."""
SCHEMES = {"auto": "light dark", "light": "light", "dark": "dark"}
"""In what colours the browser draws its own parts, by theme."""


@dataclass(frozen=True, slots=True)
class Phone:
    """What the asking phone likes.

    theme: auto, light or dark. motion: auto or less. lang: a code, or as it asks. turned: Obsidian is at the bottom.
    """

    theme: str
    motion: str
    lang: str
    turned: bool = False

    @classmethod
    def of(cls, asking: Request) -> Phone:
        """What that request's cookies say; what they do not say, or say wrongly, is left to the system."""
        theme, motion = asking.cookies.get(THEME, ""), asking.cookies.get(MOTION, "")
        return cls(
            theme=theme if theme in THEMES else "auto",
            motion=motion if motion in MOTIONS else "auto",
            lang=asking.cookies.get(LANGUAGE, ""),
            turned=asking.cookies.get(BOTTOM) == BOTTOMS[1],
        )

    @property
    def dark(self) -> str:
        """For which media the dark colours hold."""
        return DARK_FOR[self.theme]

    @property
    def scheme(self) -> str:
        """In what colours the browser draws its own parts."""
        return SCHEMES[self.theme]

    @property
    def still(self) -> bool:
        """Whether nothing shall move."""
        return self.motion == "less"


class Wanted(BaseModel):
    """What the phone shall be like from now on. What is left out stays."""

    theme: str = Field("", description="the colours: auto, light or dark")
    motion: str = Field("", description="less for a page on which nothing moves, else auto")
    bottom: str = Field("", description="whose base is at the bottom of the board: jade or obsidian")
    lang: str | None = Field(None, description="the code of a language there is, or nothing for what the browser asks")

    def fitting(self, languages: Collection[str]) -> dict[str, str]:
        """What can be kept of it, by the names of the cookies; an empty value takes one back."""
        wished = (
            (THEME, self.theme, THEMES),
            (MOTION, self.motion, MOTIONS),
            (BOTTOM, self.bottom, BOTTOMS),
            (LANGUAGE, self.lang, ("", *languages)),
        )
        return {cookie: value for cookie, value, known in wished if value is not None and value in known}


def know_phones(app: Flask) -> None:
    """Let every page of ``app`` be written as the phone that asks for it likes it."""

    @app.context_processor
    def facts() -> dict[str, Any]:
        return {"phone": Phone.of(request)}


def add_settings(app: OpenAPI, referee: Referee, access: Access, languages: Collection[str]) -> None:
    """Teach ``app`` the address of the settings. languages: the codes of those it speaks."""

    @app.get("/settings", responses={200: PAGE})
    def settings(query: Wanted) -> Response | BaseResponse:
        """Show the settings; with some in the address, keep these on the phone first."""
        wished = query.fitting(languages)
        if not wished:
            return make_response(
                render_template("settings.html", table=referee.snapshot(), play=access.may_play(request))
            )
        answer = redirect("/settings")
        for cookie, value in wished.items():
            # Not hidden from scripts: a tap changes it at once, without asking the server.
            answer.set_cookie(cookie, value, max_age=YEAR_S if value else 0, samesite="Lax")
        return answer
