"""Why one move is better than another: the most telling thing that differs between them, in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from companion.i18n import _, ngettext
from companion.rules.odds import turn_odds
from companion.rules.position import Position
from companion.rules.turns import Step, Turn
from companion.rules.unit import Side

_CAPTURE, _SLAY, _RISK, _HUNT, _ENTER, _STAY, _CARRY = 16, 4, 8, 2, 2, 1, 1
"""What a difference tells for a piece captured, slain, at risk from the next throw or within reach of the own next one;
for a piece entered, one kept on the road, and a space that captives are carried. The first five are those with which a
style of these features came nearest to perfect play in puluc."""


def reason(turn: Turn, better: Sequence[Step], made: Sequence[Step]) -> str:
    """Why the better steps are better than those made, from the start of ``turn``; empty if nothing tells.

    Only what the rules say of both is told, never more than one thing, and nothing that speaks for the move made. The
    win chances decide which is better; this is what somebody at the table can see of it.
    """
    good, bad = _Prospect.of(turn, better), _Prospect.of(turn, made)
    # With a throw still to use, nobody knows yet what the next turns can capture.
    over = good.over and bad.over
    differences: tuple[tuple[float, Callable[[], str]], ...] = (
        (_CAPTURE * (good.captured - bad.captured), lambda: _captures(good.captured - bad.captured)),
        (_SLAY * (good.slain - bad.slain), lambda: _brings_home(good.slain - bad.slain)),
        (over * _RISK * (bad.theirs.mean - good.theirs.mean), lambda: _risks_less(good.theirs, bad.theirs)),
        (over * _HUNT * (good.ours.mean - bad.ours.mean), lambda: _hunts(good.ours, bad.ours)),
        (_ENTER * (good.entered - bad.entered), lambda: _("It brings another piece onto the highway.")),
        (_STAY * (bad.left - good.left), lambda: _("It keeps the piece on the highway.")),
        (_CARRY * (good.carried - bad.carried), lambda: _("It takes captives further along their way.")),
    )
    weight, sentence = max(differences, key=lambda one: one[0])
    return sentence() if weight > 0 else ""


@dataclass(frozen=True, slots=True)
class _Captures:
    """The captures that a turn of a side allows, with fair lots.

    throws: those that capture, where a turn has one; else empty. chance: of any capture. most, mean: pieces.
    """

    throws: tuple[int, ...]
    chance: float
    most: int
    mean: float

    @classmethod
    def of(cls, position: Position, side: Side) -> _Captures:
        rules, odds = position.rules, turn_odds(position.rules)
        players = [replace(position, turn=side, player=player + 1) for player in range(rules.owners)]
        pieces = {values: max(_captured(Turn(player, values)) for player in players) for values in odds}
        return cls(
            tuple(sorted(values[0] for values, count in pieces.items() if count and rules.throws == 1)),
            float(sum(chance for values, chance in odds.items() if pieces[values])),
            max(pieces.values()),
            float(sum(chance * pieces[values] for values, chance in odds.items())),
        )


def _captured(turn: Turn) -> int:
    """The most pieces that a turn can capture."""
    if not turn.values:
        return 0
    return max((step.move.captures + _captured(turn.after(step)) for step in turn.steps()), default=0)


@dataclass(frozen=True, slots=True)
class _Prospect:
    """What some steps do, and what the next turns can do then. left: units that left without captives. carried:
    spaces that captives were carried. over: whether the turn is."""

    captured: int
    slain: int
    entered: int
    left: int
    carried: int
    over: bool
    theirs: _Captures
    ours: _Captures

    @classmethod
    def of(cls, turn: Turn, steps: Sequence[Step]) -> _Prospect:
        side = turn.position.turn
        captured = slain = entered = left = carried = 0
        for step in steps:
            move = step.move
            captured += move.captures
            slain += turn.position.slain_by(move)
            entered += move.start is None
            left += move.to is None and not move.unit.prey
            carried += step.value if move.unit.prey else 0
            turn = turn.after(step)
        after, over = turn.position, not (turn.values and turn.steps())
        theirs, ours = _Captures.of(after, side.other), _Captures.of(after, side)
        return cls(captured, slain, entered, left, carried, over, theirs, ours)


def _captures(more: int) -> str:
    return ngettext("It captures {number} more piece.", "It captures {number} more pieces.", more)


def _brings_home(more: int) -> str:
    return ngettext("It slays {number} more captive.", "It slays {number} more captives.", more)


def _risks_less(good: _Captures, bad: _Captures) -> str:
    if not good.chance:
        if bad.throws:
            return _(
                "After it, the other side cannot capture; otherwise it could with {throws}.", throws=_listed(bad.throws)
            )
        return _("After it, the other side cannot capture; otherwise it could.")
    if good.chance < bad.chance:
        if len(good.throws) < len(bad.throws):
            return _(
                "After it, the other side captures only with {few}; otherwise with {many}.",
                few=_listed(good.throws),
                many=_listed(bad.throws),
            )
        return _("After it, the other side is less likely to capture.")
    if good.most < bad.most:
        return _("After it, the other side can capture {few} at most; otherwise {many}.", few=good.most, many=bad.most)
    return _("After it, the other side's next throw captures fewer pieces on average.")


def _hunts(good: _Captures, bad: _Captures) -> str:
    if good.throws and not bad.throws:
        return _("After it, this side threatens to capture with {throws}.", throws=_listed(good.throws))
    return _("After it, this side threatens more captures.")


def _listed(values: Sequence[int]) -> str:
    *some, last = map(str, values)
    return _("{some} or {last}", some=", ".join(some), last=last) if some else last
