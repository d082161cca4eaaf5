"""What can go wrong at a table and be put right by the people there."""

from companion.words import Sentence, again


class CompanionError(Exception):
    """Something the players can put right: what was tried, what is so, and what can be done. Never a bug.

    It is told in the language of whoever reads it, whatever language it was made in.
    """

    def __str__(self) -> str:
        said = self.args[0] if len(self.args) == 1 else None
        return again(said) if isinstance(said, Sentence) else super().__str__()


class NotNow(CompanionError, ValueError):
    """What was asked for does not fit the moment of the game."""


class Unknown(CompanionError, LookupError):
    """A name that nothing here answers to: a variant, a field, a level, a camera."""


class IllegalMove(CompanionError, ValueError):
    """No unit can go there on this throw."""


class NotationError(CompanionError, ValueError):
    """A position's text that cannot be read; says at which character it stopped."""


class NotKept(CompanionError, OSError):
    """The event could not be written down, so it did not happen."""


class CameraLost(CompanionError, OSError):
    """The picture has stopped: unplugged, taken by another program, or never there."""


class PictureUnusable(CompanionError, ValueError):
    """A file or frame that is no picture, or not one a throw could be read from."""


class ProfileUnusable(CompanionError, ValueError):
    """A reader's profile that is missing, damaged, or made from pictures that do not tell the faces apart."""


class TrayMoved(ProfileUnusable):
    """A picture does not show the tray where the empty one shows it."""


class FacesAlike(ProfileUnusable):
    """The pictures show the tray and all four lots, but not which face is which."""


class SettingsUnusable(CompanionError, ValueError):
    """A settings file, or a folder for the games, that cannot be used as it is."""


class TableUnusable(CompanionError, ValueError):
    """A solved table that is another game's, cut short or altered."""


class NotSolvable(CompanionError, ValueError):
    """A game that cannot be solved here: more than two deciding sides, or more positions than there is room for."""


class SheetNotWritten(CompanionError, OSError):
    """A sheet for the printer that could not be put where it was wanted."""


class BackupNotMade(CompanionError, OSError):
    """A backup that could not be written, or not read from the folder it is of."""


class BackupUnusable(CompanionError, ValueError):
    """A file that is no backup, a damaged one, or one that this program is too old for."""
