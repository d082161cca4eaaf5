"""The complete state of the game on the table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from random import Random

from companion.advice.levels import EXPERT, LEVEL_NAMES
from companion.errors import NotAllowed, Unknown
from companion.i18n import _, retranslate
from companion.referee.events import Begins, CameraChanged, CameraState, Face, GameStarted, Lot, Options
from companion.referee.player_names import display_name
from companion.rules.odds import parse_chance
from companion.rules.position import Move, Position, Side
from companion.rules.turns import Step, Turn
from companion.rules.variant import Variant
from companion.rules.variant_fields import Rescued, Teams
from companion.rules.variants import variant


class Phase(StrEnum):
    """What the table waits for: the throw-off, a throw, confirmation of a reading, a move, or nothing more."""

    THROW_OFF = "throw_off"
    THROW = "throw"
    READING = "reading"
    MOVE = "move"
    OVER = "over"


class ThrowSource(StrEnum):
    """Where a count came from: the camera, a tap, the panel's button, or the companion's own draw."""

    CAMERA = "camera"
    HAND = "hand"
    BUTTON = "button"
    DRAWN = "drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowEvidence:
    """The lots that the camera detected, and the number of the event with the picture (size in pixels)."""

    lots: tuple[Lot, ...]
    picture: int | None
    width: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw:
    """A count of marked faces, from the camera or from a person.

    number: of the event that brought it; a corrected count keeps it.
    confidence: the reader's; 1 if entered by a person. misread: the camera's count if a person corrected it.
    sticks: the set of lots that the camera read, as in ThrowSeen; None if the count is not the camera's.
    faces: the true faces of the evidence's lots, in their order, if a person labelled each; else empty.
    """

    number: int
    marked: int
    source: ThrowSource
    confidence: float = 1.0
    evidence: ThrowEvidence | None = None
    misread: int | None = None
    sticks: str | None = None
    faces: tuple[Face, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMove:
    """A move made with the throw of that value.

    slain: number of captives it brought home or burnt. burnt, lost: number of own pieces that the fire took, and that
    were slain on coming home. freed: number of own pieces among its captures, or that its liberation frees.
    rescued: what becomes of those among its captures.
    """

    value: int
    move: Move
    slain: int
    burnt: int
    lost: int
    freed: int
    rescued: Rescued

    @classmethod
    def of(cls, step: Step, position: Position) -> PlayedMove:
        """A step made in that position."""
        move = step.move
        return cls(
            value=step.value,
            move=move,
            slain=position.slain_by(move),
            burnt=position.burnt_by(move),
            lost=position.lost_by(move),
            freed=position.freed_by(move),
            rescued=position.rules.rescued,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRecord:
    """A finished turn of one player. made: the moves; empty for a pass."""

    side: Side
    player: int
    throws: tuple[Throw, ...]
    made: tuple[PlayedMove, ...]


NO_CAMERA = CameraChanged(state=CameraState.NONE)
AS_FIRST_SET_UP = Options()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameState:
    """Everything about the game between two events.

    rules: the variant with this game's changes. position: also updated between the moves of a turn.
    step: number of the last event that changed the game; the camera's state is not part of the game.
    throw_off: (side, throw) of each throw to decide who begins; None once that is decided or agreed.
    thrown: the accepted throws of this turn. throw: the one that waits for confirmation.
    turn: the throws left to use, once all are thrown. made: the moves made with them so far.
    chosen: the step selected by a person with the buttons or by a computer player.
    unreadable: why the camera could not read the last throw, with its evidence; None if there is nothing to ask.
    turns: all finished turns. opening: the throws of the throw-off.
    awaited: the step since which a throw is awaited, new for every throw; None if none is awaited.
    look_again: the step at which players last asked the camera to look again.
    last_reading: the camera's last reading, even if it was undone.
    resigned: the side that resigned, or None.
    held: players took something back or doubted the reading, so nothing happens by itself until they decide.
    before: the state that undo returns to.
    """

    game: GameStarted
    rules: Variant
    position: Position
    phase: Phase
    step: int
    throw_off: tuple[tuple[Side, Throw], ...] | None = ()
    throw: Throw | None = None
    thrown: tuple[Throw, ...] = ()
    turn: Turn | None = None
    made: tuple[PlayedMove, ...] = ()
    chosen: Step | None = None
    unreadable: tuple[str, ThrowEvidence] | None = None
    turns: tuple[TurnRecord, ...] = ()
    opening: tuple[tuple[Side, Throw], ...] = ()
    options: Options = AS_FIRST_SET_UP
    camera: CameraChanged = NO_CAMERA
    awaited: int | None = None
    look_again: int = 0
    last_reading: Throw | None = None
    resigned: Side | None = None
    held: bool = False
    before: GameState | None = None

    def value(self, throw: Throw) -> int:
        """The value of a throw in this game."""
        return self.rules.values[throw.marked]

    def team(self, side: Side) -> tuple[str, ...]:
        """The names of a side's players."""
        return self.game.jade if side is Side.JADE else self.game.obsidian

    def player_name(self, side: Side, player: int) -> str:
        """A player's name in the context's language, numbered if it occurs more than once in the team.

        player: number in the team, from 1.
        """
        team = self.team(side)
        at = (player - 1) % len(team)
        name = display_name(team[at])
        return f"{name} {team[:at].count(team[at]) + 1}" if team.count(team[at]) > 1 else name

    def winner(self) -> Side | None:
        """The side that has won, by the rules or because the other resigned; else None."""
        return self.resigned.other if self.resigned else self.position.winner()

    @property
    def marked(self) -> Fraction:
        """The chance of a marked face that advice assumes at this table."""
        return parse_chance(self.options.marked)

    @property
    def thrower(self) -> str:
        """The name of the player whose throw it is."""
        team = self.team(self.position.turn)
        return team[(self.position.player - 1) % len(team)]

    @property
    def level(self) -> str | None:
        """The level of the computer player whose turn it is; None for a person."""
        return self.thrower if self.thrower in LEVEL_NAMES else None

    @property
    def thinking(self) -> bool:
        """Whether Expert has a choice to make and has not decided. Nobody else can move meanwhile."""
        undecided = self.phase is Phase.MOVE and self.level == EXPERT and self.chosen is None
        return undecided and self.turn is not None and len(self.turn.steps()) > 1

    def steps(self) -> tuple[Step, ...]:
        """The steps that may be played now: the legal ones, or the one that the computer player has decided on.

        While it is thinking, these are the steps it chooses from.
        """
        if self.turn is None:
            return ()
        if self.level is not None and self.chosen is not None:
            return (self.chosen,)
        return self.turn.steps()

    def shown_steps(self) -> tuple[Step, ...]:
        """The steps that players are shown; none while the computer player is thinking."""
        return () if self.thinking else self.steps()


def new_game(
    game: GameStarted, number: int, camera: CameraChanged = NO_CAMERA, options: Options = AS_FIRST_SET_UP
) -> GameState:
    """The initial state of a game. Raises Unknown for an unknown variant, rule or player."""
    for name in (*game.jade, *game.obsidian):
        if not 1 <= len(name) <= 40 or not name.isprintable() or name != name.strip():
            raise Unknown(_("A player's name can have 1 to 40 characters, without spaces at either end."))
    rules = rules_of(game)
    return GameState(
        game=game,
        rules=rules,
        position=Position.start(rules, game.begins or Side.JADE),
        phase=Phase.THROW if game.begins else Phase.THROW_OFF,
        step=number,
        throw_off=None if game.begins else (),
        options=options,
        camera=camera,
        awaited=number if options.auto_throw else None,
    )


def decidable(game: GameStarted) -> GameStarted:
    """The game, with a side that begins by chance where all throws are worth the same: no throw-off could end then."""
    if game.begins is not None or len(set(rules_of(game).values)) > 1:
        return game
    return replace(game, begins=Random(game.seed).choice(list(Side)))


def rules_of(game: GameStarted) -> Variant:
    """The rules of a game for its number of players. Raises Unknown if they do not allow that number."""
    rules = variant(game.variant).changed(game.changes)
    players = len(game.jade)
    if len(game.obsidian) != players or not players:
        raise Unknown(
            _(
                "Both teams need the same number of players, not {jade} against {obsidian}.",
                jade=players,
                obsidian=len(game.obsidian),
            )
        )
    if rules.teams is Teams.NONE and players > 1:
        raise Unknown(
            _("{name} is for two players. For teams, set teams=shared or teams=owned.", name=retranslate(rules.name))
        )
    if rules.teams is Teams.NONE:
        return rules
    return variant(game.variant).changed({**game.changes, "players": str(players)})


def next_game(state: GameState, seed: int, number: int) -> GameStarted:
    """The next game between the same players. Raises NotAllowed while this one goes on."""
    if state.phase is not Phase.OVER:
        raise NotAllowed(_("This game is not over yet. To leave it, choose a new game on the page."))
    game = replace(state.game, seed=seed, begins=_begins(state))
    if not game.evening:
        return game
    round_ = (game.round + 1) % len(game.evening)
    return replace(game, variant=game.evening[round_], round=round_, match=game.match if round_ else number, changes={})


def _begins(state: GameState) -> Side | None:
    winner = state.winner()
    if winner is None or state.options.begins is Begins.THROW_OFF:
        return None
    return winner if state.options.begins is Begins.WINNER else winner.other


def check_all_playable(game: GameStarted) -> None:
    """Raise Unknown if a later game of the match does not allow these players, before the match begins."""
    for name in game.evening:
        rules_of(replace(game, variant=name, changes={}))
