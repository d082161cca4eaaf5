"""The command ``puluc``: finds the words that were typed, and says in one line what is wrong with them."""

from __future__ import annotations

import sys

import click

from companion.commands.advise import advise
from companion.commands.backup import backup
from companion.commands.boards import boards
from companion.commands.cases import cases
from companion.commands.config import config
from companion.commands.doctor import doctor
from companion.commands.invite import invite
from companion.commands.match import match
from companion.commands.play import play
from companion.commands.printing import printing
from companion.commands.reading import calibrate, read
from companion.commands.record import record
from companion.commands.report import report
from companion.commands.review import review
from companion.commands.rules import moves, variants
from companion.commands.solve import solve_game
from companion.commands.sticks import sticks
from companion.errors import CompanionError

DONE, NO, WRONG = 0, 1, 2


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="puluc-companion", prog_name="puluc")
def puluc() -> None:
    """The tabletop companion for Puluc: it reads the thrown sticks, referees and remembers."""


for command in (
    play, calibrate, read, variants, moves, record, review, solve_game, match, advise, report, sticks, printing,
    cases, config, backup, boards, doctor, invite,
):  # fmt: skip
    puluc.add_command(command)


def main() -> None:
    """Run the command and exit: 0 done, 1 the answer is no, 2 the request was wrong."""
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


if __name__ == "__main__":
    main()
