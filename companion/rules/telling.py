"""The rules of one game in plain words, made from its fields: what a player reads before the first throw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.rules.fields import Captor, FarEnd, Rescued, Teams, Winner
from companion.rules.ruleset import Variant


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a game: a title, a few short sentences, and the key of the drawing that shows it, if one does."""

    title: str
    text: str
    drawing: str | None = None


def tell(rules: Variant) -> tuple[Rule, ...]:
    """Every rule of that game, in the order in which a beginner needs them.

    >>> from companion.rules.variant import variant
    >>> [rule.title for rule in tell(variant("buluc"))][:4]
    ['The aim', 'Setting up', 'Who begins', 'Taking turns']
    >>> next(rule.text for rule in tell(variant("a-kaakil")) if rule.drawing == "fire")[:62]
    "A fire burns on space 10, counted from Jade's base. A unit tha"
    """
    return tuple(
        Rule(title, " ".join(sentences), drawing)
        for title, drawing, sentences in (
            ("The aim", None, [*_aim(rules)]),
            ("Setting up", "setup", [*_setup(rules)]),
            ("Who begins", "begin", [*_begin()]),
            ("Taking turns", "teams" if rules.players > 1 else None, [*_turns(rules)]),
            ("Throwing", "throw", [*_throw(rules)]),
            ("Two throws", "two_throws", [*_two_throws(rules)]),
            ("Moving", "move", [*_move(rules)]),
            ("How many may advance", "advancing", [*_advancing(rules)]),
            ("Your own units", "sharing", [*_sharing(rules)]),
            ("Capturing", "capture", [*_capture(rules)]),
            ("Capturing backwards", "retreat", [*_retreat(rules)]),
            ("Coming home", "home", [*_home(rules)]),
            ("The far end", "far_end", [*_far_end(rules)]),
            ("Liberation", "liberation", [*_liberation(rules)]),
            ("The fire", "fire", [*_fire(rules)]),
            ("The end", "win", [*_end(rules)]),
        )
        if sentences
    )


def _aim(rules: Variant) -> Iterator[str]:
    match rules.captor:
        case Captor.ONWARD:
            yield "Capture the enemy's pieces and carry them on to the enemy base."
        case Captor.HOMEWARD:
            yield "Capture the enemy's pieces and carry them home to your own base."
        case Captor.LEAVES:
            yield "Capture the enemy's pieces. Whatever is captured is slain at once."
    match rules.winner:
        case Winner.LAST_STANDING:
            yield "The enemy loses when none of their pieces is free any more."
        case Winner.MOST_CAPTURES:
            yield "When one side has no free piece left, the side that has slain more enemy pieces wins."


def _setup(rules: Variant) -> Iterator[str]:
    yield f"The highway is a line of {rules.spaces} spaces with a base at each end."
    yield f"Space 1 lies next to Jade's base, space {rules.spaces} next to Obsidian's."
    yield f"If you mark the spaces with rods or kernels, lay down {rules.spaces + 1}."
    if rules.owners > 1:
        yield f"Each side has {rules.players} players."
        yield f"Each player starts with {_count(rules.pieces, 'piece')} in base,"
        yield f"so each side has {_count(rules.pieces * rules.owners, 'piece')}."
    else:
        yield f"Each side starts with {_count(rules.pieces, 'piece')} in its base."


def _begin() -> Iterator[str]:
    yield "Each side throws the four sticks. The higher value begins. If the values are equal, both throw again."


def _turns(rules: Variant) -> Iterator[str]:
    if rules.players == 1:
        yield "Jade and Obsidian take turns."
    elif rules.teams is Teams.SHARED:
        yield f"Each side is a team of {rules.players} players. The two sides take turns."
        yield "In each team the players throw one after another, round and round."
        yield "Whoever throws may move any unit of the team, or enter a piece of the team."
    else:
        yield f"Each side is a team of {rules.players} players, and every player has pieces of their own."
        yield "All players of one team play, one after another. Then all players of the other team play."
        yield "You move only your own units. A unit belongs to the player whose piece is on top."
        yield "If you have no piece in base and no unit left to move, you throw for your team:"
        yield "move any team-mate's unit, or enter a team-mate's piece."


def _throw(rules: Variant) -> Iterator[str]:
    yield "Throw four sticks that are marked on one side. Kernels, beans or coins do as well."
    yield "Count the marked sides that you see, and read the value:"
    none, one, two, three, four = rules.values
    yield f"none is worth {none}, one is worth {one}, two are worth {two}, three {three} and four {four}."
    if rules.throws == 1:
        yield "You throw once a turn."
        if 0 in rules.values:
            yield "A throw worth 0 moves nothing and ends the turn."
    elif 0 in rules.values:
        yield "A throw worth 0 moves nothing."


def _two_throws(rules: Variant) -> Iterator[str]:
    if rules.throws == 2:
        yield "You throw twice a turn, before you move anything. Then use both throws, one move for each."
        yield "You choose which one comes first. Both may move the same unit."
        yield "After a capture or a coming home, a throw that is left is yours to use as well."
        yield "If there is a way to use both throws, you must choose such a way. A throw that cannot be used is lost."
        yield "But if your first move ends the game, the game is over at once."


def _move(rules: Variant) -> Iterator[str]:
    yield "A unit is what moves: one piece alone, or a stack with its owner's piece on top. A stack moves as one."
    yield "With a throw, either move a unit of your own by exactly the value, or enter a piece from base."
    value = some_value(rules)
    yield f"A piece enters as far from your base as the value says: {value} brings it to your {_ordinal(value)} space."
    yield "A piece that enters heads for the enemy base."
    yield "If you can move, you must, and you choose the move."
    yield "If you cannot move at all, your turn is passed."


def _advancing(rules: Variant) -> Iterator[str]:
    who = "A player" if rules.owners > 1 else "A side"
    if all_may_advance(rules):
        yield f"{who} may have all pieces on the highway at the same time."
    else:
        yield f"{who} may have {most_advancing(rules)} on the highway at a time."
        yield f"A new piece may enter only when there {'is none' if rules.advancing == 1 else 'are fewer'}."
        yield "A stack counts once, however many pieces it holds."
        if rules.far_end is FarEnd.WALK_BACK:
            yield "A unit that rests in the enemy's field counts, too."


def _sharing(rules: Variant) -> Iterator[str]:
    if rules.sharing:
        yield "Units of the same side may stand on one space. They stay separate, and each moves by itself."
        yield "But an enemy that lands there captures all of them."
    else:
        yield "You may not land on a space where another unit of your own side stands."
    yield "You may always pass over other units."


def _capture(rules: Variant) -> Iterator[str]:
    yield "If you land on the enemy, you capture everything that stands there. A piece that enters can capture, too."
    yield "Passing over captures nothing, and pieces in a base are safe."
    match rules.captor:
        case Captor.LEAVES:
            yield "The captor leaves the highway at once. What it has captured is slain: it is out for good."
            if rules.captor_retires:
                yield "The captor retires: it is out for good as well, but it does not count as slain."
            else:
                yield "The captor goes back to base and may enter again."
            return
        case Captor.ONWARD:
            yield from _stacked()
            yield "On later throws the stack moves on towards the enemy base and drags its captives along."
            if _walks(rules) or rules.retreat_captures:
                yield "Whichever way it came, it now heads for the enemy base."
        case Captor.HOMEWARD:
            yield from _stacked()
            yield "The stack turns round. On later throws it moves home to your own base and drags its captives along."
    yield "It may capture more on the way. The enemy can capture the whole stack back by landing on it."


def _stacked() -> Iterator[str]:
    yield "Put your unit on top: the enemy pieces are its captives now."
    yield "Pieces of your own side among them are rescued."


def _retreat(rules: Variant) -> Iterator[str]:
    if rules.retreat_captures:
        yield "A unit without captives may also move against its heading by exactly the value, but only to capture."
        yield "A unit that has captives may not."


def _home(rules: Variant) -> Iterator[str]:
    laden = rules.captor is not Captor.LEAVES
    if not laden and not _walks(rules):
        return
    where = "the enemy base" if rules.captor is Captor.ONWARD else "its own base"
    if laden:
        yield f"A unit with captives comes in at {where}."
    if _walks(rules):
        yield "A unit without captives that heads home comes in at its own base."
    if rules.exact_home:
        yield "The value must bring it exactly into the base. With a higher value it may not come in."
    else:
        yield "The value may be higher than needed."
    if laden:
        yield "The captives are slain: they are out for good."
    if rules.rescued is Rescued.SLAIN:
        yield "The top piece goes back to its own base and may enter again."
        yield "All other pieces of its side in the unit are slain, too."
    else:
        yield "The unit's own pieces go back to their own base and may enter again."
        if laden:
            yield "So do the pieces that it has rescued."


def _far_end(rules: Variant) -> Iterator[str]:
    yield "What if a unit without captives would reach or pass the enemy base?"
    match rules.far_end:
        case FarEnd.RETURN:
            yield "It goes back to its own base, with all its pieces, and they may enter again."
            yield "The value may be higher than needed."
        case FarEnd.LOOP:
            yield "It skips the bases: after the last space it goes on from its first, as on a ring."
        case FarEnd.STOP:
            yield "It may not. Such a move is not allowed."
        case FarEnd.BOUNCE:
            yield "It bounces: count on to the last space, then count the rest back. From now on it heads home."
            yield "If it lands exactly on the last space, it turns for home, too."
            yield "A bounce may end where it began: it has turned, so it is a move."
        case FarEnd.WALK_BACK:
            yield "It rests in the enemy's field, just beyond the last space. The value may be higher than needed."
            yield "It is safe there, and any number of units may rest. Then it walks home along the highway."
    if rules.captor is Captor.ONWARD and rules.far_end is not FarEnd.RETURN:
        yield "A unit with captives comes in instead."
    if rules.far_end in (FarEnd.BOUNCE, FarEnd.WALK_BACK):
        yield "On the way home it may still capture and be captured."


def _liberation(rules: Variant) -> Iterator[str]:
    if rules.liberation:
        yield "When a unit without captives has reached the enemy base and goes back,"
        yield "all captives of your side on the highway are free: they go to your base."
        yield "An enemy unit that is left with one piece heads for your base."
        if rules.captor is Captor.HOMEWARD:
            yield "One that is left with several pieces goes on home."
        else:
            yield "So does one that is left with several pieces."


def _fire(rules: Variant) -> Iterator[str]:
    if rules.fire is None:
        return
    yield f"A fire burns on space {rules.fire}, counted from Jade's base."
    yield "A unit that lands there is burnt. All its pieces are out for good, and its captives with them."
    yield "Passing over the fire is safe. Nothing can be captured there."
    if rules.winner is Winner.MOST_CAPTURES:
        yield "Captives that burn count as slain by the side that carried them."
        yield "A side's own burnt pieces count for nobody."


def _end(rules: Variant) -> Iterator[str]:
    resting = " or in the enemy's field" if rules.far_end is FarEnd.WALK_BACK else ""
    yield f"A side is out when it has no piece in base and no unit of its own on the highway{resting}."
    yield "The game ends at once."
    if rules.captor is not Captor.LEAVES:
        yield "The last captives need not be carried in."
    match rules.winner:
        case Winner.LAST_STANDING:
            yield "The other side has won."
            if rules.captor_retires:
                yield "If both sides are out at the same moment, the game is a draw."
        case Winner.MOST_CAPTURES:
            yield "The side that has slain more enemy pieces has won."
            yield "If both have slain as many, the side that is not out has won."
            if rules.captor is not Captor.LEAVES:
                yield "Captives that are still on the highway do not count."
            if rules.rescued is Rescued.SLAIN:
                yield "A side's own pieces that were slain on coming home count for the enemy."
            if rules.captor_retires:
                yield "If both sides are out and have slain as many, the game is a draw."
    yield "If neither side can ever move again, whatever is thrown, the game is a draw."


def all_may_advance(rules: Variant) -> bool:
    """Whether all pieces may be on the highway at the same time."""
    return rules.advancing is None or rules.advancing >= rules.pieces


def most_advancing(rules: Variant) -> str:
    """How many units may advance, where that is fewer than the pieces: "only one unit", "at most 2 units"."""
    return "only one unit" if rules.advancing == 1 else f"at most {rules.advancing} units"


def _walks(rules: Variant) -> bool:
    """Whether a unit without captives can ever head home."""
    if rules.liberation:
        # What liberation leaves of a captor keeps its heading, which is home only where captors turn.
        return rules.captor is Captor.HOMEWARD
    return rules.far_end in (FarEnd.BOUNCE, FarEnd.WALK_BACK)


def some_value(rules: Variant) -> int:
    """A value that a throw can have, for an example: 2 or the next above it, if there is one."""
    able = sorted(value for value in rules.values if value)
    return next((value for value in able if value >= 2), able[-1])


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
