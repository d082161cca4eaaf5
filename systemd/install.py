#!/usr/bin/python3
"""Puts Puluc Companion on a Raspberry Pi, brings it up to date, or takes it away: ``sudo python3 systemd/install.py``.

Needs nothing but Python. Doing it again changes only what is not yet as it should be; games and settings stay.
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
PROGRAM = Path("/opt/puluc")
DATA = Path("/var/lib/puluc")
SETTINGS = Path("/etc/puluc")
COMMAND = Path("/usr/local/bin/puluc")
UNITS = ("puluc.service", "puluc-name.service", "puluc-off.path")
CALLED = ("puluc-off.service",)
"""Units that another one starts: nothing enables them."""
USER = "puluc"
PYTHON = Path("/usr/bin/python3")
"""The system's own: only to this one are the camera's and the pins' packages known."""

PACKAGES = (
    ("python3-venv",),
    ("avahi-daemon",),  # the name puluc.local
    ("avahi-utils",),
    ("libnss-mdns",),  # for this computer to know the name, too
    ("libgl1",),  # OpenCV's
    ("libglib2.0-0t64", "libglib2.0-0"),  # trixie's name, bookworm's name
)
PI_PACKAGES = (("python3-picamera2",), ("python3-lgpio",))
"""Only Raspberry Pi OS has them."""
ROOM_MB = 1500
"""Free megabytes on the disk that a new environment takes while it is made; the old one stays until it has started."""


ABOVE = "What stands above says why."

Answer = TypeVar("Answer")


class Refused(Exception):
    """Why nothing more can be done, and what helps."""


class Box:
    """The computer it is put on.

    root: where its files are; any folder but / is a trial, in which files are written and nothing is run.
    dry: only say what would be done. as_pi: take it for a Raspberry Pi whatever it calls itself.
    """

    def __init__(self, root: Path, *, dry: bool, as_pi: bool, say: Callable[[str], None]) -> None:
        self.root, self.dry, self.as_pi, self.say = root, dry, as_pi, say
        self.real = root == Path("/") and not dry
        self.changes = 0

    def at(self, path: Path) -> Path:
        return self.root / path.relative_to("/")

    def run(self, words: Sequence[object], cure: str) -> None:
        """Run this as root; raises Refused, with what may help, where it fails."""
        line = " ".join(map(str, words))
        self.say(f"    {line}" if self.real else f"    would run: {line}")
        self.changes += 1
        if not self.real:
            return
        environ = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        if subprocess.run(list(map(str, words)), check=False, env=environ).returncode:
            raise Refused(f"This failed: {line}\n{cure}")

    def ask(self, *words: object) -> str | None:
        """What that prints, or None where it fails. Changes nothing, so it is asked on a dry run, too."""
        if self.root != Path("/") or shutil.which(str(words[0])) is None:
            return None
        asked = subprocess.run(list(map(str, words)), check=False, capture_output=True, text=True)
        return None if asked.returncode else asked.stdout.strip()

    def put(self, source: Path, target: Path) -> None:
        """Have the file ``target`` hold what ``source`` holds."""
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
        """Have ``target`` lead to ``to``, without a moment at which it leads nowhere."""
        there = self.at(target)
        if there.is_symlink() and there.readlink() == to:
            return
        self.note(f"let {target} lead to {to}")
        if not self.dry:
            there.parent.mkdir(parents=True, exist_ok=True)
            fresh = there.with_name(there.name + ".new")
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(to)
            fresh.replace(there)

    def drop(self, path: Path) -> None:
        """Have no file or folder there."""
        there = self.at(path)
        if not there.exists() and not there.is_symlink():
            return
        self.note(f"remove {path}")
        if not self.dry:
            if there.is_dir() and not there.is_symlink():
                shutil.rmtree(there)
            else:
                there.unlink()

    def note(self, what: str) -> None:
        self.changes += 1
        self.say(f"    {'would ' if self.dry else ''}{what}")

    def is_booted(self) -> bool:
        """Whether systemd runs here, so that services can be started."""
        return self.root == Path("/") and Path("/run/systemd/system").is_dir()

    def is_a_pi(self) -> bool:
        model = self.at(Path("/proc/device-tree/model"))
        return self.as_pi or (model.exists() and "Raspberry Pi" in model.read_text(errors="replace"))


def look(box: Box) -> None:
    """Stop before anything is touched where it could not work."""
    if sys.version_info < (3, 11):
        raise Refused(f"It needs Python 3.11 or newer (Raspberry Pi OS bookworm or trixie); this is {sys.version[:6]}.")
    if sys.maxsize < 2**32:
        raise Refused("This is a 32-bit system. Put the 64-bit Raspberry Pi OS on the card, and come back.")
    if box.real and os.geteuid() != 0:
        raise Refused("It installs packages and a service, so it needs: sudo python3 systemd/install.py")
    if box.real and not (shutil.which("apt-get") and shutil.which("systemctl")):
        raise Refused("This system has no apt or no systemd. To play without a service: python3 start.py")
    if not box.is_a_pi():
        box.say("    This is no Raspberry Pi: the ribbon camera's and the pins' packages are left out.")


def packages(box: Box, *, pi: bool) -> None:
    """Debian's packages that are missing."""
    missing = []
    for names in (*PACKAGES, *(PI_PACKAGES if pi else ())):
        if not any((box.ask("dpkg-query", "-W", "-f=${db:Status-Status}", name) == "installed") for name in names):
            known = [name for name in names if box.ask("apt-cache", "show", name)]
            missing.append((known or names)[0])
    if not missing:
        return
    box.run(["apt-get", "update", "-qq"], "Is this computer online?")
    cure = "Is this computer online, and is this Raspberry Pi OS bookworm or trixie?"
    box.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing], cure)
    if box.real:
        PROGRAM.mkdir(parents=True, exist_ok=True)
        with (PROGRAM / "packages.txt").open("a") as kept:
            kept.writelines(f"{name}\n" for name in missing)


def user(box: Box) -> None:
    """The service's own user, in the groups of camera and pins and in no others."""
    box.put(SOURCE / "systemd" / "puluc.sysusers", Path("/etc/sysusers.d/puluc.conf"))
    groups = (box.ask("id", "-nG", USER) or "").split()
    if not {"video", "render", "gpio"} <= set(groups):
        box.run(["systemd-sysusers", "/etc/sysusers.d/puluc.conf"], ABOVE)


def stamp() -> str:
    """What tells this version of the program, on this Python, from every other."""
    seen = hashlib.sha256(sys.version.encode())
    files = [SOURCE / "pyproject.toml", SOURCE / "systemd" / "constraints-bookworm.txt"]
    for folder in ("companion", "hardware", "web"):
        files += sorted(path for path in (SOURCE / folder).rglob("*") if path.is_file())
    for file in files:
        if "__pycache__" not in file.parts:
            seen.update(file.relative_to(SOURCE).as_posix().encode() + b"\0" + file.read_bytes())
    return seen.hexdigest()[:12]


def program(box: Box, *, again: bool) -> Path | None:
    """The program in an environment of its own, beside the one in use. Answers the one in use before, if it changes."""
    venv = PROGRAM / f"venv-{stamp()}"
    link = box.at(PROGRAM / ".venv")
    before = PROGRAM / link.readlink() if link.is_symlink() else PROGRAM
    if before in (venv, other := venv.with_name(f"{venv.name}-again")) and box.at(before / "ready").exists():
        if not again:
            return None
        # The one in use is never touched.
        venv = other if before == venv else venv
    done = box.at(venv / "ready")
    if box.real and (free := shutil.disk_usage("/opt").free // 2**20) < ROOM_MB:
        raise Refused(f"Only {free} MB are free on the card, and {ROOM_MB} are needed. Make room, and come back.")
    box.drop(venv)
    box.run([PYTHON, "-m", "venv", "--system-site-packages", venv], "sudo apt install python3-venv")
    python = venv / "bin" / "python"
    old = ["-c", SOURCE / "systemd" / "constraints-bookworm.txt"] if sys.version_info < (3, 12) else []
    install = ["-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
    box.say("    This takes some minutes: it fetches about 250 MB the first time.")
    box.run([python, *install, *old, SOURCE], "Is this computer online? What was installed before is untouched.")
    box.run([python, "-c", "import cv2, companion, hardware, web"], "What was installed before is untouched.")
    if not box.dry:
        done.parent.mkdir(parents=True, exist_ok=True)
        # If the plug is pulled after this, all that it vouches for is on the card.
        os.sync()
        done.touch()
    if link.is_dir() and not link.is_symlink():
        # Made by hand, from an older description.
        box.drop(PROGRAM / ".venv")
    box.link(PROGRAM / ".venv", Path(venv.name))
    return None if before == PROGRAM else before


def tidy(box: Box) -> None:
    """Environments that are no longer used."""
    link = box.at(PROGRAM / ".venv")
    used = link.readlink().name if link.is_symlink() else ""
    for venv in sorted(box.at(PROGRAM).glob("venv-*")):
        if venv.name != used and not box.dry:
            box.drop(PROGRAM / venv.name)


def files(box: Box) -> None:
    """Settings (yours are kept), the command, and the services."""
    if not box.at(SETTINGS / "puluc.toml").exists():
        box.put(SOURCE / "systemd" / "puluc.toml", SETTINGS / "puluc.toml")
    there = box.at(COMMAND)
    if there.exists() and not there.is_symlink():
        box.say(f"    {COMMAND} is something else and stays; the command is {PROGRAM}/.venv/bin/puluc")
    else:
        box.link(COMMAND, PROGRAM / ".venv" / "bin" / "puluc")
    for unit in (*UNITS, *CALLED):
        box.put(SOURCE / "systemd" / unit, Path("/etc/systemd/system") / unit)


def start(box: Box, before: Path | None) -> None:
    """The services at every boot and now. A new version that does not come up gives way to the old one."""
    if not box.changes and all(box.ask("systemctl", "is-active", unit) for unit in UNITS):
        return
    box.run(["systemctl", "enable", "--quiet", *UNITS], ABOVE)
    if box.real and not box.is_booted():
        box.say("    systemd does not run here, so nothing is started; the next boot does it.")
        return
    box.run(["systemctl", "daemon-reload"], ABOVE)
    try:
        box.run(["systemctl", "restart", "puluc.service"], "journalctl -u puluc -b -o cat    says why.")
    except Refused as error:
        if before is None:
            raise
        box.link(PROGRAM / ".venv", Path(before.name))
        box.run(["systemctl", "restart", "puluc.service"], "The version from before does not start either.")
        raise Refused(f"{error}\nThe version from before is back in its place and runs.") from error
    box.run(["systemctl", "restart", "puluc-off.path"], "The table works; only the buttons cannot switch it off.")
    box.run(["systemctl", "restart", "puluc-name.service"], "The table works; only the name puluc.local is missing.")


def install(box: Box, *, again: bool) -> None:
    """All of it, step by step."""
    look(box)
    _do(box, "Packages of the system", lambda: packages(box, pi=box.is_a_pi()))
    _do(box, f"The service's user, {USER}, with the groups video, render and gpio", lambda: user(box))
    before = _do(box, f"The program, in {PROGRAM}", lambda: program(box, again=again))
    _do(box, f"Settings in {SETTINGS}, the command {COMMAND}, the services", lambda: files(box))
    box.say("    The name puluc.local is added to this computer's own, which stays as it is.")
    _do(box, "Start, now and at every boot", lambda: start(box, before))
    tidy(box)
    box.say(f"Done. The games are kept in {DATA}; this command again is how to update, with --remove how to remove.")
    if box.real and box.is_booted():
        # Its answers are for people; that something is wrong with the light is no reason for this command to fail.
        subprocess.run([PROGRAM / ".venv" / "bin" / "puluc", "doctor", "--no-press"], check=False)


def remove(box: Box, *, data_too: bool) -> None:
    """All that was installed, and the games only when that is asked for."""
    if box.real and os.geteuid() != 0:
        raise Refused("It removes a service, so it needs: sudo python3 systemd/install.py --remove")
    present = [unit for unit in UNITS if box.at(Path("/etc/systemd/system") / unit).exists()]
    if present:
        now = ["--now"] if box.is_booted() else []
        box.run(["systemctl", "disable", "--quiet", *now, *present], ABOVE)
    asked = box.at(PROGRAM / "packages.txt")
    came = sorted(set(asked.read_text().split())) if asked.exists() else []
    for unit in (*UNITS, *CALLED):
        box.drop(Path("/etc/systemd/system") / unit)
    if present and box.is_booted():
        box.run(["systemctl", "daemon-reload"], ABOVE)
    there = box.at(COMMAND)
    if there.is_symlink() and there.readlink().is_relative_to(PROGRAM):
        box.drop(COMMAND)
    box.drop(PROGRAM)
    box.drop(Path("/etc/sysusers.d/puluc.conf"))
    if data_too:
        box.drop(DATA)
        box.drop(SETTINGS)
        if box.ask("id", USER):
            box.run(["userdel", USER], ABOVE)
    else:
        box.say(f"Kept: the games in {DATA}, the settings in {SETTINGS}, and the user {USER}, whose they are.")
        box.say("With --remove --data-too they go as well.")
    if came:
        box.say(f"Kept, for other programs may use them by now: {' '.join(came)}")


def _do(box: Box, title: str, step: Callable[[], Answer]) -> Answer:
    box.say(f"* {title}")
    before = box.changes
    answer = step()
    if box.changes == before:
        box.say("    nothing to do")
    return answer


def main(words: Sequence[str]) -> int:
    """Do what the words ask for. Answers the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dry-run", action="store_true", help="only say what would be done")
    parser.add_argument("--again", action="store_true", help="make the program's environment anew, even if it is there")
    parser.add_argument("--remove", action="store_true", help="remove it; the games and settings are kept")
    parser.add_argument("--data-too", action="store_true", help="with --remove: the games and settings as well")
    parser.add_argument("--as-pi", action="store_true", help="take this computer for a Raspberry Pi, to try it all")
    parser.add_argument(
        "--root", type=Path, default=Path("/"), help="a folder to try it in: files only, nothing is run"
    )
    chosen = parser.parse_args(words)
    if chosen.data_too and not chosen.remove:
        parser.error("--data-too goes with --remove.")
    # Whatever root's own habit is: the service's user must be able to read all of it.
    os.umask(0o022)
    box = Box(chosen.root.absolute(), dry=chosen.dry_run, as_pi=chosen.as_pi, say=lambda text: print(text, flush=True))
    if box.real and Path(sys.executable).resolve() != PYTHON.resolve() and PYTHON.exists():
        os.execv(PYTHON, [PYTHON, __file__, *words])
    try:
        if chosen.remove:
            remove(box, data_too=chosen.data_too)
        else:
            install(box, again=chosen.again)
    except Refused as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
