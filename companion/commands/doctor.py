"""``puluc doctor``: looks at everything a table needs, and says in plain words what is wrong and what helps."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import platformdirs

from companion.doctor.finding import Finding, State, summary, title, word
from companion.machine import on_a_pi

SERVICE = Path("/var/lib/puluc")
"""Where the service keeps its games."""
MARK = {State.WELL: "✓", State.DOUBT: "!", State.WRONG: "✗", State.SKIPPED: "·"}
COLOUR = {State.WELL: "green", State.DOUBT: "yellow", State.WRONG: "red", State.SKIPPED: None}


@click.command()
@click.option("--data", type=click.Path(path_type=Path), help="Folder where the games are kept.")
@click.option("--port", default=8080, show_default=True, type=click.IntRange(1, 65535), help="The running table's.")
@click.option(
    "--camera",
    default="pi" if on_a_pi() else "simulated",
    show_default="pi on a Raspberry Pi, else simulated",
    help="As for puluc play, where no table runs.",
)
@click.option("--profile", type=click.Path(path_type=Path), help="The reader's profile, as for puluc play.")
@click.option(
    "--buttons",
    default="gpio" if on_a_pi() else "none",
    show_default="gpio on a Raspberry Pi, else none",
    type=click.Choice(["gpio", "mock", "none"]),
    help="The panel, as for puluc play.",
)
@click.option("--config", type=click.Path(path_type=Path), help="The file that names the pins, as for puluc play.")
@click.option("--press/--no-press", default=True, show_default=True, help="Ask for each button to be pressed.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, and no questions.")
def doctor(
    data: Path | None,
    port: int,
    camera: str,
    profile: Path | None,
    buttons: str,
    config: Path | None,
    press: bool,
    as_json: bool,
) -> int:
    """Look at everything: camera, light, tray, buttons, games, the computer; say what is wrong, and what helps.

    Where a table runs, it is asked, and its game goes on. The exit status is 1 where something is wrong.
    """
    from companion.commands.examining import Asked, examine

    asked = Asked(
        data=data or _usual(),
        port=port,
        camera=camera,
        profile=profile,
        buttons=buttons,
        config=config,
        press=press and not as_json and sys.stdin.isatty(),
    )
    found = examine(
        asked, say=lambda text: click.echo(text, err=True), confirm=lambda text: click.confirm(text, err=True)
    )
    if as_json:
        for one in found.findings:
            click.echo(json.dumps(as_dict(one)))
    else:
        _tell(found.findings)
        if found.invitation:
            click.echo(found.invitation)
    return 1 if any(one.state is State.WRONG for one in found.findings) else 0


def as_dict(finding: Finding) -> dict[str, object]:
    """The finding as ``--json`` prints it."""
    return {
        "check": finding.check.value,
        "state": finding.state.value,
        "title": title(finding.check),
        "says": finding.says,
        "cure": finding.cure,
        "facts": dict(finding.facts),
    }


def _usual() -> Path:
    return SERVICE if SERVICE.exists() else platformdirs.user_data_path("puluc")


def _tell(findings: Sequence[Finding]) -> None:
    wide = max(len(title(one.check)) for one in findings)
    for one in findings:
        mark = click.style(MARK[one.state], fg=COLOUR[one.state], bold=True)
        click.echo(f"{mark} {title(one.check):{wide}}  {one.says if one.state is not State.SKIPPED else _aside(one)}")
        if one.cure and one.state is not State.SKIPPED:
            click.echo(f"  {'':{wide}}  {word(one.state)}: {one.cure}")
    click.echo(f"\n{summary(list(findings))}")


def _aside(finding: Finding) -> str:
    return f"({finding.says}{' ' + finding.cure if finding.cure else ''})"
