"""The API of the table: its state, its events, and every action of a player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from flask import Response, request
from flask_openapi3.openapi import OpenAPI
from pydantic import BaseModel

from companion.advice.stick_statistics import rounded_chance
from companion.referee import events as happen
from companion.referee.events import Event, GameStarted
from companion.referee.referee import Referee, new_seed
from companion.referee.snapshots.snapshot import Snapshot
from companion.rules.odds import parse_chance
from companion.rules.position import Side
from companion.rules.variant import Variant
from companion.rules.variants import VARIANTS
from web.schemas import MoveRequest, NewGameRequest, OptionsRequest, ResignRequest, Rule, StepRequest, ThrowRequest
from web.security.access import Access
from web.serving.event_stream import EventStreams
from web.serving.wsgi_adapter import KEEP_OPEN


class Healthy(BaseModel):
    """The companion is serving. number: the newest event's number."""

    status: str
    number: int


class Sized(BaseModel):
    """The source's changes from that many players per side; null for no change."""

    players: int
    spaces: int | None
    pieces: int | None


class VariantView(BaseModel):
    """A variant. source: where it is documented. rules: every field by its name."""

    id: str
    name: str
    source: str
    rules: dict[str, Any]
    sizes: list[Sized]


class Variants(BaseModel):
    """All documented variants."""

    variants: list[VariantView]


EVENT = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "description": "the table's number"},
        "data": {
            "type": "string",
            "description": "the table, as in /api/table",
            "contentMediaType": "application/json",
        },
    },
    "required": ["id", "data"],
}
STREAM = {"description": "One event at each change", "content": {"text/event-stream": {"schema": EVENT}}}
PLAYERS: list[dict[str, list[Any]]] = [{"code": []}, {"cookie": []}]
"""The two ways in which a player can show the code, for the description."""


def game_started(
    *,
    variant: str,
    changes: Mapping[str, str],
    jade: str | Sequence[str],
    obsidian: str | Sequence[str],
    begins: str | None = None,
    evening: Sequence[str] = (),
) -> GameStarted:
    """A new game with a new random seed. A player called ``human`` is named after the side.

    jade, obsidian: a player, or the players of a team. begins: jade or obsidian, or None to throw it off.
    evening: the variants of a match; the first of them is the game then, as its source has it.
    """
    return GameStarted(
        variant=evening[0] if evening else variant,
        changes={} if evening else dict(changes),
        jade=_team(Side.JADE, jade),
        obsidian=_team(Side.OBSIDIAN, obsidian),
        seed=new_seed(),
        begins=Side(begins) if begins else None,
        evening=tuple(evening),
    )


def _team(side: Side, players: str | Sequence[str]) -> tuple[str, ...]:
    names = [players] if isinstance(players, str) else players
    colour = side.value.capitalize()
    return tuple(
        (f"{colour} {number}" if len(names) > 1 else colour) if name.strip() == "human" else name.strip()
        for number, name in enumerate(names, 1)
    )


def _written(rule: Rule) -> str:
    """A rule's value as text."""
    if isinstance(rule, list):
        return ",".join(map(str, rule))
    return "none" if rule is None else str(rule)


def _told(variant: Variant) -> VariantView:
    return VariantView(
        id=variant.id,
        name=variant.name,
        source=variant.source,
        rules=variant.rules(),
        sizes=[Sized(players=size.players, spaces=size.spaces, pieces=size.pieces) for size in variant.team_sizes],
    )


def table_response(snapshot: Snapshot) -> Response:
    """The table as JSON."""
    return Response(snapshot.as_json, mimetype="application/json")


def add_api(app: OpenAPI, referee: Referee, access: Access, streams: EventStreams) -> None:
    """Add the routes below /api, and /healthz, to ``app``."""

    def done(event: Event, body: StepRequest) -> Response:
        return table_response(referee.submit(event, seen=body.step))

    @app.get("/healthz", responses={200: Healthy})
    def healthz() -> dict[str, Any]:
        """Report that the companion is serving."""
        return Healthy(status="ok", number=referee.snapshot().number).model_dump()

    @app.get("/api/openapi.json", doc_ui=False)
    def description() -> dict[str, Any]:
        return app.api_doc

    @app.get("/api/table", responses={200: Snapshot})
    def table() -> Response:
        """Show the table as it is now."""
        return table_response(referee.snapshot())

    @app.get("/api/events", responses={200: STREAM})
    def events() -> Response:
        """Stream the table, now and at each change, as server-sent events with the data of /api/table."""
        return streams.listen(
            request.environ.get(KEEP_OPEN), phone=access.name_of(request), address=request.remote_addr or ""
        )

    @app.post("/api/games", responses={200: Snapshot}, security=PLAYERS)
    def start(body: NewGameRequest) -> Response:
        """Start a new game; the one on the table is kept among the saved ones."""
        started = game_started(
            variant=body.variant,
            changes={name: _written(rule) for name, rule in body.set.items()},
            jade=body.jade,
            obsidian=body.obsidian,
            begins=body.begins,
            evening=body.evening,
        )
        return done(started, body)

    @app.get("/api/variants", responses={200: Variants})
    def variants() -> dict[str, Any]:
        """List the ways to play, each with all its rules."""
        return Variants(variants=[_told(variant) for variant in VARIANTS.values()]).model_dump()

    @app.post("/api/options", responses={200: Snapshot}, security=PLAYERS)
    def options(body: OptionsRequest) -> Response:
        """Set the players' options; omitted ones are unchanged."""
        changes = body.model_dump(exclude={"step"}, exclude_none=True)
        if body.marked is not None:
            changes["marked"] = str(float(rounded_chance(parse_chance(body.marked))))
        return done(happen.OptionsSet(replace(referee.state().options, **changes)), body)

    @app.post("/api/again", responses={200: Snapshot}, security=PLAYERS)
    def again(body: StepRequest) -> Response:
        """Play the same game once more, when it is over."""
        return done(happen.GameAgain(), body)

    @app.post("/api/throw", responses={200: Snapshot}, security=PLAYERS)
    def throw(body: ThrowRequest) -> Response:
        """Enter a throw, or correct the one that was read."""
        return done(happen.ThrowEntered(body.marked, tuple(map(happen.Face, body.faces))), body)

    @app.post("/api/rethrow", responses={200: Snapshot}, security=PLAYERS)
    def rethrow(body: StepRequest) -> Response:
        """Discard the reading and look at the tray again."""
        return done(happen.ThrowAgain(), body)

    @app.post("/api/confirm", responses={200: Snapshot}, security=PLAYERS)
    def confirm(body: StepRequest) -> Response:
        """Confirm the reading, or the only or the chosen move."""
        return done(happen.Confirmed(), body)

    @app.post("/api/doubt", responses={200: Snapshot}, security=PLAYERS)
    def doubt(body: StepRequest) -> Response:
        """Stop the countdown: the reading counts only once it is confirmed or corrected."""
        return done(happen.ReadingDoubted(), body)

    @app.post("/api/move", responses={200: Snapshot}, security=PLAYERS)
    def move(body: MoveRequest) -> Response:
        """Play a move."""
        start = None if body.start == "base" else body.start
        to = None if body.to == "home" else body.to
        return done(happen.MoveChosen(start, to, body.value, body.unit), body)

    @app.post("/api/pass", responses={200: Snapshot}, security=PLAYERS)
    def pass_on(body: StepRequest) -> Response:
        """Pass, if no move is legal."""
        return done(happen.Passed(), body)

    @app.post("/api/resign", responses={200: Snapshot}, security=PLAYERS)
    def resign(body: ResignRequest) -> Response:
        """Resign: the other side wins."""
        return done(happen.Resigned(Side(body.side or referee.snapshot().turn)), body)

    @app.post("/api/undo", responses={200: Snapshot}, security=PLAYERS)
    def undo(body: StepRequest) -> Response:
        """Take back the last step."""
        return done(happen.Undone(), body)
