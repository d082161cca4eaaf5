"""Errors that people at the table can put right."""

from pathlib import Path

from companion.i18n import Sentence, retranslate


class CompanionError(Exception):
    """Something the players can put right, never a bug. The message says what was tried and what can be done.

    ``str`` gives the message in the context's language, whatever language it was made in.
    """

    def __str__(self) -> str:
        said = self.args[0] if len(self.args) == 1 else None
        return retranslate(said) if isinstance(said, Sentence) else super().__str__()


class NotAllowed(CompanionError, ValueError):
    """The request is not possible at this moment of the game."""


class Unknown(CompanionError, LookupError):
    """An unknown name or value: a variant, a rule, a level, a camera."""


class RulesUnfit(Unknown):
    """A rule cannot take that value, or some rules do not go together.

    rules: the fields at fault. reason: why, without the fields' names if it is one alone.
    """

    def __init__(self, message: str, *, rules: tuple[str, ...], reason: str) -> None:
        super().__init__(message)
        self.rules, self.reason = rules, reason


class IllegalMove(CompanionError, ValueError):
    """The move is not legal with this throw."""


class NotationError(CompanionError, ValueError):
    """A position that cannot be read; the message names the faulty character."""


class NotStored(CompanionError, OSError):
    """The event could not be stored, so it did not happen."""


class CameraLost(CompanionError, OSError):
    """The camera gives no picture: unplugged, in use by another program, or never there."""


class PictureUnusable(CompanionError, ValueError):
    """A file or frame that is not a picture, or not one that a throw could be read from."""


class ProfileUnusable(CompanionError, ValueError):
    """A reader's profile that is missing or damaged, or calibration pictures that do not suffice for one."""


class TrayMoved(ProfileUnusable):
    """The tray is not where the picture of the empty tray shows it."""


class FacesAlike(ProfileUnusable):
    """The calibration pictures show all four lots, but the faces look alike."""


class SettingsUnusable(CompanionError, ValueError):
    """An invalid settings file, option, or data folder."""


class StoreDamaged(SettingsUnusable):
    """The file with the games, or the notes of an interrupted restore, cannot be read. folder: where it lies."""

    def __init__(self, problem: str, folder: Path) -> None:
        super().__init__(problem)
        self.folder = folder


class TableUnusable(CompanionError, ValueError):
    """A solved table of another game, or a damaged one."""


class NotSolvable(CompanionError, ValueError):
    """A game that cannot be solved: more than two deciding players, or too many positions."""


class SheetNotWritten(CompanionError, OSError):
    """A printable sheet that could not be written."""


class BackupNotMade(CompanionError, OSError):
    """A backup that could not be made."""


class BackupUnusable(CompanionError, ValueError):
    """A file that is not a backup, is damaged, or comes from a newer version."""
