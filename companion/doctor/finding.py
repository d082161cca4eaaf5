"""The result of one check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from companion.i18n import _


class FindingState(StrEnum):
    """How a check ended. A warning does not keep anybody from playing. The values are those of the interface."""

    OK = "well"
    WARNING = "doubt"
    ERROR = "wrong"
    SKIPPED = "skipped"


class Check(StrEnum):
    """Everything that is checked, in the order of the report."""

    PYTHON = "python"
    PACKAGES = "packages"
    CAMERA = "camera"
    FOCUS = "focus"
    LIGHT = "light"
    TRAY = "tray"
    PROFILE = "profile"
    BOARD = "board"
    BUTTONS = "buttons"
    LAMP = "lamp"
    DISK = "disk"
    DATA = "data"
    TABLES = "tables"
    SERVICE = "service"
    TEMPERATURE = "temperature"
    POWER = "power"
    CLOCK = "clock"
    ADDRESS = "address"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one check found, in words.

    says: the result, a sentence. cure: what to do about it, or empty. facts: the figures behind it, as plain JSON.
    """

    check: Check
    state: FindingState
    says: str
    cure: str = ""
    facts: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))


def passed(check: Check, says: str, **facts: object) -> Finding:
    """A check that found nothing to complain about."""
    return Finding(check=check, state=FindingState.OK, says=says, facts=facts)


def warning(check: Check, says: str, cure: str, **facts: object) -> Finding:
    """A check that found something that could be better; people can play all the same."""
    return Finding(check=check, state=FindingState.WARNING, says=says, cure=cure, facts=facts)


def failed(check: Check, says: str, cure: str, **facts: object) -> Finding:
    """A check that found a problem to fix."""
    return Finding(check=check, state=FindingState.ERROR, says=says, cure=cure, facts=facts)


def skipped(check: Check, why: str, cure: str = "") -> Finding:
    """A check that could not be made."""
    return Finding(check=check, state=FindingState.SKIPPED, says=why, cure=cure)


def check_title(check: Check) -> str:
    """The name of a check, for people."""
    match check:
        case Check.PYTHON:
            return _("Python")
        case Check.PACKAGES:
            return _("Packages")
        case Check.CAMERA:
            return _("Camera")
        case Check.FOCUS:
            return _("Focus")
        case Check.LIGHT:
            return _("Lighting")
        case Check.TRAY:
            return _("Tray")
        case Check.PROFILE:
            return _("Your sticks")
        case Check.BOARD:
            return _("Your board")
        case Check.BUTTONS:
            return _("Buttons")
        case Check.LAMP:
            return _("Lamp")
        case Check.DISK:
            return _("Disk")
        case Check.DATA:
            return _("Saved games")
        case Check.TABLES:
            return _("Exact advice")
        case Check.SERVICE:
            return _("Service")
        case Check.TEMPERATURE:
            return _("Temperature")
        case Check.POWER:
            return _("Power supply")
        case Check.CLOCK:
            return _("Clock")
        case Check.ADDRESS:
            return _("Address")


def state_label(state: FindingState) -> str:
    """The state of a finding, for people."""
    match state:
        case FindingState.OK:
            return _("OK")
        case FindingState.WARNING:
            return _("could be better")
        case FindingState.ERROR:
            return _("problem")
        case FindingState.SKIPPED:
            return _("not checked")


def summary(findings: Sequence[Finding]) -> str:
    """One sentence about all findings."""
    bad = [check_title(one.check) for one in findings if one.state is FindingState.ERROR]
    if bad:
        return _("Problems found: {things}.", things=", ".join(bad))
    if any(one.state is FindingState.WARNING for one in findings):
        return _("You can play, but something could be better.")
    if all(one.state is FindingState.SKIPPED for one in findings):
        return _("Nothing is checked here.")
    return _("Everything is fine.")


def sorted_findings(findings: Iterable[Finding]) -> list[Finding]:
    """The findings in the order of their checks."""
    order = list(Check)
    return sorted(findings, key=lambda one: order.index(one.check))
