"""A fresh Debian in a folder, booted as a container: a Raspberry Pi without its hardware."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

BASE = "systemd,systemd-sysv,dbus,python3,python3-venv,ca-certificates,sudo,iproute2"
"""Packages that Raspberry Pi OS Lite has and a minimal Debian lacks."""
ENVIRON = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}
BOOT_S, STOP_S = 60.0, 30.0


def made(root: Path, *, suite: str, arch: str) -> str:
    """Create a fresh Debian in a folder, from debootstrap's default mirror. Returns the folder."""
    if not (root / "etc" / "debian_version").exists():
        words = ["debootstrap", "--variant=minbase", f"--arch={arch}", f"--include={BASE}", suite, str(root)]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    # A test must not announce anything on the local network.
    quiet = root / "etc" / "systemd" / "system" / "avahi-daemon.service.d"
    quiet.mkdir(parents=True, exist_ok=True)
    (quiet / "quiet.conf").write_text("[Service]\nPrivateNetwork=yes\n")
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
    return str(root)


@dataclass(frozen=True, slots=True)
class Container:
    """A booted container. init: the number of its first process."""

    root: Path
    init: int

    def run(self, *words: str, folder: str = "/", timeout: float = 3600) -> subprocess.CompletedProcess[str]:
        """Run a command inside as root."""
        line = ["nsenter", f"--target={self.init}", "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--root"]
        line += [f"--wdns={folder}", *words]
        return subprocess.run(line, capture_output=True, text=True, check=False, env=ENVIRON, timeout=timeout)

    def ask(self, *words: str) -> str:
        """The output of a command inside, which must succeed."""
        done = self.run(*words)
        assert done.returncode == 0, f"{' '.join(words)}: {done.stdout}{done.stderr}"
        return done.stdout.strip()

    def shell(self, line: str) -> str:
        """The output of a shell command inside."""
        return self.ask("sh", "-c", line)


@contextmanager
def booted(root: Path, *, online: bool) -> Iterator[Container]:
    """Boot it, and switch it off at the end. online: with this machine's network, else with only a loopback."""
    words = ["systemd-nspawn", f"--directory={root}", "--boot", "--register=no", "--keep-unit", "--machine=pi"]
    nspawn = subprocess.Popen(
        [*words, *([] if online else ["--private-network"])],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    children = Path(f"/proc/{nspawn.pid}/task/{nspawn.pid}/children")

    def inside() -> list[Container]:
        """The container's first process, once it has started."""
        return [Container(root, int(number)) for number in children.read_text().split()]

    def is_up() -> bool:
        running = [one.run("systemctl", "is-system-running").stdout.strip() for one in inside()]
        return running == ["running"] or running == ["degraded"]

    try:
        until(is_up, BOOT_S)
        (container,) = inside()
        yield container
        container.run("systemctl", "poweroff")
        nspawn.wait(STOP_S)
    finally:
        # Leftovers of a failed run would use the same games.
        for one in inside() if nspawn.poll() is None else []:
            os.kill(one.init, signal.SIGKILL)
        nspawn.kill()
        nspawn.wait()


def until(done: Callable[[], bool], seconds: float) -> None:
    """Wait until ``done`` is true."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "It took too long."
        time.sleep(0.2)


def needs(*programs: str) -> Sequence[str]:
    """The missing programs, and root if another user runs this."""
    missing = [name for name in programs if shutil.which(name) is None]
    return missing if os.geteuid() == 0 else [*missing, "root"]
