"""A way to play, as data: what the engine reads, and which fields do not go together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import Unknown
from companion.rules.fields import FIELDS, Captor, FarEnd, Rescued, Teams, Winner
from companion.words import _

MOST_SPACES, MOST_PIECES = 60, 99
MOST_PLAYERS = {Teams.NONE: 1, Teams.SHARED: 7, Teams.OWNED: 8}


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamSize:
    """What the source changes from ``players`` players a side on; None leaves the field as it is."""

    players: int
    spaces: int | None = None
    pieces: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One documented way to play, or a custom game made of the same fields.

    source: where the rules are told, so that a reader can disagree with us.
    spaces: N, the spaces between the two bases, numbered 1..N from Jade's.
    pieces: pieces a side; a player, where players own their pieces.
    values: what a throw showing 0, 1, 2, 3 and 4 marked faces is worth; a value of 0 moves nothing.
    throws: throws a turn; all are thrown before the first is used.
    advancing: units that a side (a player, where players own their pieces) may have on the highway; None: all.
    captor, far_end, winner, rescued, teams: see their kinds.
    exact_home: coming home needs the exact value.
    sharing: own units may stand on one space.
    liberation: an unladen unit's return at the far end sends every own captive piece on the highway to its base.
    retreat_captures: an unladen unit may also move against its heading, if that captures.
    fire: the space where whatever lands is burnt, or None.
    captor_retires: a captor that leaves is out for good with its own pieces.
    players: players a side at this table; 1 unless agreed otherwise.
    team_sizes: what the source changes with the number of players, smallest first.

    Raises ValueError where the fields make no game, with the reason and with what would.
    """

    id: str
    name: str
    source: str
    spaces: int
    pieces: int
    values: tuple[int, ...]
    throws: int = 1
    advancing: int | None
    captor: Captor
    far_end: FarEnd
    exact_home: bool = False
    sharing: bool = False
    rescued: Rescued = Rescued.FREED
    liberation: bool = False
    retreat_captures: bool = False
    fire: int | None = None
    captor_retires: bool = False
    teams: Teams = Teams.NONE
    winner: Winner = Winner.LAST_STANDING
    players: int = 1
    team_sizes: tuple[TeamSize, ...] = ()

    def __post_init__(self) -> None:
        for fault in (*_out_of_range(self), *_at_odds(self)):
            raise ValueError(fault)

    @property
    def owners(self) -> int:
        """Players a side whose pieces are told apart: all where they own them, else 1."""
        return self.players if self.teams is Teams.OWNED else 1

    @property
    def walks_home(self) -> bool:
        """Whether a unit without captives can ever head home."""
        return self.liberation or self.far_end in (FarEnd.BOUNCE, FarEnd.WALK_BACK)

    def rules(self) -> dict[str, Any]:
        """Every field by its name in rules.md, ready for JSON.

        >>> from companion.rules.variant import variant
        >>> variant("a-kaakil").rules()["fire"], variant("bul-teams").rules()["advancing"]
        (10, 'all')
        """
        rules = {name: getattr(self, name) for name in FIELDS}
        rules["values"] = list(self.values)
        rules["advancing"] = "all" if self.advancing is None else self.advancing
        return rules

    def changed(self, changes: Mapping[str, str]) -> Variant:
        """The same game with fields set otherwise, each given as text: ``{"spaces": "11", "values": "bell"}``.

        A new number of ``players`` brings the source's sizes for it, unless they are given too.
        Raises Unknown for a field that is not a rule, for a value it cannot take, and for fields at odds.

        >>> from companion.rules.variant import variant
        >>> variant("puluc").changed({"values": "bell", "spaces": "11"}).values
        (5, 0, 2, 3, 4)
        >>> variant("aj-sakakil").changed({"players": "8"}).spaces
        29
        """
        new: dict[str, Any] = {}
        for name, text in changes.items():
            if name not in FIELDS:
                raise Unknown(
                    _(
                        "There is no rule called '{name}'. The rules that can be set: {fields}.",
                        name=name[:40],
                        fields=", ".join(FIELDS),
                    )
                )
            field = FIELDS[name]
            try:
                new[name] = field.read(text.strip().lower())
            except (ValueError, KeyError) as error:
                raise Unknown(
                    _(
                        "'{text}' will not do for {name}: it takes {wanted}.",
                        text=text[:40],
                        name=name,
                        wanted=_(field.wanted, **field.facts),
                    )
                ) from error
        if "players" in new:
            new = self._sizes(new["players"]) | new
        try:
            return replace(self, **new)
        except ValueError as error:
            raise Unknown(_("{id} cannot be played so. {error}", id=self.id, error=error.args[0])) from error

    def _sizes(self, players: int) -> dict[str, int]:
        """What the source plays with for so many players a side."""
        fitting = [size for size in self.team_sizes if size.players <= players]
        if not fitting:
            return {}
        sizes = {"spaces": fitting[-1].spaces, "pieces": fitting[-1].pieces}
        return {name: size for name, size in sizes.items() if size is not None}


def _out_of_range(rules: Variant) -> Iterator[str]:
    if not 5 <= rules.spaces <= MOST_SPACES:
        yield _("spaces={spaces}: a highway has 5 to {most} spaces.", spaces=rules.spaces, most=MOST_SPACES)
    if not 1 <= rules.pieces <= MOST_PIECES:
        yield _("pieces={pieces}: a side has 1 to {most} pieces.", pieces=rules.pieces, most=MOST_PIECES)
    if len(rules.values) != 5 or not any(rules.values):
        yield _("values: needs five numbers, for 0 to 4 marked faces, not all 0.")
    if not all(0 <= value <= rules.spaces for value in rules.values):
        yield _(
            "values: each is 0 to {spaces}, so that a piece can enter on the highway; or set more spaces.",
            spaces=rules.spaces,
        )
    if rules.throws not in (1, 2):
        yield _("throws={throws}: a turn has 1 or 2 throws.", throws=rules.throws)
    if rules.advancing is not None and not 1 <= rules.advancing <= MOST_PIECES:
        yield _(
            "advancing={advancing}: 1 to {most} units may advance, or all.", advancing=rules.advancing, most=MOST_PIECES
        )
    if rules.fire is not None and not 1 <= rules.fire <= rules.spaces:
        yield _(
            "fire={fire}: the fire burns on one of the spaces 1 to {spaces}, or none.",
            fire=rules.fire,
            spaces=rules.spaces,
        )


def _at_odds(rules: Variant) -> Iterator[str]:
    leaves = rules.captor is Captor.LEAVES
    if rules.captor_retires and not leaves:
        yield _(
            "captor_retires goes only with captor=leaves, not {captor}: other captors stay on the highway.",
            captor=rules.captor,
        )
    if rules.liberation and rules.far_end is not FarEnd.RETURN:
        yield _(
            "liberation goes only with far_end=return, not {far_end}: it is the return that frees.",
            far_end=rules.far_end,
        )
    if rules.liberation and leaves:
        yield _("liberation goes with captor=onward or homeward: where captors leave, no captive is on the highway.")
    if rules.rescued is Rescued.SLAIN and leaves:
        yield _("rescued=slain goes with captor=onward or homeward: where captors leave, no piece is ever retaken.")
    if rules.exact_home and rules.far_end is FarEnd.LOOP:
        yield _("exact_home goes with any far_end but loop: a looping highway has no last space to count to.")
    if rules.exact_home and leaves and rules.far_end not in (FarEnd.BOUNCE, FarEnd.WALK_BACK):
        yield (
            _("exact_home with captor=leaves goes only with far_end=bounce or walk_back: else no unit ever heads home.")
        )
    most = MOST_PLAYERS[rules.teams]
    if not 1 <= rules.players <= most:
        if most > 1:
            yield _(
                "players={players}: with teams={teams}, a side has 1 to {most} players.",
                players=rules.players,
                teams=rules.teams,
                most=most,
            )
        else:
            yield _(
                "players={players}: with teams={teams}, a side has 1 player; set teams to shared or owned for more.",
                players=rules.players,
                teams=rules.teams,
            )
