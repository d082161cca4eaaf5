"""The games that are kept, what they scored, and their records, for programs and the page."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask_openapi3.openapi import OpenAPI
from pydantic import BaseModel, Field

from companion.errors import Unknown
from companion.referee import events as happen
from companion.referee import record
from companion.referee.events import Event
from companion.referee.library import Entry, Score
from companion.referee.referee import Referee
from companion.referee.snapshot import Snapshot
from companion.words import _
from web.api import PLAYERS, shown
from web.bodies import Name, Record, Step

RECORD = {"description": "The record", "content": {"text/plain": {"schema": {"type": "string"}}}}


class Games(BaseModel):
    """The saved games, the one played last first."""

    games: list[Entry]


class Scores(BaseModel):
    """The scores since they were last reset."""

    scores: list[Score]


class GameNumber(BaseModel):
    """Which game."""

    number: str = Field(description="the number of the game, as in the list of saved ones")

    def known(self) -> int:
        """The number as one. Raises Unknown where it is none."""
        if not (self.number.isascii() and self.number.isdigit()):
            raise Unknown(_("There is no saved game number {number}.", number=self.number))
        return int(self.number)


def add_library(app: OpenAPI, referee: Referee) -> None:
    """Teach ``app`` the addresses of saved games, scores and records."""

    def done(event: Event, body: Step) -> Response:
        return shown(referee.submit(event, seen=body.step))

    game = "/api/games/<string(maxlength=15):number>"

    @app.get("/api/games", responses={200: Games})
    def games() -> dict[str, Any]:
        """List the saved games, the one played last first."""
        return Games(games=referee.games()).model_dump()

    @app.post(f"{game}/resume", responses={200: Snapshot}, security=PLAYERS)
    def resume(path: GameNumber, body: Step) -> Response:
        """Go on with a saved game; the one on the table is kept."""
        return done(happen.GameResumed(path.known()), body)

    @app.post(f"{game}/name", responses={200: Snapshot}, security=PLAYERS)
    def name(path: GameNumber, body: Name) -> Response:
        """Give a saved game a name."""
        return done(happen.GameRenamed(path.known(), body.name.strip()), body)

    @app.post(f"{game}/delete", responses={200: Snapshot}, security=PLAYERS)
    def delete(path: GameNumber, body: Step) -> Response:
        """Delete a saved game that is not on the table. What it scored stays."""
        return done(happen.GameDeleted(path.known()), body)

    @app.get(f"{game}/record", responses={200: RECORD})
    def export(path: GameNumber) -> Response:
        """Hand out a saved game as text that a person can read and the companion can play again."""
        number = path.known()
        answer = Response(record.export(referee.saved(number)), mimetype="text/plain")
        answer.headers["Content-Disposition"] = f'attachment; filename="puluc-{number}.txt"'
        return answer

    @app.post("/api/records", responses={200: Snapshot}, security=PLAYERS)
    def bring(body: Record) -> Response:
        """Put the game of a record on the table and among the saved ones."""
        return shown(referee.bring(record.parse(body.text), seen=body.step))

    @app.get("/api/scores", responses={200: Scores})
    def scores() -> dict[str, Any]:
        """Tell how often each has won against whom, by variant, since the scores were last reset."""
        return Scores(scores=referee.scores()).model_dump()

    @app.post("/api/scores/reset", responses={200: Snapshot}, security=PLAYERS)
    def reset(body: Step) -> Response:
        """Count scores from here on."""
        return done(happen.ScoresReset(), body)
