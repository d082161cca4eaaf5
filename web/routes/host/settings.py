"""The settings of the phone and of the table, and the phone's settings for every template."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from flask import Flask, Request, Response, make_response, redirect, render_template, request
from flask_openapi3.openapi import OpenAPI
from pydantic import BaseModel, Field
from werkzeug.wrappers import Response as BaseResponse

from companion.referee.referee import Referee
from web.page_language import COOKIE as LANGUAGE
from web.page_language import YEAR_S
from web.routes.game.page import PAGE
from web.security.access import Access

THEME, MOTION, BOTTOM, HINTS = "puluc_theme", "puluc_motion", "puluc_bottom", "puluc_hints"
"""Cookies rather than the browser's own store, because the server writes the first view, in the right colours."""
MOTIONS = ("auto", "less")
BOTTOMS = ("jade", "obsidian")
HINTED = ("no", "yes")
COLOURS = {
    "auto": ("(prefers-color-scheme: dark)", "light dark"),
    "light": ("not all", "light"),
    "dark": ("all", "dark"),
}
"""By theme, for which media the dark colours hold, and in what colours the browser draws its own parts."""


@dataclass(frozen=True, slots=True)
class Phone:
    """The settings of the asking phone.

    theme: auto, light or dark. motion: auto or less. lang: a code, or as it asks. turned: Obsidian is at the bottom.
    hints: what moves are worth is shown.
    """

    theme: str
    motion: str
    lang: str
    turned: bool = False
    hints: bool = False

    @classmethod
    def of(cls, asking: Request) -> Phone:
        """Read the settings from a request's cookies. Missing or invalid ones follow the system."""
        theme, motion = asking.cookies.get(THEME, ""), asking.cookies.get(MOTION, "")
        return cls(
            theme=theme if theme in COLOURS else "auto",
            motion=motion if motion in MOTIONS else "auto",
            lang=asking.cookies.get(LANGUAGE, ""),
            turned=asking.cookies.get(BOTTOM) == BOTTOMS[1],
            hints=asking.cookies.get(HINTS) == "yes",
        )

    @property
    def dark(self) -> str:
        """The media query for the dark colours."""
        return COLOURS[self.theme][0]

    @property
    def scheme(self) -> str:
        """The value of CSS's ``color-scheme``."""
        return COLOURS[self.theme][1]

    @property
    def still(self) -> bool:
        """Whether motion is switched off."""
        return self.motion == "less"


class SettingsQuery(BaseModel):
    """Settings to store on the phone. Those left out stay as they are."""

    theme: str = Field("", description="the colours: auto, light or dark")
    motion: str = Field("", description="less for a page on which nothing moves, else auto")
    bottom: str = Field("", description="whose base is at the bottom of the board: jade or obsidian")
    hints: str = Field("", description="yes to show what the moves are worth, else no")
    lang: str | None = Field(None, description="the code of a language there is, or nothing for what the browser asks")

    def fitting(self, languages: Collection[str]) -> dict[str, str]:
        """The valid settings, by cookie name. An empty value removes a cookie."""
        wished = (
            (THEME, self.theme, COLOURS),
            (MOTION, self.motion, MOTIONS),
            (BOTTOM, self.bottom, BOTTOMS),
            (HINTS, self.hints, HINTED),
            (LANGUAGE, self.lang, ("", *languages)),
        )
        return {cookie: value for cookie, value, known in wished if value is not None and value in known}


def add_phone_settings(app: Flask) -> None:
    """Give every template of ``app`` the settings of the asking phone."""

    @app.context_processor
    def facts() -> dict[str, Any]:
        return {"phone": Phone.of(request)}


def add_settings(app: OpenAPI, referee: Referee, access: Access, languages: Collection[str]) -> None:
    """Add the routes of the settings to ``app``. languages: the codes of those available."""

    @app.get("/settings", responses={200: PAGE})
    def settings(query: SettingsQuery) -> Response | BaseResponse:
        """Show the settings; with some in the address, keep these on the phone first."""
        wished = query.fitting(languages)
        if not wished:
            return make_response(
                render_template(
                    "screens/settings.html", table=referee.snapshot(), play=access.may_play(request), colours=COLOURS
                )
            )
        answer = redirect("/settings")
        for cookie, value in wished.items():
            # Not hidden from scripts: a tap changes it at once, without asking the server.
            answer.set_cookie(cookie, value, max_age=YEAR_S if value else 0, samesite="Lax")
        return answer
