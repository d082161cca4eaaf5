"""The part of the snapshot that shows the real board as the camera sees it."""

from __future__ import annotations

from typing import Literal

from companion.referee.board.board_watch import BoardWatch
from companion.referee.board.expected import why_no_help
from companion.referee.board.sightings import ILLEGAL, BoardUnchanged, BoardUnclear, MoveSeen
from companion.referee.game_state import GameState
from companion.referee.snapshots.board_sentences import seen_steps, sighting_text
from companion.referee.snapshots.table_view import BoardSeenView, From, MadeView, SpaceDifferenceView, To
from companion.rules.moves import Move, Place
from companion.rules.notation import write

Status = Literal["waiting", "unchanged", "played", "illegal", "unsure", "off", "lost"]


def board_seen_view(watch: BoardWatch, state: GameState) -> BoardSeenView:
    """What the camera sees on the board, in the context's language."""
    sighting = watch.sighting if watch.is_watching(state) else None
    moves, result = [], None
    if isinstance(sighting, MoveSeen):
        result = write(sighting.result)
        moves = [made_view(step.move, step.value) for step in seen_steps(sighting.result, state)[0]]
    unclear = sighting if isinstance(sighting, BoardUnclear) else None
    return BoardSeenView(
        status=_status(watch, state),
        reason=unclear.reason if unclear and unclear.reason != ILLEGAL else "",
        sentence=sighting_text(watch, state),
        spaces=list(sighting.tops) if sighting else [],
        differences=[
            SpaceDifferenceView(space=one.space, expected=one.expected, found=one.found)
            for one in (unclear.differences if unclear else ())
        ],
        result=result,
        moves=moves,
        corrects=result is not None and watch.is_correction(state),
        counts=watch.takes(state) is not None,
    )


def _status(watch: BoardWatch, state: GameState) -> Status:
    if not state.options.board or why_no_help(state.rules, watch.spaces):
        return "off"
    if watch.is_blind(state):
        return "lost"
    match watch.sighting:
        case BoardUnclear(reason=reason):
            return "illegal" if reason == ILLEGAL else "unsure"
        case MoveSeen():
            return "played"
        case BoardUnchanged():
            return "unchanged"
        case None:
            return "waiting"


def made_view(move: Move, value: int) -> MadeView:
    """A move with the throw of that value."""
    return MadeView(start=place_from(move.start), to=place_to(move.to), value=value)


def place_from(start: Place) -> From:
    """Where a move starts, as JSON spells it."""
    return "base" if start is None else start


def place_to(to: Place) -> To:
    """Where a move ends, as JSON spells it."""
    return "home" if to is None else to
