"""Every command that works in the games' folder runs as its owner."""

from collections.abc import Iterator

import click

from companion.cli import COMMANDS, puluc


def commands(group: click.Group, path: str) -> Iterator[tuple[str, click.Command]]:
    """All commands of a group and its subgroups, with their full names."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield f"{path} {name}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")


def test_every_data_option_changes_root_to_the_owner() -> None:
    """No command declares its own option, which would leave root as it is."""
    found = {
        words: option.callback
        for words, command in commands(puluc, "puluc")
        for option in command.params
        if "--data" in option.opts
    }

    assert {words for words, callback in found.items() if callback is None} == set()
    assert {words.split()[1] for words in found} >= {"play", "doctor", "invite", "backup", "record", "cases", "solve"}
    assert len(found) > len(COMMANDS) / 2
    assert {callback.__qualname__ for callback in found.values() if callback} == {"data_option.<locals>.change_user"}
