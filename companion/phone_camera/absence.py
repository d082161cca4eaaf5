"""Why the phone that is the camera sends no pictures, in sentences for the table."""

from __future__ import annotations

from enum import StrEnum

from companion.errors import CameraLost
from companion.i18n import N_


class Absence(StrEnum):
    """Why the phone sends nothing, as its page or the table has noticed."""

    NEVER = "never"
    REMOVED = "removed"
    SILENT = "silent"
    HIDDEN = "hidden"
    CAMERA = "camera"
    CLOSED = "closed"


SENTENCES = {
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
"""They name no file or device, so everyone may see them."""


class PhoneAway(CameraLost):
    """The phone that is the camera sends no pictures. absence: why."""

    def __init__(self, absence: Absence) -> None:
        self.absence = absence
        super().__init__(SENTENCES[absence])
