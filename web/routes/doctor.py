"""What the doctor finds at this table: a screen for players, and the same for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Response, jsonify, make_response, render_template, request
from flask_openapi3.openapi import OpenAPI
from pydantic import BaseModel

from companion.doctor.finding import Check, Finding, State, summary, title, word
from companion.doctor.serving import Doctor
from companion.words import _, again
from web.access import Access, CodeWanted
from web.page import PAGE


class Found(BaseModel):
    """What one check found.

    check: what was looked at. state: well, doubt (one can play, and it would be better otherwise), wrong, or skipped.
    title, word: the same in words. says: what is so. cure: what to do, or empty. facts: the figures behind it.
    """

    check: Check
    state: State
    title: str
    word: str
    says: str
    cure: str
    facts: Mapping[str, Any]


class Checkup(BaseModel):
    """All that was found, in the order of the checks. well: nothing is wrong. summary: all of it in a sentence."""

    well: bool
    summary: str
    findings: list[Found]


def view(findings: Sequence[Finding]) -> Checkup:
    """The findings as pages and programs get them, in the present language."""
    return Checkup(
        well=all(one.state is not State.WRONG for one in findings),
        summary=summary(findings),
        findings=[
            Found(
                check=one.check,
                state=one.state,
                title=title(one.check),
                word=word(one.state),
                says=again(one.says),
                cure=again(one.cure),
                facts=one.facts,
            )
            for one in findings
        ],
    )


def add_doctor(app: OpenAPI, access: Access, doctor: Doctor) -> None:
    """Teach ``app`` the addresses of the doctor. Details name files and settings, so they are for players alone."""

    @app.get("/doctor", responses={200: PAGE})
    def doctor_page() -> Response:
        """Show what is well at this table, what is not, and what helps. Players only; others are told to ask one."""
        play = access.may_play(request)
        found = view(doctor.findings()) if play else None
        return make_response(render_template("doctor.html", found=found, play=play))

    @app.get("/api/doctor", responses={200: Checkup}, security=[{"code": []}, {"cookie": []}])
    def doctor_findings() -> Response:
        """Look at everything the table needs and tell what was found. It takes some seconds."""
        if not access.may_play(request):
            raise CodeWanted(_("What is wrong at this table is told to its players. Show the table's code."))
        return jsonify(view(doctor.findings()).model_dump(mode="json"))
