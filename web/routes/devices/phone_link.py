"""A table's connection to a phone that is a camera, and how that phone is recognised."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flask import Request

from companion.phone_camera.absence import Subject
from companion.phone_camera.mailbox import HOLD_S, PhoneMailbox
from companion.phone_camera.pairing import PhonePairing
from web.security.access import PHONE_API
from web.serving.wsgi_adapter import PLAYS

COOKIE, SECURE_COOKIE = "puluc_camera", "__Secure-puluc_camera"
"""The phone's pass. Browsers let no page without TLS replace a cookie that was set over TLS, so each has its own."""
PICTURES_AT_ONCE, PICTURES_PER_S = 40, 30.0
"""Requests that the phone may make one after the other, and each second in the long run. Ten pictures a second are
wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurePage:
    """Where the page is served over TLS. fingerprint: of its certificate. is_own: made by this table itself."""

    port: int
    fingerprint: str
    is_own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneLink:
    """A table's connection to a phone that is a camera. secure: where its page is served over TLS, if it is."""

    mailbox: PhoneMailbox
    pairing: PhonePairing
    secure: Callable[[], SecurePage | None] = lambda: None
    hold_s: float = HOLD_S
    pictures_per_s: float = PICTURES_PER_S

    @property
    def subject(self) -> Subject:
        """What the phone looks at."""
        return self.mailbox.subject

    def is_phone(self, request: Request) -> bool:
        """Whether that is a request of this phone."""
        return any(self.pairing.is_phone(request.cookies.get(name)) for name in (SECURE_COOKIE, COOKIE))

    def is_guest(self, request: Request) -> bool:
        """Whether that is a request of this phone's page."""
        shows_pass = request.path.startswith(PHONE_API) and self.is_phone(request)
        if shows_pass:
            # The server would slow down a stranger who sends that much.
            request.environ[PLAYS] = True
        return shows_pass
