"""The review of a game, as a page and as JSON: win chances by turn, luck and skill."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from flask import Response, make_response, redirect, render_template, request
from flask_openapi3.openapi import OpenAPI
from markupsafe import Markup
from pydantic import BaseModel, Field
from werkzeug.wrappers import Response as BaseResponse

from companion.advice.review.review_summary import POINTS, PlayedTurn
from companion.errors import CompanionError, NotAllowed
from companion.i18n import _
from companion.referee.game_state import GameState
from companion.referee.history.game_summary import finished_turns, of_100, points
from companion.referee.history.review_queue import ReviewProgress, ReviewQueue
from companion.referee.referee import Referee
from companion.referee.snapshots.prompts import capitalized, player_name, prompt_text, wins_text
from companion.referee.snapshots.review_view import ReviewTurnView, ReviewView
from companion.referee.snapshots.snapshot import board_view, render_snapshot
from companion.referee.snapshots.table_view import BoardView, RulesView, Sides, TeamsView
from companion.rules.notation import write
from web.diagrams.chance_graph import graph, place
from web.routes.game.library import GameNumber
from web.routes.game.page import PAGE
from web.security.access import Access

PROBLEM = {"schema": {"$ref": "#/components/schemas/Problem"}}
REFUSED = {
    "description": "Why not, for a person or a program",
    "content": PAGE["content"] | {"application/json": PROBLEM},
}


class OtherThrow(BaseModel):
    """A throw that could have come. win: games won out of 100 by its thrower. share: the same from 0 to 1."""

    values: str
    win: str
    share: float
    came: bool


class ReviewScene(BaseModel):
    """The game after a number of turns, as the page shows it. x, y: its point in the graph.

    ends: where each move of the turn began and ended, as the board's places are called; better: the best ones', where
    others were made. others: every throw there could have been.
    """

    title: str
    threw: str
    did: str
    now: str
    x: float
    y: float
    position: str
    turn: Sides
    board: BoardView
    ends: list[tuple[str, str]]
    better: list[tuple[str, str]]
    others: list[OtherThrow]


class GameReview(BaseModel):
    """A review, or its progress: ``done`` of the ``turns``; then the rest is null.

    scenes: the game before its first turn and after each.
    """

    state: Literal["thinking", "done"]
    done: int
    turns: int
    rules: RulesView | None
    teams: TeamsView | None
    review: ReviewView | None
    scenes: list[ReviewScene]


class ReviewQuery(BaseModel):
    """The turn to show first."""

    turn: str = Field("", description="a turn's number; 0 is before the first; the last unless given")

    def among(self, turns: int) -> int:
        """The requested turn, or the nearest that exists; the last if no number is given."""
        sign, digits = self.turn[:1] == "-", self.turn.removeprefix("-")[:9]
        number = int(digits) if digits.isascii() and digits.isdigit() else turns
        return 0 if sign else min(number, turns)


def add_review(app: OpenAPI, referee: Referee, access: Access, reviews: ReviewQueue | None) -> None:
    """Add the routes of reviews to ``app``. reviews: works them out; None without an adviser."""

    def ask(path: GameNumber) -> tuple[GameState, ReviewProgress | ReviewView]:
        if reviews is None:
            raise NotAllowed(_("This table has no adviser, so games cannot be reviewed."))
        table = referee.load_game(path.known())
        return table, reviews.ask(path.known(), table)

    @app.get("/api/games/<string(maxlength=15):number>/review", responses={200: GameReview})
    def review(path: GameNumber) -> Response:
        """Return the review of a saved game, or its progress; then ask again."""
        table, found = ask(path)
        return Response(game_review(table, found).model_dump_json(by_alias=True), mimetype="application/json")

    @app.get("/review", responses={200: PAGE})
    def look_back() -> BaseResponse:
        """Redirect to the review of the game on the table."""
        return redirect(f"/games/{referee.snapshot().game}/review")

    @app.get("/games/<string(maxlength=15):number>/review", responses={200: PAGE, 422: REFUSED})
    def look(path: GameNumber, query: ReviewQuery) -> Response:
        """Show a saved game's review."""
        problem, status, table, view = "", 200, None, None
        try:
            table, found = ask(path)
            view = game_review(table, found)
        except CompanionError as refusal:
            # Whoever opened this address is a person, who gets a page for an answer.
            problem, status = str(refusal), 200 if isinstance(refusal, NotAllowed) else 422
        shown = _shown(table, view, query.among(view.turns), path.known()) if table and view and view.review else {}
        play = access.may_play(request)
        page = render_template("screens/review.html", view=view, problem=problem, play=play, game=path.number, **shown)
        return make_response(page, status)


def game_review(table: GameState, found: ReviewProgress | ReviewView) -> GameReview:
    """The review of that game as the page shows it."""
    if isinstance(found, ReviewProgress):
        done, turns = found.done, found.turns
        return GameReview(state="thinking", done=done, turns=turns, rules=None, teams=None, review=None, scenes=[])
    game = finished_turns(table)
    whole = render_snapshot(0, table, game=0)
    return GameReview(
        state="done",
        done=len(game),
        turns=len(game),
        rules=whole.rules,
        teams=whole.teams,
        review=found,
        scenes=[
            _opening(table, game[0], found),
            *(_scene(table, turn, reviewed, found) for turn, reviewed in zip(game, found.turns, strict=True)),
        ],
    )


def _opening(table: GameState, first: PlayedTurn, review: ReviewView) -> ReviewScene:
    position, names = first.turn.position, _names(review)
    begins = names[position.turn.index]
    luck = wins_text(100 * (review.start - review.initial) * (1 if position.turn.index == 0 else -1))
    x, y = place(0, review.start, len(review.turns))
    return ReviewScene(
        title=_("Before the first turn"),
        threw=_("{name} threw higher and begins: {luck}.", name=begins, luck=luck)
        if review.thrown_off
        else _("{name} begins, as agreed.", name=begins),
        did="",
        now=_now(review.start, review),
        x=x,
        y=y,
        position=write(position),
        turn=position.turn.value,
        board=board_view(replace(table, position=position)),
        ends=[],
        better=[],
        others=[],
    )


def _scene(table: GameState, turn: PlayedTurn, reviewed: ReviewTurnView, review: ReviewView) -> ReviewScene:
    after = turn.after()
    x, y = place(reviewed.turn, reviewed.jade, len(review.turns))
    best = reviewed.best != reviewed.moves
    began = turn.turn.position
    now = _now(reviewed.jade, review, over=after.is_over())
    if table.resigned and reviewed.turn == len(review.turns):
        now = f"{now} {prompt_text(table)}"
    return ReviewScene(
        title=_(
            "Turn {turn} of {turns}: {name}",
            turn=reviewed.turn,
            turns=len(review.turns),
            name=player_name(table, began.turn, began.player),
        ),
        threw=_("Threw {counts}. {sentence}", counts=reviewed.counts, sentence=reviewed.throw_sentence),
        did=f"{capitalized(reviewed.words)}. {reviewed.choice_sentence}",
        now=now,
        x=x,
        y=y,
        position=write(after),
        turn=after.turn.value,
        board=board_view(replace(table, position=after)),
        ends=[move.ends for move in reviewed.moves],
        better=[move.ends for move in reviewed.best] if best else [],
        others=[
            OtherThrow(values=" + ".join(map(str, one.values)), win=of_100(one.win), share=one.win, came=one.came)
            for one in reviewed.instead
        ],
    )


def _names(review: ReviewView) -> tuple[str, str]:
    jade, obsidian = review.sides
    return jade.name, obsidian.name


def _now(jade: float, review: ReviewView, *, over: bool = False) -> str:
    """The win chances in a sentence. over: whether the game has ended."""
    names = _names(review)
    if over:
        won = _("{name} has won.", name=names[0] if jade else names[1])
        return _("The game is drawn.") if jade not in (0, 1) else won
    facts = {"name": names[0], "wins": of_100(jade), "other": names[1], "others": of_100(1 - jade)}
    if review.source == "exact":
        return _("From here {name} wins {wins} of 100 games, {other} {others} (exact).", **facts)
    return _("From here {name} wins {wins} of 100 games, {other} {others} (estimate).", **facts)


class ChanceBalance(BaseModel):
    """How the chances came about, in games of 100 that Jade wins: ``began`` plus all that follows is ``ended``.

    begins, corrected: what the throw-off and later corrections of estimates changed. throws, choices: what those of
    each side changed, Jade's first. Obsidian gains what Jade loses.
    """

    began: int
    begins: int
    throws: tuple[int, int]
    choices: tuple[int, int]
    corrected: int
    ended: int

    def luckier(self) -> int:
        """Above 0 if Jade had more luck, below 0 if Obsidian had."""
        return self.begins + sum(self.throws) + self.corrected

    def better(self) -> int:
        """Above 0 if Jade chose better, below 0 if Obsidian did."""
        return sum(self.choices)

    def own_throws(self, side: Sides) -> int:
        """What the throws of that side changed, in games that it wins itself."""
        jade, obsidian = self.throws
        return jade if side == "jade" else -obsidian


def chance_balance(review: ReviewView) -> ChanceBalance:
    """The balance in whole games. Rounding differences go to the throws that changed most."""
    jade, _obsidian = review.sides
    luck, loss = (
        [sum(getattr(one, of) for one in review.players if one.side == side.side) for side in review.sides]
        for of in ("luck", "loss")
    )
    began, ended, corrected = round(jade.initial), round(jade.final), round(jade.corrected)
    begins = round(POINTS * (review.start - review.initial))
    throws, choices = [round(luck[0]), -round(luck[1])], (-round(loss[0]), round(loss[1]))
    most = 0 if abs(luck[0]) >= abs(luck[1]) else 1
    throws[most] += ended - began - begins - sum(throws) - sum(choices) - corrected
    return ChanceBalance(
        began=began, begins=begins, throws=(throws[0], throws[1]), choices=choices, corrected=corrected, ended=ended
    )


def verdict(balance: ChanceBalance, names: tuple[str, str], *, chose: tuple[bool, bool]) -> str:
    """Who chose better and who had more luck, in one sentence. Choices are compared only if both sides had some.

    names: Jade's and Obsidian's. chose: whether each of them had a choice.
    """
    better, luckier = (names[0 if by > 0 else 1] if by else None for by in (balance.better(), balance.luckier()))
    if not all(chose):
        return _verdict_on_luck(luckier, names[chose.index(True)] if any(chose) else None)
    if better and better == luckier:
        return _("{name} chose better, and had more luck, too.", name=better)
    if better and luckier:
        return _("{better} chose better; {luckier} had more luck.", better=better, luckier=luckier)
    if better:
        return _("{name} chose better; both were equally lucky.", name=better)
    if luckier:
        return _("{name} had more luck; both chose equally well.", name=luckier)
    return _("Both chose equally well and were equally lucky.")


def _verdict_on_luck(luckier: str | None, chooser: str | None) -> str:
    """Who had more luck. chooser: the only side that had a choice, if any."""
    if chooser is None and luckier is None:
        return _("Nobody had a choice, and both were equally lucky.")
    if chooser is None:
        return _("{name} had more luck, and nobody had a choice.", name=luckier)
    if luckier is None:
        return _("Only {name} had a choice, and both were equally lucky.", name=chooser)
    if luckier == chooser:
        return _("{name} had more luck, and nobody else had a choice.", name=luckier)
    return _("{luckier} had more luck, but only {name} had a choice.", luckier=luckier, name=chooser)


def _shown(table: GameState, view: GameReview, at: int, game: int) -> dict[str, Any]:
    """The template's context for a scene, before or without the script."""
    assert view.review
    scene, whole = view.scenes[at], render_snapshot(0, table, game=game)
    over = at == view.turns and view.review.winner is not None
    shown = {"board": scene.board, "position": scene.position, "turn": scene.turn}
    players = view.review.players
    jade, obsidian = (any(one.decisions for one in players if one.side == side.side) for side in view.review.sides)
    balance = chance_balance(view.review)
    # Names in it are written as text by the library that draws it.
    drawn = Markup(graph(view.review, at))  # noqa: S704 - our own drawing
    return {
        "table": whole.model_copy(update=shown | {"winner": view.review.winner if over else None}),
        "at": at,
        "scene": scene,
        "graph": drawn,
        "balance": balance,
        "verdict": verdict(balance, _names(view.review), chose=(jade, obsidian)),
        "points": points,
        "wins_text": wins_text,
    }
