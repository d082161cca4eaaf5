"""Why a phone that is a camera sends no pictures, in sentences for the table."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from companion.errors import CameraLost
from companion.i18n import N_


class Subject(StrEnum):
    """What a phone looks at."""

    TRAY = "tray"
    BOARD = "board"


class Absence(StrEnum):
    """Why the phone sends nothing, as its page or the table has noticed.

    photos: it can take single photographs only, and more is needed.
    """

    NEVER = "never"
    REMOVED = "removed"
    SILENT = "silent"
    HIDDEN = "hidden"
    CAMERA = "camera"
    CLOSED = "closed"
    PHOTOS = "photos"


_TRAY = {
    Absence.NEVER: N_("There's no phone over the tray yet. To add one, open the menu and tap Phone as camera."),
    Absence.REMOVED: N_(
        "The phone over the tray has been removed. You can tap the counts, or add another phone from the menu."
    ),
    Absence.SILENT: N_(
        "I can't reach the phone over the tray. Check that its page is open and its Wi-Fi is on. "
        "You can tap the counts for now."
    ),
    Absence.HIDDEN: N_(
        "The phone over the tray is showing something else, or its screen is off. Go back to its page. "
        "You can tap the counts for now."
    ),
    Absence.CAMERA: N_(
        "A call or another app is using the camera on the phone over the tray. Close it and go back to the page. "
        "You can tap the counts for now."
    ),
    Absence.CLOSED: N_(
        "The page on the phone over the tray was closed. Open it again. You can tap the counts for now."
    ),
}
_BOARD = {
    Absence.NEVER: N_("There's no phone over the board yet. To add one, open the menu and tap Phone as camera."),
    Absence.REMOVED: N_(
        "The phone over the board has been removed. You can tap your moves, or add another phone from the menu."
    ),
    Absence.SILENT: N_(
        "I can't reach the phone over the board. Check that its page is open and its Wi-Fi is on. "
        "You can tap your moves for now."
    ),
    Absence.HIDDEN: N_(
        "The phone over the board is showing something else, or its screen is off. Go back to its page. "
        "You can tap your moves for now."
    ),
    Absence.CAMERA: N_(
        "A call or another app is using the camera on the phone over the board. Close it and go back to the page. "
        "You can tap your moves for now."
    ),
    Absence.CLOSED: N_(
        "The page on the phone over the board was closed. Open it again. You can tap your moves for now."
    ),
    Absence.PHOTOS: N_(
        "To follow the board I need live pictures, and the phone over it can only take single photos. "
        "Start the table with --https. You can tap your moves for now."
    ),
}
SENTENCES: Mapping[Subject, Mapping[Absence, str]] = MappingProxyType({Subject.TRAY: _TRAY, Subject.BOARD: _BOARD})
"""They name no file or device, so everyone may see them."""


class PhoneAway(CameraLost):
    """A phone that is a camera sends no pictures. absence: why."""

    def __init__(self, subject: Subject, absence: Absence) -> None:
        self.absence = absence
        super().__init__(SENTENCES[subject][absence])


def is_public(message: str) -> bool:
    """Whether everyone may see why a camera is lost, because it is one of these sentences."""
    return any(message in told.values() for told in SENTENCES.values())
