"""The game on the table at one moment, complete."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from companion.advice.levels import EXPERT, LEVEL_NAMES
from companion.advice.odds import parse_chance
from companion.errors import Unknown
from companion.referee.events import CameraChanged, CameraState, Face, GameStarted, Lot, Options
from companion.referee.names import shown
from companion.rules.fields import Teams
from companion.rules.position import Move, Position, Side
from companion.rules.ruleset import Variant
from companion.rules.turns import Step, Turn
from companion.rules.variant import variant
from companion.words import _, again


class Phase(StrEnum):
    """What the table waits for: a throw to see who begins, a throw, a yes to a reading, a move, or nothing more."""

    THROW_OFF = "throw_off"
    THROW = "throw"
    READING = "reading"
    MOVE = "move"
    OVER = "over"


class Source(StrEnum):
    """Where a count came from. There is no other way in."""

    CAMERA = "camera"
    HAND = "hand"
    BUTTON = "button"
    DRAWN = "drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the camera saw: the lots it found, and the number of the event that holds the picture (size in pixels)."""

    lots: tuple[Lot, ...]
    picture: int | None
    width: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw:
    """A count of marked faces, read or said.

    number: that of the event that brought it; a count that is put right keeps it.
    confidence: the reader's, 1 where a person said it. misread: what the camera had read where a person knew better.
    sticks: the set of lots that the camera read, as in ThrowSeen; None where it was not the camera that brought it.
    faces: the true faces of the evidence's lots, in their order, where a person told each of them; else empty.
    """

    number: int

    marked: int
    source: Source
    confidence: float = 1.0
    evidence: Evidence | None = None
    misread: int | None = None
    sticks: str | None = None
    faces: tuple[Face, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A move made with the throw of that value. slain: captives it brought in."""

    value: int
    move: Move
    slain: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a player did in a turn, for telling it afterwards. made: empty for a pass."""

    side: Side
    player: int
    throws: tuple[Throw, ...]
    made: tuple[Made, ...]


NO_CAMERA = CameraChanged(state=CameraState.NONE)
AS_FIRST_SET_UP = Options()


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Everything that is so at the table between two events.

    rules: as they are played here. position: between the throws of a turn, too.
    step: number of the last event that changed the game, as against the camera's state.
    throw_off: (side, throw) of each throw that is to decide who begins; None once that is decided, or was agreed.
    thrown: the throws of this turn that count. throw: the one that waits for its yes.
    turn: what is left to use of them, once all are thrown. made: the moves made with them so far.
    chosen: the step chosen, by a person with the buttons or by the companion's own player.
    unsure: why the last throw was not read, with what was seen; None if there is nothing to ask.
    story: all turns so far, and how it was thrown off.
    awaited: the step since which a throw is awaited; a new one for every new throw. None when none is awaited.
    look: the step at which players last asked to look at the tray anew.
    read: the camera's last reading, even after it was taken back.
    resigned: the side that gave up; None where neither has.
    before: the table that taking back the last step returns to.
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
    made: tuple[Made, ...] = ()
    chosen: Step | None = None
    unsure: tuple[str, Evidence] | None = None
    story: tuple[Told, ...] = ()
    opening: tuple[tuple[Side, Throw], ...] = ()
    options: Options = AS_FIRST_SET_UP
    camera: CameraChanged = NO_CAMERA
    awaited: int | None = None
    look: int = 0
    read: Throw | None = None
    resigned: Side | None = None
    before: Table | None = None

    def value(self, throw: Throw) -> int:
        """What that throw is worth in this game."""
        return self.rules.values[throw.marked]

    def team(self, side: Side) -> tuple[str, ...]:
        """The names of a side's players."""
        return self.game.jade if side is Side.JADE else self.game.obsidian

    def called(self, side: Side, player: int) -> str:
        """A player as everyone reads it, in the present language, and numbered where the team has it more than once.

        player: by number in the team, from 1.
        """
        team = self.team(side)
        at = (player - 1) % len(team)
        name = shown(team[at])
        return f"{name} {team[:at].count(team[at]) + 1}" if team.count(team[at]) > 1 else name

    def winner(self) -> Side | None:
        """The side that has won, because the other gave up or by the rules; None while neither has."""
        return self.resigned.other if self.resigned else self.position.winner()

    @property
    def marked(self) -> Fraction:
        """The chance of a marked face that advice is to reckon with at this table."""
        return parse_chance(self.options.marked)

    @property
    def thrower(self) -> str:
        """Whose throw it is, by name."""
        team = self.team(self.position.turn)
        return team[(self.position.player - 1) % len(team)]

    @property
    def level(self) -> str | None:
        """The level of the companion's own player whose turn it is, or None for a person."""
        return self.thrower if self.thrower in LEVEL_NAMES else None

    @property
    def thinking(self) -> bool:
        """Whether Expert has a choice before it and has not decided. Nobody else can move meanwhile."""
        undecided = self.phase is Phase.MOVE and self.level == EXPERT and self.chosen is None
        return undecided and self.turn is not None and len(self.turn.steps()) > 1

    def steps(self) -> tuple[Step, ...]:
        """What may be played now: the legal steps, or the one the companion's own player has decided on.

        While it thinks they are the steps that it chooses from.
        """
        if self.turn is None:
            return ()
        if self.level is not None and self.chosen is not None:
            return (self.chosen,)
        return self.turn.steps()

    def shown_steps(self) -> tuple[Step, ...]:
        """The steps that players are shown; none while the companion's own player thinks."""
        return () if self.thinking else self.steps()


def opened(
    game: GameStarted, number: int, camera: CameraChanged = NO_CAMERA, options: Options = AS_FIRST_SET_UP
) -> Table:
    """A fresh table for that game. Raises Unknown for a variant, field or player there is not."""
    for name in (*game.jade, *game.obsidian):
        if not 1 <= len(name) <= 40 or not name.isprintable() or name != name.strip():
            raise Unknown(_("A player's name is 1 to 40 letters, without blanks around it."))
    rules = agreed(game)
    table = Table(
        game=game,
        rules=rules,
        position=Position.start(rules, game.begins or Side.JADE),
        phase=Phase.THROW if game.begins else Phase.THROW_OFF,
        step=number,
        throw_off=None if game.begins else (),
        options=options,
        camera=camera,
    )
    return replace(table, awaited=number if options.auto_throw else None)


def agreed(game: GameStarted) -> Variant:
    """The rules of that game for so many players. Raises Unknown where they are not for them."""
    rules = variant(game.variant).changed(game.changes)
    players = len(game.jade)
    if len(game.obsidian) != players or not players:
        raise Unknown(
            _("Teams are of equal size, not {jade} against {obsidian}.", jade=players, obsidian=len(game.obsidian))
        )
    if rules.teams is Teams.NONE and players > 1:
        raise Unknown(
            _("{name} is played one against one; set teams=shared or teams=owned for more.", name=again(rules.name))
        )
    return (
        rules if rules.teams is Teams.NONE else variant(game.variant).changed({**game.changes, "players": str(players)})
    )
