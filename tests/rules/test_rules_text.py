"""The rules text is generated from a variant's fields and agrees with the rules page."""

from random import Random

import pytest

from companion.i18n import languages, use_language
from companion.rules.rules_text import Rule, tell
from companion.rules.variants import VARIANTS
from tests.rules.games import game, random_game, random_variant


def words(named: str) -> str:
    """The whole rules text of a game."""
    return " ".join(rule.text for rule in tell(game(named)))


def of(named: str, drawing: str) -> str:
    """The text of the rule with this drawing; empty if the game has no such rule."""
    return next((rule.text for rule in tell(game(named)) if rule.drawing == drawing), "")


FLIPS = """
puluc spaces=10
puluc pieces=4
puluc pieces=1
puluc values=bell
puluc values=5,1,2,3,5
puluc throws=2
puluc advancing=1
puluc advancing=4
puluc captor=homeward
puluc captor=leaves
puluc captor=leaves captor_retires=yes
puluc far_end=loop
puluc far_end=stop
puluc far_end=bounce
puluc far_end=walk_back
puluc exact_home=yes
puluc sharing=yes
puluc rescued=slain
puluc liberation=yes
puluc retreat_captures=yes
puluc fire=4
puluc fire=5
puluc teams=shared players=2
puluc teams=shared players=3
puluc teams=owned players=2
puluc teams=owned players=3
puluc winner=most_captures
"""


def test_a_field_that_is_set_otherwise_is_told_otherwise() -> None:
    """Each change of a field of Puluc gives a different text."""
    games = ["puluc", *FLIPS.strip().splitlines()]
    texts = {tuple(rule.text for rule in tell(game(one))) for one in games}

    assert len(texts) == len(games)


def test_games_that_differ_are_told_differently() -> None:
    """Two variants, with two players a side in team games, have the same text only if all their fields are equal."""
    games = [rules.changed({"players": "1" if rules.teams == "none" else "2"}) for rules in VARIANTS.values()]

    assert len({tell(rules) for rules in games}) == len({str(rules.rules()) for rules in games})


def test_own_pieces_that_will_be_slain_are_not_called_rescued() -> None:
    """Where pieces taken back are slain on coming home, they come along with the captor until then."""
    assert "among them come along" in of("boolik", "capture")
    assert "rescued" not in words("boolik")
    assert "among them are rescued" in of("bul", "capture")


def test_in_spanish_captives_are_carried_home_only_where_captors_turn() -> None:
    """An onward captor carries its captives to the enemy base, up to the last of them."""
    with use_language(languages()["es"]):
        onward, homeward = words("puluc"), words("bul")

    assert "a casa" not in onward
    assert "a casa" in homeward


def test_pieces_enough_for_all_to_advance_are_told_as_all() -> None:
    """A limit that never binds is not mentioned."""
    assert of("puluc advancing=5", "advancing") == of("puluc advancing=all", "advancing")
    assert "all pieces" in of("bul-teams players=4", "advancing")


@pytest.mark.parametrize("seed", range(200))
def test_every_game_is_told_in_short_sentences(seed: int) -> None:
    """With any fields, each rule has one title and one drawing, and no sentence has more than 30 words."""
    rules = random_variant(Random(seed))
    sections = tell(rules)

    assert len({rule.title for rule in sections}) == len(sections)
    assert len({rule.drawing for rule in sections if rule.drawing}) == len([rule for rule in sections if rule.drawing])
    for rule in sections:
        assert rule.title
        assert rule.text[0].isupper()
        assert rule.text[-1] in ".!"
        assert "  " not in rule.text
        for sentence in rule.text.replace("?", ".").split(". "):
            assert len(sentence.split()) <= 30, sentence


def test_only_what_the_game_has_is_told() -> None:
    """Puluc's text leaves out rules that it does not have; each appears with its field."""
    plain = {rule.drawing for rule in tell(game("puluc"))}

    assert not plain & {"two_throws", "retreat", "liberation", "fire", "teams"}
    assert of("aj-sayil", "two_throws")
    assert of("aj-sinaanil", "retreat")
    assert of("buul", "liberation")
    assert of("a-kaakil", "fire").startswith("A fire burns on space 10,")
    assert of("bul-teams players=3", "teams")
    assert not of("puluc captor=leaves", "home")
    assert of("puluc captor=leaves far_end=walk_back", "home")


@pytest.mark.parametrize(
    ("named", "drawing", "says"),
    [
        ("puluc", "setup", "9 spaces"),
        ("puluc", "setup", "lay down 10."),
        ("puluc pieces=1", "setup", "1 piece in its base"),
        ("aj-sayil players=3", "setup", "each side has 15 pieces"),
        ("puluc", "begin", "If the values are equal, both throw again."),
        ("puluc", "throw", "none is worth 5, one is worth 1, two are worth 2, three 3 and four 4."),
        ("puluc-bell", "throw", "A throw worth 0 moves nothing and ends the turn."),
        ("aj-sayil values=bell", "throw", "A throw worth 0 moves nothing."),
        ("puluc", "move", "2 brings it to space 2, counted from your base"),
        ("puluc values=1,1,1,1,1", "move", "1 brings it to space 1, counted from your base"),
        ("puluc values=0,0,0,0,3", "move", "3 brings it to space 3, counted from your base"),
        ("culin values=0,0,0,0,11", "move", "11 brings it to space 11, counted from your base"),
        (
            "culin",
            "advancing",
            "only one unit on the highway at a time. A new piece may enter only when there is none.",
        ),
        ("ritual-warfare", "advancing", "at most 2 units on the highway at a time."),
        ("aj-sayil players=2", "advancing", "A player may have only one unit"),
        ("aj-sayil", "advancing", "rests in the enemy's field counts, too"),
        ("puluc", "sharing", "You may not land"),
        ("aj-sayil", "sharing", "captures all of them"),
        ("puluc", "capture", "on towards the enemy base"),
        ("puluc far_end=bounce", "capture", "Whichever way it came, it now heads for the enemy base."),
        ("bul", "capture", "The stack turns round. On later throws it moves home"),
        ("boolik", "capture", "Whichever way it came, it now heads for home. On later throws it moves home"),
        ("bul retreat_captures=yes", "capture", "Whichever way it came, it now heads for home."),
        ("aj-tiwil", "capture", "does not count as slain"),
        ("bul captor=leaves", "capture", "goes back to base and may enter again"),
        ("puluc", "home", "A unit with captives comes in at the enemy base. The value may be higher"),
        ("buluc exact_home=yes", "home", "exactly into the base"),
        ("boolik", "home", "All other pieces of its side in the unit are slain, too."),
        ("bul", "home", "So do the pieces that it has rescued."),
        ("buul", "home", "A unit without captives that heads home comes in at its own base."),
        ("puluc", "far_end", "goes back to its own base"),
        ("puluc-looping", "far_end", "as on a ring. A unit with captives comes in instead."),
        ("buluc", "far_end", "not allowed"),
        ("boolik", "far_end", "count the rest back"),
        ("aj-sayil", "far_end", "rests in the enemy's field"),
        ("buul", "liberation", "One that is left with several pieces goes on home."),
        ("buul captor=onward", "liberation", "So does one that is left with several pieces."),
        ("a-kaakil winner=most_captures", "fire", "Captives that burn count as slain"),
        ("bul-teams players=3", "teams", "Whoever throws may move any unit of the team"),
        ("aj-sayil players=3", "teams", "move any team-mate's unit"),
        ("puluc", "win", "The other side has won."),
        ("aj-sakalil", "win", "The side that has slain more enemy pieces has won."),
        ("aj-tiwil", "win", "If both sides are out and have slain the same number, the game is a draw."),
        ("aj-tiwil winner=last_standing", "win", "both sides are out at the same moment, the game is a draw"),
        ("boolik winner=most_captures", "win", "count for the enemy"),
    ],
)
def test_what_is_told(named: str, drawing: str, says: str) -> None:
    """Each rule of the rules page is in the text of a game that has it."""
    assert says in of(named, drawing)


def test_where_captors_leave_nothing_is_told_of_stacks() -> None:
    """Every unit is a single piece there."""
    told = words("aj-tiwil players=2")

    assert "stack" not in told
    assert "on top" not in told


def test_onward_captors_never_walk_home_after_a_liberation() -> None:
    """If liberated stacks keep their heading, the text mentions no unladen unit that heads home."""
    assert "heads home" not in words("buul captor=onward")


@pytest.mark.parametrize("seed", range(60))
def test_what_happens_in_play_is_told(seed: int) -> None:
    """If random play shows a unit without captives heading home, the text mentions such units."""
    chance = Random(seed)
    rules = random_variant(chance)
    places = [units for position, _ in random_game(rules, chance, 60) for units in position.places]
    seen = any(unit.home for units in places for unit in units)

    text = " ".join(rule.text for rule in tell(rules))
    assert not seen or "A unit without captives that heads home comes in" in text


def test_a_rule_is_a_value() -> None:
    """Rules compare by what they say, so that a page can tell whether they have changed."""
    assert tell(game("bul")) == tell(game("bul"))
    assert Rule("The aim", "Win.").drawing is None
