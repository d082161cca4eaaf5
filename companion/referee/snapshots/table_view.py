"""The JSON shapes of the table: what pages, lamps and other programs receive."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from companion.advice.adviser import EstimateSource
from companion.referee.board.sightings import Top
from companion.referee.events import CameraState, Lot, Options
from companion.referee.game_state import Phase, ThrowSource
from companion.referee.saved_games import Score
from companion.referee.snapshots.board_layout import Direction

Sides = Literal["jade", "obsidian"]
From = int | Literal["base", "field"]
To = int | Literal["home", "field"]


class View(BaseModel):
    """Base of all shapes: immutable."""

    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)

    @classmethod
    def copied_from(cls, source: object, **more: Any) -> Self:
        """The fields that ``source`` has under the same names, and those given."""
        return cls(**{name: getattr(source, name) for name in cls.model_fields if name not in more}, **more)


class UnitView(View):
    """A stack on the highway: its owner, and how many pieces of each side are in it.

    player: the name of the player whose top piece it is, where players own their pieces; else null.
    home: it heads for its own base. way: the direction it heads on a screen with Jade's base at the bottom, else null.
    """

    owner: Sides
    own: int
    captives: int
    player: str | None
    home: bool
    way: Direction | None


class PairView(View):
    """A count for each side."""

    jade: int
    obsidian: int


class CampsView(View):
    """What is off the highway.

    fields: units resting in the enemy's field, by their owner. base, slain, spent: pieces of each side; spent are out
    by their own side's doing. bases: pieces in base by player, in the order of the team. throwers: the number in each
    team of the player who throws now or next, from 1.
    """

    fields: FieldsView
    base: PairView
    bases: BasesView
    slain: PairView
    spent: PairView
    throwers: PairView


class BoardView(CampsView):
    """The board as one sees it.

    spaces: the units on each space, space 1 (next to Jade's base) first.
    columns: spaces in a row of a winding track; 0 for a straight one. cells: the spaces' numbers in reading order, with
    Jade's base at the bottom; null for a gap.
    """

    spaces: list[list[UnitView]]
    columns: int
    cells: list[int | None]


class BoardChangeView(CampsView):
    """The board after a move. spaces: those that differ, by number. turn: whose turn it is then."""

    spaces: dict[int, list[UnitView]]
    turn: Sides


class FieldsView(View):
    """Units of each side that rest in the enemy's field."""

    jade: list[UnitView]
    obsidian: list[UnitView]


class BasesView(View):
    """Pieces in base by player."""

    jade: list[int]
    obsidian: list[int]


class SeenView(View):
    """What the camera saw: the picture's address, its size in pixels, and the lots in it."""

    picture: str | None
    width: int
    height: int
    lots: tuple[Lot, ...]


class ThrowView(View):
    """The throw to confirm or to use. value: of the throw in this game."""

    marked: int
    value: int
    source: ThrowSource
    confidence: float
    seen: SeenView | None


class UnsureView(View):
    """Why the last throw was not read, as a word and as a sentence."""

    reason: str
    sentence: str
    seen: SeenView


class MoveView(View):
    """A move that may be played now, and the position after it.

    value: the throw it uses. unit: what moves, as it is spelt. captures: pieces taken; frees: its own
    among them, or those that liberation frees; burns: own pieces that the fire takes; slays: captives brought in, or
    burnt; loses: own pieces slain on coming home. words: the move as one says it; way: the same without what it
    captures, frees, burns, slays or loses. which: tells its unit from another that could make the same
    move, else empty. ends: where it starts and ends on the board: a space's number, or the side whose base or field it
    is. after: the board after it.
    """

    start: Annotated[From, Field(serialization_alias="from")]
    to: To
    value: int
    unit: str
    captures: int
    frees: int
    burns: int
    slays: int
    loses: int
    result: str
    words: str
    way: str
    which: str
    ends: tuple[str, str]
    after: BoardChangeView


class RatedView(View):
    """A legal move, as an index into the table's ``moves``, with the win chance after it."""

    move: int
    win: float


class SolvingView(View):
    """Progress of solving the game exactly. done: from 0 to 1; null if solving was given up."""

    done: float | None
    sentence: str


class JudgedView(View):
    """How good a person's last choice was. win, best: that side's win chance with the move made and with the best."""

    side: Sides
    win: float
    best: float
    sentence: str


class AdviceView(View):
    """Win chances and the best move; null and empty if unknown, or if players want no advice.

    suggestion: the best move, as an index into the table's ``moves``; ``sentence`` names it. While no chances are
    known: the move that captures or slays the most, if any does.
    pending: an answer is on its way, in a later revision of the same table.
    win: win chance of the side to play, from 0 to 1, a draw counting half: before its throw, and in phase ``move`` with
    the throw and best play. jade: the same chance, for Jade.
    source: exact, or search for an estimate. error_bound: largest error of ``win``; null for an estimate.
    moves: all legal moves, best first, ties in the table's order; empty before the move if players want advice only
    after it. judged: what they are shown then; null if nothing was chosen or nothing is known.
    """

    suggestion: int | None
    sentence: str
    pending: bool
    win: float | None
    jade: float | None
    source: EstimateSource | None
    error_bound: float | None
    moves: list[RatedView]
    judged: JudgedView | None
    solving: SolvingView | None


class PlayerView(View):
    """A player: a person's name, or the level the companion plays at."""

    name: str
    level: str | None


class PlayersView(View):
    """The player of each side; of a team, the one whose turn it is or comes next."""

    jade: PlayerView
    obsidian: PlayerView


class TeamsView(View):
    """All players of each side, in the order they throw."""

    jade: list[PlayerView]
    obsidian: list[PlayerView]


class RulesView(View):
    """The rules of the game. fields: every rule by name."""

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
    """A move that was made. value: of the throw used."""

    start: Annotated[From, Field(serialization_alias="from")]
    to: To
    value: int


class TurnView(View):
    """The previous player's turn. from, to: of its last move; null for a pass."""

    side: Sides
    player: str
    marked: int
    value: int
    start: Annotated[From | None, Field(serialization_alias="from")]
    to: To | None
    moves: list[MadeView]
    sentence: str


class EarlierTurnView(View):
    """A turn before the previous one."""

    side: Sides
    sentence: str


class ThrowOffView(View):
    """The latest values of the throw-off; null if still to be thrown, or once it is decided."""

    jade: int | None
    obsidian: int | None


class CameraView(View):
    """The camera's state, and one sentence on what to do, if anything.

    reading: whether it is reading what has come to rest in the tray, which may turn out to be no throw.
    """

    state: CameraState
    message: str
    reading: bool


class MatchView(View):
    """A match of several variants. round: which of them is on the table, from 1. scores: of its finished games."""

    variants: list[str]
    round: int
    scores: list[Score]


class SpaceDifferenceView(View):
    """A space, from 1, that differs from what is expected there."""

    space: int
    expected: Top
    found: Top


class BoardSeenView(View):
    """What the camera sees on the real board.

    status: waiting (nothing seen yet), unchanged (as in the game), played (a legal result), illegal, unsure; off if the
    camera does not look at the board of this game; lost while the camera is gone.
    reason: one word, for unsure. sentence: for players, or empty. spaces: what is on top of each, space 1 first.
    differences: for illegal, from what would be right.
    result, moves: what is seen, for played. corrects: it takes the place of the last turn, or, without moves, takes it
    back. counts: it is taken by itself.
    """

    status: Literal["waiting", "unchanged", "played", "illegal", "unsure", "off", "lost"]
    reason: str
    sentence: str
    spaces: list[Top]
    differences: list[SpaceDifferenceView]
    result: str | None
    moves: list[MadeView]
    corrects: bool
    counts: bool


class CountdownView(View):
    """What happens by itself in ``left`` of ``length`` seconds.

    The throw counts, the only move is made, the turn passes, or the move that is seen on the board is taken.
    """

    what: Literal["throw", "move", "pass", "board"]
    left: float
    length: float


class Snapshot(View):
    """The table at one moment. The newest number replaces all before, and of one number the newest revision.

    revision: counts updates without a new event, such as advice.
    step: number of the last event that changed the game. A request that sends it is refused if the game has gone on.
    position: one line, as docs/notation.md defines it. turn: the side whose turn it is.
    begun: whether it is settled who begins; until then nobody can resign.
    under_way: whether the game, or the match that it belongs to, has begun and is not over.
    prompt: whose turn it is and what to do. confirm: what confirming does now; null for nothing.
    chosen: the selected move, as an index into ``moves``.
    game: the number to resume this game by. thrower: the name of the player whose throw it is.
    throws: the accepted throws of this turn. left: the values still to use.
    together: where both of two throws take one unit, as in the ``ends`` of a move.
    countdown: what happens by itself unless somebody confirms, corrects or objects; null for nothing.
    board_seen: what the camera sees on the real board; null where it knows none.
    earlier: a few turns before the last, newest first.
    winner: jade, obsidian or draw, once the game is over. resigned: the side that resigned, or null.
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
    begun: bool
    under_way: bool
    throw: ThrowView | None
    throws: list[ThrowView]
    left: list[int]
    unsure: UnsureView | None
    moves: list[MoveView]
    together: list[str]
    chosen: int | None
    advice: AdviceView
    players: PlayersView
    teams: TeamsView
    winner: Sides | Literal["draw"] | None
    resigned: Sides | None
    match: MatchView | None
    options: Options
    last: TurnView | None
    earlier: list[EarlierTurnView]
    camera: CameraView
    board_seen: BoardSeenView | None
    prompt: str
    confirm: str | None
    countdown: CountdownView | None
    undo: bool

    @cached_property
    def as_json(self) -> bytes:
        """The snapshot as JSON, serialised on first use. Every answer, stream and broker sends these bytes."""
        return self.model_dump_json(by_alias=True).encode()
