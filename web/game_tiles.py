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
        "culin": N_("One piece at a time, on a highway of fourteen spaces."),
        "ritual-warfare": N_("Two pieces at a time set out, and a captor turns for home."),
        "puluc-looping": N_("Like Puluc, but a piece at the far end goes round again."),
        "bul": N_("A captor turns at once and drags its captives home."),
        "bul-teams": N_("Bul for teams who share their pieces."),
        "buluc": N_("Like Bul, but no piece may leave at the far end."),
        "boolik": N_("A wall at the far end turns pieces back, and the rescued are out."),
        "buul": N_("Reaching the far base frees the captives."),
        "puluc-13": N_("Puluc on a longer highway."),
        "aj-sayil": N_("Two throws a turn; at the far end pieces rest and walk back."),
        "aj-tiwil": N_("A captor flies off with its prey at once. The most captives win."),
        "aj-sinaanil": N_("Like Aj Sayil, but a piece may step back to strike."),
        "aj-sakalil": N_("Captors march on, and each player has their own pieces. The side that slays most wins."),
        "aj-sakakil": N_("Like Aj Sakalil, on a highway that grows with the players."),
        "a-kaakil": N_("Like Aj Sayil, with a fire in the middle of the highway."),
    }
)
"""One sentence for each documented game: what is special about it."""

_WAYS = {
    Captor.ONWARD: "h23m-6-5 6 5-6 5",
    Captor.HOMEWARD: "h-20m6-5-6 5 6 5",
    Captor.LEAVES: "m0 8V4m-5 6 5-6 5 6",
}
_ENDS = {
    FarEnd.RETURN: "",
    FarEnd.LOOP: "M106 12a5 5 0 1 0 4 2m0-5v5h-5",
    FarEnd.STOP: "M102.5 20v34",
    FarEnd.BOUNCE: "M102.5 20v34m-3-34v34",
    FarEnd.WALK_BACK: "M99 9h12q5 0 5 4t-5 4H99m4-4-4 4 4 4",
}
_ROAD, _ROAD_WIDE = 18, 84


def tile_icon(rules: Variant) -> Markup:
    """A game in a drawing of 120 by 56: its board, who sets out, what a captor does, and the far end."""
    advancing = rules.pieces if rules.advancing is None else min(rules.advancing, rules.pieces)
    small = bool(rules.team_sizes and rules.team_sizes[0].pieces)
    grows = any(size.spaces for size in rules.team_sizes)
    parts = ['<rect class="w" x="1" y="23" width="118" height="32" rx="5"/>']
    parts += [f'<rect class="b" x="{x}" y="26" width="13" height="26" rx="3"/>' for x in (4, 103)]
    step = _ROAD_WIDE / rules.spaces
    for at in range(rules.spaces):
        kind = "f" if rules.fire == at + 1 else "s"
        parts.append(
            f'<rect class="{kind}" x="{_ROAD + step * at:.1f}" y="27" width="{step - 1:.1f}" height="24" rx="1.5"/>'
        )
    parts += [f'<circle class="p" cx="{5 + 6.5 * at:g}" cy="17" r="3.2"/>' for at in range(1 if small else advancing)]
    captor = _ROAD + step * (rules.spaces // 2 + 0.5)
    parts += [
        f'<ellipse class="{kind}" cx="{captor:.1f}" cy="{y}" rx="7" ry="4.5"/>' for kind, y in (("o", 43), ("p", 37))
    ]
    people = 0 if rules.teams is Teams.NONE else 6 if grows else 3 if rules.teams is Teams.OWNED else 2
    lines = "".join(f"M{3 + 7 * at} 9a3 3 0 0 1 6 0" for at in range(people))
    lines += f"M{captor:.1f} 18{_WAYS[rules.captor]}{_ENDS[rules.far_end]}"
    # What is left: a bar for each throw of a turn, and for what else differs.
    lines += "".join(f"M{84 + 4 * at} 2v9" for at in range(rules.throws)) if rules.throws > 1 else ""
    lines += "M111 2.5a3 4.5 0 1 0 .1 0z" if 0 in rules.values else ""  # a nought, for a throw worth nothing
    lines += f"M{captor - 3:.1f} 12h-9m3-3-3 3 3 3" if rules.retreat_captures else ""
    lines += "M106 21l4-4 4 4" if rules.liberation else ""
    lines += "M71 1l2 4h4l-3 3 1 4-4-2-4 2 1-4-3-3h4z" if rules.winner is Winner.MOST_CAPTURES else ""
    parts.append(f'<path class="l" d="{lines}"/>')
    return Markup('<svg class="tile" viewBox="0 0 120 56" aria-hidden="true">{}</svg>').format(Markup("".join(parts)))  # noqa: S704 - numbers only
