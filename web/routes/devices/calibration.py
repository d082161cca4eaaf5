"""Calibrating the camera for new sticks from a phone: the page and its API."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Request, Response, make_response, render_template, request
from flask_openapi3.openapi import OpenAPI
from werkzeug.exceptions import NotFound

from companion.calibration.prompts import button, other, seen, sentence, title
from companion.calibration.session import (
    Busy,
    CalibrationRequest,
    CalibrationService,
    CalibrationState,
    CancelCalibration,
    ConfirmStep,
    GoBack,
    JudgeTestThrow,
    Stage,
    StartCalibration,
)
from companion.i18n import _, retranslate
from companion.referee.events import Face, Lot
from companion.referee.snapshots.table_view import View
from web import schemas
from web.routes.game.api import PLAYERS
from web.routes.game.page import JPEG, PAGE
from web.schemas import CalibrationStart, CalibrationStep
from web.security.access import Access


class Calibration(View):
    """The complete state of the calibration; the newest replaces all before.

    step: to be sent with each request, which is refused if another phone was quicker.
    stage: closed, empty, marked, plain (the pictures), throw, shown (the test throws), doubt, done.
    busy: why the camera cannot take the next request: opening, still, learning, saving, lost; null if nothing does.
    open: whether the camera is being taught now. possible: whether this table has one that can be.
    title, sentence: what to do now. problem: why the step must be repeated, or empty.
    button, other: labels of the buttons; other may be empty.
    seen: the camera's view in words. lots: the lots in it, in pixels of a picture of width x height.
    throws: whether each test throw so far was read right. faces: whether there are pictures of both sides to show.
    """

    step: int
    stage: Stage
    busy: Busy | None
    open: bool
    possible: bool
    title: str
    sentence: str
    problem: str
    button: str
    other: str
    seen: str
    lots: tuple[Lot, ...]
    width: int
    height: int
    throws: list[bool]
    sticks: str
    faces: bool


def view(state: CalibrationState) -> Calibration:
    """The state as JSON."""
    return Calibration.copied_from(
        state,
        open=state.is_open,
        title=title(state),
        sentence=sentence(state),
        problem=retranslate(state.problem),
        button=button(state),
        other=other(state),
        seen=seen(state),
        throws=list(state.verdicts),
    )


def add_calibration(app: OpenAPI, access: Access, calibration: CalibrationService) -> None:
    """Add the routes of the calibration to ``app``."""

    def seen_by(asking: Request, state: CalibrationState) -> Calibration:
        # Problems may name files and devices, which only players may see.
        kept = access.may_play(asking) or not state.possible
        return view(state if kept else replace(state, problem=""))

    def shown(state: CalibrationState) -> dict[str, Any]:
        return seen_by(request, state).model_dump(mode="json")

    def done(wish: CalibrationRequest, body: CalibrationStep) -> dict[str, Any]:
        return shown(calibration.submit(wish, seen=body.step))

    @app.get("/calibrate", responses={200: PAGE})
    def teach() -> Response:
        """Guide through teaching the camera your sticks."""
        play = access.may_play(request)
        now = seen_by(request, calibration.state(attended=play))
        return make_response(render_template("screens/calibrate.html", now=now, play=play))

    @app.get("/api/calibration", responses={200: Calibration})
    def teaching_state() -> dict[str, Any]:
        """Return the calibration's progress. A calibration is abandoned if no player asks for two minutes."""
        return shown(calibration.state(attended=access.may_play(request)))

    @app.get("/api/calibration/picture", responses={200: JPEG})
    def teaching_picture(query: schemas.TeachingPictureQuery) -> Response:
        """Show the tray as the camera sees it now, while it is being taught, or one side of all four lots."""
        jpeg = calibration.picture(query.side and Face(query.side))
        if jpeg is None:
            raise NotFound(_("There's no picture because nobody is teaching the camera right now."))
        return Response(jpeg, mimetype="image/jpeg")

    @app.post("/api/calibration", responses={200: Calibration}, security=PLAYERS)
    def teach_begin(body: CalibrationStart) -> dict[str, Any]:
        """Start a calibration, with the camera's light and focus locked, or join the one in progress."""
        return done(StartCalibration(body.sticks), body)

    @app.post("/api/calibration/next", responses={200: Calibration}, security=PLAYERS)
    def teach_next(body: CalibrationStep) -> dict[str, Any]:
        """Confirm that the tray is as asked. Its picture is taken once nothing moves, after this response."""
        return done(ConfirmStep(), body)

    @app.post("/api/calibration/back", responses={200: Calibration}, security=PLAYERS)
    def teach_back(body: CalibrationStep) -> dict[str, Any]:
        """Go back one step."""
        return done(GoBack(), body)

    @app.post("/api/calibration/verdict", responses={200: Calibration}, security=PLAYERS)
    def teach_verdict(body: schemas.VerdictRequest) -> dict[str, Any]:
        """Say whether the test throw was read right."""
        return done(JudgeTestThrow(body.right), body)

    @app.post("/api/calibration/cancel", responses={200: Calibration}, security=PLAYERS)
    def teach_cancel(body: CalibrationStep) -> dict[str, Any]:
        """Cancel the calibration, and keep the previous one."""
        return done(CancelCalibration(), body)
