"""Access control: everybody may watch, a change of the game takes the table's code, and some changes take the host."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from math import inf
from time import monotonic

from flask import Request, Response

from companion.access.credentials import Credentials
from companion.errors import CompanionError
from companion.i18n import _
from web.security.host_header import check_name
from web.security.rate_limit import RateLimit, Reservation, TooManyGuesses
from web.serving.wsgi_adapter import PLAYS, POSTPONEMENT, Postponement

COOKIE = "puluc_phone"
"""The cookie that holds a phone's pass has this name and the table's mark, because browsers do not tell ports apart.
The name alone is that of earlier versions, and still read."""
DAY = 24 * 3600
MONTH = 30 * DAY
PHONE_API = "/api/camera/phone/"
"""Where the page of a phone that is a camera sends its pictures, several a second."""
SIGNED = "puluc.signed"
"""Where in a request's environ the pass is that it gets if the code that it shows is right."""
BEARER = "puluc.bearer"
"""Where in a request's environ it is noted whether the code in its header is right, so that it is checked once."""
SAFE = ("GET", "HEAD", "OPTIONS")
WITHOUT_CODE = ("/join", "/camera/phone")
"""The addresses that take a POST without the code: people enter it there, or show the phone camera's ticket."""


class CodeWanted(CompanionError, PermissionError):
    """Changing the game takes the table's code, and the request did not show it."""


class ForeignPage(CompanionError, PermissionError):
    """A page of another site tries to play with this phone's cookie."""


class HostWanted(CompanionError, PermissionError):
    """Only the host may do that while the host is here."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """The sender of a request, and what it may do.

    plays: whether it has shown the code. phone: the phone's name, if it shows a pass.
    is_host: whether it is the host, or a program with the code, which may do all that the host may.
    leads: whether it may do what is up to the host now: it is the host, or the host is not here.
    """

    plays: bool
    phone: str | None
    is_host: bool
    leads: bool


class Access:
    """Decides who may do what, by the table's credentials.

    is_present: whether the phone of that name listens to the table, or did something a moment ago. It tells whether
        the host is here. note: told the name of a phone with every request that shows its pass.
    is_guest: whether a request may be made without the code, because another pass covers it: a phone camera's.
    names: further names by which browsers may call this table. clock: monotonic seconds.
    """

    def __init__(
        self,
        credentials: Credentials,
        *,
        is_present: Callable[[str], bool] = lambda _phone: False,
        note: Callable[[str], object] = lambda _phone: None,
        is_guest: Callable[[Request], bool] = lambda _request: False,
        names: Collection[str] = (),
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.credentials, self._is_present, self._names = credentials, is_present, names
        self._note, self._clock, self._rate_limit = note, clock, RateLimit(clock)
        self._is_guest = is_guest
        self._prolonged_at: dict[str, float] = {}

    def enter(self, request: Request) -> None:
        """Check a request before it is processed.

        Raises UnknownName, and for a request that would change something CodeWanted, TooManyGuesses or ForeignPage.
        """
        check_name(request.headers.get("Host"), self._names)
        code = _bearer_code(request)
        if code is not None:
            try:
                request.environ[BEARER] = self.judge(request, code)
            except TooManyGuesses:
                # Anybody may watch, whatever code they show; but a request that can wait learns whether it is right.
                if request.method not in SAFE or _is_postponed(request):
                    raise
        visitor = self.visitor(request)
        # The phone over the tray sends pictures for as long as it lies there, whoever holds the table's page.
        if visitor.phone is not None and not request.path.startswith(PHONE_API):
            self._note(visitor.phone)
        if self.credentials.code is not None and visitor.plays:
            request.environ[PLAYS] = True
            self._rate_limit.trust(request.remote_addr or "")
        if request.method in SAFE:
            return
        # Asked at a table without a code too, because the server slows down strangers and no guests.
        is_guest = self._is_guest(request)
        if request.path not in WITHOUT_CODE and not (is_guest or visitor.plays):
            raise CodeWanted(
                _("To play, open the address with the code that the table shows. Without it you can watch.")
            )
        # A browser sends the cookie by itself and names the page that asks; other programs name none.
        ours = (None, f"http://{request.host}", f"https://{request.host}")
        if not (self.credentials.code and self._has_code(request)) and request.headers.get("Origin") not in ours:
            raise ForeignPage(_("Another site's page cannot play at this table."))

    def judge(self, request: Request, code: str) -> bool:
        """Whether that is the table's code. Raises TooManyGuesses; a request that can wait is then postponed."""
        if self.credentials.code is None:
            return True
        # Signed before the code is checked: if the host makes a new code meanwhile, this pass is void.
        request.environ[SIGNED] = self.credentials.issue_pass(self._phone(request) or secrets.token_urlsafe(9))
        address, postponement = request.remote_addr or "", request.environ.get(POSTPONEMENT)
        if not isinstance(postponement, Postponement):
            return self._rate_limit.check(address, code, self.credentials.is_code)
        turn = postponement.memo
        if not isinstance(turn, Reservation):
            turn = postponement.memo = Reservation()
            postponement.withdrawn = partial(self._rate_limit.give_back, address, turn)
        try:
            return self._rate_limit.check(address, code, self.credentials.is_code, turn)
        except TooManyGuesses:
            if turn.due is not None:
                postponement.wait_s = max(0.0, turn.due - self._clock())
            raise

    def visitor(self, request: Request) -> Visitor:
        """The sender of the request."""
        if self.credentials.code is None or self._has_code(request):
            return Visitor(plays=True, phone=None, is_host=True, leads=True)
        phone = self._phone(request)
        is_host = phone is not None and phone == self.credentials.host
        leads = is_host or (phone is not None and not self.host_is_here())
        return Visitor(plays=phone is not None, phone=phone, is_host=is_host, leads=leads)

    def may_play(self, request: Request) -> bool:
        """Whether the request shows the code, or the pass of a phone that has shown it."""
        return self.visitor(request).plays

    def name_of(self, request: Request) -> str | None:
        """The name that a player is counted by: the phone's, else the address. None for a spectator."""
        visitor = self.visitor(request)
        return visitor.phone or (f"at {request.remote_addr}" if visitor.plays else None)

    def host_is_here(self) -> bool:
        """Whether the host's page is open, or was a moment ago."""
        return self.credentials.host is not None and self._is_present(self.credentials.host)

    def remember(self, request: Request, answer: Response) -> None:
        """Give the phone that has shown the code its pass. The first one becomes host."""
        if self.credentials.code is None:
            return
        request.environ[PLAYS] = True
        signed = request.environ[SIGNED]
        phone = self.credentials.verify_pass(signed)
        if phone is not None:
            self.credentials.add_phone(phone)
            self._set_cookie(answer, signed)

    def give_pass(self, answer: Response, phone: str) -> None:
        """Set the cookie by which that phone shows its pass with every request."""
        self._set_cookie(answer, self.credentials.issue_pass(phone))

    def prolong_pass(self, request: Request, answer: Response) -> None:
        """Have the browser keep the pass that it shows, if any, for another month."""
        shown = next(filter(self.credentials.verify_pass, self._shown(request)), None)
        if shown is not None:
            # No new one, which would be good even if the host has made a new code meanwhile.
            self._set_cookie(answer, shown)

    def prolong_daily(self, request: Request, answer: Response) -> None:
        """Prolong the pass if that was a day ago. A page may be open for longer than a month without being loaded."""
        # A cache that keeps the answer would hand the pass to others.
        phone = self._phone(request) if answer.cache_control.no_store else None
        if phone is not None and self._clock() - self._prolonged_at.get(phone, -inf) >= DAY:
            self.prolong_pass(request, answer)

    def _set_cookie(self, answer: Response, shown: str) -> None:
        answer.set_cookie(self._cookie, shown, max_age=MONTH, httponly=True, samesite="Strict")
        phone, now = shown.partition(".")[0], self._clock()
        self._prolonged_at = {one: at for one, at in self._prolonged_at.items() if now - at < DAY} | {phone: now}

    @property
    def _cookie(self) -> str:
        return f"{COOKIE}_{self.credentials.mark}"

    def _shown(self, request: Request) -> Iterator[str | None]:
        """The passes that the request shows, genuine or not."""
        return (request.cookies.get(name) for name in (self._cookie, COOKIE))

    def _phone(self, request: Request) -> str | None:
        return next(filter(None, map(self.credentials.verify_pass, self._shown(request))), None)

    def _has_code(self, request: Request) -> bool:
        return bool(request.environ.get(BEARER))


def _is_postponed(request: Request) -> bool:
    postponement = request.environ.get(POSTPONEMENT)
    return isinstance(postponement, Postponement) and postponement.wait_s is not None


def _bearer_code(request: Request) -> str | None:
    """The code in the request's header."""
    # Parsed here, because the library's parser fails on some malformed headers.
    scheme, _, code = request.headers.get("Authorization", "").partition(" ")
    return code.strip() or None if scheme.lower() == "bearer" else None
