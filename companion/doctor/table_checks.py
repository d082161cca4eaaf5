"""Checks of games, solved tables, buttons, lamp, service and address."""

from __future__ import annotations

from collections.abc import Mapping

from companion.doctor.finding import Check, Finding, failed, passed, skipped, warning
from companion.i18n import _, ngettext

GROUPS = frozenset({"video", "render", "gpio"})
RESTARTS = 3
"""Restarts of the service since the computer started. More than this is a fault that comes back."""


def data(games: int, damage: str, where: str) -> Finding:
    """Check the saved games. damage: what is wrong with their file, or empty. where: its folder."""
    if damage:
        return failed(
            Check.DATA,
            _("The saved games are damaged: {damage}.", damage=damage),
            _("Copy the folder {where} somewhere safe, then restore a backup. The card may be worn out.", where=where),
            damage=damage,
        )
    return passed(
        Check.DATA,
        ngettext("{number} game in {where}, undamaged.", "{number} games in {where}, undamaged.", games, where=where),
        games=games,
        where=where,
    )


def tables(game: str, state: str) -> Finding:
    """Check whether the game on the table is solved. state: solved, missing, damaged, or none if it cannot be."""
    facts = {"game": game, "table": state}
    match state:
        case "solved":
            return passed(Check.TABLES, _("{game} is solved, so advice is exact.", game=game), **facts)
        case "damaged":
            return warning(
                Check.TABLES,
                _("The solved table of {game} is damaged, so advice is an estimate.", game=game),
                _("You don't need to do anything: it's rebuilt during the next game."),
                **facts,
            )
        case "missing":
            return passed(Check.TABLES, _("{game} isn't solved yet, so advice is an estimate.", game=game), **facts)
    return passed(Check.TABLES, _("{game} is too large to solve, so advice is an estimate.", game=game), **facts)


def buttons(problem: str, held: list[str], unpressed: list[str] | None) -> Finding:
    """Check the buttons.

    problem: why there are no pins, or empty. held: names of those that were down from the start. unpressed: names of
    those that sent no signal when pressed, or None if nobody was asked to press them.
    """
    if problem:
        return failed(Check.BUTTONS, problem, _("Meanwhile the page can do all that the buttons do."))
    if held:
        return failed(
            Check.BUTTONS,
            _("Stuck down: {names}.", names=", ".join(held)),
            _("Its wires touch, or it's in the wrong way round. Compare the drawing: puluc config --wiring FILE"),
            held=held,
        )
    if unpressed is None:
        return passed(Check.BUTTONS, _("None is stuck. Pressing them wasn't tested."), held=held)
    if unpressed:
        return failed(
            Check.BUTTONS,
            _("No signal from: {names}.", names=", ".join(unpressed)),
            _("Compare pins and wires with the drawing: puluc config --wiring FILE"),
            unpressed=unpressed,
        )
    return passed(Check.BUTTONS, _("All of them work."), unpressed=unpressed)


def lamp(shone: bool | None) -> Finding:
    """Check the lamp. shone: whether a person saw red, green and blue; None if nobody was asked."""
    if shone is None:
        return skipped(Check.LAMP, _("Not tested."))
    if not shone:
        return failed(
            Check.LAMP,
            _("It didn't light up red, green and blue in turn."),
            _("Compare pins and wires with the drawing. A lamp with its long leg at 3.3 V needs common_anode = true."),
        )
    return passed(Check.LAMP, _("It lights up red, green and blue."))


def service(unit: Mapping[str, str] | None, groups: frozenset[str]) -> Finding:
    """Check the service. unit: its systemd properties; None if it is not installed. groups: of its user."""
    if unit is None:
        return skipped(
            Check.SERVICE,
            _("The companion isn't installed as a service here."),
            _("On a Raspberry Pi: sudo python3 systemd/install.py"),
        )
    state, restarts = unit.get("ActiveState", ""), int(unit.get("NRestarts") or 0)
    facts: dict[str, object] = {"state": state, "restarts": restarts}
    if missing := sorted(GROUPS - groups):
        return failed(
            Check.SERVICE,
            _("The service's user can't use the camera or pins: it isn't in {groups}.", groups=", ".join(missing)),
            _("Run: sudo python3 systemd/install.py"),
            **facts,
        )
    if state != "active":
        return failed(
            Check.SERVICE,
            _("The service isn't running."),
            _("Start it: sudo systemctl start puluc    See why it stopped: journalctl -u puluc -b -o cat"),
            **facts,
        )
    if restarts > RESTARTS:
        return warning(
            Check.SERVICE,
            _("It's running, but has restarted {number} times.", number=restarts),
            _("See why in its log: journalctl -u puluc -b -o cat"),
            **facts,
        )
    return passed(Check.SERVICE, _("It's running, and starts with the computer."), **facts)


def address(url: str, answers: bool, *, alone: bool) -> Finding:
    """Check that phones can reach the table. answers: whether it does. alone: only this computer can reach it."""
    facts = {"url": url, "answers": answers}
    if not answers:
        return failed(
            Check.ADDRESS,
            _("No table answers at {url}.", url=url),
            _("Start it: sudo systemctl start puluc, or puluc play --host 0.0.0.0"),
            **facts,
        )
    if alone:
        return warning(
            Check.ADDRESS,
            _("The table is at {url}, where no phone can reach it.", url=url),
            _("Connect this computer to the phones' network. If it isn't the service, start it with --host 0.0.0.0."),
            **facts,
        )
    return passed(Check.ADDRESS, _("Phones on the same network can open {url}", url=url), **facts)
