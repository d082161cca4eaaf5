"""A variant of the game as data, with validation of its fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from companion.errors import RulesUnfit, Unknown
from companion.i18n import _
from companion.rules.variant_fields import FIELDS, Captor, FarEnd, Rescued, Teams, Winner

MOST_SPACES, MOST_PIECES = 60, 99
MOST_PLAYERS = {Teams.NONE: 1, Teams.SHARED: 7, Teams.OWNED: 8}


class RuleFault(NamedTuple):
    """Why rules cannot be played. rules: the fields at fault. where: the field with its value, for one alone."""

    rules: tuple[str, ...]
    reason: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}" if self.where else self.reason


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamSize:
    """The sizes for ``players`` or more players a side; None leaves a field as it is."""

    players: int
    spaces: int | None = None
    pieces: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A documented variant, or a custom game made of the same fields.

    source: author, year and page of the rules.
    spaces: N, the spaces between the two bases, numbered 1..N from Jade's.
    pieces: per side; per player if players own their pieces.
    values: of throws with 0, 1, 2, 3 and 4 marked faces; a value of 0 moves nothing.
    throws: per turn; all are thrown before the first is used.
    advancing: units that a side (or player, if players own their pieces) may have on the highway; None for all.
    captor, far_end, winner, rescued, teams: see their enums.
    exact_home: coming home needs the exact value.
    sharing: own units may stand on one space.
    liberation: an unladen unit's return at the far end sends every own captive piece on the highway to its base.
    retreat_captures: an unladen unit may also move against its heading, if that captures.
    fire: the space that burns whatever lands on it, or None.
    captor_retires: a captor that leaves is out for good with its own pieces.
    players: players a side at this table; 1 unless agreed otherwise.
    team_sizes: sizes by number of players, smallest first.

    Raises ValueError if the fields contradict each other; the message says what would be accepted.
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
        """Number of owners of pieces per side: all players if they own pieces, else 1."""
        return self.players if self.teams is Teams.OWNED else 1

    @property
    def is_symmetric(self) -> bool:
        """Whether the highway looks the same from both bases: only a fire can lie off the middle."""
        return self.fire is None or 2 * self.fire == self.spaces + 1

    @property
    def walks_home(self) -> bool:
        """Whether a unit without captives can ever head home."""
        return self.liberation or self.far_end in (FarEnd.BOUNCE, FarEnd.WALK_BACK)

    def rules(self) -> dict[str, Any]:
        """Every rule by name, ready for JSON.

        >>> from companion.rules.variants import variant
        >>> variant("a-kaakil").rules()["fire"], variant("bul-teams").rules()["advancing"]
        (10, 'all')
        """
        rules = {name: getattr(self, name) for name in FIELDS}
        rules["values"] = list(self.values)
        rules["advancing"] = "all" if self.advancing is None else self.advancing
        return rules

    def changed(self, changes: Mapping[str, str]) -> Variant:
        """The game with other rules, given as text: ``{"spaces": "11", "values": "bell"}``.

        A new number of ``players`` sets the sizes for that number, unless they are given too.
        Raises Unknown for an unknown rule, and RulesUnfit for an invalid value or rules that contradict each other.

        >>> from companion.rules.variants import variant
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
                wanted = _(field.wanted, **field.facts)
                raise RulesUnfit(
                    _(
                        "'{text}' is not a value for {name}: it takes {wanted}.",
                        text=text[:40],
                        name=name,
                        wanted=wanted,
                    ),
                    rules=(name,),
                    reason=_("it takes {wanted}.", wanted=wanted),
                ) from error
        if "players" in new:
            new = self._sizes(new["players"]) | new
        try:
            return replace(self, **new)
        except ValueError as error:
            fault: RuleFault = error.args[0]
            text = _("{id} cannot be played like this. {error}", id=self.id, error=fault)
            raise RulesUnfit(text, rules=fault.rules, reason=fault.reason) from error

    def _sizes(self, players: int) -> dict[str, int]:
        """The sizes for that number of players a side."""
        fitting = [size for size in self.team_sizes if size.players <= players]
        if not fitting:
            return {}
        sizes = {"spaces": fitting[-1].spaces, "pieces": fitting[-1].pieces}
        return {name: size for name, size in sizes.items() if size is not None}


def _out_of_range(rules: Variant) -> Iterator[RuleFault]:
    def fault(name: str, reason: str) -> RuleFault:
        value = getattr(rules, name)
        return RuleFault((name,), reason, where=name if name == "values" else f"{name}={value}")

    if not 5 <= rules.spaces <= MOST_SPACES:
        yield fault("spaces", _("a highway has 5 to {most} spaces.", most=MOST_SPACES))
    if not 1 <= rules.pieces <= MOST_PIECES:
        yield fault("pieces", _("a side has 1 to {most} pieces.", most=MOST_PIECES))
    if len(rules.values) != 5 or not any(rules.values):
        yield fault("values", _("needs five numbers, for 0 to 4 marked sides, not all 0."))
    if not all(0 <= value <= rules.spaces for value in rules.values):
        text = _(
            "each is 0 to {spaces}, so that a piece can enter on the highway; or set more spaces.", spaces=rules.spaces
        )
        yield fault("values", text)
    if rules.throws not in (1, 2):
        yield fault("throws", _("a turn has 1 or 2 throws."))
    if rules.advancing is not None and not 1 <= rules.advancing <= MOST_PIECES:
        yield fault("advancing", _("1 to {most} units may advance, or all.", most=MOST_PIECES))
    if rules.fire is not None and not 1 <= rules.fire <= rules.spaces:
        yield fault("fire", _("the fire burns on one of the spaces 1 to {spaces}, or none.", spaces=rules.spaces))


def _at_odds(rules: Variant) -> Iterator[RuleFault]:
    leaves = rules.captor is Captor.LEAVES
    if rules.captor_retires and not leaves:
        yield RuleFault(
            ("captor_retires", "captor"),
            _(
                "captor_retires goes only with captor=leaves, not {captor}: other captors stay on the highway.",
                captor=rules.captor,
            ),
        )
    if rules.liberation and rules.far_end is not FarEnd.RETURN:
        yield RuleFault(
            ("liberation", "far_end"),
            _(
                "liberation goes only with far_end=return, not {far_end}: it is the return that frees.",
                far_end=rules.far_end,
            ),
        )
    if rules.liberation and leaves:
        text = _("liberation goes with captor=onward or homeward: where captors leave, no captive is on the highway.")
        yield RuleFault(("liberation", "captor"), text)
    if rules.rescued is Rescued.SLAIN and leaves:
        text = _("rescued=slain goes with captor=onward or homeward: where captors leave, no piece is ever retaken.")
        yield RuleFault(("rescued", "captor"), text)
    if rules.exact_home and rules.far_end is FarEnd.LOOP:
        text = _("exact_home goes with any far_end but loop: a looping highway has no last space to count to.")
        yield RuleFault(("exact_home", "far_end"), text)
    if rules.exact_home and leaves and rules.far_end not in (FarEnd.BOUNCE, FarEnd.WALK_BACK):
        text = _(
            "exact_home with captor=leaves goes only with far_end=bounce or walk_back: else no unit ever heads home."
        )
        yield RuleFault(("exact_home", "captor", "far_end"), text)
    most = MOST_PLAYERS[rules.teams]
    if not 1 <= rules.players <= most:
        if most > 1:
            text = _("a side of this game has 1 to {most} players.", most=most)
            yield RuleFault(("players",), text, where=f"players={rules.players}")
        else:
            yield RuleFault(
                ("players", "teams"),
                _(
                    "players={players}: with teams={teams}, a side has 1 player;"
                    " set teams to shared or owned for more.",
                    players=rules.players,
                    teams=rules.teams,
                ),
            )
