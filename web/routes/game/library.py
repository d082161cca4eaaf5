"""Saved games, scores and game records, as JSON and text."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask_openapi3.openapi import OpenAPI
from pydantic import BaseModel, Field

from companion.errors import Unknown
from companion.i18n import _
from companion.referee import events as happen
from companion.referee.events import Event
from companion.referee.history import game_record
from companion.referee.referee import Referee, new_seed
from companion.referee.saved_games import SavedGame, Score
from companion.referee.snapshots.snapshot import Snapshot
from companion.referee.workers.player_strengths import PlayerStrength, PlayerStrengths
from web.routes.game.api import PLAYERS, table_response
from web.schemas import PlayOnRequest, RecordRequest, RenameRequest, StepRequest

RECORD = {"description": "The record", "content": {"text/plain": {"schema": {"type": "string"}}}}


class Games(BaseModel):
    """The saved games, most recently played first."""

    games: list[SavedGame]


class Scores(BaseModel):
    """The scores since they were last reset."""

    scores: list[Score]


class Strengths(BaseModel):
    """The players of whom enough choices are known."""

    strengths: list[PlayerStrength]


class GameNumber(BaseModel):
    """The game in the path."""

    number: str = Field(description="the number of the game, as in the list of saved ones")

    def known(self) -> int:
        """The number as an int. Raises Unknown if it is none."""
        if not (self.number.isascii() and self.number.isdigit()):
            raise Unknown(_("There is no saved game number {number}.", number=self.number))
        return int(self.number)


def add_library(app: OpenAPI, referee: Referee, strengths: PlayerStrengths | None) -> None:
    """Add the routes of saved games, scores and records to ``app``."""

    def done(event: Event, body: StepRequest) -> Response:
        return table_response(referee.submit(event, seen=body.step))

    game = "/api/games/<string(maxlength=15):number>"

    @app.get("/api/games", responses={200: Games})
    def games() -> dict[str, Any]:
        """List the saved games, the one played last first."""
        return Games(games=referee.games()).model_dump()

    @app.post(f"{game}/resume", responses={200: Snapshot}, security=PLAYERS)
    def resume(path: GameNumber, body: StepRequest) -> Response:
        """Resume a saved game; the one on the table is kept."""
        return done(happen.GameResumed(path.known()), body)

    @app.post(f"{game}/name", responses={200: Snapshot}, security=PLAYERS)
    def name(path: GameNumber, body: RenameRequest) -> Response:
        """Give a saved game a name."""
        return done(happen.GameRenamed(path.known(), body.name.strip()), body)

    @app.post(f"{game}/delete", responses={200: Snapshot}, security=PLAYERS)
    def delete(path: GameNumber, body: StepRequest) -> Response:
        """Delete a saved game that is not on the table. Its score still counts."""
        return done(happen.GameDeleted(path.known()), body)

    @app.post(f"{game}/play-on", responses={200: Snapshot}, security=PLAYERS)
    def play_on(path: GameNumber, body: PlayOnRequest) -> Response:
        """Start a new game from a position of a saved one; both are kept."""
        played = referee.load_game(path.known())
        return table_response(
            referee.import_game(game_record.first_turns(played, body.turn, seed=new_seed()), seen=body.step)
        )

    @app.get(f"{game}/record", responses={200: RECORD})
    def export(path: GameNumber) -> Response:
        """Export a saved game as text that people can read and the companion can replay."""
        number = path.known()
        answer = Response(game_record.export_game(referee.load_game(number)), mimetype="text/plain")
        answer.headers["Content-Disposition"] = f'attachment; filename="puluc-{number}.txt"'
        return answer

    @app.post("/api/records", responses={200: Snapshot}, security=PLAYERS)
    def import_record(body: RecordRequest) -> Response:
        """Put the game of a record on the table and among the saved ones."""
        return table_response(referee.import_game(game_record.parse_record(body.text), seen=body.step))

    @app.get("/api/scores", responses={200: Scores})
    def scores() -> dict[str, Any]:
        """List the wins between opponents, by variant, since the scores were last reset."""
        return Scores(scores=referee.scores()).model_dump()

    @app.get("/api/strengths", responses={200: Strengths})
    def known_strengths() -> dict[str, Any]:
        """List the players with the level that plays about as well, by their choices in the latest finished games."""
        return Strengths(strengths=strengths.known() if strengths else []).model_dump()

    @app.post("/api/scores/reset", responses={200: Snapshot}, security=PLAYERS)
    def reset(body: StepRequest) -> Response:
        """Reset the scores."""
        return done(happen.ScoresReset(), body)
