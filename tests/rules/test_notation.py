"""A position has one spelling, and a wrong one is refused at the character."""

import pytest

from companion.errors import NotationError
from companion.rules.notation import parse, write
from companion.rules.position import Side, Unit
from companion.rules.variant import variant


def test_units_are_read_top_first() -> None:
    """The capital names the owner; the small letters are its own pieces and its captives."""
    position = parse("2/3Jjoo3Oj1/2 0:0 O", variant("puluc"))

    assert position.spaces[3] == Unit(Side.JADE, own=2, captives=2)
    assert position.spaces[7] == Unit(Side.OBSIDIAN, own=1, captives=1)
    assert position.base == (2, 2)
    assert position.turn is Side.OBSIDIAN


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "character 1 (the end)"),
        ("5/9/5 0:0", "character 10 (the end)"),
        ("5/9/5 0:0 X", "character 11 ('X')"),
        ("5/9/5 0:0 J ", "character 12 (' ')"),
        ("5/4x4/5 0:0 J", "character 4 ('x')"),
        ("4/3Jxo5/5 0:0 J", "character 5 ('x')"),
        ("5/09/5 0:0 J", "character 3 ('0')"),
        ("\u0665/9/5 0:0 J", "character 1 ('\u0665')"),
        ("5/45/5 0:0 J", "45 spaces here, 9 in this game"),
        ("5/4J4/5 0:0 J", "Jade has 6 pieces in all here"),
        ("5/9/5 0:1 J", "Obsidian has 6 pieces in all here"),
    ],
)
def test_refusal_points_at_the_character(text: str, says: str) -> None:
    """Whatever is wrong, one line names the place or the count."""
    with pytest.raises(NotationError) as refused:
        parse(text, variant("puluc"))

    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("text", ["5/9/5 0:0 J", "3/3Joo2O2/2 1:0 O", "0/1JJjoOojj3O1/0 0:1 J"])
def test_what_is_parsed_is_written_back(text: str) -> None:
    """Parsing and writing are inverse."""
    assert write(parse(text, variant("puluc"))) == text
