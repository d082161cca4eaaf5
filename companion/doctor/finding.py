"""What one look at one thing has come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from companion.words import _


class State(StrEnum):
    """How it stands: well; a doubt, which games survive; wrong; or not looked at, and why."""

    WELL = "well"
    DOUBT = "doubt"
    WRONG = "wrong"
    SKIPPED = "skipped"


class Check(StrEnum):
    """The things that are looked at, in the order in which they are told."""

    PYTHON = "python"
    PACKAGES = "packages"
    CAMERA = "camera"
    FOCUS = "focus"
    LIGHT = "light"
    TRAY = "tray"
    PROFILE = "profile"
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
    """What one check found. says: what is so. cure: what to do, empty where nothing is to be done.

    facts: the figures behind it, for programs; plain JSON.
    """

    check: Check
    state: State
    says: str
    cure: str = ""
    facts: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))


def well(check: Check, says: str, **facts: object) -> Finding:
    """All is well there."""
    return Finding(check=check, state=State.WELL, says=says, facts=facts)


def doubt(check: Check, says: str, cure: str, **facts: object) -> Finding:
    """One can play, and it would be better otherwise."""
    return Finding(check=check, state=State.DOUBT, says=says, cure=cure, facts=facts)


def wrong(check: Check, says: str, cure: str, **facts: object) -> Finding:
    """It has to be put right."""
    return Finding(check=check, state=State.WRONG, says=says, cure=cure, facts=facts)


def skipped(check: Check, why: str, cure: str = "") -> Finding:
    """It could not be looked at."""
    return Finding(check=check, state=State.SKIPPED, says=why, cure=cure)


def title(check: Check) -> str:
    """What people call the thing that is looked at."""
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


def word(state: State) -> str:
    """The state in a word."""
    match state:
        case State.WELL:
            return _("well")
        case State.DOUBT:
            return _("could be better")
        case State.WRONG:
            return _("wrong")
        case State.SKIPPED:
            return _("not looked at")


def summary(findings: Sequence[Finding]) -> str:
    """All of it in a sentence."""
    bad = [title(one.check) for one in findings if one.state is State.WRONG]
    if bad:
        return _("Something is wrong: {things}.", things=", ".join(bad))
    if any(one.state is State.DOUBT for one in findings):
        return _("You can play. Something could be better.")
    return _("All is well.")


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """As they are told: by the order of the checks."""
    order = list(Check)
    return sorted(findings, key=lambda one: order.index(one.check))
