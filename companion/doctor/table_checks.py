"""What belongs to the table: games, solved tables, buttons, lamp, service, address."""

from __future__ import annotations

from collections.abc import Mapping

from companion.doctor.finding import Check, Finding, doubt, skipped, well, wrong
from companion.words import _, ngettext

GROUPS = frozenset({"video", "render", "gpio"})
RESTARTS = 3
"""Times that the service may have been started anew since the start. More is a fault that comes back."""


def data(games: int, damage: str, where: str) -> Finding:
    """Whether the file of the games is sound. damage: what is wrong with it, or empty. where: its folder."""
    if damage:
        return wrong(
            Check.DATA,
            _("The file of the games is damaged: {damage}.", damage=damage),
            _("Copy the folder {where} away, then bring a backup back. The card may be worn out.", where=where),
            damage=damage,
        )
    return well(
        Check.DATA,
        ngettext("Sound: {number} game in {where}.", "Sound: {number} games in {where}.", games, where=where),
        games=games,
        where=where,
    )


def tables(game: str, state: str) -> Finding:
    """Whether the game on the table is solved. state: solved, missing, damaged, or none where it cannot be."""
    facts = {"game": game, "table": state}
    match state:
        case "solved":
            return well(Check.TABLES, _("{game} is solved: advice is exact.", game=game), **facts)
        case "damaged":
            return doubt(
                Check.TABLES,
                _("The solved table of {game} is damaged, so advice is an estimate.", game=game),
                _("Nothing is to be done: it is made anew beside the next game."),
                **facts,
            )
        case "missing":
            return well(
                Check.TABLES,
                _("{game} is not solved yet, so advice is an estimate.", game=game),
                **facts,
            )
    return well(Check.TABLES, _("{game} is too large to be solved, so advice is an estimate.", game=game), **facts)


def buttons(problem: str, held: list[str], unpressed: list[str] | None) -> Finding:
    """Whether the buttons answer.

    problem: why there are no pins, or empty. held: those that were down from the start. unpressed: those that were
    asked for and not felt; None where nobody was asked.
    """
    if problem:
        return wrong(Check.BUTTONS, problem, _("The page does all that the buttons do, meanwhile."))
    if held:
        return wrong(
            Check.BUTTONS,
            _("Pressed without a finger: {names}.", names=", ".join(held)),
            _("Its wires touch, or it sits the wrong way round: compare with the drawing, puluc config --wiring FILE"),
            held=held,
        )
    if unpressed is None:
        return well(Check.BUTTONS, _("None is stuck. Nobody was asked to press them."), held=held)
    if unpressed:
        return wrong(
            Check.BUTTONS,
            _("Not felt: {names}.", names=", ".join(unpressed)),
            _("Compare pin and wire with the drawing: puluc config --wiring FILE"),
            unpressed=unpressed,
        )
    return well(Check.BUTTONS, _("All of them answer."), unpressed=unpressed)


def lamp(shone: bool | None) -> Finding:
    """Whether the lamp shone red, green and blue. None where nobody was asked."""
    if shone is None:
        return skipped(Check.LAMP, _("Nobody was asked whether it shines."))
    if not shone:
        return wrong(
            Check.LAMP,
            _("It did not shine red, green and blue, in this order."),
            _("Compare pins and wires with the drawing. A lamp with its long leg at 3.3 V needs common_anode = true."),
        )
    return well(Check.LAMP, _("It shines red, green and blue."))


def service(unit: Mapping[str, str] | None, groups: frozenset[str]) -> Finding:
    """Whether the service runs. unit: what systemd tells of it; None where it is not installed. groups: its user's."""
    if unit is None:
        return skipped(
            Check.SERVICE,
            _("The companion is not installed as a service here."),
            _("On a Raspberry Pi: sudo python3 systemd/install.py"),
        )
    state, restarts = unit.get("ActiveState", ""), int(unit.get("NRestarts") or 0)
    facts: dict[str, object] = {"state": state, "restarts": restarts}
    if missing := sorted(GROUPS - groups):
        return wrong(
            Check.SERVICE,
            _("Its user may not use camera or pins: it is not in {groups}.", groups=", ".join(missing)),
            _("Run: sudo python3 systemd/install.py"),
            **facts,
        )
    if state != "active":
        return wrong(
            Check.SERVICE,
            _("The service does not run."),
            _("Start it: sudo systemctl start puluc    Why it ended: journalctl -u puluc -b -o cat"),
            **facts,
        )
    if restarts > RESTARTS:
        return doubt(
            Check.SERVICE,
            _("It runs, but had to be started anew {number} times.", number=restarts),
            _("Why stands in its log: journalctl -u puluc -b -o cat"),
            **facts,
        )
    return well(Check.SERVICE, _("It runs, and starts with the computer."), **facts)


def address(url: str, answers: bool, *, alone: bool) -> Finding:
    """Whether phones find the table. url: its address. answers: it does. alone: only this computer reaches it."""
    facts = {"url": url, "answers": answers}
    if not answers:
        return wrong(
            Check.ADDRESS,
            _("Nobody serves a table at {url}.", url=url),
            _("Start it: sudo systemctl start puluc, or puluc play --host 0.0.0.0"),
            **facts,
        )
    if alone:
        return doubt(
            Check.ADDRESS,
            _("The table is served at {url}, where no phone reaches it.", url=url),
            _("Connect this computer to the phones' network; without the service, add --host 0.0.0.0."),
            **facts,
        )
    return well(Check.ADDRESS, _("Phones in the same network open {url}", url=url), **facts)
