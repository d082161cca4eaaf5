"""Game records: a game as text that people can read and the program can replay."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from companion.errors import CompanionError, NotAllowed, NotationError, Unknown
from companion.i18n import _
from companion.referee.events import (
    Confirmed,
    Event,
    GameStarted,
    MoveChosen,
    MoveProposed,
    Passed,
    Resigned,
    ThrowEntered,
    ThrowSeen,
)
from companion.referee.game_state import GameState, Phase, PlayedMove, Throw, TurnRecord, new_game
from companion.referee.reducer import apply
from companion.referee.saved_games import outcome
from companion.rules.moves import Place
from companion.rules.notation import write
from companion.rules.unit import Side
from companion.rules.variant import Variant
from companion.rules.variant_fields import Teams
from companion.rules.variants import variant

HEADING = "Puluc Companion game record, version 1"
THROWN_OFF = "thrown off"
LONGEST = 1_000_000
"""Longest record read, in characters. Games of eight a side that move at random had up to 130,000."""
MOST_STEPS = 5_000
"""Most throws, moves and passes read; the same games had up to 2,300. Memory grows with the square of them: 5,000 took
30 MB, and in a single throw-off 120 MB; 10,000 took 110 and 480."""

_THROW = r"(?P<marked>[0-4])(?:\(read (?P<read>[0-4])\))?"
_MOVE = re.compile(
    r"(?P<start>base|field|\d{1,3})-(?P<to>home|field|\d{1,3})"
    r"(?: with (?P<value>\d{1,2}))?(?: by (?P<unit>[JOjo:1-9']+))?",
    re.ASCII,
)
_TURN = re.compile(
    r"(?P<number>\d{1,5})\. (?P<side>[JO])(?::\d)? [^|:]*: (?P<throws>[^|]*)\| (?P<moves>[^|]*)(?:\|.*)?", re.ASCII
)


def export_game(state: GameState) -> str:
    """Write a game as text: a header, the throw-off, one line a turn with the position after it, and the result.

    A count that players corrected is written ``2(read 3)``. Undone steps are left out.
    """
    game = state.game
    # A value may hold blanks, as in 5, 1, 2, 3, 4, and they mean nothing.
    changes = (f"{name}={''.join(value.split())}" for name, value in game.changes.items())
    lines = [
        HEADING,
        f"Variant: {game.variant} ({state.rules.name})",
        f"Set: {' '.join(changes)}".rstrip(),
        f"Jade: {'; '.join(_names(Side.JADE, state))}",
        f"Obsidian: {'; '.join(_names(Side.OBSIDIAN, state))}",
        f"Begins: {game.begins.value if game.begins else THROWN_OFF}",
        "",
    ]
    if state.opening:
        lines.append(f"Throw-off: {', '.join(f'{side.letter} {_thrown(throw)}' for side, throw in state.opening)}")
    for number, (turn, position) in enumerate(_with_positions(state), 1):
        lines.append(f"{number}. {_who(turn, state)}: {_throws(turn.throws)} | {_moves(turn.made, state)} | {position}")
    if state.thrown:
        player = state.position.player
        turn = TurnRecord(side=state.position.turn, player=player, throws=state.thrown, made=state.made)
        number, moves = len(state.turns) + 1, _moves(turn.made, state, "…")
        lines.append(f"{number}. {_who(turn, state)}: {_throws(turn.throws)} | {moves}")
    if state.resigned:
        lines += ["", f"Resigned: {state.resigned.value}"]
    lines += ["", f"Result: {outcome(state) or 'not over'}"]
    return "\n".join(lines) + "\n"


def parse_record(text: str) -> list[Event]:
    """Read a record as the events of its game. Raises NotationError, which names the line and its fault."""
    if len(text) > LONGEST:
        raise NotationError(
            _("A game record has at most {most} characters; this one has {length}.", most=LONGEST, length=len(text))
        )
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines or lines[0][1] != HEADING:
        raise NotationError(_("This is not a game record: its first line must be '{heading}'.", heading=HEADING))
    head = dict(line.split(":", 1) for _, line in lines[1:] if re.match(r"(Variant|Set|Jade|Obsidian|Begins):", line))
    missing = {"Variant", "Set", "Jade", "Obsidian", "Begins"} - head.keys()
    if missing:
        raise NotationError(_("The record has no line '{line}:'.", line=min(missing)))
    try:
        started = _started(head)
        state = new_game(started, 1)
    except CompanionError as error:
        raise NotationError(_("The record's header is wrong: {error}", error=str(error))) from error
    events: list[Event] = [started]
    for number, line in lines[1:]:
        try:
            for event in _events(line, state):
                for one in _decided(state, event):
                    if len(events) > MOST_STEPS:
                        raise NotationError(_("a game has at most {most} throws and moves.", most=MOST_STEPS))
                    events.append(one)
                    state = apply(state, one, len(events))
        except CompanionError as error:
            raise NotationError(
                _("Line {number} of the record is wrong: {error}", number=number, error=str(error))
            ) from error
    return events


def first_turns(state: GameState, turns: int, *, seed: int) -> list[Event]:
    """The events of a new game outside any match that begins with the first turns of this one, to be played on.

    Raises Unknown if the game has fewer turns, and NotAllowed if it is over after them.
    """
    if turns > len(state.turns):
        raise Unknown(_("This game has only {turns} turns.", turns=len(state.turns)))
    started = replace(state.game, seed=seed, evening=(), round=0, match=0)
    now = new_game(started, 1)
    events: list[Event] = [started]
    played = (event for turn in state.turns[:turns] for event in _turn_events(turn))
    for event in (*(ThrowEntered(throw.marked) for _side, throw in state.opening), *played):
        for one in _decided(now, event):
            events.append(one)
            now = apply(now, one, len(events))
    if now.phase is Phase.OVER:
        raise NotAllowed(_("The game is over here. Go back a turn to play on."))
    return events


def _decided(state: GameState, event: Event) -> tuple[Event, ...]:
    """The event; a move of Expert, which nobody may play for it while it thinks, as its own decision."""
    if isinstance(event, MoveChosen) and state.thinking:
        return MoveProposed(event.start, event.to, event.value, event.unit), Confirmed()
    return (event,)


def _turn_events(turn: TurnRecord) -> Iterator[Event]:
    for throw in turn.throws:
        yield ThrowEntered(throw.marked)
    for made in turn.made:
        yield MoveChosen(made.move.start, made.move.to, made.value, str(made.move.unit))
    if not turn.made:
        yield Passed()


def _started(head: dict[str, str]) -> GameStarted:
    begins, named = head["Begins"].strip(), head["Variant"].split("(")[0].strip()
    if begins not in ("jade", "obsidian", THROWN_OFF):
        raise NotationError(
            _(
                "'{begins}' cannot begin. Write jade, obsidian or {thrown_off}.",
                begins=begins[:20],
                thrown_off=THROWN_OFF,
            )
        )
    changes = {name: value for name, _, value in (change.partition("=") for change in head["Set"].split())}
    rules = variant(named).changed(changes)
    return GameStarted(
        variant=named,
        jade=_team(head["Jade"], rules),
        obsidian=_team(head["Obsidian"], rules),
        seed=0,
        changes=changes,
        begins=None if begins == THROWN_OFF else Side(begins),
    )


def _team(names: str, rules: Variant) -> tuple[str, ...]:
    """The players of a side. Where nobody plays in teams, a semicolon is part of a name."""
    return (names.strip(),) if rules.teams is Teams.NONE else tuple(name.strip() for name in names.split(";"))


def _events(line: str, state: GameState) -> Iterator[Event]:
    """The events of one line of the record."""
    if line.startswith("Throw-off:"):
        side = state.position.turn
        for part in line.removeprefix("Throw-off:").split(","):
            letter, _blank, throw = part.strip().partition(" ")
            if letter != side.letter:
                raise NotationError(
                    _(
                        "'{text}' is not {side}'s throw. The sides take turns, as in J 4, O 1.",
                        text=part.strip()[:20],
                        side=side.letter,
                    )
                )
            yield from _thrown_events(throw)
            side = side.other
        return
    if line.startswith("Result:"):
        result, told = outcome(state) or "not over", line.removeprefix("Result:").strip()
        if told != result:
            raise NotationError(
                _("after these turns the result is '{result}', not '{told}'.", result=result, told=told[:20])
            )
        return
    if line.startswith("Resigned:"):
        yield Resigned(_side(line.removeprefix("Resigned:").strip()))
        return
    turn = _TURN.fullmatch(line)
    if turn is None:
        if not re.match(r"(Variant|Set|Jade|Obsidian|Begins):", line):
            raise NotationError(_("'{line}' is neither a turn nor part of the header.", line=line[:60]))
        return
    if state.phase is not Phase.THROW or turn["side"] != state.position.turn.letter:
        raise NotationError(_("it is not {turn}'s turn here.", turn=turn["side"]))
    for part in turn["throws"].split(","):
        yield from _thrown_events(part.strip())
    words = [word.strip() for word in turn["moves"].split(",")]
    for word in words:
        if word == "pass":
            yield Passed()
        elif word != "…":
            yield _move_event(word)


def _side(name: str) -> Side:
    if name not in ("jade", "obsidian"):
        raise NotationError(_("'{name}' cannot resign: only jade or obsidian can.", name=name[:20]))
    return Side(name)


def _thrown_events(text: str) -> Iterator[Event]:
    throw = re.fullmatch(_THROW, text, re.ASCII)
    if throw is None:
        raise NotationError(
            _("'{text}' is not a throw. Write 0 to 4, or 2(read 3) for a corrected count.", text=text[:20])
        )
    if throw["read"]:
        yield ThrowSeen(marked=int(throw["read"]), confidence=0.0, lots=(), sticks=None)
    yield ThrowEntered(int(throw["marked"]))


def _move_event(text: str) -> MoveChosen:
    move = _MOVE.fullmatch(text)
    if move is None:
        raise NotationError(_("'{text}' is not a move. Write 3-5, base-2, 8-home or 3-5 with 2.", text=text[:40]))
    value = int(move["value"]) if move["value"] else None
    return MoveChosen(_place(move["start"]), _place(move["to"]), value, move["unit"])


def _place(text: str) -> Place:
    return "field" if text == "field" else int(text) if text.isdigit() else None


def _with_positions(state: GameState) -> Iterator[tuple[TurnRecord, str]]:
    """Each finished turn with the position after it."""
    game, number = state.game, 1
    now = new_game(game, number)
    for side, throw in state.opening:
        assert side is now.position.turn
        now = apply(now, ThrowEntered(throw.marked), number)
    for turn in state.turns:
        for event in _turn_events(turn):
            for one in _decided(now, event):
                now = apply(now, one, number)
        yield turn, write(now.position)


def _names(side: Side, state: GameState) -> tuple[str, ...]:
    """The names of a side as they are written. Between those of a team stands a semicolon, so none may be in one."""
    team = state.team(side)
    return team if state.rules.teams is Teams.NONE else tuple(name.replace(";", ",") for name in team)


def _who(turn: TurnRecord, state: GameState) -> str:
    team = _names(turn.side, state)
    player = f":{turn.player}" if state.rules.teams is not Teams.NONE and len(team) > 1 else ""
    return f"{turn.side.letter}{player} {re.sub('[:|]', ' ', team[(turn.player - 1) % len(team)])}"


def _throws(throws: tuple[Throw, ...]) -> str:
    return ", ".join(map(_thrown, throws))


def _thrown(throw: Throw) -> str:
    return f"{throw.marked}(read {throw.misread})" if throw.misread is not None else str(throw.marked)


def _moves(made: tuple[PlayedMove, ...], state: GameState, otherwise: str = "pass") -> str:
    """The moves, with the throw and the unit if they would be ambiguous."""
    rules = state.rules

    def text(one: PlayedMove) -> str:
        with_ = f" with {one.value}" if rules.throws > 1 else ""
        return f"{one.move}{with_}{f' by {one.move.unit}' if rules.sharing or rules.owners > 1 else ''}"

    return ", ".join(map(text, made)) or otherwise
