"""The drawings of the rules are generated from a game's fields, and can be embedded in the page."""

from random import Random
from xml.etree import ElementTree as ET

import pytest

from companion.rules.rules_text import tell
from companion.rules.variants import VARIANTS
from tests.rules.games import game, random_variant
from web.diagrams.rule_diagrams import DRAWINGS, drawing
from web.diagrams.svg import WIDTH

PLAIN = {"svg", "title", "rect", "circle", "polygon", "path", "text"}


def drawn(key: str, named: str) -> ET.Element:
    return ET.fromstring(drawing(key, game(named)))  # noqa: S314 - our own text


def with_class(picture: ET.Element, *kinds: str) -> list[ET.Element]:
    return [part for part in picture.iter() if set(kinds) <= set(part.get("class", "").split())]


def texts(picture: ET.Element) -> list[str]:
    return [part.text or "" for part in picture.iter("text")]


@pytest.mark.parametrize("id", VARIANTS)
def test_every_rule_of_every_variant_is_drawn(id: str) -> None:  # noqa: A002 - the field's own name
    """Each key in the rules text has a drawing whose title says what it shows."""
    rules = VARIANTS[id]

    for rule in tell(rules):
        if rule.drawing:
            picture = ET.fromstring(drawing(rule.drawing, rules))  # noqa: S314 - our own text
            assert picture.get("role") == "img"
            assert picture[0].tag == "title"
            assert picture[0].text


@pytest.mark.parametrize("seed", range(200))
def test_any_game_is_drawn_plainly_and_inside_its_frame(seed: int) -> None:
    """No drawing has a script, style, id or address, and no shape or word begins outside it."""
    rules = random_variant(Random(seed))

    for rule in tell(rules):
        if not rule.drawing:
            continue
        picture = ET.fromstring(drawing(rule.drawing, rules))  # noqa: S314 - our own text
        _, _, width, height = map(float, picture.get("viewBox", "").split())
        assert width == WIDTH
        for part in picture.iter():
            assert part.tag in PLAIN
            assert not {"style", "id", "href"} & part.attrib.keys()
            assert not any(name.startswith("on") or "url(" in value for name, value in part.attrib.items())
            for across, down in (("x", "y"), ("cx", "cy")):
                assert 0 <= float(part.get(across, 0)) <= width, (rule.drawing, part.attrib)
                assert 0 <= float(part.get(down, 0)) <= height, (rule.drawing, part.attrib)
            if part.tag == "text":
                assert float(part.get("y", 0)) >= float(part.get("font-size", 0)) * 0.75, (rule.drawing, part.text)


@pytest.mark.parametrize(
    "named", ["puluc", "culin", "aj-sayil", "aj-sakakil players=8", "bul spaces=60", "bul spaces=5"]
)
def test_the_board_has_its_real_number_of_spaces(named: str) -> None:
    """The highway is drawn space by space, winding where it is long."""
    picture = drawn("setup", named)

    assert len(with_class(picture, "cell")) == game(named).spaces
    assert [part.text for part in with_class(picture, "number")] == [str(n + 1) for n in range(game(named).spaces)]


@pytest.mark.parametrize(("named", "pieces"), [("puluc", 5), ("bul-teams players=7", 7), ("aj-sayil players=4", 20)])
def test_the_bases_hold_their_real_number_of_pieces(named: str, pieces: int) -> None:
    """Jade's are round and Obsidian's are diamonds, so that they can be counted."""
    picture = drawn("setup", named)

    assert [part.tag for part in with_class(picture, "jade")] == ["circle"] * pieces
    assert [part.tag for part in with_class(picture, "obsidian")] == ["polygon"] * pieces


def test_many_pieces_are_a_number() -> None:
    """Forty pieces in a base are shown as a number."""
    assert texts(drawn("setup", "aj-sakakil players=8")).count("40") == 2


def test_the_throws_have_their_values() -> None:
    """There are five throws of four sticks, 0 to 4 marked, each with its value in this game."""
    picture = drawn("throw", "puluc-bell")

    assert texts(picture) == ["5", "0", "2", "3", "4"]
    assert len(with_class(picture, "stick")) == 5 * 4
    assert len(with_class(picture, "marked")) == 0 + 1 + 2 + 3 + 4


@pytest.mark.parametrize(
    ("key", "games"),
    [
        ("capture", "puluc|bul|puluc captor=leaves|puluc captor=leaves captor_retires=yes"),
        ("far_end", "bul|bul far_end=loop|bul far_end=stop|bul far_end=bounce|bul far_end=walk_back"),
        ("home", "puluc|bul|bul exact_home=yes|bul rescued=slain|bul captor=leaves far_end=walk_back"),
        ("advancing", "bul|bul advancing=1|bul advancing=2"),
        ("sharing", "bul|bul sharing=yes"),
        ("teams", "bul-teams players=2|bul-teams players=3|aj-sayil players=2|aj-sayil players=3"),
        ("fire", "bul fire=3|bul fire=4"),
        ("win", "bul|bul winner=most_captures|bul winner=most_captures pieces=2"),
        ("two_throws", "aj-sayil|aj-sayil values=4,4,4,4,4|aj-sayil spaces=5 values=5,5,5,5,5"),
        ("begin", "bul|bul values=2,2,2,2,2"),
    ],
)
def test_another_rule_is_another_drawing(key: str, games: str) -> None:
    """Different data give a different drawing and a different title."""
    named = games.split("|")

    assert len({drawing(key, game(one)) for one in named}) == len(named)


def test_the_fire_burns_on_its_space() -> None:
    """The board shows the fire where it is, and only where there is one."""
    assert len(with_class(drawn("setup", "a-kaakil"), "fire")) == 1
    assert not with_class(drawn("setup", "aj-sayil"), "fire")
    assert "space 10 is burnt" in (drawn("fire", "a-kaakil")[0].text or "")


@pytest.mark.parametrize(
    ("key", "named", "arrives"),
    [
        ("capture", "bul", "4"),
        ("capture", "bul fire=4", "3"),
        ("capture", "bul fire=2", "3"),
        ("retreat", "bul retreat_captures=yes fire=2", "1"),
    ],
)
def test_nothing_is_captured_on_the_fire(key: str, named: str, arrives: str) -> None:
    """The captured piece is drawn on a space that does not burn."""
    picture = drawn(key, named)
    spaces = {part.get("x"): part.text for part in with_class(picture, "number")}
    [enemy, *_] = with_class(picture, "obsidian")

    assert spaces[enemy.get("points", "").split()[0]] == arrives


def test_there_is_no_other_key() -> None:
    """An unknown key raises an error."""
    with pytest.raises(KeyError):
        drawing("chess", game("puluc"))
    assert set(DRAWINGS) == {rule.drawing for rules in map(game, EVERY) for rule in tell(rules) if rule.drawing}


EVERY = ("puluc", "aj-sinaanil players=2", "buul", "a-kaakil")
