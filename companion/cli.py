"""The command ``puluc``: loads the command that was asked for, and reports a wrong request in one line."""

from __future__ import annotations

import codecs
import sys
from importlib import import_module
from io import TextIOWrapper

import click

from companion.errors import CompanionError

DONE, NO, WRONG = 0, 1, 2

COMMANDS = {
    "advise": ("companion.commands.advise:advise", "Show the win chance in a position, and of each move."),
    "backup": ("companion.commands.backup:backup", "Save everything of a table in one file, or restore it."),
    "board": ("companion.commands.board:board", "Teach the reader a board; read which move was played."),
    "boards": ("companion.commands.boards:boards", "Show all tables of a club on one page."),
    "calibrate": ("companion.commands.read:calibrate", "Teach the reader a tray and its sticks from three pictures."),
    "cases": ("companion.commands.cases:cases", "List, export and re-read throws whose count you corrected."),
    "config": ("companion.commands.config:config", "Show and check the settings of buttons, lamp and buzzer."),
    "doctor": ("companion.commands.doctor:doctor", "Check everything, and say what is wrong and what helps."),
    "invite": ("companion.commands.invite:invite", "Show the table's address, code and QR code."),
    "match": ("companion.commands.match:match", "Let two levels play many games against each other."),
    "moves": ("companion.commands.rules:moves", "List the legal moves of a throw in a position."),
    "play": ("companion.commands.play:play", "Watch the tray, referee the game, and serve it to phones."),
    "print": ("companion.commands.print:printing", "Make sheets to print: the tray and the boards."),
    "read": ("companion.commands.read:read", "Count the marked sides in pictures of throws."),
    "record": ("companion.commands.record:record", "List, export, import and check games as text."),
    "report": ("companion.commands.report:report", "Measure solved games, and write a report with plots."),
    "review": ("companion.commands.review:review", "Tell luck from skill, turn by turn, in one game."),
    "solve": ("companion.commands.solve:solve_game", "Solve a game exactly, for exact advice."),
    "sticks": ("companion.commands.sticks:sticks", "Show how each set of sticks has fallen, and if it is fair."),
    "variants": ("companion.commands.rules:variants", "List the games with their rules and sources."),
}
"""Where each command is, and its summary in ``puluc --help``, which must fit on one line of 80 columns."""

LOOK_ALIKES = str.maketrans({"\N{MINUS SIGN}": "-", "✓": "v", "✗": "x", "·": ".", "…": "...", "“": '"', "”": '"'})
"""What is printed for signs that a terminal lacks; for all others, a question mark."""


class LazyGroup(click.Group):
    """Imports a command when it is run; its summary needs no import."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - likewise
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name][0].split(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - likewise
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_where, summary) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="puluc-companion", prog_name="puluc")
def puluc() -> None:
    """Referee for the Maya games of the Puluc family: reads the thrown sticks and keeps the game."""


def main() -> None:
    """Run the command and exit: 0 done, 1 the answer is no, 2 the request was wrong."""
    _print_what_can_be_shown()
    try:
        status = puluc.main(standalone_mode=False, prog_name="puluc")
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "", err=True)
        status = WRONG
    except (CompanionError, click.ClickException) as error:
        message = error.format_message() if isinstance(error, click.ClickException) else str(error)
        click.echo(f"puluc: {' '.join(message.split())}", err=True)
        status = WRONG
    except click.Abort:
        status = NO
    sys.exit(status if isinstance(status, int) else DONE)


def _print_what_can_be_shown() -> None:
    """Have signs that a terminal lacks replaced. What goes elsewhere is UTF-8, as everything is that is read back."""
    codecs.register_error("look-alike", _look_alike)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            if stream.isatty():
                stream.reconfigure(errors="look-alike")
            else:
                stream.reconfigure(encoding="utf-8", errors=stream.errors)


def _look_alike(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end].translate(LOOK_ALIKES)
    return lacking.encode("ascii", "replace").decode(), error.end


if __name__ == "__main__":
    main()
