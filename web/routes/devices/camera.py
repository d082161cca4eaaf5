"""The live picture of the camera, as a screen to set it up with and as JSON."""

from __future__ import annotations

from typing import Any, assert_never

from flask import Response, make_response, render_template, request
from flask_openapi3.openapi import OpenAPI
from pydantic import BaseModel
from werkzeug.exceptions import NotFound

from companion.calibration.session import CalibrationService
from companion.i18n import N_, _, retranslate
from companion.live_preview import Preview
from companion.referee.events import CameraChanged, CameraState
from companion.referee.referee import Referee
from companion.referee.snapshots.prompts import camera_text
from web.routes.game.page import JPEG, PAGE
from web.security.access import Access

PATIENCE_S = 3.0
"""Seconds that a request waits for the first picture. Longer blocks a thread of the server; shorter asks again."""


class CameraNow(BaseModel):
    """The camera's state.

    state: as in the table. sees: whether a live picture is available. title, sentence: the state in words.
    detail: the exact fault, for players only because it may name files; else empty.
    """

    state: CameraState
    sees: bool
    title: str
    sentence: str
    detail: str


def add_camera(
    app: OpenAPI, referee: Referee, access: Access, calibration: CalibrationService, preview: Preview | None
) -> None:
    """Teach ``app`` the addresses of the camera's picture. preview: None without a camera."""

    def now() -> CameraNow:
        camera = referee.state().camera
        taught = calibration.state().is_open
        sees = preview is not None and camera.state is not CameraState.LOST
        lost = camera.state is CameraState.LOST and access.may_play(request)
        return CameraNow(
            state=camera.state,
            sees=sees,
            title=title(camera.state, taught=taught),
            sentence=sentence(camera, taught=taught),
            detail=retranslate(camera.message) if lost else "",
        )

    @app.get("/camera", responses={200: PAGE})
    def camera() -> Response:
        """Show what the camera sees now."""
        return make_response(render_template("screens/camera.html", now=now(), play=access.may_play(request)))

    @app.get("/api/camera", responses={200: CameraNow})
    def camera_now() -> dict[str, Any]:
        """Return the camera's state."""
        return now().model_dump(mode="json")

    @app.get("/api/camera/picture", responses={200: JPEG, 204: None})
    def camera_picture() -> Response:
        """Show the tray as the camera sees it now, or nothing if the picture is late. It is not stored."""
        jpeg = calibration.picture()
        if jpeg is None and preview is not None:
            sees = now().sees
            jpeg = preview.picture(PATIENCE_S if sees else 0)
            if jpeg is None and sees and not preview.failure:
                return make_response("", 204)
        if jpeg is None:
            raise NotFound(_("The camera shows no picture now."))
        return Response(jpeg, mimetype="image/jpeg")


TITLES = {
    CameraState.NONE: N_("No camera here"),
    CameraState.WATCHING: N_("The camera is watching"),
    CameraState.MOVING: N_("Something is moving"),
    CameraState.LOST: N_("The camera is gone"),
    CameraState.UNCALIBRATED: N_("It cannot read throws yet"),
}


def title(state: CameraState, *, taught: bool) -> str:
    """A heading for what the camera is doing. taught: whether it is being taught."""
    return _("The camera is being taught") if taught else retranslate(TITLES[state])


def sentence(camera: CameraChanged, *, taught: bool) -> str:
    """A sentence that says what to do."""
    if taught:
        return _("It can't read throws meanwhile. Tap the counts, or help teach it.")
    match camera.state:
        case CameraState.NONE:
            return _("This table has no camera. Tap how many marked sides are up.")
        case CameraState.MOVING:
            return _("It reads the throw once everything is still.")
        case CameraState.LOST:
            return camera_text(camera)
        case CameraState.WATCHING | CameraState.UNCALIBRATED:
            return retranslate(camera.message) or _("It reads each throw as soon as the sticks are still.")
        case _:
            assert_never(camera.state)
