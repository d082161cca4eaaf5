"""Variants are data with a source, and a change that makes no game is refused."""

import pytest

from companion.errors import Unknown
from companion.rules.variant import BELL, VARIANTS, variant


def test_every_variant_names_its_source() -> None:
    """A reader can look up where each way to play is told."""
    assert VARIANTS
    assert all(rules.source and rules.name for rules in VARIANTS.values())


def test_fields_can_be_set_freely() -> None:
    """A custom game is a variant with some fields set otherwise."""
    assert variant("puluc").changed({"values": "bell"}).values == BELL
    assert variant("puluc").changed({"values": "0,1,2,3,4", "pieces": "3"}).pieces == 3


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"colour": "red"}, "no rule called 'colour'"),
        ({"spaces": "many"}, "takes a whole number"),
        ({"spaces": "4"}, "5 to 60 spaces"),
        ({"pieces": "0"}, "1 to 12 pieces"),
        ({"values": "1,2"}, "five numbers"),
        ({"values": "a,b"}, "culin, bell, or five numbers"),
        ({"values": "0,0,0,0,0"}, "not all 0"),
    ],
)
def test_a_change_that_makes_no_game_is_refused(changes: dict[str, str], says: str) -> None:
    """The refusal names the field and what it takes."""
    with pytest.raises(Unknown, match=says):
        variant("puluc").changed(changes)


def test_an_unknown_variant_is_refused_with_the_known_ones() -> None:
    """Nobody has to guess which variants there are."""
    with pytest.raises(Unknown, match="Known: puluc, puluc-bell"):
        variant("chess")
