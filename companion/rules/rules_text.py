"""The rules of a game in plain sentences for players, made from its fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.i18n import _, ngettext
from companion.rules.variant import Variant
from companion.rules.variant_fields import Captor, FarEnd, Rescued, Teams, Winner


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: a title, a few short sentences, and the key of its diagram, if there is one."""

    title: str
    text: str
    drawing: str | None = None


def tell(rules: Variant) -> tuple[Rule, ...]:
    """All rules of a game, in the order in which a beginner needs them.

    >>> from companion.rules.variants import variant
    >>> [rule.title for rule in tell(variant("buluc"))][:4]
    ['The aim', 'Setting up', 'Who begins', 'Taking turns']
    >>> next(rule.text for rule in tell(variant("a-kaakil")) if rule.drawing == "fire")[:62]
    "A fire burns on space 10, counted from Jade's base. A unit tha"
    """
    return tuple(
        Rule(title, " ".join(sentences), drawing)
        for title, drawing, sentences in (
            (_("The aim"), None, [*_aim(rules)]),
            (_("Setting up"), "setup", [*_setup(rules)]),
            (_("Who begins"), "begin", [*_begin()]),
            (_("Taking turns"), "teams" if rules.players > 1 else None, [*_turns(rules)]),
            (_("Throwing"), "throw", [*_throw(rules)]),
            (_("Two throws"), "two_throws", [*_two_throws(rules)]),
            (_("Moving"), "move", [*_move(rules)]),
            (_("How many may advance"), "advancing", [*_advancing(rules)]),
            (_("Your own units"), "sharing", [*_sharing(rules)]),
            (_("Capturing"), "capture", [*_capture(rules)]),
            (_("Capturing backwards"), "retreat", [*_retreat(rules)]),
            (_("Coming home"), "home", [*_home(rules)]),
            (_("The far end"), "far_end", [*_far_end(rules)]),
            (_("Liberation"), "liberation", [*_liberation(rules)]),
            (_("The fire"), "fire", [*_fire(rules)]),
            (_("The end"), "win", [*_end(rules)]),
        )
        if sentences
    )


def _aim(rules: Variant) -> Iterator[str]:
    match rules.captor:
        case Captor.ONWARD:
            yield _("Capture the enemy's pieces and carry them on to the enemy base.")
        case Captor.HOMEWARD:
            yield _("Capture the enemy's pieces and carry them home to your own base.")
        case Captor.LEAVES:
            yield _("Capture the enemy's pieces. Whatever is captured is slain at once.")
    match rules.winner:
        case Winner.LAST_STANDING:
            yield _("The enemy loses when none of their pieces is free any more.")
        case Winner.MOST_CAPTURES:
            yield _("When one side has no free piece left, the side that has slain more enemy pieces wins.")


def _setup(rules: Variant) -> Iterator[str]:
    yield _("The highway is a line of {spaces} spaces with a base at each end.", spaces=rules.spaces)
    yield _("Space 1 lies next to Jade's base, space {last} next to Obsidian's.", last=rules.spaces)
    yield _("If you mark the spaces with rods or kernels, lay down {rods}.", rods=rules.spaces + 1)
    if rules.owners > 1:
        yield _("Each side has {players} players.", players=rules.players)
        yield _(
            "Each player starts with {each} in base, so each side has {all}.",
            each=_pieces(rules.pieces),
            all=_pieces(rules.pieces * rules.owners),
        )
    else:
        yield _("Each side starts with {pieces} in its base.", pieces=_pieces(rules.pieces))


def _begin() -> Iterator[str]:
    yield _("Each side throws the four sticks. The higher value begins. If the values are equal, both throw again.")


def _turns(rules: Variant) -> Iterator[str]:
    if rules.players == 1:
        yield _("Jade and Obsidian take turns.")
    elif rules.teams is Teams.SHARED:
        yield _("Each side is a team of {players} players. The two sides take turns.", players=rules.players)
        yield _("In each team the players throw one after another, round and round.")
        yield _("Whoever throws may move any unit of the team, or enter a piece of the team.")
    else:
        yield _(
            "Each side is a team of {players} players, and every player has pieces of their own.", players=rules.players
        )
        yield _("All players of one team play, one after another. Then all players of the other team play.")
        yield _("You move only your own units.")
        if rules.captor is not Captor.LEAVES:
            yield _("A unit belongs to the player whose piece is on top.")
        yield _(
            "If you have no piece in base and no unit left to move, you throw for your team: "
            "move any team-mate's unit, or enter a team-mate's piece."
        )


def _throw(rules: Variant) -> Iterator[str]:
    yield _("Throw four sticks that are marked on one side. Kernels, beans or coins do as well.")
    none, one, two, three, four = rules.values
    yield _(
        "Count the marked sides that you see, and read the value: "
        "none is worth {none}, one is worth {one}, two are worth {two}, three {three} and four {four}.",
        none=none,
        one=one,
        two=two,
        three=three,
        four=four,
    )
    if rules.throws == 1:
        yield _("You throw once a turn.")
        if 0 in rules.values:
            yield _("A throw worth 0 moves nothing and ends the turn.")
    elif 0 in rules.values:
        yield _("A throw worth 0 moves nothing.")


def _two_throws(rules: Variant) -> Iterator[str]:
    if rules.throws == 2:
        yield _("You throw twice a turn, before you move anything. Then use both throws, one move for each.")
        yield _("You choose which one comes first. Both may move the same unit.")
        yield _("After capturing or coming home, you still use any throw that is left.")
        yield _(
            "If there is a way to use both throws, you must choose such a way. A throw that cannot be used is lost."
        )
        yield _("But if your first move ends the game, the game is over at once.")


def _move(rules: Variant) -> Iterator[str]:
    if rules.captor is Captor.LEAVES:
        yield _("A unit is what moves: a piece on the highway.")
    else:
        yield _(
            "A unit is what moves: one piece alone, or a stack with its owner's piece on top. A stack moves as one."
        )
    yield _("With a throw, either move a unit of your own by exactly the value, or enter a piece from base.")
    yield _(
        "A piece enters as far from your base as the value says: "
        "{value} brings it to space {value}, counted from your base.",
        value=some_value(rules),
    )
    yield _("A piece that enters heads for the enemy base.")
    yield _("If you can move, you must, and you choose the move.")
    yield _("If you cannot move at all, your turn is passed.")


def _advancing(rules: Variant) -> Iterator[str]:
    owned = rules.owners > 1
    if all_may_advance(rules):
        if owned:
            yield _("A player may have all pieces on the highway at the same time.")
        else:
            yield _("A side may have all pieces on the highway at the same time.")
    else:
        units = most_advancing(rules)
        if owned:
            yield _("A player may have {units} on the highway at a time.", units=units)
        else:
            yield _("A side may have {units} on the highway at a time.", units=units)
        if rules.advancing == 1:
            yield _("A new piece may enter only when there is none.")
        else:
            yield _("A new piece may enter only when there are fewer.")
        if rules.captor is not Captor.LEAVES:
            yield _("A stack counts once, however many pieces it holds.")
        if rules.far_end is FarEnd.WALK_BACK:
            yield _("A unit that rests in the enemy's field counts, too.")


def _sharing(rules: Variant) -> Iterator[str]:
    if rules.sharing:
        yield _("Units of the same side may stand on one space. They stay separate, and each moves by itself.")
        yield _("But an enemy that lands there captures all of them.")
    else:
        yield _("You may not land on a space where another unit of your own side stands.")
    yield _("You may always pass over other units.")


def _capture(rules: Variant) -> Iterator[str]:
    yield _("If you land on the enemy, you capture everything that stands there. A piece that enters can capture, too.")
    yield _("Passing over captures nothing, and pieces in a base are safe.")
    match rules.captor:
        case Captor.LEAVES:
            yield _("The captor leaves the highway at once. What it has captured is slain: it is out for good.")
            if rules.captor_retires:
                yield _("The captor retires: it is out for good as well, but it does not count as slain.")
            else:
                yield _("The captor goes back to base and may enter again.")
            return
        case Captor.ONWARD:
            yield from _stacked(rules)
            yield _("On later throws the stack moves on towards the enemy base and drags its captives along.")
            if _walks(rules) or rules.retreat_captures:
                yield _("Whichever way it came, it now heads for the enemy base.")
        case Captor.HOMEWARD:
            yield from _stacked(rules)
            if rules.walks_home or rules.retreat_captures:
                yield _("Whichever way it came, it now heads for home.")
            else:
                yield _("The stack turns round.")
            yield _("On later throws it moves home to your own base and drags its captives along.")
    yield _("It may capture more on the way. The enemy can capture the whole stack back by landing on it.")


def _stacked(rules: Variant) -> Iterator[str]:
    yield _("Put your unit on top: the enemy pieces are its captives now.")
    if rules.rescued is Rescued.SLAIN:
        yield _("Pieces of your own side among them come along.")
    else:
        yield _("Pieces of your own side among them are rescued.")


def _retreat(rules: Variant) -> Iterator[str]:
    if rules.retreat_captures:
        yield _("A unit without captives may also move against its heading by exactly the value, but only to capture.")
        yield _("A unit that has captives may not.")


def _home(rules: Variant) -> Iterator[str]:
    laden = rules.captor is not Captor.LEAVES
    if not laden and not _walks(rules):
        return
    if laden and rules.captor is Captor.ONWARD:
        yield _("A unit with captives comes in at the enemy base.")
    elif laden:
        yield _("A unit with captives comes in at its own base.")
    if _walks(rules):
        yield _("A unit without captives that heads home comes in at its own base.")
    if rules.exact_home:
        yield _("The value must bring it exactly into the base. With a higher value it may not come in.")
    else:
        yield _("The value may be higher than needed.")
    if laden:
        yield _("The captives are slain: they are out for good.")
    if rules.rescued is Rescued.SLAIN:
        yield _("The top piece goes back to its own base and may enter again.")
        yield _("All other pieces of its side in the unit are slain, too.")
    else:
        yield _("The unit's own pieces go back to their own base and may enter again.")
        if laden:
            yield _("So do the pieces that it has rescued.")


def _far_end(rules: Variant) -> Iterator[str]:
    yield _("What if a unit without captives would reach or pass the enemy base?")
    match rules.far_end:
        case FarEnd.RETURN:
            yield _("It goes back to its own base, with all its pieces, and they may enter again.")
            yield _("The value may be higher than needed.")
        case FarEnd.LOOP:
            yield _("It skips the bases: after the last space it goes on from its first, as on a ring.")
        case FarEnd.STOP:
            yield _("It may not. Such a move is not allowed.")
        case FarEnd.BOUNCE:
            yield _("It bounces: count on to the last space, then count the rest back. From now on it heads home.")
            yield _("If it lands exactly on the last space, it turns for home, too.")
            yield _("A bounce may end where it began: it has turned, so it is a move.")
        case FarEnd.WALK_BACK:
            yield _("It rests in the enemy's field, just beyond the last space. The value may be higher than needed.")
            yield _("It is safe there, and any number of units may rest. Then it walks home along the highway.")
    if rules.captor is Captor.ONWARD and rules.far_end is not FarEnd.RETURN:
        yield _("A unit with captives comes in instead.")
    if rules.far_end in (FarEnd.BOUNCE, FarEnd.WALK_BACK):
        yield _("On the way home it may still capture and be captured.")


def _liberation(rules: Variant) -> Iterator[str]:
    if rules.liberation:
        yield _(
            "When a unit without captives has reached the enemy base and goes back, "
            "all captives of your side on the highway are free: they go to your base."
        )
        yield _("An enemy unit that is left with one piece heads for your base.")
        if rules.captor is Captor.HOMEWARD:
            yield _("One that is left with several pieces goes on home.")
        else:
            yield _("So does one that is left with several pieces.")


def _fire(rules: Variant) -> Iterator[str]:
    if rules.fire is None:
        return
    yield _("A fire burns on space {space}, counted from Jade's base.", space=rules.fire)
    yield _("A unit that lands there is burnt. All its pieces are out for good, and its captives with them.")
    yield _("Passing over the fire is safe. Nothing can be captured there.")
    if rules.winner is Winner.MOST_CAPTURES:
        yield _("Captives that burn count as slain by the side that carried them.")
        yield _("A side's own burnt pieces count for nobody.")


def _end(rules: Variant) -> Iterator[str]:
    if rules.far_end is FarEnd.WALK_BACK:
        yield _(
            "A side is out when it has no piece in base and no unit of its own on the highway or in the enemy's field."
        )
    else:
        yield _("A side is out when it has no piece in base and no unit of its own on the highway.")
    yield _("The game ends at once.")
    if rules.captor is not Captor.LEAVES:
        yield _("The last captives need not be carried in.")
    match rules.winner:
        case Winner.LAST_STANDING:
            yield _("The other side has won.")
            if rules.captor_retires:
                yield _("If both sides are out at the same moment, the game is a draw.")
        case Winner.MOST_CAPTURES:
            yield _("The side that has slain more enemy pieces has won.")
            yield _("If both have slain the same number, the side that is not out has won.")
            if rules.captor is not Captor.LEAVES:
                yield _("Captives that are still on the highway do not count.")
            if rules.rescued is Rescued.SLAIN:
                yield _("A side's own pieces that were slain on coming home count for the enemy.")
            if rules.captor_retires:
                yield _("If both sides are out and have slain the same number, the game is a draw.")
    yield _("If neither side can ever move again, whatever is thrown, the game is a draw.")


def all_may_advance(rules: Variant) -> bool:
    """Whether all pieces may be on the highway at once."""
    return rules.advancing is None or rules.advancing >= rules.pieces


def most_advancing(rules: Variant) -> str:
    """How many units may be on the highway, if fewer than all: "only one unit", "at most 2 units"."""
    if rules.advancing == 1:
        return _("only one unit")
    # Translators: of how many units may be on the highway at a time.
    return _("at most {limit} units", limit=rules.advancing)


def _walks(rules: Variant) -> bool:
    """Whether a unit without captives can ever head home."""
    if rules.liberation:
        # What liberation leaves of a captor keeps its heading, which is home only where captors turn.
        return rules.captor is Captor.HOMEWARD
    return rules.far_end in (FarEnd.BOUNCE, FarEnd.WALK_BACK)


def some_value(rules: Variant) -> int:
    """A value of a throw for an example: 2 or the next higher one."""
    able = sorted(value for value in rules.values if value)
    return next((value for value in able if value >= 2), able[-1])


def _pieces(number: int) -> str:
    return ngettext("{number} piece", "{number} pieces", number)
