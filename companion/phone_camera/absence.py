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
    Absence.NEVER: N_("No phone is the camera yet. Open the menu and tap Phone as camera."),
    Absence.REMOVED: N_("The camera phone was removed. Tap the counts, or let in another one from the menu."),
    Absence.SILENT: N_(
        "The camera phone is silent. Look whether its page is open and its Wi-Fi on; tap the counts meanwhile."
    ),
    Absence.HIDDEN: N_(
        "The camera phone shows something else, or its screen is off. Open its page; tap the counts meanwhile."
    ),
    Absence.CAMERA: N_(
        "Another app or a call uses the camera phone's camera. Close it, and open the page; tap the counts meanwhile."
    ),
    Absence.CLOSED: N_("The page on the camera phone was closed. Open it again; tap the counts meanwhile."),
}
"""They name no file or device, so everyone may see them."""


class PhoneAway(CameraLost):
    """The phone that is the camera sends no pictures. absence: why."""

    def __init__(self, absence: Absence) -> None:
        self.absence = absence
        super().__init__(SENTENCES[absence])
