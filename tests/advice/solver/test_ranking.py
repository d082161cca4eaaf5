"""The ranking numbers positions without gaps or collisions."""

from random import Random

import pytest

from companion.advice.solver.ranking import FIRST, Ranking, groups
from companion.rules.notation import parse
from companion.rules.position import Position
from companion.rules.unit import Side
from companion.rules.variants import variant
from tests.advice.solver.games import all_positions, custom_games

SMALL = custom_games(20, Random(4), spaces=(5, 5), pieces=(1, 2))


@pytest.mark.parametrize("number", range(len(SMALL)))
def test_no_two_positions_share_a_number(number: int) -> None:
    """Two positions share a number exactly if they look the same to the side to throw; all numbers are in the table."""
    rules = SMALL[number]
    ranking = Ranking(rules)
    at: dict[int, set[str]] = {}
    for position in all_positions(rules):
        address = ranking.address(position)
        assert address is not None
        assert FIRST <= address < FIRST + ranking.positions
        at.setdefault(address, set()).add(_seen_from_the_thrower(position, apart=ranking.tells_spent_apart))

    assert all(len(seen) == 1 for seen in at.values())


def _seen_from_the_thrower(position: Position, *, apart: bool) -> str:
    mine, theirs = position.turn, position.turn.other
    places = position.places if mine is Side.JADE else position.places[::-1]
    held = [sorted((unit.owner is mine, unit.own, unit.captives, unit.home) for unit in units) for units in places]
    camps = [position.camps[side.index] for side in (mine, theirs)]
    out = [(*camp.slain, *camp.spent) if apart else (camp.slain[0] + camp.spent[0],) for camp in camps]
    fire = position.rules.fire
    turned = mine if fire and 2 * fire != position.rules.spaces + 1 else None
    return repr((held, [camp.base for camp in camps], out, turned))


def test_the_layers_of_puluc_have_the_counted_number_of_positions() -> None:
    """8,202,283 positions in which both sides have pieces, with stacks that captures can build."""
    ranking = Ranking(variant("puluc"))

    assert ranking.positions == 8_202_283
    assert max(ranking.sizes) == 3_857_329
    assert Ranking(variant("puluc-13")).positions == 33_592_287


def test_a_group_leads_only_to_itself_and_to_groups_before_it() -> None:
    """Captured pieces never return."""
    ranking = Ranking(variant("aj-tiwil"))
    seen: set[object] = set()
    for group in groups(ranking.layers):
        assert {layer.handed_over for layer in group} == set(group)
        assert seen.isdisjoint(group)
        seen |= set(group)
        assert all(layer.out == group[0].out for layer in group)

    assert len(seen) == len(ranking.layers)
    assert [layer.out for layer in ranking.layers] == sorted((layer.out for layer in ranking.layers), reverse=True)


def test_a_stack_that_no_capture_builds_has_no_number() -> None:
    """The notation allows two stacked own pieces without a captive, but no game reaches them."""
    rules = variant("puluc")
    assert Ranking(rules).address(parse("3/4Jj4/5 0:0 J", rules)) is None
    assert Ranking(rules).address(parse("4/3Joo2O2/2 0:0 O", rules)) is not None
