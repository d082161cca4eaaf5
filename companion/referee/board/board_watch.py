"""The referee's knowledge of the real board: the newest sighting, and whether it may count by itself."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.referee.board.expected import due_turn, why_no_help
from companion.referee.board.sightings import ILLEGAL, BoardSighting, BoardUnchanged, BoardUnclear, MoveSeen
from companion.referee.events import CameraChanged, CameraState
from companion.referee.game_state import GameState, Phase
from companion.rules.position import Position


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardWatch:
    """A board that the camera knows. Nothing here is stored: after a restart the camera looks again.

    spaces: of the board. sighting: of the present step of the game; None while nothing is seen.
    agreed: the position that the board last agreed with.
    camera: the state of the board's own camera; None where the tray's camera sees the board.
    held: players took something back, so the board has to change before it counts again; declined: the position that
        it showed then, None if that is unknown.
    """

    spaces: int
    sighting: BoardSighting | None = None
    agreed: Position | None = None
    camera: CameraChanged | None = None
    held: bool = False
    declined: Position | None = None

    def seen(self, sighting: BoardSighting | None, state: GameState) -> BoardWatch:
        """With a new sighting of the present step."""
        now = replace(self, sighting=sighting)
        shown = now.shown(state)
        if shown is None:
            return now
        if isinstance(sighting, BoardUnchanged):
            now = replace(now, agreed=state.position)
        if not self.held:
            return now
        if self.declined is None and not isinstance(sighting, BoardUnchanged):
            return replace(now, declined=shown)
        if self.declined is None or shown.places != self.declined.places:
            return replace(now, held=False, declined=None)
        return now

    def after(self, before: GameState, state: GameState, *, by_board: bool) -> BoardWatch:
        """After a change of the game. by_board: the board itself made it."""
        if state.game != before.game:
            return BoardWatch(spaces=self.spaces, camera=self.camera, held=state.held)
        if state.step == before.step:
            return replace(self, sighting=None) if self.is_blind(state) else self
        shown, now = self.shown(before), replace(self, sighting=None)
        # Moves end what holds the game, so where it is still held and pieces stand elsewhere, more was taken back.
        if state.held and not by_board and (not before.held or state.position.places != before.position.places):
            now = replace(now, held=True, declined=shown)
        elif by_board or not state.held:
            now = replace(now, held=False, declined=None)
        if self.sighting is None or shown is None or shown.places != state.position.places:
            return now
        return replace(now, sighting=BoardUnchanged(self.sighting.tops), agreed=state.position)

    def objected(self, state: GameState) -> BoardWatch:
        """After an objection to the move that is seen: the board has to change before it counts."""
        return replace(self, held=True, declined=self.shown(state))

    def is_watching(self, state: GameState) -> bool:
        """Whether the camera looks at the board of this game."""
        return state.options.board and not self.is_blind(state) and not why_no_help(state.rules, self.spaces)

    def is_blind(self, state: GameState) -> bool:
        """Whether the camera that looks at the board is gone."""
        return (self.camera or state.camera).state in (CameraState.LOST, CameraState.NONE)

    def waits_for(self, state: GameState) -> bool:
        """Whether moves are awaited on the board, so that no move is made before it is seen."""
        return self.is_watching(state) and state.options.board_moves

    def proposes(self, state: GameState) -> Position | None:
        """The result that the board shows and that may be taken now, if only by a tap."""
        if not isinstance(self.sighting, MoveSeen) or not self.waits_for(state):
            return None
        if due_turn(state) is None and not self.is_correction(state):
            return None
        return self.sighting.result

    def takes(self, state: GameState) -> Position | None:
        """The result to take after a moment's rest, without a tap."""
        return None if self.held or state.options.ask else self.proposes(state)

    def is_correction(self, state: GameState) -> bool:
        """Whether the board has shown the last move, and then something else before the next throw."""
        return state.phase is Phase.THROW and self.agreed is not None and self.agreed.places == state.position.places

    def is_wrong(self, state: GameState) -> bool:
        """Whether the board clearly shows what is not legal."""
        seen = self.sighting
        return self.is_watching(state) and isinstance(seen, BoardUnclear) and seen.reason == ILLEGAL

    def shown(self, state: GameState) -> Position | None:
        """The position that the board shows; None if that is unknown."""
        match self.sighting:
            case MoveSeen(result):
                return result
            case BoardUnchanged():
                return state.position
        return None


def board_answers_confirm(state: GameState, countdown: str | None) -> bool:
    """Whether confirming takes the result that the board shows. countdown: the kind of the running one."""
    return countdown == "board" or (state.phase is Phase.MOVE and state.level is None and state.chosen is None)
