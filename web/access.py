"""Who may play: everyone may look, but changing the game takes the table's code."""

from __future__ import annotations

import hmac

from flask import Request, Response

from companion.errors import CompanionError
from companion.words import _

COOKIE = "puluc_code"
MONTH = 30 * 24 * 3600


class CodeWanted(CompanionError, PermissionError):
    """Somebody who has not shown the table's code wants to change the game."""


class ForeignPage(CompanionError, PermissionError):
    """Another site's page tries to play with this phone's cookie."""


class Access:
    """Knows the table's code. ``code`` None is an open table: everyone may play. An empty one opens to nobody."""

    def __init__(self, code: str | None) -> None:
        self._code = code

    def knows(self, code: str | None) -> bool:
        """Whether that is this table's code."""
        if self._code is None:
            return True
        # An empty code would be shown by every phone that shows none.
        if not code or not self._code:
            return False
        return hmac.compare_digest(code.encode("utf-8", "replace"), self._code.encode())

    def may_play(self, request: Request) -> bool:
        """Whether the request shows the code, in its header or in the cookie."""
        return self._bears(request) or self.knows(request.cookies.get(COOKIE))

    def check(self, request: Request) -> None:
        """Let only those pass who may change the game. Raises CodeWanted or ForeignPage."""
        if not self.may_play(request):
            raise CodeWanted(
                _("To play, open the address with the code that the table shows. Without it you can watch.")
            )
        # A browser sends the cookie by itself and names the page that asks; other programs name none.
        origin = request.headers.get("Origin")
        ours = (None, f"http://{request.host}", f"https://{request.host}")
        if not (self._code and self._bears(request)) and origin not in ours:
            raise ForeignPage(_("Another site's page cannot play at this table."))

    def remember(self, answer: Response) -> None:
        """Have the phone that showed the code show it again with every request."""
        if self._code is not None:
            answer.set_cookie(COOKIE, self._code, max_age=MONTH, httponly=True, samesite="Strict")

    def _bears(self, request: Request) -> bool:
        # Read here, because the library's own reader breaks down over some headers that nobody should send.
        scheme, _, code = request.headers.get("Authorization", "").partition(" ")
        return self.knows(code.strip() if scheme.lower() == "bearer" else None)
