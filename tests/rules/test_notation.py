"""A position has one spelling, and a wrong one is refused at the character."""

import doctest
from pathlib import Path

import pytest

from companion.errors import NotationError
from companion.rules.notation import parse, write
from companion.rules.position import Side, Unit
from companion.rules.variants import variant
from tests.rules.games import game

PAGE = Path(__file__).parents[2] / "docs" / "notation.md"


def test_the_page_about_it_is_true() -> None:
    """Every example of docs/notation.md comes out as written."""
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")

    assert failed == 0
    assert tried > 20


def test_units_are_read_top_first() -> None:
    """The capital names the owner; the small letters are its own pieces and its captives."""
    position = parse("2/3Jjoo3Oj1/2 0:0 O", variant("puluc"))

    assert position.spaces[3] == (Unit(Side.JADE, friends=(1,), prey=(1, 1)),)
    assert position.spaces[7] == (Unit(Side.OBSIDIAN, prey=(1,)),)
    assert (position.spaces[3][0].own, position.spaces[3][0].captives) == (2, 2)
    assert position.base == (2, 2)
    assert position.turn is Side.OBSIDIAN


@pytest.mark.parametrize(
    ("words", "text", "says"),
    [
        ("puluc", "", "character 1 (the end)"),
        ("puluc", "5/9/5 0:0", "character 10 (the end)"),
        ("puluc", "5/9/5 0:0 X", "character 11 ('X')"),
        ("puluc", "5/9/5 0:0 J ", "character 12 (' ')"),
        ("puluc", "5/9/5 0:0 J\n", "character 12 ('\\n')"),
        ("puluc", "5/4x4/5 0:0 J", "character 4 ('x')"),
        ("puluc", "4/3Jxo5/5 0:0 J", "character 5 ('x')"),
        ("puluc", "\u0665/9/5 0:0 J", "character 1 ('\u0665')"),
        ("puluc", "5/45/5 0:0 J", "character 3 ('4'): the highway has 45 spaces here, 9 in this game"),
        ("puluc", "5/4J4/5 0:0 J", "character 1 ('5'): Jade has 6 pieces in all here"),
        ("puluc", "5/9/5 0:1 J", "character 5 ('5'): Obsidian has 6 pieces in all here"),
        ("puluc", "9999/9/5 0:0 J", "character 4 ('9')"),
        # a second spelling of a position that has one
        ("puluc", "5/09/5 0:0 J", "character 3 ('0'): this position is spelled '5/9/5 0:0 J'"),
        ("puluc", "5/4,5/5 0:0 J", "character 4 (',')"),
        ("puluc", "5/0J9/5 0:0 J", "a run of no empty spaces is left out"),
        ("puluc", "4/1J43/5 0:0 J", "the highway has 45 spaces here"),
        ("puluc", "4/J4004/5 0:0 J", "two runs"),
        ("puluc", "4/(J)8/5 0:0 J", "character 5 (')')"),
        ("puluc", "5/9/5 0:0+0 J", "character 10 ('+')"),
        ("puluc", "5/9/5 0:0 J:1", "character 12 (':'): this position is spelled '5/9/5 0:0 J'"),
        ("bul liberation=yes", "2/Joj8/4 1:0 J", "character 5 ('j')"),
        ("boolik", "4/3Jo'7/4 0:0 J", "character 6 (\"'\"): this position is spelled '4/3Jo7/4 0:0 J'"),
        ("aj-sayil", "3/(J',J)18/5 0:0 J", "this position is spelled '3/(J,J')18/5 0:0 J'"),
        # what the game does not have
        ("puluc", "4/3J'5/5 0:0 J", "no unit without captives heads home"),
        ("boolik", "4/11/5(J') 0:0 J", "no unit rests in the enemy field"),
        ("puluc", "3/(J,J)8/5 0:0 J", "units do not share a space"),
        ("aj-sayil", "4/(J,O)18/4 0:0 J", "the two sides never share a space"),
        ("a-kaakil", "4/9J9/5 0:0 J", "nothing stands on space 10, where the fire burns"),
        ("aj-sayil", "4/19/5(J) 0:0 J", "expected units that rest in this field"),
        ("aj-sayil", "5/19/4(O') 0:0 J", "expected units that rest in this field, as in (J')"),
        ("puluc", "5/9/5 0:0 J:2", "character 13 ('2'): no player has this number"),
        ("puluc", "5/3J:24/5 0:0 J", "the highway has 8 spaces"),
        ("puluc", "5/3J:25/5 0:0 J", "a piece of Jade's player 2 is here, 1 play"),
        # players
        ("aj-sayil players=2", "5/19/5 0:0 J", "one count a player, 2 in all"),
        ("aj-sayil players=2", "5,5/19/5,5 0,0:0 J", "one count a player, 2 in all"),
        ("aj-sayil players=2", "5,4/J18/5,5 0,0:0,0 J", "Jade's player 1 has 6 pieces in all here"),
        ("aj-sayil players=2", "5,4/J:318/5,5 0,0:0,0 J", "Jade's player 2 has 4 pieces in all here"),
        ("aj-sayil players=2", "5,5/19/5,5 0,0:0,0 J:3", "no player has this number"),
        ("aj-sayil players=2", "5,5/19/5,5 0,0:0,0 J:1:2", "the other side begins with its player 1"),
        ("aj-sayil players=2", "5,4/J:2o:218/5,5 0,0:0,0 J", "Obsidian's player 2 has 6 pieces"),
        ("aj-sayil players=2", "4,3/J:2j:2j18/5,5 0,0:0,0 J", "this position is spelled '4,3/J:2jj:218"),
        ("bul-teams players=3", "3/9/3 0:0 J:2:1", "this position is spelled '3/9/3 0:0 J:2'"),
    ],
)
def test_refusal_points_at_the_character(words: str, text: str, says: str) -> None:
    """Whatever is wrong, one line names the place, and the count that does not fit."""
    with pytest.raises(NotationError) as refused:
        parse(text, game(words))

    assert says in str(refused.value)
    assert "is not a position: at character" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("puluc", "5/9/5 0:0 J"),
        ("puluc", "3/3Joo2O2/2 1:0 O"),
        ("puluc", "0/1JJjoOojj3O1/0 0:1 J"),
        ("buul", "2/J1Jj'4O1O1/3 0:0 J"),
        ("boolik", "0/1Jjo3J'3O1/1 2:2 J"),
        ("aj-sayil", "3(O')/13J'5/4 1:0 J"),
        ("aj-tiwil", "0/4J10O3/0 1+3:3+1 J"),
        ("aj-sayil", "1/(J,J')18/4(J',J') 0:1 J"),
        ("aj-sayil players=2", "4,5/4J14/5,5 0,0:0,0 J:2"),
        ("aj-sayil players=3", "5,4,3/(J:2,J:3)17O:3/5,5,4 0,0,1:0,0,0 O"),
        ("aj-sayil players=8", "5,5,5,5,5,5,5,4(O:8')/J:818/5,5,5,5,5,5,5,4 0,0,0,0,0,0,0,0:0,0,0,0,0,0,0,0 J:8"),
        ("aj-tiwil players=2", "4,4/19/4,4 0+1,1:1,0+1 J"),
        ("bul-teams players=7", "7/9/7 0:0 O:6:7"),
    ],
)
def test_what_is_parsed_is_written_back(words: str, text: str) -> None:
    """Parsing and writing are inverse."""
    assert write(parse(text, game(words))) == text
