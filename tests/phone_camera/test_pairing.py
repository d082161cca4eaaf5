"""Who is let in as the camera: one phone, with a ticket that works once."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from companion.errors import NotAllowed, SettingsUnusable
from companion.phone_camera.absence import Subject
from companion.phone_camera.pairing import FILES, TICKET_S, PhonePairing
from tests.web.conftest import Clock


def test_a_ticket_lets_in_one_phone() -> None:
    """A second phone with the same ticket stays out, and there is no further ticket while the first is the camera."""
    pairing = PhonePairing(None, clock=Clock())
    ticket = pairing.ticket()
    token = pairing.redeem(ticket)

    assert pairing.is_phone(token)
    assert not pairing.is_phone(ticket)
    assert not pairing.is_phone(None)
    with pytest.raises(NotAllowed, match="already used"):
        pairing.redeem(ticket)
    with pytest.raises(NotAllowed, match="already"):
        pairing.ticket()


def test_an_old_ticket_lets_in_nobody() -> None:
    """The host's screen shows a fresh one long before."""
    clock = Clock()
    pairing = PhonePairing(None, clock=clock)
    first = pairing.ticket()
    same = pairing.ticket()
    clock.now += TICKET_S / 2 + 1
    second = pairing.ticket()
    clock.now += TICKET_S + 1

    assert first == same != second
    for ticket in (first, second):
        with pytest.raises(NotAllowed):
            pairing.redeem(ticket)


def test_the_phone_is_known_after_a_restart(tmp_path: Path) -> None:
    """Its token is stored as a digest that nobody else can read; once the host has removed it, it stays out."""
    pairing = PhonePairing(tmp_path, clock=Clock())
    token = pairing.redeem(pairing.ticket())
    restarted = PhonePairing(tmp_path, clock=Clock())
    known = restarted.is_phone(token)
    restarted.end()

    assert known
    assert not restarted.is_phone(token)
    assert not PhonePairing(tmp_path, clock=Clock()).is_phone(token)
    assert token not in (tmp_path / FILES[Subject.TRAY]).read_text()
    assert stat.S_IMODE((tmp_path / FILES[Subject.TRAY]).stat().st_mode) == 0o600


def test_a_removal_that_cannot_be_stored_is_refused(tmp_path: Path) -> None:
    """The host is told that the phone is still the camera, which it would also be after a restart."""
    pairing = PhonePairing(tmp_path, clock=Clock())
    token = pairing.redeem(pairing.ticket())
    (tmp_path / f"{FILES[Subject.TRAY]}.new" / "in the way").mkdir(parents=True)
    with pytest.raises(SettingsUnusable, match="cannot be removed"):
        pairing.end()

    assert pairing.is_phone(token)
    assert PhonePairing(tmp_path, clock=Clock()).is_phone(token)


def test_a_damaged_file_only_forgets_the_phone(tmp_path: Path) -> None:
    """The phone has to scan the code again."""
    (tmp_path / FILES[Subject.TRAY]).write_text("{")

    assert not PhonePairing(tmp_path, clock=Clock()).has_phone
