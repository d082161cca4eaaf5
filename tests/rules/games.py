"""Games for the tests: named in words, or random: any fields that go together, played by chance alone."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from companion.rules.notation import parse, write
from companion.rules.position import Position, Side
from companion.rules.turns import Turn
from companion.rules.variant import Variant
from companion.rules.variant_fields import BELL, CULIN, Captor, FarEnd, Rescued, Teams, Winner
from companion.rules.variants import variant


def game(words: str) -> Variant:
    """A game from a text: an id and changes, as in ``aj-sayil players=2``."""
    name, *changes = words.split()
    return variant(name).changed(dict(change.split("=") for change in changes))


def results(words: str, text: str, *values: int) -> list[str]:
    """The positions after a turn with these values in the game of these words, as text."""
    return sorted(map(write, Turn(parse(text, game(words)), values).results()))


def random_variant(chance: Random) -> Variant:
    """A custom game whose fields go together; short highways and few pieces come up often."""
    while True:
        teams = chance.choice([Teams.NONE, Teams.NONE, Teams.SHARED, Teams.OWNED])
        spaces = chance.choice([5, 6, 7, 9, 9, 11, 19])
        pieces = chance.randint(1, 5)
        try:
            return Variant(
                id="custom",
                name="Custom",
                source="chance",
                spaces=spaces,
                pieces=pieces,
                values=chance.choice([CULIN, CULIN, BELL]),
                throws=chance.choice([1, 2]),
                advancing=chance.choice([None, 1, 2, 5]),
                captor=chance.choice(list(Captor)),
                far_end=chance.choice(list(FarEnd)),
                exact_home=chance.random() < 0.3,
                sharing=chance.random() < 0.5,
                rescued=chance.choice(list(Rescued)),
                liberation=chance.random() < 0.3,
                retreat_captures=chance.random() < 0.3,
                fire=chance.randint(1, spaces) if chance.random() < 0.3 else None,
                captor_retires=chance.random() < 0.3,
                teams=teams,
                winner=chance.choice(list(Winner)),
                players=1 if teams is Teams.NONE else chance.randint(1, 4),
            )
        except ValueError:
            continue


def thrown(rules: Variant, chance: Random) -> tuple[int, ...]:
    """Random values for the throws of one turn."""
    return tuple(rules.values[sum(chance.random() < 0.5 for _ in range(4))] for _ in range(rules.throws))


def random_game(rules: Variant, chance: Random, turns: int) -> Iterator[tuple[Position, tuple[int, ...]]]:
    """Each position of a game by chance with the values thrown in it, up to so many turns; the last with none."""
    position = Position.start(rules, chance.choice(list(Side)))
    for _ in range(turns):
        if position.is_over():
            break
        values = thrown(rules, chance)
        yield position, values
        turn = Turn(position, values)
        while turn.values and (steps := turn.steps()):
            turn = turn.after(chance.choice(steps))
        position = turn.handed_over()
    yield position, ()
