"""What tells the games apart at a glance: a sentence and a small picture for each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from markupsafe import Markup

from companion.i18n import N_
from companion.rules.variant import Variant
from companion.rules.variant_fields import Captor, FarEnd, Teams, Winner

SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        "puluc": N_("A captor marches on with its captives. The best one to start with."),
        "puluc-bell": N_("Like Puluc, but one marked side is worth nothing."),
        "puluc-culin": N_("One piece at a time sets out, and a captor turns for home."),
        "culin": N_("One piece at a time, on a road of fourteen spaces."),
        "ritual-warfare": N_("Two pieces at a time set out, and a captor turns for home."),
        "puluc-looping": N_("Like Puluc, but a piece at the far end goes round again."),
        "bul": N_("A captor turns at once and drags its captives home."),
        "bul-teams": N_("Bul for teams who share their pieces."),
        "buluc": N_("Like Bul, but no piece may leave at the far end."),
        "boolik": N_("A wall at the far end turns pieces back, and the rescued are out."),
        "buul": N_("Reaching the far base frees the captives."),
        "puluc-13": N_("Puluc on a longer road."),
        "aj-sayil": N_("Two throws a turn; at the far end pieces rest and walk back."),
        "aj-tiwil": N_("A captor flies off with its prey at once. The most captives win."),
        "aj-sinaanil": N_("Like Aj Sayil, but a piece may step back to strike."),
        "aj-sakalil": N_("Captors march on, each player for themselves. The most captives win."),
        "aj-sakakil": N_("Like Aj Sakalil, on a road that grows with the players."),
        "a-kaakil": N_("Like Aj Sayil, with a fire in the middle of the road."),
    }
)
"""One sentence for each documented game: what is special about it."""

_WAYS = {
    Captor.ONWARD: "M62 8h14m-5-4 5 4-5 4",
    Captor.HOMEWARD: "M62 5h10q5 0 5 4t-5 4H64m5-4-5 4 5 4",
    Captor.LEAVES: "M69 14V3m-5 5 5-5 5 5",
}
_ENDS = {
    FarEnd.RETURN: "",
    FarEnd.LOOP: "M88 27a5 5 0 1 0 4 2m0-5v5h-5",
    FarEnd.STOP: "M91 20v14",
    FarEnd.BOUNCE: "M91 20v14m3-14v14",
    FarEnd.WALK_BACK: "M87 23h7v8h-7",
}


def tile_icon(rules: Variant) -> Markup:
    """A game in a drawing of 100 by 40: who sets out, what a captor does, and the road with its far end."""
    advancing = rules.pieces if rules.advancing is None else min(rules.advancing, rules.pieces)
    small = bool(rules.team_sizes and rules.team_sizes[0].pieces)
    grows = any(size.spaces for size in rules.team_sizes)
    parts = [f'<circle class="p" cx="{6 + 8 * at}" cy="8" r="3.4"/>' for at in range(1 if small else advancing)]
    if rules.teams is not Teams.NONE:
        people = 6 if grows else 3 if rules.teams is Teams.OWNED else 2
        parts += [f'<path class="w" d="M{4 + 7 * at} 20a3 3 0 0 1 6 0" />' for at in range(people)]
    parts.append(f'<path class="l" d="{_WAYS[rules.captor]}"/>')
    step = 80 / (rules.spaces - 1)
    for at in range(rules.spaces):
        fire = rules.fire == at + 1
        parts.append(
            f'<circle class="{"f" if fire else "s"}" cx="{4 + step * at:.1f}" cy="27" r="{4 if fire else 1.9}"/>'
        )
    if end := _ENDS[rules.far_end]:
        parts.append(f'<path class="l" d="{end}"/>')
    # What is left: a bar for each throw of a turn, and for what else differs.
    marks = "".join(f"M{84 + 4 * at} 3v9" for at in range(rules.throws)) if rules.throws > 1 else ""
    marks += "M84 14l6 6m0-6l-6 6" if 0 in rules.values else ""
    marks += "M40 20h8l4-3" if rules.retreat_captures else ""
    marks += "M32 36l4-4 4 4" if rules.liberation else ""
    marks += "M52 16l2 4h4l-3 3" if rules.winner is Winner.MOST_CAPTURES else ""
    if marks:
        parts.append(f'<path class="l" d="{marks}"/>')
    return Markup('<svg class="tile" viewBox="0 0 100 40" aria-hidden="true">{}</svg>').format(Markup("".join(parts)))  # noqa: S704 - numbers only
