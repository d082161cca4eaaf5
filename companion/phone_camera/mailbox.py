"""The mailbox between the page of a phone that is a camera and the camera's thread."""

from __future__ import annotations

import secrets
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from companion.errors import NotAllowed
from companion.i18n import _
from companion.phone_camera.absence import Absence, PhoneAway, Subject

PATIENCE_S = 3.0
"""Seconds without a word from the phone after which it counts as lost. Lower mistakes a busy network for a broken
one."""

HOLD_S = 0.5
"""Seconds that a phone's request waits until another picture is wanted. Longer occupies a thread of the server for
longer, shorter makes an idle phone ask more often."""

AHEAD_S = 2.0
"""Seconds for which pictures that were asked for ahead may be used. Higher shows older ones, lower asks again where
reading takes long."""


class Wanted(StrEnum):
    """The picture that the camera's thread waits for."""

    NOTHING = "nothing"
    SMALL = "small"
    LARGE = "large"


class Mode(StrEnum):
    """What the phone sends: pictures as they are wanted, or single photographs."""

    LIVE = "live"
    PHOTOS = "photos"


@dataclass(frozen=True, slots=True)
class PictureRequest:
    """A picture that is wanted. number: to be sent with it, so that no picture counts for an earlier request."""

    number: int
    wanted: Wanted


@dataclass(frozen=True, slots=True, eq=False)
class PhonePicture:
    """A picture as JPEG. arrived_at: monotonic seconds."""

    jpeg: bytes
    arrived_at: float


class PhoneMailbox:
    """Passes the phone's pictures to the camera's thread. Thread-safe; keeps only those asked for last, in memory.

    clock: returns monotonic seconds. subject: what the phone looks at. has_phone: whether a phone has been let in
        before. patience_s: as PATIENCE_S.
    """

    def __init__(
        self,
        *,
        clock: Callable[[], float],
        subject: Subject = Subject.TRAY,
        has_phone: bool = False,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self.subject = subject
        self._clock, self._patience_s = clock, patience_s
        self._changed = threading.Condition()
        # All guarded by the condition.
        self._requests: deque[PictureRequest] = deque()
        self._asked, self._asked_at = 0, float("-inf")
        self._pictures: deque[tuple[Wanted, PhonePicture]] = deque()
        self._photo: PhonePicture | None = None
        self._page = 0
        self._heard_at = float("-inf")
        self._absence: Absence | None = Absence.CLOSED if has_phone else Absence.NEVER
        self._mode = Mode.LIVE
        self._hints: tuple[str, ...] = ()

    # For the phone's page.

    def open_page(self, mode: Mode) -> int:
        """Note that the phone has opened its page, and return the page's number. An earlier page is closed."""
        with self._changed:
            self._page = secrets.randbelow(2**31) + 1
            self._mode, self._absence, self._heard_at = mode, None, self._clock()
            self._photo, self._hints = None, ()
            self._changed.notify_all()
            return self._page

    @property
    def has_page(self) -> bool:
        """Whether a page has been opened since the start, or since the last phone was removed."""
        return self._page != 0

    def exchange(self, page: int, number: int, jpeg: bytes | None, *, hold_s: float = HOLD_S) -> PictureRequest:
        """Take a picture, and wait a moment until the next one is wanted.

        number: of the request that the picture answers; a picture that answers another than the present one is dropped.
        Raises NotAllowed if that page has been closed.
        """
        with self._changed:
            self._check_page(page)
            self._heard_at, self._absence = self._clock(), None
            if jpeg is not None and self._requests and number == self._requests[0].number:
                self._pictures.append((self._requests.popleft().wanted, PhonePicture(jpeg, self._heard_at)))
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._requests or self._page != page, hold_s)
            self._check_page(page)
            self._heard_at = self._clock()
            return self._requests[0] if self._requests else PictureRequest(self._asked, Wanted.NOTHING)

    def photograph(self, page: int, jpeg: bytes) -> None:
        """Take a single photograph. Raises NotAllowed if that page has been closed."""
        with self._changed:
            self._check_page(page)
            self._photo = PhonePicture(jpeg, self._clock())

    def leave(self, page: int, why: Absence) -> None:
        """Note why the page sends nothing for now. Nothing happens if it has been closed."""
        with self._changed:
            if page == self._page:
                self._absence = why
                self._changed.notify_all()

    def expect_phone(self) -> None:
        """Note that a phone has been let in, which will open its page."""
        with self._changed:
            self._page, self._absence = 0, Absence.CLOSED

    def remove_phone(self) -> None:
        """Close the page, because the phone is the camera no longer."""
        with self._changed:
            self._page = 0
            self._absence, self._mode, self._photo = Absence.REMOVED, Mode.LIVE, None
            self._changed.notify_all()

    # For the camera's thread.

    @property
    def mode(self) -> Mode:
        """What the phone sends."""
        return self._mode

    @property
    def photo(self) -> PhonePicture | None:
        """The newest photograph."""
        return self._photo

    @property
    def hints(self) -> tuple[str, ...]:
        """What could be better about the picture, in sentences."""
        return self._hints

    def show_hints(self, hints: tuple[str, ...]) -> None:
        """Show the phone what could be better about its picture."""
        self._hints = hints

    def absence(self) -> Absence | None:
        """Why there are no pictures now, or None if there are."""
        with self._changed:
            if self._absence is not None:
                return self._absence
            if self._mode is Mode.PHOTOS:
                return None if self.subject is Subject.TRAY else Absence.PHOTOS
            return Absence.SILENT if self._clock() - self._heard_at > self._patience_s else None

    def check_phone(self) -> None:
        """Raise PhoneAway if there are no pictures now."""
        absence = self.absence()
        if absence is not None:
            raise PhoneAway(self.subject, absence)

    def ask(self, *wanted: Wanted) -> None:
        """Ask for pictures taken from now on, one after the other in this order."""
        with self._changed:
            self._pictures.clear()
            self._requests = deque(PictureRequest(self._asked + at, one) for at, one in enumerate(wanted, 1))
            self._asked, self._asked_at = self._asked + len(wanted), self._clock()
            self._changed.notify_all()

    def take(self, wanted: Wanted) -> PhonePicture:
        """Wait for a picture, and ask for it unless one was asked for not long ago. Others that came are kept.

        Raises PhoneAway if the phone falls silent.
        """
        with self._changed:
            page = self._page
            coming = {came for came, _picture in self._pictures} | {request.wanted for request in self._requests}
            if wanted not in coming or self._clock() - self._asked_at > AHEAD_S:
                self.ask(wanted)
            self._changed.wait_for(
                lambda: self._first(wanted) or self._absence is not None or self._page != page, self._patience_s
            )
            first = self._first(wanted)
            if first is None:
                self._requests.clear()
                raise PhoneAway(self.subject, self._absence or Absence.SILENT)
            self._pictures.remove(first)
            return first[1]

    def _first(self, wanted: Wanted) -> tuple[Wanted, PhonePicture] | None:
        return next((one for one in self._pictures if one[0] is wanted), None)

    def _check_page(self, page: int) -> None:
        if self._absence is Absence.REMOVED:
            raise NotAllowed(_("The host removed this phone. To use it as the camera again, scan a new code."))
        if page != self._page:
            raise NotAllowed(_("Another page is using the camera now. To use this one instead, open it again."))
