"""What the camera sees now: a screen to set it up by, and the same for programs."""

from __future__ import annotations

from typing import Any, assert_never

from flask import Response, make_response, render_template, request
from flask_openapi3.openapi import OpenAPI
from pydantic import BaseModel
from werkzeug.exceptions import NotFound

from companion.calibration import Teaching
from companion.referee.events import CameraChanged, CameraState
from companion.referee.referee import Referee
from companion.referee.words import camera_lost
from companion.window import Window
from companion.words import _, again, later
from web.access import Access
from web.page import JPEG, PAGE

PATIENCE_S = 1.5
"""Seconds that a phone waits for the first picture. Longer holds a thread of the server, shorter asks once more."""


class CameraNow(BaseModel):
    """What the camera does.

    state: as in the table. sees: whether a picture of now may be had. title, sentence: the same in words.
    detail: what exactly is wrong, for players alone, because it may name files; else empty.
    """

    state: CameraState
    sees: bool
    title: str
    sentence: str
    detail: str


def add_camera(app: OpenAPI, referee: Referee, access: Access, teaching: Teaching, window: Window | None) -> None:
    """Teach ``app`` the addresses of the camera's picture. window: what shows it; None without a camera."""

    def now() -> CameraNow:
        told = referee.table().camera
        taught = teaching.state().is_open
        sees = window is not None and told.state is not CameraState.LOST
        lost = told.state is CameraState.LOST and access.may_play(request)
        return CameraNow(
            state=told.state,
            sees=sees,
            title=title(told.state, taught=taught),
            sentence=sentence(told, taught=taught),
            detail=again(told.message) if lost else "",
        )

    @app.get("/camera", responses={200: PAGE})
    def camera() -> Response:
        """Show what the camera sees now."""
        return make_response(render_template("camera.html", now=now(), play=access.may_play(request)))

    @app.get("/api/camera", responses={200: CameraNow})
    def camera_now() -> dict[str, Any]:
        """Tell what the camera does."""
        return now().model_dump(mode="json")

    @app.get("/api/camera/picture", responses={200: JPEG})
    def camera_picture() -> Response:
        """Show the tray as the camera sees it now. Kept nowhere."""
        jpeg = teaching.picture()
        if jpeg is None and window is not None:
            jpeg = window.picture(PATIENCE_S if now().sees else 0)
        if jpeg is None:
            raise NotFound(_("The camera shows no picture now."))
        return Response(jpeg, mimetype="image/jpeg")


TITLES = {
    CameraState.NONE: later("No camera here"),
    CameraState.WATCHING: later("The camera watches"),
    CameraState.MOVING: later("Something moves"),
    CameraState.LOST: later("The camera is gone"),
    CameraState.UNCALIBRATED: later("It cannot read throws yet"),
}


def title(state: CameraState, *, taught: bool) -> str:
    """What the camera does, short. taught: whether somebody teaches it now."""
    return _("The camera is being taught") if taught else again(TITLES[state])


def sentence(told: CameraChanged, *, taught: bool) -> str:
    """The same in a sentence that says what to do."""
    if taught:
        return _("It reads no throws meanwhile. Tap the counts, or help to teach it.")
    match told.state:
        case CameraState.NONE:
            return _("This table plays without one: tap how many marked sides lie up.")
        case CameraState.MOVING:
            return _("It reads the throw when all lies still.")
        case CameraState.LOST:
            return camera_lost()
        case CameraState.WATCHING | CameraState.UNCALIBRATED:
            return again(told.message) or _("It reads each throw as soon as it lies still.")
        case _:
            assert_never(told.state)
