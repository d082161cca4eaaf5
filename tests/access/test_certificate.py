"""The table's certificate: made once, kept from others, made anew before it ends or for another address."""

from __future__ import annotations

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509

from companion.access.certificate import RENEWED, VALID, given_certificate, own_certificate
from companion.errors import SettingsUnusable


def test_it_is_made_once_and_for_nobody_else_to_read(tmp_path: Path) -> None:
    """The next start uses the same one, so phones that trust it need not ask again."""
    first = own_certificate(tmp_path)
    before = first.fingerprint
    again = own_certificate(tmp_path)

    assert again.fingerprint == before
    assert len(before.split(":")) == 32
    assert first.is_own
    assert stat.S_IMODE(first.key.stat().st_mode) == 0o600
    assert stat.S_IMODE(first.certificate.stat().st_mode) == 0o600
    assert stat.S_IMODE(first.key.parent.stat().st_mode) == 0o700


def test_it_is_renewed_before_it_ends(tmp_path: Path) -> None:
    """Not a day after its end, when every phone would refuse it."""
    now = datetime.now(UTC)
    first = own_certificate(tmp_path, now=now).fingerprint
    kept = own_certificate(tmp_path, now=now + VALID - RENEWED - timedelta(days=1)).fingerprint
    renewed = own_certificate(tmp_path, now=now + VALID - RENEWED + timedelta(days=1)).fingerprint

    assert first == kept != renewed


def test_a_new_name_or_a_damaged_key_makes_another(tmp_path: Path) -> None:
    """Browsers refuse a certificate for another name; the server cannot start with half of one."""
    first = own_certificate(tmp_path).fingerprint
    named = own_certificate(tmp_path, names=("puluc.museum.example",))
    second = named.fingerprint
    named.key.write_text("damaged")
    third = own_certificate(tmp_path, names=("puluc.museum.example",)).fingerprint

    assert len({first, second, third}) == 3


def test_a_name_is_written_as_browsers_look_it_up(tmp_path: Path) -> None:
    """Or left out, where they could not look it up at all."""
    names = ("ñandú.example", "x" * 300)
    made = own_certificate(tmp_path, names=names)
    known = x509.load_pem_x509_certificate(made.certificate.read_bytes()).extensions
    held = known.get_extension_for_class(x509.SubjectAlternativeName).value.get_values_for_type(x509.DNSName)

    assert "xn--and-6ma2c.example" in held
    assert not any("xxx" in name for name in held)
    assert own_certificate(tmp_path, names=names).fingerprint == made.fingerprint


def test_a_given_certificate_is_checked(tmp_path: Path) -> None:
    """A wrong file is named at the start, before anything is served."""
    files = own_certificate(tmp_path)
    given = given_certificate(files.certificate, files.key)

    assert (given.fingerprint, given.is_own) == (files.fingerprint, False)
    together = tmp_path / "together.pem"
    together.write_bytes(files.key.read_bytes() + files.certificate.read_bytes())
    assert given_certificate(together, together).fingerprint == files.fingerprint
    with pytest.raises(SettingsUnusable, match="nowhere"):
        given_certificate(tmp_path / "nowhere.pem", files.key)
    with pytest.raises(SettingsUnusable):
        given_certificate(files.key, files.certificate)
