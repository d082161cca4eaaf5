"""The findings of the table's checks, as a screen for players and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Response, jsonify, make_response, render_template, request
from flask_openapi3.openapi import OpenAPI
from pydantic import BaseModel

from companion.doctor.finding import Check, Finding, FindingState, check_title, state_label, summary
from companion.doctor.live_checks import Doctor
from companion.i18n import _, retranslate
from web.routes.game.api import PLAYERS
from web.routes.game.page import PAGE
from web.security.access import Access, CodeWanted


class FindingView(BaseModel):
    """The result of one check.

    state: well, doubt (people can play, but it could be better), wrong or skipped. title, word: check and state for
    people. says: the result, a sentence. cure: what to do about it, or empty. facts: the figures behind it.
    """

    check: Check
    state: FindingState
    title: str
    word: str
    says: str
    cure: str
    facts: Mapping[str, Any]


class DoctorView(BaseModel):
    """All findings, in the order of the checks. well: none is wrong. summary: one sentence about all."""

    well: bool
    summary: str
    findings: list[FindingView]


def view(findings: Sequence[Finding]) -> DoctorView:
    """The findings in the language of the request."""
    return DoctorView(
        well=all(one.state is not FindingState.ERROR for one in findings),
        summary=summary(findings),
        findings=[
            FindingView(
                check=one.check,
                state=one.state,
                title=check_title(one.check),
                word=state_label(one.state),
                says=retranslate(one.says),
                cure=retranslate(one.cure),
                facts=one.facts,
            )
            for one in findings
        ],
    )


def add_doctor(app: OpenAPI, access: Access, doctor: Doctor) -> None:
    """Add the doctor's routes to ``app``. They name files and settings, so they are for players only."""

    @app.get("/doctor", responses={200: PAGE})
    def doctor_page() -> Response:
        """Show what is fine at this table, what is not, and what helps. Players only."""
        play = access.may_play(request)
        found = view(doctor.findings()) if play else None
        return make_response(render_template("screens/doctor.html", found=found, play=play))

    @app.get("/api/doctor", responses={200: DoctorView}, security=PLAYERS)
    def doctor_findings() -> Response:
        """Check everything the table needs. Takes some seconds."""
        if not access.may_play(request):
            raise CodeWanted(_("Only players may see this. Enter the table's code."))
        return jsonify(view(doctor.findings()).model_dump(mode="json"))
