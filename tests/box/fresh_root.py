"""Follow docs/raspberry-pi.md word by word in a fresh Debian: ``python -m tests.box.fresh_root FOLDER``.

Outside CI, because it takes root, debootstrap, systemd-nspawn and a package mirror. Parts that only a Pi has are
stubbed and named at the end. It prints each step with its seconds, and ends with status 1 at the first failure.
"""

# ruff: noqa: T201 - prints its results

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.box import stubs
from tests.box.container import Container, booted, made, needs, until

REPOSITORY = Path(__file__).parents[2]
HOME = "/home/pi/puluc-companion"
UNITS = ("puluc.service", "puluc-name.service")
STUBBED = {"camera": "no camera hangs on the stand-in", "buttons": "the stand-in of lgpio has no pins"}
"""Checks that must fail there, with the reason."""
READY_S = 10.0
"""Maximum seconds that the service may take to start at boot."""


def documented() -> list[str]:
    """The commands that docs/raspberry-pi.md gives for installing."""
    section = (REPOSITORY / "docs" / "raspberry-pi.md").read_text().split("## Install")[1].split("\n## ")[0]
    return [line for block in re.findall(r"```sh\n(.*?)```", section, re.DOTALL) for line in block.splitlines()]


def step(title: str, work: Callable[[], str]) -> None:
    """Run a step, and print its time and result."""
    began = time.monotonic()
    said = work()
    print(f"{time.monotonic() - began:7.1f} s  {title}: {said}", flush=True)


def healthy(pi: Container) -> bool:
    return (
        pi.run("python3", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8080/healthz')").returncode
        == 0
    )


def api(pi: Container, path: str, body: object = None) -> dict[str, object]:
    """The table's response to a player's request."""
    code = pi.ask("cat", "/var/lib/puluc/code")
    data = None if body is None else json.dumps(body)
    program = (
        "import urllib.request as u, urllib.error as e\n"
        f"asked = u.Request('http://127.0.0.1:8080{path}', {data!r}.encode() if {data!r} else None, "
        f"{{'Authorization': 'Bearer {code}', 'Content-Type': 'application/json'}})\n"
        "try: print(u.urlopen(asked).read().decode())\n"
        "except e.HTTPError as error: print(error.read().decode())"
    )
    return dict(json.loads(pi.ask("python3", "-c", program)))


def install(pi: Container) -> str:
    """Run the documented commands; only --as-pi is added."""
    for line in documented():
        done = pi.run("sh", "-c", line.replace("install.py", "install.py --as-pi"), folder=HOME)
        if done.returncode:
            raise AssertionError(f"{line}\n{done.stdout}\n{done.stderr}")
    assert healthy(pi)
    return " && ".join(documented())


def again(pi: Container) -> str:
    """A second run changes nothing and interrupts no game."""
    before = pi.ask("systemctl", "show", "puluc", "--property=MainPID")
    said = pi.run("sudo", "python3", "systemd/install.py", "--as-pi", folder=HOME).stdout
    assert said.count("nothing to do") == 5, said
    assert pi.ask("systemctl", "show", "puluc", "--property=MainPID") == before
    return "nothing to do"


def update(pi: Container) -> str:
    """A newer copy replaces the old one; the game goes on where it was."""
    api(pi, "/api/throw", {"marked": 3})
    kept = api(pi, "/api/table")["throw_off"]
    (pi.root / HOME.lstrip("/") / "companion" / "newer.py").write_text('"""Something new."""\n')
    install(pi)
    assert api(pi, "/api/table")["throw_off"] == kept
    venvs = [path.name for path in (pi.root / "opt/puluc").glob("venv-*")]
    assert len(venvs) == 1, venvs
    return "the game is as it was"


def rollback(pi: Container) -> str:
    """A newer copy that does not start is replaced by the previous one."""
    command = pi.root / HOME.lstrip("/") / "companion" / "commands" / "play.py"
    good = command.read_text()
    command.write_text(good + "\nraise SystemExit(3)\n")
    done = pi.run("sudo", "python3", "systemd/install.py", "--as-pi", folder=HOME)
    command.write_text(good)
    assert done.returncode == 1, done.stdout
    assert "The previous version is back" in done.stderr, done.stderr
    until(lambda: healthy(pi), 30)
    return "the old version is back"


def examined(pi: Container) -> str:
    """Only the checks of stubbed parts fail."""
    done = pi.run("sudo", "puluc", "doctor", "--json")
    wrong = {one["check"]: one for one in map(json.loads, done.stdout.splitlines()) if one["state"] == "wrong"}
    assert wrong.keys() == STUBBED.keys(), wrong
    return f"wrong are only {', '.join(wrong)}"


def unit(pi: Container) -> str:
    """systemd finds no fault and rates the exposure as low."""
    for name in UNITS:
        done = pi.run("systemd-analyze", "verify", f"/etc/systemd/system/{name}")
        assert (done.returncode, done.stdout + done.stderr) == (0, ""), done
    rated = pi.shell("systemd-analyze security puluc.service --no-pager | tail -1")
    groups = set(pi.ask("id", "-nG", "puluc").split())
    assert groups == {"puluc", "video", "render", "gpio"}, groups
    return f"{rated.split(': ')[-1]}; its user is in {', '.join(sorted(groups))}"


def named(pi: Container) -> str:
    """The host name is published. Without a network, avahi resolves it only on trixie."""
    log = ["journalctl", "--unit=puluc-name", "--output=cat", "--no-pager"]
    until(lambda: "This table is puluc.local" in pi.run(*log).stdout, 40)
    return pi.run("getent", "hosts", "puluc.local").stdout.strip() or pi.ask(*log).splitlines()[-1]


def ready(pi: Container) -> str:
    """How long the service takes to start at boot."""
    keys = ("InactiveExitTimestampMonotonic", "ActiveEnterTimestampMonotonic")
    began, was_ready = (int(pi.ask("systemctl", "show", "puluc", f"--property={key}", "--value")) / 1e6 for key in keys)
    assert was_ready - began < READY_S, was_ready - began
    return f"ready {was_ready - began:.1f} s after it was begun"


def troubled(pi: Container, title: str, spoil: str, mend: str, expected: str) -> None:
    """Start it with a fault: it stays up, the page gives the reason, and it recovers once the fault is fixed."""

    def work() -> str:
        pi.run("systemctl", "stop", "puluc")
        pi.shell(spoil)
        pi.ask("systemctl", "start", "puluc")
        status = pi.ask("systemctl", "show", "puluc", "--property=StatusText", "--value")
        assert expected in status, status
        pi.shell(mend)
        until(lambda: healthy(pi), 40)
        assert pi.ask("systemctl", "show", "puluc", "--property=NRestarts", "--value") == "0"
        return status

    step(title, work)


def removed(pi: Container) -> str:
    """Remove it without the games, then with them."""
    pi.run("sudo", "python3", "systemd/install.py", "--remove", folder=HOME)
    assert (pi.root / "var/lib/puluc/puluc.sqlite3").exists()
    assert not (pi.root / "opt/puluc").exists()
    pi.run("sudo", "python3", "systemd/install.py", "--remove", "--data-too", folder=HOME)
    places = ("var/lib/puluc", "etc/puluc", "usr/local/bin/puluc", "etc/systemd/system/puluc.service")
    left = [place for place in places if (pi.root / place).exists()]
    assert left == []
    assert pi.run("id", "puluc").returncode
    return "nothing of it is left"


def main() -> int:
    """Run all steps. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path, help="where the fresh Debian is made, or was made before")
    parser.add_argument("--suite", default="trixie", help="Debian's name for it: trixie or bookworm")
    parser.add_argument("--arch", default="amd64", help="arm64 needs qemu-user-static, registered with flag F")
    parser.add_argument("--copy", type=Path, action="append", default=[], help="a file that pip or apt needs here")
    chosen = parser.parse_args()
    if missing := needs("debootstrap", "systemd-nspawn", "nsenter", "git", "dpkg-deb"):
        print(f"Missing here: {', '.join(missing)}.", file=sys.stderr)
        return 2
    root: Path = chosen.root.absolute()
    kind = f"{chosen.suite}, {chosen.arch}"
    step(f"a fresh Debian {kind}", lambda: made(root, suite=chosen.suite, arch=chosen.arch))
    for file in chosen.copy:
        (root / file.relative_to("/")).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, root / file.relative_to("/"))
    stubs.put(root)
    there = root / HOME.lstrip("/")
    there.mkdir(parents=True, exist_ok=True)
    packed = subprocess.run(["git", "archive", "HEAD"], check=True, cwd=REPOSITORY, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", there], check=True, input=packed)
    with booted(root, online=True) as pi:
        step("docs/raspberry-pi.md, word by word", lambda: install(pi))
        step("the unit", lambda: unit(pi))
        step("the name", lambda: named(pi))
        step("the doctor", lambda: examined(pi))
        step("once more", lambda: again(pi))
        step("a newer version", lambda: update(pi))
        step("a broken version", lambda: rollback(pi))
    with booted(root, online=False) as pi:
        until(lambda: healthy(pi), 60)
        step("boot, without a network", lambda: ready(pi))
        card = "mount -t tmpfs -o size=40m,mode=0750,uid=$(id -u puluc),gid=$(id -g puluc) puluc /var/lib/puluc"
        fill = f"{card}; dd if=/dev/zero of=/var/lib/puluc/fill bs=1k count=99999; true"
        clear = "systemctl stop puluc; umount /var/lib/puluc"
        troubled(pi, "a full card", fill, "rm /var/lib/puluc/fill", "full")
        pi.shell(clear)
        read_only = f"{card} && mount -o remount,ro /var/lib/puluc"
        # A card is repaired with the power off, so the service is restarted then.
        mended = "mount -o remount,rw /var/lib/puluc && systemctl restart puluc"
        troubled(pi, "a read-only card", read_only, mended, "disk is read-only")
        pi.shell(clear)
        taken = "systemd-run -q --unit=taken python3 -m http.server 8080; sleep 1"
        troubled(pi, "a port in use", taken, "systemctl stop taken", "Cannot serve on")
    with booted(root, online=False) as pi:
        step("away with it", lambda: removed(pi))
    print("Stubbed:", "; ".join(f"{name} ({why})" for name, why in STUBBED.items()), end="; ")
    print("that the computer is a Raspberry Pi (--as-pi); its clock, heat and power supply; the network's mDNS.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
