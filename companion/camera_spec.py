"""The camera that a command-line option names, and the folders in which it is taught."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TaughtFolder(StrEnum):
    """Folders beside the games with what a camera was taught. Drawn things never take the place of real ones."""

    STICKS = "profile"
    DRAWN_STICKS = "profile-simulated"
    DRAWN_STICKS_AND_BOARD = "profile-simulated-board"
    BOARD = "board"
    DRAWN_BOARD = "board-simulated"


@dataclass(frozen=True, slots=True)
class CameraSpec:
    """A camera's name in its two parts. It need not name one: only ``open_camera`` knows all that are accepted.

    kind: in lower case. rest: what follows the first colon.

    >>> CameraSpec.parse("USB:0")
    CameraSpec(kind='usb', rest='0')
    >>> str(CameraSpec.parse(" http://192.0.2.7/video "))
    'http://192.0.2.7/video'
    """

    kind: str
    rest: str = ""

    @classmethod
    def parse(cls, text: str) -> CameraSpec:
        """Take the text of an option apart."""
        kind, _colon, rest = text.strip().partition(":")
        return cls(kind.lower(), rest)

    def __str__(self) -> str:
        return f"{self.kind}:{self.rest}" if self.rest else self.kind

    @property
    def is_none(self) -> bool:
        """Whether the table goes without this camera."""
        return self == CameraSpec("none")

    @property
    def is_phone(self) -> bool:
        """Whether the page of a phone sends the pictures."""
        return self == CameraSpec("phone")

    @property
    def is_simulated(self) -> bool:
        """Whether the pictures are drawn."""
        return self.kind == "simulated"

    @property
    def draws_board(self) -> bool:
        """Whether a board is drawn too."""
        return self.is_simulated and self.rest.lower() == "board"

    @property
    def sticks_folder(self) -> TaughtFolder:
        """The folder of the reader's profile."""
        if self.draws_board:
            return TaughtFolder.DRAWN_STICKS_AND_BOARD
        return TaughtFolder.DRAWN_STICKS if self.is_simulated else TaughtFolder.STICKS

    @property
    def board_folder(self) -> TaughtFolder:
        """The folder of the board's profile."""
        return TaughtFolder.DRAWN_BOARD if self.is_simulated else TaughtFolder.BOARD
