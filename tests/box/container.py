"""A fresh Debian in a folder, booted as a container: what the installer meets on a Pi without its hardware."""

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
"""What Raspberry Pi OS Lite has of what is used here, and a minimal Debian has not."""
ENVIRON = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}
BOOT_S, STOP_S = 60.0, 30.0


def made(root: Path, *, suite: str, arch: str) -> str:
    """Have a fresh Debian there, from the mirror that debootstrap takes by itself. Answers where."""
    if not (root / "etc" / "debian_version").exists():
        words = ["debootstrap", "--variant=minbase", f"--arch={arch}", f"--include={BASE}", suite, str(root)]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    # A test announces nothing to the network it happens to be in.
    quiet = root / "etc" / "systemd" / "system" / "avahi-daemon.service.d"
    quiet.mkdir(parents=True, exist_ok=True)
    (quiet / "quiet.conf").write_text("[Service]\nPrivateNetwork=yes\n")
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
    return str(root)


@dataclass(frozen=True, slots=True)
class Container:
    """A booted one. init: the number of its first process."""

    root: Path
    init: int

    def run(self, *words: str, folder: str = "/", timeout: float = 3600) -> subprocess.CompletedProcess[str]:
        """Run that inside as root, and answer what came of it."""
        line = ["nsenter", f"--target={self.init}", "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--root"]
        line += [f"--wdns={folder}", *words]
        return subprocess.run(line, capture_output=True, text=True, check=False, env=ENVIRON, timeout=timeout)

    def ask(self, *words: str) -> str:
        """What that prints inside, where it succeeds."""
        done = self.run(*words)
        assert done.returncode == 0, f"{' '.join(words)}: {done.stdout}{done.stderr}"
        return done.stdout.strip()

    def shell(self, line: str) -> str:
        """What that line prints inside."""
        return self.ask("sh", "-c", line)


@contextmanager
def booted(root: Path, *, online: bool) -> Iterator[Container]:
    """Boot it, and switch it off at the end. online: with this machine's network, else with its own loopback alone."""
    words = ["systemd-nspawn", f"--directory={root}", "--boot", "--register=no", "--keep-unit", "--machine=pi"]
    nspawn = subprocess.Popen(
        [*words, *([] if online else ["--private-network"])],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    children = Path(f"/proc/{nspawn.pid}/task/{nspawn.pid}/children")

    def inside() -> list[Container]:
        """The container's first process, once there is one: at first another one stands in its place."""
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
        # What is left of it after a failure would go on with the same games.
        for one in inside() if nspawn.poll() is None else []:
            os.kill(one.init, signal.SIGKILL)
        nspawn.kill()
        nspawn.wait()


def until(done: Callable[[], bool], seconds: float) -> None:
    """Wait until that is so."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "It took too long."
        time.sleep(0.2)


def needs(*programs: str) -> Sequence[str]:
    """Those of them that are missing here; root is one of them for whoever is not."""
    missing = [name for name in programs if shutil.which(name) is None]
    return missing if os.geteuid() == 0 else [*missing, "root"]
