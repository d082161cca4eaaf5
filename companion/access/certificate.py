"""The certificate by which this table serves its page over TLS, made once for this computer."""

from __future__ import annotations

import hashlib
import logging
import socket
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from companion.errors import SettingsUnusable
from companion.i18n import _
from companion.service.mdns_name import NAME, local_address
from companion.storage.atomic_file import write_private

log = logging.getLogger("puluc")

FOLDER = "tls"
VALID = timedelta(days=365)
"""For longer than 398 days, some browsers refuse a certificate even if told to trust it."""
RENEWED = timedelta(days=30)
"""How long before its end a certificate is made anew. Phones then ask once more."""
BACKDATED = timedelta(days=1)
"""A phone's clock may be behind."""


@dataclass(frozen=True, slots=True)
class CertificateFiles:
    """A certificate and its private key, as PEM files. is_own: this table made it, so browsers do not know it."""

    certificate: Path
    key: Path
    is_own: bool

    @property
    def fingerprint(self) -> str:
        """The SHA-256 digest of the first certificate in the file, as browsers show it."""
        text = self.certificate.read_text(encoding="ascii", errors="replace")
        # The key may stand before it in the same file.
        begin, end = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
        first = text[text.index(begin) : text.index(end) + len(end)]
        digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(first)).hexdigest().upper()
        return ":".join(digest[at : at + 2] for at in range(0, len(digest), 2))


def given_certificate(certificate: Path, key: Path) -> CertificateFiles:
    """The files that somebody has given. Raises SettingsUnusable if TLS cannot be served with them."""
    files = CertificateFiles(certificate, key, is_own=False)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password="")
    except (OSError, ValueError) as error:  # an SSLError is an OSError
        raise SettingsUnusable(
            _("The certificate {file} cannot be used: {error}.", file=certificate, error=str(error))
        ) from error
    return files


def own_certificate(folder: Path, *, names: tuple[str, ...] = (), now: datetime | None = None) -> CertificateFiles:
    """This table's certificate, made the first time, and again before it ends or for another address.

    folder: where the games are. names: by which browsers may call this table. Raises SettingsUnusable.
    """
    now = now or datetime.now(UTC)
    place = folder / FOLDER
    files = CertificateFiles(place / "certificate.pem", place / "key.pem", is_own=True)
    hosts = tuple(dict.fromkeys(filter(None, map(_in_ascii, (*_hosts(), *names)))))
    try:
        if not _is_good(files, hosts, now):
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            _make(files, hosts, now)
            log.info("Made a certificate for %s in %s.", ", ".join(hosts), place)
    except OSError as error:
        raise SettingsUnusable(
            _("The table's certificate cannot be kept in '{folder}': {error}.", folder=place, error=str(error))
        ) from error
    return files


def _hosts() -> list[str]:
    """The names and addresses by which phones reach this computer."""
    name = socket.gethostname().lower()
    found = [local_address(), "127.0.0.1", "localhost", f"{NAME}.local", name, f"{name.partition('.')[0]}.local"]
    return [host for host in found if host]


def _in_ascii(host: str) -> str:
    """The name as browsers look it up, or empty if they cannot."""
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return ""


def _is_good(files: CertificateFiles, hosts: tuple[str, ...], now: datetime) -> bool:
    from cryptography import x509

    try:
        made = x509.load_pem_x509_certificate(files.certificate.read_bytes())
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(files.certificate, files.key)
        held = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, x509.ExtensionNotFound):
        return False
    known = {str(one.value) for one in held}
    return set(hosts) <= known and made.not_valid_before_utc <= now <= made.not_valid_after_utc - RENEWED


def _make(files: CertificateFiles, hosts: tuple[str, ...], now: datetime) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Puluc Companion")])
    known = x509.SubjectAlternativeName([_general_name(host) for host in hosts])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BACKDATED)
        .not_valid_after(now + VALID)
        .add_extension(known, critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    unlocked = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    # The key first: a certificate without its key is made again, but browsers would be shown another one.
    write_private(files.key, unlocked)
    write_private(files.certificate, certificate.public_bytes(pem))


def _general_name(host: str) -> Any:  # the library, which has the type, is imported only where it is used
    from cryptography import x509

    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)
