"""``puluc doctor``: check everything a table needs, and say what is wrong and what helps."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from companion.commands.data_option import data_option, usual_folder
from companion.doctor.finding import Finding, FindingState, check_title, state_label, summary
from companion.service.machine import on_a_pi

SERVICE = Path("/var/lib/puluc")
"""Where the service keeps its games."""
MARK = {FindingState.OK: "✓", FindingState.WARNING: "!", FindingState.ERROR: "✗", FindingState.SKIPPED: "·"}
COLOURS = {FindingState.OK: "green", FindingState.WARNING: "yellow", FindingState.ERROR: "red"}


def _usual() -> Path:
    return SERVICE if SERVICE.exists() else usual_folder()


@click.command()
@data_option(usual=_usual)
@click.option("--port", default=8080, show_default=True, type=click.IntRange(1, 65535), help="The running table's.")
@click.option(
    "--camera",
    default="pi" if on_a_pi() else "simulated",
    show_default="pi on a Raspberry Pi, else simulated",
    help="As for `puluc play`; used if no table is running.",
)
@click.option(
    "--board-camera", default="none", show_default=True, help="As for `puluc play`; used if no table is running."
)
@click.option("--profile", type=click.Path(path_type=Path), help="The reader's profile, as for `puluc play`.")
@click.option(
    "--buttons",
    default="gpio" if on_a_pi() else "none",
    show_default="gpio on a Raspberry Pi, else none",
    type=click.Choice(["gpio", "mock", "none"]),
    help="The panel to check, if no table is running: on a Raspberry Pi's pins, simulated on the page, or none.",
)
@click.option("--config", type=click.Path(path_type=Path), help="The file that names the pins, as for `puluc play`.")
@click.option("--press/--no-press", default=True, show_default=True, help="Ask for each button to be pressed.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, and no questions.")
def doctor(
    data: Path,
    port: int,
    camera: str,
    board_camera: str,
    profile: Path | None,
    buttons: str,
    config: Path | None,
    press: bool,
    as_json: bool,
) -> int:
    """Check cameras, light, tray, board, buttons, games and computer; say what is wrong, and what helps.

    A running table is asked, and its game goes on. The exit status is 1 if there is a problem. Run as root, it works as
    the user who owns the games' folder.
    """
    from companion.camera_spec import CameraSpec
    from companion.commands.diagnostics import DoctorOptions, diagnose

    options = DoctorOptions(
        data=data,
        port=port,
        camera=CameraSpec.parse(camera),
        board_camera=CameraSpec.parse(board_camera),
        profile=profile,
        buttons=buttons,
        config=config,
        press=press and not as_json and sys.stdin.isatty(),
    )
    found = diagnose(
        options, say=lambda text: click.echo(text, err=True), confirm=lambda text: click.confirm(text, err=True)
    )
    if as_json:
        for one in found.findings:
            click.echo(json.dumps(as_dict(one)))
    else:
        _tell(found.findings)
        if found.invitation:
            click.echo(found.invitation)
    return 1 if any(one.state is FindingState.ERROR for one in found.findings) else 0


def as_dict(finding: Finding) -> dict[str, object]:
    """The finding as ``--json`` prints it."""
    return {
        "check": finding.check.value,
        "state": finding.state.value,
        "title": check_title(finding.check),
        "says": finding.says,
        "cure": finding.cure,
        "facts": dict(finding.facts),
    }


def _tell(findings: Sequence[Finding]) -> None:
    wide = max(len(check_title(one.check)) for one in findings)
    for one in findings:
        mark = click.style(MARK[one.state], fg=COLOURS.get(one.state), bold=True)
        is_skipped = one.state is FindingState.SKIPPED
        click.echo(f"{mark} {check_title(one.check):{wide}}  {_aside(one) if is_skipped else one.says}")
        if one.cure and not is_skipped:
            click.echo(f"  {'':{wide}}  {state_label(one.state)}: {one.cure}")
    click.echo(f"\n{summary(list(findings))}")


def _aside(finding: Finding) -> str:
    return f"({finding.says}{' ' + finding.cure if finding.cure else ''})"
