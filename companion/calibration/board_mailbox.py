"""The mailbox between the phones that teach a board and the camera's thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal, Protocol

from companion.calibration.board_session import BoardRequest, BoardTeaching, begun, next_teaching
from companion.calibration.mailbox import ABANDONED_S, StepSuperseded
from companion.errors import NotAllowed
from companion.i18n import N_, _
from companion.referee.board.expected import ExpectedBoard
from companion.referee.board.sightings import BoardSighting
from companion.rules.variant import Variant

Shown = Literal["empty", "pieces"]
"""The two pictures that a board is taught with."""

NO_BOARD = N_("This table has no camera, so there is no board to teach or to check.")


class BoardService(Protocol):
    """The real board as the page sees it. Thread-safe."""

    def teaching(self, *, attended: bool = False) -> BoardTeaching:
        """Return the state of teaching. attended: a player is watching, so keep it alive."""
        ...

    def begin(self, rules: Variant, changes: Mapping[str, str]) -> BoardTeaching:
        """Start teaching, or join it."""
        ...

    def submit(self, request: BoardRequest, *, seen: int | None = None) -> BoardTeaching:
        """Accept a request. seen: the step that the phone showed. Raises a CompanionError if it does not fit."""
        ...

    def cancel(self) -> BoardTeaching:
        """Stop teaching, and keep what was known."""
        ...

    def forget(self) -> BoardTeaching:
        """Forget the board."""
        ...

    def picture(self, which: Shown) -> bytes | None:
        """Return one of the pictures taken, as JPEG, or None."""
        ...

    def check(self, expected: ExpectedBoard) -> BoardSighting | None:
        """Return which of the positions the board shows; None if nothing is seen now. Raises NotAllowed."""
        ...


class NoBoard:
    """A table without a camera that could see a board."""

    def teaching(self, *, attended: bool = False) -> BoardTeaching:  # noqa: ARG002 - BoardService's signature
        return BoardTeaching(possible=False, problem=NO_BOARD)

    def begin(self, rules: Variant, changes: Mapping[str, str]) -> BoardTeaching:  # noqa: ARG002 - BoardService's signature
        raise NotAllowed(_(NO_BOARD))

    def submit(self, request: BoardRequest, *, seen: int | None = None) -> BoardTeaching:  # noqa: ARG002 - BoardService's signature
        raise NotAllowed(_(NO_BOARD))

    def cancel(self) -> BoardTeaching:
        return self.teaching()

    def forget(self) -> BoardTeaching:
        raise NotAllowed(_(NO_BOARD))

    def picture(self, which: Shown) -> bytes | None:  # noqa: ARG002 - BoardService's signature
        return None

    def check(self, expected: ExpectedBoard) -> BoardSighting | None:  # noqa: ARG002 - BoardService's signature
        raise NotAllowed(_(NO_BOARD))


class BoardMailbox:
    """Teaching of one board at a time, shared by all phones. Thread-safe.

    clock: monotonic seconds. taught: whether a board is known. look: compares the board with positions.
    forgotten: forgets the board that is known. Raises a CompanionError.
    """

    def __init__(
        self,
        *,
        clock: Callable[[], float],
        taught: bool,
        look: Callable[[ExpectedBoard], BoardSighting | None],
        forgotten: Callable[[], None],
    ) -> None:
        self._clock, self._look, self._forgotten = clock, look, forgotten
        self._lock = threading.Lock()
        self._state = BoardTeaching(taught=taught)
        self._pictures: dict[str, bytes] = {}
        self._attended_at = clock()

    # For phones.

    def teaching(self, *, attended: bool = False) -> BoardTeaching:
        with self._lock:
            if attended:
                self._attended_at = self._clock()
            return self._state

    def begin(self, rules: Variant, changes: Mapping[str, str]) -> BoardTeaching:
        with self._lock:
            self._attended_at = self._clock()
            if not self._state.is_open:
                self._state, self._pictures = begun(self._state, rules, changes), {}
            return self._state

    def submit(self, request: BoardRequest, *, seen: int | None = None) -> BoardTeaching:
        with self._lock:
            self._attended_at = self._clock()
            self._state = next_teaching(self._state, request, seen=seen)
            return self._state

    def cancel(self) -> BoardTeaching:
        with self._lock:
            if self._state.is_open:
                self._close(_("Stopped. I still know what I knew before."))
            return self._state

    def forget(self) -> BoardTeaching:
        self._forgotten()
        with self._lock:
            self._state = BoardTeaching(step=self._state.step + 1)
            return self._state

    def picture(self, which: Shown) -> bytes | None:
        with self._lock:
            return self._pictures.get(which)

    def check(self, expected: ExpectedBoard) -> BoardSighting | None:
        with self._lock:
            if not self._state.taught:
                raise NotAllowed(_("I don't know this board yet. Teach it to me, from the menu."))
        return self._look(expected)

    # For the camera's thread.

    def pending(self) -> BoardTeaching:
        """Return the state. Ends teaching that has been abandoned."""
        with self._lock:
            if self._state.is_open and self._clock() - self._attended_at > ABANDONED_S:
                self._close(_("Nobody was watching, so I stopped. I still know what I knew before."))
            return self._state

    def update(self, step: int, /, **changes: Any) -> None:
        """Change the state of a step; the phones' next tap means something new. Raises StepSuperseded."""
        with self._lock:
            if self._state.step != step:
                raise StepSuperseded
            self._state = replace(self._state, step=step + 1, busy=None, **changes)

    def publish_picture(self, step: int, which: Shown, jpeg: bytes) -> None:
        """Show a picture that was taken in a step. Raises StepSuperseded."""
        with self._lock:
            if self._state.step != step:
                raise StepSuperseded
            self._pictures[which] = jpeg

    def _close(self, why: str) -> None:
        self._state = BoardTeaching(step=self._state.step + 1, problem=why, taught=self._state.taught)
        self._pictures = {}
