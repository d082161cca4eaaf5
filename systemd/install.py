#!/usr/bin/python3
"""Install, update or remove Puluc Companion on a Raspberry Pi: ``sudo python3 systemd/install.py``.

Needs only the standard library. Running it again changes only what differs; games and settings are kept.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

SOURCE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SOURCE))
sys.dont_write_bytecode = True

from locked.packages import PackagesRefused, install_pinned, newest, pinned, project  # noqa: E402 - found by the line above

PROGRAM = Path("/opt/puluc")
DATA = Path("/var/lib/puluc")
SETTINGS = Path("/etc/puluc")
COMMAND = Path("/usr/local/bin/puluc")
UNITS = ("puluc.service", "puluc-name.service", "puluc-off.path")
TRIGGERED_UNITS = ("puluc-off.service",)
"""Units that another unit starts, so they are not enabled."""
USER = "puluc"
GROUPS = ("video", "render", "gpio")
"""Groups that may open camera and pins."""
PYTHON = Path("/usr/bin/python3")
"""The system's Python, the only one that sees the system's camera and GPIO packages."""

PACKAGES = (
    ("python3-venv",),
    ("avahi-daemon",),  # the name puluc.local
    ("avahi-utils",),
    ("libnss-mdns",),  # lets this computer resolve the name, too
    ("libgl1",),  # OpenCV
    ("libglib2.0-0t64", "libglib2.0-0"),  # OpenCV; named differently in trixie and bookworm
)
PI_PACKAGES = (("python3-picamera2",), ("python3-lgpio",))
"""Packages that only Raspberry Pi OS has."""
REQUIRED_MB = 1500
"""Free megabytes that a new environment needs; the old one stays until the new one has started."""
SEE_ABOVE = "The reason is above."
UNTOUCHED = "The installed version was not changed."

Result = TypeVar("Result")


class InstallError(Exception):
    """Installation cannot go on. The message says why, and what helps."""


class Target:
    """The computer to install on.

    root: where its files are; in any folder other than / files are written and no command is run.
    dry: only say what would be done. as_pi: treat it as a Raspberry Pi whatever its model says.
    """

    def __init__(self, root: Path, *, dry: bool, as_pi: bool, say: Callable[[str], None]) -> None:
        self.root, self.dry, self.as_pi, self.say = root, dry, as_pi, say
        self.real = root == Path("/") and not dry
        self.changes = 0

    def at(self, path: Path) -> Path:
        return self.root / path.relative_to("/")

    def run(self, words: Sequence[object], cure: str) -> None:
        """Run a command as root. Raises InstallError with ``cure`` if it fails."""
        if not self.announce(words):
            return
        environ = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        if subprocess.run(list(map(str, words)), check=False, env=environ).returncode:
            raise InstallError(f"This failed: {' '.join(map(str, words))}\n{cure}")

    def announce(self, words: Sequence[object]) -> bool:
        """Print a command, and return whether it is to be run."""
        line = " ".join(map(str, words))
        self.say(f"    {line}" if self.real else f"    would run: {line}")
        self.changes += 1
        return self.real

    def ask(self, *words: object) -> str | None:
        """The output of a command that changes nothing, or None if it fails. It runs on a dry run, too."""
        if self.root != Path("/") or shutil.which(str(words[0])) is None:
            return None
        asked = subprocess.run(list(map(str, words)), check=False, capture_output=True, text=True)
        return None if asked.returncode else asked.stdout.strip()

    def put(self, source: Path, target: Path) -> None:
        """Copy ``source`` to ``target`` unless they are equal."""
        there, text = self.at(target), source.read_bytes()
        if there.is_file() and there.read_bytes() == text:
            return
        self.note(f"write {target}")
        if not self.dry:
            there.parent.mkdir(parents=True, exist_ok=True)
            fresh = there.with_name(there.name + ".new")
            fresh.write_bytes(text)
            fresh.chmod(0o644)
            fresh.replace(there)

    def link(self, target: Path, to: Path) -> None:
        """Make ``target`` a link to ``to``, replacing an older link atomically."""
        there = self.at(target)
        if there.is_symlink() and there.readlink() == to:
            return
        self.note(f"link {target} to {to}")
        if not self.dry:
            there.parent.mkdir(parents=True, exist_ok=True)
            fresh = there.with_name(there.name + ".new")
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(to)
            fresh.replace(there)

    def remove(self, path: Path) -> None:
        """Remove a file or folder, if it exists. Links in it are removed, never followed."""
        there = self.at(path)
        if not there.exists() and not there.is_symlink():
            return
        self.note(f"remove {path}")
        if not self.dry:
            if there.is_dir() and not there.is_symlink():
                # Holds each folder open while it empties it, so its owner cannot put a link in the place of one.
                shutil.rmtree(there)
            else:
                there.unlink()

    def note(self, what: str) -> None:
        self.changes += 1
        self.say(f"    {'would ' if self.dry else ''}{what}")

    def is_booted(self) -> bool:
        """Whether systemd runs, so that services can be started."""
        return self.root == Path("/") and Path("/run/systemd/system").is_dir()

    def is_a_pi(self) -> bool:
        model = self.at(Path("/proc/device-tree/model"))
        return self.as_pi or (model.exists() and "Raspberry Pi" in model.read_text(errors="replace"))


def check_requirements(target: Target) -> None:
    """Raise InstallError before anything is changed if this computer cannot run the companion."""
    if sys.version_info < (3, 11):
        raise InstallError(
            f"Python 3.11 or newer is needed (Raspberry Pi OS bookworm or trixie); this is {sys.version[:6]}."
        )
    if sys.maxsize < 2**32:
        raise InstallError("This is a 32-bit system. Put the 64-bit Raspberry Pi OS on the card and try again.")
    if target.real and os.geteuid() != 0:
        raise InstallError("Installing packages and a service needs root: sudo python3 systemd/install.py")
    if target.real and not (shutil.which("apt-get") and shutil.which("systemctl")):
        raise InstallError("This system has no apt or no systemd. To play without a service: python3 start.py")
    if not target.is_a_pi():
        target.say("    This is not a Raspberry Pi: skipping the packages for its camera and GPIO pins.")


def install_system_packages(target: Target, *, pi: bool) -> None:
    """Install the Debian packages that are missing."""
    missing = []
    for names in (*PACKAGES, *(PI_PACKAGES if pi else ())):
        if not any((target.ask("dpkg-query", "-W", "-f=${db:Status-Status}", name) == "installed") for name in names):
            known = [name for name in names if target.ask("apt-cache", "show", name)]
            missing.append((known or names)[0])
    if not missing:
        return
    target.run(["apt-get", "update", "-qq"], "Is this computer online?")
    cure = "Is this computer online, and is this Raspberry Pi OS bookworm or trixie?"
    target.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing], cure)
    if target.real:
        PROGRAM.mkdir(parents=True, exist_ok=True)
        with (PROGRAM / "packages.txt").open("a") as record:
            record.writelines(f"{name}\n" for name in missing)


def create_user(target: Target) -> None:
    """Create the service's user, in the groups for camera and pins and no others."""
    target.put(SOURCE / "systemd" / "puluc.sysusers", Path("/etc/sysusers.d/puluc.conf"))
    groups = (target.ask("id", "-nG", USER) or "").split()
    if not set(GROUPS) <= set(groups):
        target.run(["systemd-sysusers", "/etc/sysusers.d/puluc.conf"], SEE_ABOVE)


def digest() -> str:
    """Identifies this version of the program, its packages and its Python."""
    hashed = hashlib.sha256(sys.version.encode())
    files = [SOURCE / "pyproject.toml"]
    for folder in ("companion", "hardware", "locked", "web"):
        files += sorted(path for path in (SOURCE / folder).rglob("*") if path.is_file())
    for file in files:
        if "__pycache__" not in file.parts:
            hashed.update(file.relative_to(SOURCE).as_posix().encode() + b"\0" + file.read_bytes())
    return hashed.hexdigest()[:12]


def install_program(target: Target, *, again: bool, unpinned: bool) -> Path | None:
    """Install the program into an environment beside the one in use. Returns the latter if it was replaced."""
    venv = PROGRAM / f"venv-{digest()}"
    link = target.at(PROGRAM / ".venv")
    before = PROGRAM / link.readlink() if link.is_symlink() else PROGRAM
    if before in (venv, other := venv.with_name(f"{venv.name}-again")) and target.at(before / "ready").exists():
        if not again:
            return None
        # The one in use is never changed.
        venv = other if before == venv else venv
    done = target.at(venv / "ready")
    if target.real and (free := shutil.disk_usage("/opt").free // 2**20) < REQUIRED_MB:
        raise InstallError(
            f"Only {free} MB are free on the card; {REQUIRED_MB} MB are needed. Make room and try again."
        )
    target.remove(venv)
    target.run([PYTHON, "-m", "venv", "--system-site-packages", venv], "sudo apt install python3-venv")
    target.say("    This takes some minutes: it downloads about 250 MB the first time.")
    install_packages(target, venv / "bin" / "python", unpinned=unpinned)
    target.run([venv / "bin" / "python", "-c", "import cv2, companion, hardware, web"], UNTOUCHED)
    if not target.dry:
        done.parent.mkdir(parents=True, exist_ok=True)
        # A power cut after this must find everything on the card that the file vouches for.
        os.sync()
        done.touch()
    if link.is_dir() and not link.is_symlink():
        # Made by hand, following an older description.
        target.remove(PROGRAM / ".venv")
    target.link(PROGRAM / ".venv", Path(venv.name))
    return None if before == PROGRAM else before


def install_packages(target: Target, python: Path, *, unpinned: bool) -> None:
    """Install the tested packages, checked against their hashes, then the program itself."""
    # Nothing is compiled on a Pi: without a wheel, pip must not fall back to the source.
    packages = [*pinned("play"), "--only-binary=:all:"]
    try:
        found = not target.announce([python, *packages]) or install_pinned(python, packages, unpinned=unpinned)
    except PackagesRefused as refused:
        raise InstallError(f"{refused}\n{UNTOUCHED}") from refused
    own = project(str(SOURCE)) if found else newest(str(SOURCE))
    target.run([python, *own], f"Is this computer online? {UNTOUCHED}")


def remove_old_environments(target: Target) -> None:
    """Remove every environment but the one in use."""
    link = target.at(PROGRAM / ".venv")
    used = link.readlink().name if link.is_symlink() else ""
    for venv in sorted(target.at(PROGRAM).glob("venv-*")):
        if venv.name != used and not target.dry:
            target.remove(PROGRAM / venv.name)


def write_files(target: Target) -> None:
    """Write the settings, unless there are some, the command and the units."""
    if not target.at(SETTINGS / "puluc.toml").exists():
        target.put(SOURCE / "systemd" / "puluc.toml", SETTINGS / "puluc.toml")
    there = target.at(COMMAND)
    if there.exists() and not there.is_symlink():
        target.say(f"    {COMMAND} belongs to another program and is kept; use {PROGRAM}/.venv/bin/puluc")
    else:
        target.link(COMMAND, PROGRAM / ".venv" / "bin" / "puluc")
    for unit in (*UNITS, *TRIGGERED_UNITS):
        target.put(SOURCE / "systemd" / unit, Path("/etc/systemd/system") / unit)


def start_services(target: Target, before: Path | None) -> None:
    """Start the services now and at every boot. Restores the environment ``before`` if the new one does not start."""
    if not target.changes and all(target.ask("systemctl", "is-active", unit) for unit in UNITS):
        return
    target.run(["systemctl", "enable", "--quiet", *UNITS], SEE_ABOVE)
    if target.real and not target.is_booted():
        target.say("    systemd is not running, so the services start at the next boot.")
        return
    target.run(["systemctl", "daemon-reload"], SEE_ABOVE)
    try:
        target.run(["systemctl", "restart", "puluc.service"], "The log says why: journalctl -u puluc -b -o cat")
    except InstallError as error:
        if before is None:
            raise
        target.link(PROGRAM / ".venv", Path(before.name))
        target.run(["systemctl", "restart", "puluc.service"], "The previous version does not start either.")
        raise InstallError(f"{error}\nThe previous version is back and running.") from error
    target.run(
        ["systemctl", "restart", "puluc-off.path"], "The table works; only its buttons cannot switch the Pi off."
    )
    target.run(["systemctl", "restart", "puluc-name.service"], "The table works; only the name puluc.local is missing.")


def install(target: Target, *, again: bool, unpinned: bool) -> None:
    """Install or update, step by step."""
    check_requirements(target)
    _step(target, "Packages of the system", lambda: install_system_packages(target, pi=target.is_a_pi()))
    _step(target, f"The service's user, {USER}, with the groups video, render and gpio", lambda: create_user(target))
    before = _step(
        target, f"The program, in {PROGRAM}", lambda: install_program(target, again=again, unpinned=unpinned)
    )
    _step(target, f"Settings in {SETTINGS}, the command {COMMAND}, the services", lambda: write_files(target))
    target.say("    This computer keeps its own name; puluc.local is added.")
    _step(target, "Start, now and at every boot", lambda: start_services(target, before))
    remove_old_environments(target)
    target.say(f"Done. Your games are in {DATA}. To update, run this again from a newer copy; --remove removes it.")
    if target.real and target.is_booted():
        # Not as root: it opens files of the user puluc. Bad findings do not make this command fail.
        doctor = [str(PROGRAM / ".venv" / "bin" / "puluc"), "doctor", "--no-press"]
        subprocess.run(doctor, check=False, user=USER, group=USER, extra_groups=GROUPS, cwd="/")


def uninstall(target: Target, *, data_too: bool) -> None:
    """Remove what was installed; games and settings only if ``data_too``."""
    if target.real and os.geteuid() != 0:
        raise InstallError("Removing a service needs root: sudo python3 systemd/install.py --remove")
    present = [unit for unit in UNITS if target.at(Path("/etc/systemd/system") / unit).exists()]
    if present:
        now = ["--now"] if target.is_booted() else []
        target.run(["systemctl", "disable", "--quiet", *now, *present], SEE_ABOVE)
    record = target.at(PROGRAM / "packages.txt")
    installed = sorted(set(record.read_text().split())) if record.exists() else []
    for unit in (*UNITS, *TRIGGERED_UNITS):
        target.remove(Path("/etc/systemd/system") / unit)
    if present and target.is_booted():
        target.run(["systemctl", "daemon-reload"], SEE_ABOVE)
    there = target.at(COMMAND)
    if there.is_symlink() and there.readlink().is_relative_to(PROGRAM):
        target.remove(COMMAND)
    target.remove(PROGRAM)
    target.remove(Path("/etc/sysusers.d/puluc.conf"))
    if data_too:
        target.remove(DATA)
        target.remove(SETTINGS)
        if target.ask("id", USER):
            target.run(["userdel", USER], SEE_ABOVE)
    else:
        target.say(f"Kept: the games in {DATA}, the settings in {SETTINGS}, and the user {USER} who owns them.")
        target.say("To remove them as well: --remove --data-too")
    if installed:
        target.say(f"Kept, because other programs may use them by now: {' '.join(installed)}")


def _step(target: Target, title: str, work: Callable[[], Result]) -> Result:
    target.say(f"* {title}")
    before = target.changes
    result = work()
    if target.changes == before:
        target.say("    nothing to do")
    return result


def main(words: Sequence[str]) -> int:
    """Install or remove, as the arguments say. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dry-run", action="store_true", help="only say what would be done")
    parser.add_argument("--again", action="store_true", help="rebuild the program's environment even if it is current")
    parser.add_argument("--remove", action="store_true", help="remove the program; games and settings are kept")
    parser.add_argument("--data-too", action="store_true", help="with --remove: remove games and settings as well")
    parser.add_argument(
        "--unpinned",
        action="store_true",
        help="if a tested package is not available, install the newest versions instead, untested and unchecked",
    )
    parser.add_argument("--as-pi", action="store_true", help="treat this computer as a Raspberry Pi, for a trial")
    parser.add_argument(
        "--root", type=Path, default=Path("/"), help="write the files here and run nothing, for a trial"
    )
    chosen = parser.parse_args(words)
    if chosen.data_too and not chosen.remove:
        parser.error("--data-too goes with --remove.")
    # Whatever root's umask is: the service's user has to read all of it.
    os.umask(0o022)
    target = Target(
        chosen.root.absolute(), dry=chosen.dry_run, as_pi=chosen.as_pi, say=lambda text: print(text, flush=True)
    )
    if target.real and Path(sys.executable).resolve() != PYTHON.resolve() and PYTHON.exists():
        os.execv(PYTHON, [str(PYTHON), __file__, *words])
    try:
        if chosen.remove:
            uninstall(target, data_too=chosen.data_too)
        else:
            install(target, again=chosen.again, unpinned=chosen.unpinned)
    except InstallError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. The same command starts again and finishes the installation.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
