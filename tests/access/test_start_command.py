"""The command that starts a table again is one that can be typed where it was started."""

from __future__ import annotations

from pathlib import Path

from companion.access.start_command import StartCommand


def test_the_program_is_what_was_typed(tmp_path: Path) -> None:
    """start.py is named by its folder where somebody is elsewhere; without it, the module; else the program."""
    (tmp_path / "start.py").touch()
    main, installed = str(tmp_path / "companion" / "__main__.py"), str(tmp_path / "site" / "companion" / "__main__.py")
    typed = [
        StartCommand.from_words([program, "play", "--open"], folder).again()
        for program, folder in (
            (main, tmp_path),
            (main, tmp_path / "companion"),
            (installed, tmp_path),
            (".venv/bin/puluc", tmp_path),
        )
    ]

    assert typed == [
        ("python3 start.py", "--open"),
        (f"python3 {tmp_path / 'start.py'}", "--open"),
        ("python3 -m companion play", "--open"),
        (".venv/bin/puluc play", "--open"),
    ]


def test_the_present_options_stay() -> None:
    """Each keeps its value, and one that is set anew is not there twice."""
    options = ("--host", "127.0.0.1", "--open", "--data", "my games", "--camera=none", "--set", "spaces=11")
    command = StartCommand(options=options)

    assert command.again("--camera phone", "--https", "--host 0.0.0.0") == (
        "puluc play",
        "--open",
        "--data 'my games'",
        "--set spaces=11",
        "--camera phone",
        "--https",
        "--host 0.0.0.0",
    )


def test_addresses_are_not_shown() -> None:
    """They may hold a password, which is not for every player."""
    options = ("--mqtt", "mqtt://ana:secret@broker", "--camera=rtsp://ana:secret@camera/1?key=secret", "--stay")
    shown = StartCommand(options=options).again("--host 0.0.0.0")

    assert shown == ("puluc play", "--mqtt 'mqtt://…'", "'--camera=rtsp://…'", "--stay", "--host 0.0.0.0")
