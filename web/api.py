"""What programs and the page ask of the table, and what they may do to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, request
from flask_openapi3.openapi import OpenAPI
from pydantic import BaseModel

from companion.referee import events as happen
from companion.referee.events import Event, GameStarted
from companion.referee.referee import Referee, new_seed
from companion.referee.snapshot import Snapshot
from companion.rules.position import Side
from web.access import Access
from web.bodies import Chosen, Marked, NewGame, Step
from web.events import Streams


class Healthy(BaseModel):
    """The companion serves. number: that of the newest event."""

    status: str
    number: int


class Welcome(BaseModel):
    """Whether the asking phone may play, or only watch."""

    play: bool


STREAM = {"description": "One event at each change", "content": {"text/event-stream": {"schema": {"type": "string"}}}}
PLAYERS: list[dict[str, list[Any]]] = [{"code": []}, {"cookie": []}]
"""How the description says that a player shows the code, in one way or the other."""


def game_started(*, variant: str, changes: Mapping[str, str], jade: str, obsidian: str) -> GameStarted:
    """A new game with chance of its own. A player called ``human`` goes by the name of the side."""
    names = {Side.JADE: jade.strip(), Side.OBSIDIAN: obsidian.strip()}
    called = {side: side.value.capitalize() if name == "human" else name for side, name in names.items()}
    return GameStarted(
        variant=variant, jade=called[Side.JADE], obsidian=called[Side.OBSIDIAN], seed=new_seed(), changes=dict(changes)
    )


def shown(snapshot: Snapshot) -> Response:
    """The table as JSON."""
    return Response(snapshot.model_dump_json(by_alias=True), mimetype="application/json")


def add_api(app: OpenAPI, referee: Referee, access: Access, streams: Streams) -> None:
    """Teach ``app`` the addresses below /api, and /healthz."""

    def done(event: Event, body: Step) -> Response:
        return shown(referee.submit(event, seen=body.step))

    @app.get("/healthz", responses={200: Healthy})
    def healthz() -> dict[str, Any]:
        """Tell that the companion serves."""
        return Healthy(status="ok", number=referee.snapshot().number).model_dump()

    @app.get("/api/openapi.json", doc_ui=False)
    def description() -> dict[str, Any]:
        return app.api_doc

    @app.get("/api/table", responses={200: Snapshot})
    def table() -> Response:
        """Show the table as it is now."""
        return shown(referee.snapshot())

    @app.get("/api/events", responses={200: STREAM})
    def events() -> Response:
        """Tell the table, now and at each change, as server-sent events whose data is as in /api/table."""
        return streams.open(request.environ.get("waitress.client_disconnected", lambda: False))

    @app.get("/api/welcome", responses={200: Welcome})
    def welcome() -> dict[str, Any]:
        """Tell whether you may play."""
        return Welcome(play=access.may_play(request)).model_dump()

    @app.post("/api/games", responses={200: Snapshot}, security=PLAYERS)
    def games(body: NewGame) -> Response:
        """Start a new game; the one on the table ends."""
        changes = {
            name: ",".join(map(str, value)) if isinstance(value, list) else str(value)
            for name, value in body.set.items()
        }
        started = game_started(variant=body.variant, changes=changes, jade=body.jade, obsidian=body.obsidian)
        return done(started, body)

    @app.post("/api/again", responses={200: Snapshot}, security=PLAYERS)
    def again(body: Step) -> Response:
        """Play the same game once more, when it is over."""
        return done(happen.GameAgain(), body)

    @app.post("/api/throw", responses={200: Snapshot}, security=PLAYERS)
    def throw(body: Marked) -> Response:
        """Enter a throw, or correct the one that was read."""
        return done(happen.ThrowEntered(body.marked), body)

    @app.post("/api/rethrow", responses={200: Snapshot}, security=PLAYERS)
    def rethrow(body: Step) -> Response:
        """Forget the reading and look at the tray anew."""
        return done(happen.ThrowAgain(), body)

    @app.post("/api/confirm", responses={200: Snapshot}, security=PLAYERS)
    def confirm(body: Step) -> Response:
        """Say yes to the reading, or to the only or the chosen move."""
        return done(happen.Confirmed(), body)

    @app.post("/api/move", responses={200: Snapshot}, security=PLAYERS)
    def move(body: Chosen) -> Response:
        """Play a move."""
        start = None if body.start == "base" else body.start
        return done(happen.MoveChosen(start, None if body.to == "home" else body.to), body)

    @app.post("/api/pass", responses={200: Snapshot}, security=PLAYERS)
    def pass_on(body: Step) -> Response:
        """Pass, where nothing is legal."""
        return done(happen.Passed(), body)

    @app.post("/api/undo", responses={200: Snapshot}, security=PLAYERS)
    def undo(body: Step) -> Response:
        """Take back the last step."""
        return done(happen.Undone(), body)
