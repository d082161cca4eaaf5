"""The page of a table that cannot be served yet: why, and what helps. It renews itself until the table is there."""

from __future__ import annotations

from flask import Flask, Response, jsonify, make_response, render_template, request
from flask_openapi3.openapi import OpenAPI
from werkzeug.exceptions import HTTPException

from companion.words import again, languages
from web.app import guard
from web.settings import know_phones
from web.words import add_words

AGAIN_S = 5
"""Seconds after which the page asks anew."""


def waiting_app(problem: str) -> Flask:
    """An application that answers every address with that problem, status 503: phones as a page, programs as JSON.

    problem: a sentence for the people at the table, with the cure in it.
    """
    app = OpenAPI(__name__, doc_ui=False)
    know_phones(app)
    add_words(app, languages())
    guard(app)

    def why(_error: HTTPException) -> Response:
        said = again(problem)
        if "text/html" in request.headers.get("Accept", "") and request.method == "GET":
            answer = make_response(render_template("waiting.html", problem=said, seconds=AGAIN_S))
        else:
            answer = jsonify(status="waiting", problem=said)
        answer.status_code = 503
        answer.headers["Retry-After"] = str(AGAIN_S)
        return answer

    app.register_error_handler(HTTPException, why)
    return app
