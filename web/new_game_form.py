"""What the dialog for a new game offers: which games come first, and how each rule is set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from companion.errors import RulesUnfit
from companion.i18n import N_, _
from companion.rules.variant_fields import Captor, FarEnd, Rescued, Teams, Winner

PRESETS = ("puluc", "puluc-bell", "bul", "buluc", "ritual-warfare", "buul", "bul-teams", "aj-sakakil")
"""The games that most players look for, in the order in which they are offered; all others are behind "More games"."""


class RuleFieldKind(StrEnum):
    """How a rule is set: ticked, typed, counted, or chosen from a few."""

    TICK = "tick"
    TEXT = "text"
    COUNT = "count"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleField:
    """One rule in the dialog.

    label: what it is called there. options: what may be chosen, with its words. empty: what a field left empty means.
    """

    label: str
    kind: RuleFieldKind
    options: Mapping[str, str] = field(default_factory=dict)
    empty: str = ""


def _tick(label: str) -> RuleField:
    return RuleField(label=label, kind=RuleFieldKind.TICK)


def _count(label: str, empty: str = "") -> RuleField:
    return RuleField(label=label, kind=RuleFieldKind.COUNT, empty=empty)


def _choice(label: str, options: Mapping[str, str]) -> RuleField:
    return RuleField(label=label, kind=RuleFieldKind.CHOICE, options=options)


SETTINGS: Mapping[str, RuleField] = MappingProxyType(
    {
        "spaces": _count(N_("Spaces of the highway")),
        "pieces": _count(N_("Pieces a side, or a player who has their own")),
        "values": RuleField(
            label=N_("What 0, 1, 2, 3 and 4 marked are worth"),
            kind=RuleFieldKind.TEXT,
            options={"5,1,2,3,4": N_("after Culin"), "5,0,2,3,4": N_("after Bell")},
        ),
        "throws": _choice(N_("Throws a turn"), {"1": "1", "2": "2"}),
        "advancing": _count(N_("Units that may advance at once"), N_("all")),
        "captor": _choice(
            N_("After a capture, the captor"),
            {
                Captor.ONWARD: N_("goes on to the enemy base"),
                Captor.HOMEWARD: N_("turns for home"),
                Captor.LEAVES: N_("leaves the highway at once"),
            },
        ),
        "far_end": _choice(
            N_("At the enemy base, a unit without captives"),
            {
                FarEnd.RETURN: N_("returns to its own base"),
                FarEnd.LOOP: N_("goes round again"),
                FarEnd.STOP: N_("must stop before it"),
                FarEnd.BOUNCE: N_("bounces and heads home"),
                FarEnd.WALK_BACK: N_("rests there and walks back"),
            },
        ),
        "exact_home": _tick(N_("Coming home needs the exact throw")),
        "sharing": _tick(N_("Own units may share a space")),
        "rescued": _choice(
            N_("Rescued pieces that come home are"),
            {Rescued.FREED: N_("free again"), Rescued.SLAIN: N_("out for good")},
        ),
        "liberation": _tick(N_("Reaching the enemy base frees the captured")),
        "retreat_captures": _tick(N_("Units may step back to capture")),
        "fire": _count(N_("Space where a fire burns"), N_("none")),
        "captor_retires": _tick(N_("A captor that leaves is out for good")),
        "teams": _choice(
            N_("Teams"),
            {
                Teams.NONE: N_("none: one against one"),
                Teams.SHARED: N_("share their pieces"),
                Teams.OWNED: N_("each player has their own pieces"),
            },
        ),
        "winner": _choice(
            N_("Who wins"),
            {Winner.LAST_STANDING: N_("the last side standing"), Winner.MOST_CAPTURES: N_("who has slain more")},
        ),
    }
)
"""Every rule that can be set but the number of players, which the dialog asks for beside their names."""

CONFLICTS: Mapping[tuple[str, ...], str] = MappingProxyType(
    {
        ("captor_retires", "captor"): N_("Only a captor that leaves the highway at once can be out for good."),
        ("liberation", "far_end"): N_("The captured are freed when a unit returns from the enemy base to its own."),
        ("liberation", "captor"): N_("Where captors leave the highway at once, there are no captives on it to free."),
        ("rescued", "captor"): N_("Where captors leave the highway at once, no piece is ever rescued."),
        ("exact_home", "far_end"): N_("Where units go round again, there is no last space to count to."),
        ("exact_home", "captor", "far_end"): N_("Like this no unit ever heads home, so none can need the exact throw."),
        ("players", "teams"): N_("Without teams there is one player on each side."),
    }
)
"""Why rules cannot be combined, by their names as a refusal gives them."""


def rules_problem(error: RulesUnfit) -> str:
    """Why a custom game cannot be played, with the rules called as in the dialog."""
    labels = [_(SETTINGS[name].label) if name in SETTINGS else _("Players per side") for name in error.rules]
    if len(labels) == 1:
        return _("“{rule}”: {reason}", rule=labels[0], reason=error.reason)
    rules = ", ".join(_("“{rule}”", rule=label) for label in labels)
    return _("These rules can't be combined: {rules}. {why}", rules=rules, why=_(CONFLICTS[error.rules]))
