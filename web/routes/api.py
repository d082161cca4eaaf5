"""What programs and the page ask of the table, and what they may do to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from flask import Response, request
from flask_openapi3.openapi import OpenAPI
from pydantic import BaseModel

from companion.advice.odds import parse_chance
from companion.advice.sticks import hundredths
from companion.referee import events as happen
from companion.referee.events import Event, GameStarted
from companion.referee.referee import Referee, new_seed
from companion.referee.snapshot import Snapshot
from companion.rules.position import Side
from companion.rules.variant import VARIANTS, Variant
from web.access import Access
from web.bodies import Chosen, Liking, Marked, NewGame, Resign, Rule, Step
from web.events import KEEP, Streams


class Healthy(BaseModel):
    """The companion serves. number: that of the newest event."""

    status: str
    number: int


class Sized(BaseModel):
    """What the source changes from so many players a side on; null leaves the field as it is."""

    players: int
    spaces: int | None
    pieces: int | None


class VariantView(BaseModel):
    """A way to play. source: where it is told. rules: every field by its name."""

    id: str
    name: str
    source: str
    rules: dict[str, Any]
    sizes: list[Sized]


class Variants(BaseModel):
    """Every way to play that the sources tell."""

    variants: list[VariantView]


TOLD = {
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
STREAM = {"description": "One event at each change", "content": {"text/event-stream": {"schema": TOLD}}}
PLAYERS: list[dict[str, list[Any]]] = [{"code": []}, {"cookie": []}]
"""How the description says that a player shows the code, in one way or the other."""


def game_started(
    *,
    variant: str,
    changes: Mapping[str, str],
    jade: str | Sequence[str],
    obsidian: str | Sequence[str],
    begins: str | None = None,
    evening: Sequence[str] = (),
) -> GameStarted:
    """A new game with chance of its own. A player called ``human`` goes by the name of the side.

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
    """A rule's value as it is written by hand."""
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
        return streams.open(request.environ.get(KEEP), phone=access.name_of(request))

    @app.post("/api/games", responses={200: Snapshot}, security=PLAYERS)
    def start(body: NewGame) -> Response:
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
    def options(body: Liking) -> Response:
        """Set how the players like it; what is left out stays as it is."""
        changes = body.model_dump(exclude={"step"}, exclude_none=True)
        if body.marked is not None:
            changes["marked"] = str(float(hundredths(parse_chance(body.marked))))
        return done(happen.OptionsSet(replace(referee.table().options, **changes)), body)

    @app.post("/api/again", responses={200: Snapshot}, security=PLAYERS)
    def again(body: Step) -> Response:
        """Play the same game once more, when it is over."""
        return done(happen.GameAgain(), body)

    @app.post("/api/throw", responses={200: Snapshot}, security=PLAYERS)
    def throw(body: Marked) -> Response:
        """Enter a throw, or correct the one that was read."""
        return done(happen.ThrowEntered(body.marked, tuple(map(happen.Face, body.faces))), body)

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
        to = None if body.to == "home" else body.to
        return done(happen.MoveChosen(start, to, body.value, body.unit), body)

    @app.post("/api/pass", responses={200: Snapshot}, security=PLAYERS)
    def pass_on(body: Step) -> Response:
        """Pass, where nothing is legal."""
        return done(happen.Passed(), body)

    @app.post("/api/resign", responses={200: Snapshot}, security=PLAYERS)
    def resign(body: Resign) -> Response:
        """Give the game up: the other side has won."""
        return done(happen.Resigned(Side(body.side or referee.snapshot().turn)), body)

    @app.post("/api/undo", responses={200: Snapshot}, security=PLAYERS)
    def undo(body: Step) -> Response:
        """Take back the last step."""
        return done(happen.Undone(), body)
