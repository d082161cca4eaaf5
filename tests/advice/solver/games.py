"""Small games in random combinations of rules, and positions that they reach."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from companion.errors import Unknown
from companion.rules.odds import turn_odds
from companion.rules.position import Position
from companion.rules.turns import Turn, ends_of_throws
from companion.rules.unit import Unit
from companion.rules.variant import Variant
from companion.rules.variant_fields import FIELDS, Captor, FarEnd
from companion.rules.variants import variant

CHOICES = {
    "captor": [*Captor],
    "far_end": [*FarEnd],
    "exact_home": ["yes", "no"],
    "sharing": ["yes", "no"],
    "rescued": ["freed", "slain"],
    "liberation": ["yes", "no"],
    "retreat_captures": ["yes", "no"],
    "fire": ["none", "none", "2", "3", "4"],
    "captor_retires": ["yes", "no"],
    "winner": ["last_standing", "most_captures"],
    "advancing": ["1", "2", "all"],
    "values": ["culin", "bell", "2,1,3,2,4"],
    "throws": ["1", "2"],
}


def custom_games(count: int, chance: Random, *, spaces: tuple[int, int], pieces: tuple[int, int]) -> list[Variant]:
    """Random valid games with one player a side. spaces, pieces: inclusive ranges."""
    games: list[Variant] = []
    while len(games) < count:
        changes = {field: str(chance.choice(choices)) for field, choices in CHOICES.items()}
        changes |= {"spaces": str(chance.randint(*spaces)), "pieces": str(chance.randint(*pieces))}
        assert changes.keys() <= FIELDS.keys()
        try:
            games.append(variant("puluc").changed(changes))
        except Unknown:
            continue
    return games


def mirrored_rules(rules: Variant) -> Variant:
    """The same game with the highway reversed."""
    return rules if rules.fire is None else rules.changed({"fire": str(rules.spaces + 1 - rules.fire)})


def mirrored(position: Position) -> Position:
    """The position with the sides exchanged and the highway reversed."""

    def other(unit: Unit) -> Unit:
        return Unit(unit.owner.other, unit.player, unit.friends, unit.prey, unit.home)

    places = tuple(tuple(sorted(map(other, units), key=str)) for units in reversed(position.places))
    jade, obsidian = position.camps
    rules = mirrored_rules(position.rules)
    return Position(rules, places, (obsidian, jade), position.turn.other, position.player, position.waiting)


def some_positions(rules: Variant, count: int, chance: Random) -> Iterator[Position]:
    """Undecided positions of random games."""
    position = Position.start(rules)
    for _ in range(count):
        yield position
        values = tuple(chance.choice(rules.values) for _ in range(rules.throws))
        ends = sorted(Turn(position, values).results(), key=repr) or [position.passed()]
        position = chance.choice(ends)
        if position.is_decided():
            position = Position.start(rules, chance.choice([position.turn, position.turn.other]))


def all_positions(rules: Variant) -> set[Position]:
    """Every undecided position that a game can reach, from either start; one half by symmetry if the game has it."""
    start = Position.start(rules)
    symmetric = mirrored_rules(rules) == rules
    found, new = set[Position](), {start} if symmetric else {start, start.passed()}
    rolls = turn_odds(rules).keys()
    while new:
        found |= new
        ends = {end for position in new for results in ends_of_throws(position, rolls) for end in results}
        ends |= {position.passed() for position in new}
        going = {end for end in ends if not end.is_decided()}
        new = ({end if end.turn is start.turn else mirrored(end) for end in going} if symmetric else going) - found
    return found | set(map(mirrored, found)) if symmetric else found
