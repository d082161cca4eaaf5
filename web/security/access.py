"""Who may play: everyone may look, but changing the game takes the table's code, and some changes its host."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass
from time import monotonic

from flask import Request, Response

from companion.door import Door
from companion.errors import CompanionError
from companion.words import _
from web.guesses import Guesses, TooManyGuesses
from web.names import check_name

COOKIE = "puluc_phone"
MONTH = 30 * 24 * 3600
BEARER = "puluc.bearer"
"""Where in a request's environ it is noted whether the code in its header is right: a guess is judged once."""
SAFE = ("GET", "HEAD", "OPTIONS")
DOORBELL = "/join"
"""The one address that takes a POST from who has not shown the code: it is where they show it."""


class CodeWanted(CompanionError, PermissionError):
    """Somebody who has not shown the table's code wants to change the game."""


class ForeignPage(CompanionError, PermissionError):
    """Another site's page tries to play with this phone's cookie."""


class HostWanted(CompanionError, PermissionError):
    """Somebody who is not the host wants to do what is the host's while the host is here."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks.

    plays: whether it has shown the code. phone: which phone it is, where it shows a pass.
    is_host: whether it is the host, or a program with the code, which does what the host may.
    leads: whether it may do what is the host's now: the host is not here, or it is the host itself.
    """

    plays: bool
    phone: str | None
    is_host: bool
    leads: bool


class Access:
    """Lets in whom the door knows.

    hears: whether the phone of that name listens to the table now; that is how one tells that the host is here.
    names: further names by which browsers may call this table. clock: monotonic seconds.
    """

    def __init__(
        self,
        door: Door,
        *,
        hears: Callable[[str], bool] = lambda _phone: False,
        names: Collection[str] = (),
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.door, self._hears, self._names = door, hears, names
        self._guesses = Guesses(clock)

    def enter(self, request: Request) -> None:
        """Let the request in as far as it may go.

        Raises UnknownName, and for one that would change something CodeWanted, TooManyGuesses or ForeignPage.
        """
        check_name(request.headers.get("Host"), self._names)
        code = _borne(request)
        if code is not None:
            try:
                request.environ[BEARER] = self.judge(request, code)
            except TooManyGuesses:
                # Looking is free to everyone, whatever they show.
                if request.method not in SAFE:
                    raise
        if request.method in SAFE:
            return
        if request.path != DOORBELL and not self.may_play(request):
            raise CodeWanted(
                _("To play, open the address with the code that the table shows. Without it you can watch.")
            )
        # A browser sends the cookie by itself and names the page that asks; other programs name none.
        ours = (None, f"http://{request.host}", f"https://{request.host}")
        if not (self.door.code and self._bears(request)) and request.headers.get("Origin") not in ours:
            raise ForeignPage(_("Another site's page cannot play at this table."))

    def judge(self, request: Request, code: str) -> bool:
        """Whether that is the table's code. Raises TooManyGuesses."""
        if self.door.code is None:
            return True
        return self._guesses.judge(request.remote_addr or "", code, self.door.knows)

    def visitor(self, request: Request) -> Visitor:
        """Who asks."""
        if self.door.code is None or self._bears(request):
            return Visitor(plays=True, phone=None, is_host=True, leads=True)
        phone = self.door.phone_of(request.cookies.get(COOKIE))
        is_host = phone is not None and phone == self.door.host
        leads = is_host or (phone is not None and not self.host_is_here())
        return Visitor(plays=phone is not None, phone=phone, is_host=is_host, leads=leads)

    def may_play(self, request: Request) -> bool:
        """Whether the request shows the code in its header, or the pass of a phone that has shown it."""
        return self.visitor(request).plays

    def name_of(self, request: Request) -> str | None:
        """What a player is counted as: the phone, or for a program and at an open table its address; others None."""
        visitor = self.visitor(request)
        return visitor.phone or (f"at {request.remote_addr}" if visitor.plays else None)

    def host_is_here(self) -> bool:
        """Whether the host's page is open."""
        return self.door.host is not None and self._hears(self.door.host)

    def remember(self, request: Request, answer: Response) -> None:
        """Have the phone that showed the code known from now on; the first one is host."""
        if self.door.code is None:
            return
        phone = self.door.phone_of(request.cookies.get(COOKIE)) or secrets.token_urlsafe(9)
        self.door.welcome(phone)
        self.give_pass(answer, phone)

    def give_pass(self, answer: Response, phone: str) -> None:
        """Have that phone show its pass with every request."""
        answer.set_cookie(COOKIE, self.door.pass_for(phone), max_age=MONTH, httponly=True, samesite="Strict")

    def _bears(self, request: Request) -> bool:
        return bool(request.environ.get(BEARER))


def _borne(request: Request) -> str | None:
    """The code in the request's header."""
    # Read here, because the library's own reader breaks down over some headers that nobody should send.
    scheme, _, code = request.headers.get("Authorization", "").partition(" ")
    return code.strip() or None if scheme.lower() == "bearer" else None
