"""Root gives up its rights before it works in a folder that belongs to another user.

Files there could be links to root's own: root would overwrite them for that user, or show that user what they hold.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from companion.errors import SettingsUnusable

MOST_LINKS = 40
"""Links in one path before it is taken for a loop, as in Linux."""


def become_owner_of(folder: Path) -> str | None:
    """Change from root to the user who controls a folder, for the rest of this process.

    Returns the new user's name, or None if nothing changes: this process is not root's, or the folder is root's alone.
    Raises SettingsUnusable if the change is not possible, or if that user may not read this program.
    """
    if os.name != "posix" or os.geteuid() != 0:
        return None
    owner = first_other_owner(Path.cwd() / folder)
    if owner is None:
        return None
    import pwd

    uid, gid = owner
    try:
        account = pwd.getpwuid(uid)
    except KeyError:
        name, home = str(uid), "/"
        groups = [gid]
    else:
        name, gid, home = account.pw_name, account.pw_gid, account.pw_dir
        groups = os.getgrouplist(name, gid)
    try:
        os.setgroups(groups)
        os.setresgid(gid, gid, gid)
        os.setresuid(uid, uid, uid)
    except PermissionError as error:
        raise SettingsUnusable(f"'{folder}' belongs to {name}. Run this as that user: sudo -u {name} …") from error
    os.environ.update(HOME=home, USER=name, LOGNAME=name)
    return name


def first_other_owner(path: Path) -> tuple[int, int] | None:
    """User and group of the first part of an absolute path that does not belong to root; None if all are root's.

    That user decides where the rest of the path leads. Root's own links are followed, missing parts end the search.
    """
    rest = list(path.parts[1:])
    here, links = Path(path.anchor), 0
    while rest:
        part = here / rest.pop(0)
        try:
            found = part.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        if found.st_uid != 0:
            return found.st_uid, found.st_gid
        if not stat.S_ISLNK(found.st_mode):
            here = part
            continue
        links += 1
        if links > MOST_LINKS:
            return None
        target = part.readlink()
        here = Path(target.anchor) if target.is_absolute() else here
        rest = [*(target.parts[1:] if target.is_absolute() else target.parts), *rest]
    return None


def can_read_program() -> bool:
    """Whether this process can still load the modules of this program and of Python that it has not loaded yet."""
    return all(os.access(file, os.R_OK) for file in (__file__, os.__file__))


def read_regular_file(path: Path) -> bytes:
    """The content of a file that is neither a link nor a pipe or device. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(f"'{path}' is not a regular file")
        return file.read()
