"""The shape of everything that a page, a lamp or another program may be shown of the table."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from companion.advice.adviser import Source as Known
from companion.referee.events import Begins, CameraState, Face
from companion.referee.table import Phase, Source

Sides = Literal["jade", "obsidian"]
From = int | Literal["base", "field"]
To = int | Literal["home", "field"]


class View(BaseModel):
    """What all shapes have in common: they are never changed once made."""

    model_config = ConfigDict(frozen=True)


class UnitView(View):
    """A stack on the highway: its owner, and how many pieces of each side are in it.

    player: the name of the player whose top piece it is, where players own their pieces; else null.
    home: it heads for its own base.
    """

    owner: Sides
    own: int
    captives: int
    player: str | None
    home: bool


class PairView(View):
    """A count for each side."""

    jade: int
    obsidian: int


class BoardView(View):
    """The board as one sees it.

    spaces: the units on each space, space 1 (next to Jade's base) first. fields: units resting in the enemy's field,
    by their owner. base, slain, spent: pieces of each side; spent are out by their own side's doing.
    bases: pieces in base by player, in the order of the team.
    """

    spaces: list[list[UnitView]]
    fields: FieldsView
    base: PairView
    bases: BasesView
    slain: PairView
    spent: PairView


class FieldsView(View):
    """Units of each side that rest in the enemy's field."""

    jade: list[UnitView]
    obsidian: list[UnitView]


class BasesView(View):
    """Pieces in base by player."""

    jade: list[int]
    obsidian: list[int]


class LotView(View):
    """One lot in the picture: centre and outline in pixels, angle in degrees clockwise from +x."""

    x: float
    y: float
    angle: float
    face: Face
    confidence: float
    outline: list[tuple[float, float]]


class SeenView(View):
    """What the camera saw: where the picture is, its size in pixels, and the lots in it."""

    picture: str | None
    width: int
    height: int
    lots: list[LotView]


class ThrowView(View):
    """The throw that is to be confirmed or moved. value: what the marked faces are worth."""

    marked: int
    value: int
    source: Source
    confidence: float
    seen: SeenView | None


class UnsureView(View):
    """Why the last throw was not read, in a word and in a sentence."""

    reason: str
    sentence: str
    seen: SeenView


class MoveView(View):
    """A move that may be played now, and the position after it.

    value: the throw it uses. unit: what moves, as it is spelt. captures: pieces taken; slays: captives brought in.
    words: the move as one says it.
    """

    start: Annotated[From, Field(serialization_alias="from")]
    to: To
    value: int
    unit: str
    captures: int
    slays: int
    result: str
    words: str


class RatedView(View):
    """A legal move, as an index into the table's ``moves``, and how likely its side is to win if it is made."""

    move: int
    win: float


class SolvingView(View):
    """The game's exact chances are being worked out, or that was given up. done: from 0 to 1; null if given up."""

    done: float | None
    sentence: str


class JudgedView(View):
    """What the last choice that a person made was worth, told once it is made. win, best: for the side that chose."""

    side: Sides
    win: float
    best: float
    sentence: str


class AdviceView(View):
    """What is known about the chances; null and empty where nothing is, or the players want no advice.

    suggestion: the best move, as an index into the table's ``moves``, said in ``sentence``; where no chances are
    known, the move that takes or slays the most, if one does.
    pending: the chances are still being thought of. A later revision of the same table brings them.
    win: how likely the side whose turn it is is to win, from 0 to 1, a draw counting half: before its throw, and in
    phase ``move`` with the throw, if it plays best. jade: the same as Jade's chance.
    source: exact, or search for an estimate. error_bound: what ``win`` is off by at most; null for an estimate.
    moves: every legal move, best first, of equals in their order in the table; none before the move where players
    want to know only after it. judged: what they are told then; null where nothing was chosen, or nothing is known.
    """

    suggestion: int | None
    sentence: str
    pending: bool
    win: float | None
    jade: float | None
    source: Known | None
    error_bound: float | None
    moves: list[RatedView]
    judged: JudgedView | None
    solving: SolvingView | None


class PlayerView(View):
    """A player: a person's name, or the level the companion plays at."""

    name: str
    level: str | None


class PlayersView(View):
    """Who plays which side; of a team, whose turn it is or comes next."""

    jade: PlayerView
    obsidian: PlayerView


class TeamsView(View):
    """All players of each side, in the order they throw."""

    jade: list[PlayerView]
    obsidian: list[PlayerView]


class RulesView(View):
    """The rules of the running game. fields: every rule by its name, as set here."""

    name: str
    source: str
    spaces: int
    pieces: int
    values: list[int]
    throws: int
    fire: int | None
    teams: str
    fields: dict[str, Any]


class MadeView(View):
    """A move that was made. value: of the throw it used."""

    start: Annotated[From, Field(serialization_alias="from")]
    to: To
    value: int


class TurnView(View):
    """What the player before did. from and to are those of the last move, and null for a pass."""

    side: Sides
    player: str
    marked: int
    value: int
    start: Annotated[From | None, Field(serialization_alias="from")]
    to: To | None
    moves: list[MadeView]
    sentence: str


class ThrowOffView(View):
    """The latest values thrown to see who begins; null where one is still to be thrown, or it is decided."""

    jade: int | None
    obsidian: int | None


class CameraView(View):
    """What the camera does, and in a sentence what to do about it, if anything."""

    state: CameraState
    message: str


class OptionsView(View):
    """How the players like it. See POST /api/options.

    marked: the chance of a marked face that advice reckons with, such as 0.5.
    """

    auto_throw: bool
    auto_move: bool
    draw: bool
    begins: Begins
    marked: str
    advice: bool
    advice_after: bool


class ScoreView(View):
    """How often each has won against the other in that variant; a team's names are joined by commas."""

    variant: str
    one: str
    other: str
    one_wins: int
    other_wins: int
    draws: int


class MatchView(View):
    """A match of several variants. round: which of them is on the table, from 1. scores: of its finished games."""

    variants: list[str]
    round: int
    scores: list[ScoreView]


class Snapshot(View):
    """The table at one moment. The newest number replaces all before, and of one number the newest revision.

    revision: counts what became known about this table since it was first told, such as advice.
    step: number of the last event that changed the game; send it back to be refused if the game has gone on.
    position: the line that rules.md defines. turn: the side whose turn it is.
    prompt: whose turn it is and what to do now. confirm: what confirming would do now, or null if nothing.
    chosen: the move chosen so far, as an index into ``moves``.
    game: the number by which this game can be resumed. thrower: whose throw it is, by name.
    throws: the throws of this turn that count, where a turn has two. left: the values still to be used.
    winner: jade, obsidian or draw, once the game is over. resigned: the side that gave it up; null where neither did.
    """

    number: int
    revision: int
    step: int
    game: int
    variant: str
    rules: RulesView
    position: str
    board: BoardView
    turn: Sides
    thrower: str
    phase: Phase
    throw_off: ThrowOffView
    throw: ThrowView | None
    throws: list[ThrowView]
    left: list[int]
    unsure: UnsureView | None
    moves: list[MoveView]
    chosen: int | None
    advice: AdviceView
    players: PlayersView
    teams: TeamsView
    winner: Sides | Literal["draw"] | None
    resigned: Sides | None
    match: MatchView | None
    options: OptionsView
    last: TurnView | None
    camera: CameraView
    prompt: str
    confirm: str | None
    undo: bool
