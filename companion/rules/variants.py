"""The documented variants, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.errors import Unknown
from companion.i18n import N_, _
from companion.rules.variant import TeamSize, Variant
from companion.rules.variant_fields import BELL, CULIN, Captor, FarEnd, Rescued, Teams, Winner

_PSION = "Cyningstan, Puluk for the Psion Series 3, manual"
_WIKIPEDIA = "Wikipedia, Bul (game)"
_BOOLIK = "Boolik, juego de mesa maya (blog, 2018)"
_VERBEECK = "L. Verbeeck, Linguistic acculturation in Mopan Maya, as told in Boolik (blog, 2018)"

_PULUC = Variant(
    id="puluc",
    name=N_("Puluc"),
    source=f"{_PSION}, chapter 3",
    spaces=9,
    pieces=5,
    values=CULIN,
    advancing=5,
    captor=Captor.ONWARD,
    far_end=FarEnd.RETURN,
)
_BUL = replace(_PULUC, id="bul", name=N_("Bul"), source=f"{_WIKIPEDIA}, rules for two players", captor=Captor.HOMEWARD)
_SAYIL = replace(
    _BUL,
    id="aj-sayil",
    name=N_("Aj Sayil, the ant"),
    source=f"{_VERBEECK}, Aj Sayil",
    spaces=19,
    throws=2,
    advancing=1,
    far_end=FarEnd.WALK_BACK,
    sharing=True,
    teams=Teams.OWNED,
)
_SAKALIL = replace(
    _SAYIL,
    id="aj-sakalil",
    name=N_("Aj Sakalil, the warrior ant"),
    source=f"{_VERBEECK}, Aj Sakalil",
    captor=Captor.ONWARD,
    far_end=FarEnd.RETURN,
    winner=Winner.MOST_CAPTURES,
)

VARIANTS: Mapping[str, Variant] = {
    variant.id: variant
    for variant in (
        _PULUC,
        replace(
            _PULUC, id="puluc-bell", name=N_("Puluc with Bell's throws"), source=f"{_PSION}, 4.2 and 5", values=BELL
        ),
        replace(
            _PULUC,
            id="puluc-culin",
            name=N_("Puluc after Culin"),
            source=f"{_PSION}, 4.3 and 4.4",
            advancing=1,
            captor=Captor.HOMEWARD,
        ),
        replace(
            _PULUC,
            id="culin",
            name=N_("Culin's game"),
            source=f"{_PSION}, 5",
            spaces=14,
            advancing=1,
            captor=Captor.HOMEWARD,
        ),
        replace(
            _PULUC,
            id="ritual-warfare",
            name=N_("Ritual Warfare"),
            source=f"{_PSION}, 4.4 and 5, after P. S. Neeley",
            advancing=2,
            captor=Captor.HOMEWARD,
        ),
        replace(
            _PULUC,
            id="puluc-looping",
            name=N_("Puluc on a looping highway"),
            source=f"{_PSION}, 4.5",
            far_end=FarEnd.LOOP,
        ),
        _BUL,
        replace(
            _BUL,
            id="bul-teams",
            name=N_("Bul in teams"),
            source=f"{_WIKIPEDIA}, rules for teams",
            advancing=None,
            teams=Teams.SHARED,
            team_sizes=tuple(TeamSize(players=players, pieces=players) for players in range(2, 8)),
        ),
        replace(
            _BUL,
            id="buluc",
            name=N_("Buluc"),
            source="The Maya Game of Buluc (blog)",
            far_end=FarEnd.STOP,
        ),
        replace(
            _BUL,
            id="boolik",
            name=N_("Boolik"),
            source=f"{_BOOLIK}, variante 3",
            spaces=11,
            far_end=FarEnd.BOUNCE,
            rescued=Rescued.SLAIN,
        ),
        replace(_BUL, id="buul", name=N_("Bu'ul"), source=f"{_BOOLIK}, variante 2", spaces=11, liberation=True),
        replace(_PULUC, id="puluc-13", name=N_("Puluc on thirteen rows"), source=f"{_BOOLIK}, variante 1", spaces=11),
        _SAYIL,
        replace(
            _SAYIL,
            id="aj-tiwil",
            name=N_("Aj T'iwil, the eagle"),
            source=f"{_VERBEECK}, Aj T'iwil",
            captor=Captor.LEAVES,
            captor_retires=True,
            winner=Winner.MOST_CAPTURES,
        ),
        replace(
            _SAYIL,
            id="aj-sinaanil",
            name=N_("Aj Sina'anil, the scorpion"),
            source=f"{_VERBEECK}, Aj Sina'anil",
            retreat_captures=True,
        ),
        _SAKALIL,
        replace(
            _SAKALIL,
            id="aj-sakakil",
            name=N_("Aj Sakakil, the army ants"),
            source="Aj Sakakil, the fourth game of the sequence Bul",
            team_sizes=(
                TeamSize(players=1, spaces=19),
                TeamSize(players=5, spaces=24),
                TeamSize(players=8, spaces=29),
            ),
        ),
        replace(_SAYIL, id="a-kaakil", name=N_("A K'aak'il, the fire"), source=f"{_VERBEECK}, A K'aak'il", fire=10),
    )
}


def variant(id: str) -> Variant:  # noqa: A002 - the field's own name
    """The variant of that id. Raises Unknown, which lists all ids."""
    try:
        return VARIANTS[id]
    except KeyError:
        raise Unknown(
            _("There is no variant called '{id}'. Known: {variants}.", id=id[:40], variants=", ".join(VARIANTS))
        ) from None
