"""The rules of one game as lookup tables for compiled code, all derived from companion.rules."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.advice.solver.ranking import Ranking
from companion.advice.solver.space_contents import EMPTY, Content, Stack
from companion.rules.moves import OFF, ahead
from companion.rules.unit import Side, Unit
from companion.rules.variant_fields import Captor, FarEnd, Rescued, Winner

Ints = NDArray[np.int32]

NO_WAY, OFF_HIGHWAY = -1, -2
"""In ``ahead`` instead of a place: the unit cannot move so far, or it leaves the highway."""


class RuleConstants(NamedTuple):
    """The rules that are single values.

    field: the place of the enemy field where units rest, or -1. apart: whether spent and slain pieces count
    differently.
    """

    pieces: int
    advancing: int
    field: int
    sharing: bool
    leaves: bool
    retires: bool
    rescued_slain: bool
    liberation: bool
    returns: bool
    most_captures: bool
    apart: bool


class RuleArrays(NamedTuple):
    """All lookup tables. Units and contents are numbered as in SpaceContents, places in their order.

    Attributes
    ----------
    next : (states, contents)
    before : (orientations, places, states, contents + 1)
    base : (layers,)
        See Ranking: its automaton, and the address of each layer's first position.
    starts : (pieces left + 1, the other's pieces left + 1)
        Initial state of the automaton.
    layer_at : (slain, other's slain, spent, other's spent, orientation)
        Number of the layer, or -1.
    layers : (layers, 5)
        These five values of each layer.
    fire : (orientations,)
        The place that burns, or -1.
    is_mine, units_held, own, captives : (contents,)
        Whether the side to throw owns the units of a content, their number, their own pieces and their captives.
    mirrored, robbed : (contents,)
        The content seen from the other side, and after a liberation.
    units, without : (contents, maximum of different units)
        The different units of a content of the side to throw, -1 beyond the last, and the content without one of them.
    with_unit : (contents, units)
        The content with one more unit, -1 if there is no such content.
    unit_own, unit_captives, unit_home, turned : (units,)
        The pieces of a unit, whether it heads home, and the unit after turning round.
    unit_at : (own, captives)
        The laden unit with so many pieces.
    ahead, turns : (units, places, values + 1)
        The place to which a unit moves, and whether it turns round on the way.
    behind : (units, places, values + 1)
        The place to which it can go to capture against its heading, or NO_WAY.
    entry, entry_turns : (values + 1,)
        The place where a piece enters, and whether it turns round there.
    """

    next: Ints
    before: NDArray[np.int64]
    starts: Ints
    layer_at: Ints
    base: NDArray[np.int64]
    layers: Ints
    fire: Ints
    is_mine: NDArray[np.bool_]
    units_held: Ints
    own: Ints
    captives: Ints
    mirrored: Ints
    robbed: Ints
    units: Ints
    without: Ints
    with_unit: Ints
    unit_own: Ints
    unit_captives: Ints
    unit_home: NDArray[np.bool_]
    turned: Ints
    unit_at: Ints
    ahead: Ints
    turns: NDArray[np.bool_]
    behind: Ints
    entry: Ints
    entry_turns: NDArray[np.bool_]
    rules: RuleConstants


def rule_arrays(ranking: Ranking) -> RuleArrays:
    """Build the lookup tables of a game."""
    rules, contents, numbers = ranking.rules, ranking.contents.contents, ranking.numbers
    stacks = ranking.contents.stacks
    unit = {stack: number for number, stack in enumerate(stacks)}
    differing = [tuple(dict.fromkeys(content.stacks)) for content in contents]
    most = max(1, *map(len, differing))
    units, without = np.full((2, len(contents), most), -1, np.int32)
    with_unit = np.full((len(contents), len(stacks)), -1, np.int32)
    robbed = np.arange(len(contents), dtype=np.int32)
    for number, content in enumerate(contents):
        if content.mine:
            for place, stack in enumerate(differing[number]):
                left = list(content.stacks)
                left.remove(stack)
                units[number, place] = unit[stack]
                without[number, place] = numbers[Content(True, tuple(left)) if left else EMPTY]
            for stack in stacks:
                more = Content(True, tuple(sorted((*content.stacks, stack))))
                with_unit[number, unit[stack]] = numbers.get(more, -1)
        elif rules.liberation and content.captives:
            freed = (_robbed(ranking, stack) if stack.captives else stack for stack in content.stacks)
            robbed[number] = numbers[Content(False, tuple(sorted(freed)))]
    turned = [unit.get(Stack(stack.own, stack.captives, True), -1) for stack in stacks]
    unit_at = np.full((rules.pieces + 1, rules.pieces + 1), -1, np.int32)
    for stack in stacks:
        if stack.captives:
            unit_at[stack.own, stack.captives] = unit[stack]
    ways, turns, behind = _ways(ranking)
    return RuleArrays(
        next=ranking.next,
        before=ranking.before,
        starts=_starts(ranking),
        layer_at=_layer_at(ranking),
        base=np.array([ranking.bases[layer] for layer in ranking.layers], np.int64),
        layers=np.array([(*layer.slain, *layer.spent, bool(layer.turned)) for layer in ranking.layers], np.int32),
        fire=np.array([fire - ranking.places[0] if fire > 0 else -1 for fire in ranking.fire], np.int32),
        is_mine=np.array([content.mine and content != EMPTY for content in contents]),
        units_held=np.array([len(content.stacks) for content in contents], np.int32),
        own=np.array([content.own for content in contents], np.int32),
        captives=np.array([content.captives for content in contents], np.int32),
        mirrored=np.array([ranking.mirrored(number) for number in range(len(contents))], np.int32),
        robbed=robbed,
        units=units,
        without=without,
        with_unit=with_unit,
        unit_own=np.array([stack.own for stack in stacks], np.int32),
        unit_captives=np.array([stack.captives for stack in stacks], np.int32),
        unit_home=np.array([stack.home for stack in stacks]),
        turned=np.array(turned, np.int32),
        unit_at=unit_at,
        ahead=ways,
        turns=turns,
        behind=behind,
        entry=np.arange(max(rules.values) + 1, dtype=np.int32) - ranking.places[0],
        entry_turns=np.array(
            [rules.far_end is FarEnd.BOUNCE and value == rules.spaces for value in range(max(rules.values) + 1)]
        ),
        rules=RuleConstants(
            pieces=rules.pieces,
            advancing=rules.pieces if rules.advancing is None else rules.advancing,
            field=len(ranking.places) - 1 if ranking.places[0] == 0 else -1,
            sharing=rules.sharing,
            leaves=rules.captor is Captor.LEAVES,
            retires=rules.captor_retires,
            rescued_slain=rules.rescued is Rescued.SLAIN,
            liberation=rules.liberation,
            returns=rules.far_end is FarEnd.RETURN,
            most_captures=rules.winner is Winner.MOST_CAPTURES,
            apart=ranking.tells_spent_apart,
        ),
    )


def _robbed(ranking: Ranking, stack: Stack) -> Stack:
    return Stack.of(_unit(stack).robbed(ranking.rules.captor is not Captor.ONWARD))


def _unit(stack: Stack) -> Unit:
    return Unit(Side.JADE, 1, (1,) * (stack.own - 1), (1,) * stack.captives, stack.home)


def _starts(ranking: Ranking) -> Ints:
    pieces = ranking.rules.pieces
    starts = np.full((pieces + 1, pieces + 1), -1, np.int32)
    for layer in ranking.layers:
        left = [pieces - slain - spent for slain, spent in zip(layer.slain, layer.spent, strict=True)]
        starts[left[0], left[1]] = ranking.start(layer)
    return starts


def _layer_at(ranking: Ranking) -> Ints:
    pieces = ranking.rules.pieces + 1
    spent = pieces if ranking.tells_spent_apart else 1
    layer_at = np.full((pieces, pieces, spent, spent, 2), -1, np.int32)
    for number, layer in enumerate(ranking.layers):
        layer_at[(*layer.slain, *layer.spent, int(bool(layer.turned)))] = number
    return layer_at


def _ways(ranking: Ranking) -> tuple[Ints, NDArray[np.bool_], Ints]:
    """``ahead``, ``turns`` and ``behind``, by (unit, place, value)."""
    rules, stacks, places = ranking.rules, ranking.contents.stacks, ranking.places
    shape = (len(stacks), len(places), max(rules.values) + 1)
    ways, behind, turns = np.full(shape, NO_WAY, np.int32), np.full(shape, NO_WAY, np.int32), np.zeros(shape, np.bool_)
    for number, stack in enumerate(stacks):
        unit = _unit(stack)
        for place, distance in enumerate(places):
            for value in set(rules.values) - {0}:
                if distance and (way := ahead(rules, unit, distance, value)) is not None:
                    to, turn = way
                    field = rules.spaces + 1
                    reached = to if to > 0 else field
                    ways[number, place, value] = OFF_HIGHWAY if to == OFF else reached - places[0]
                    turns[number, place, value] = turn
                if distance and rules.retreat_captures and not stack.captives:
                    back = distance + value if stack.home else distance - value
                    if 1 <= back <= rules.spaces:
                        behind[number, place, value] = back - places[0]
    return ways, turns, behind
