"""Variants are data with a source; fields that make no game are refused with the accepted values."""

import ast
from pathlib import Path

import pytest

import companion
from companion.errors import Unknown
from companion.i18n import languages, use_language
from companion.rules.variant_fields import BELL, FIELDS, Captor, FarEnd
from companion.rules.variants import VARIANTS, variant

TABLE = """
puluc           9 5 culin 1 5   onward   return
puluc-bell      9 5 bell  1 5   onward   return
puluc-culin     9 5 culin 1 1   homeward return
culin          14 5 culin 1 1   homeward return
ritual-warfare  9 5 culin 1 2   homeward return
puluc-looping   9 5 culin 1 5   onward   loop
bul             9 5 culin 1 5   homeward return
bul-teams       9 5 culin 1 all homeward return    teams=shared
buluc           9 5 culin 1 5   homeward stop
boolik         11 5 culin 1 5   homeward bounce    rescued=slain
buul           11 5 culin 1 5   homeward return    liberation=yes
puluc-13       11 5 culin 1 5   onward   return
aj-sayil       19 5 culin 2 1   homeward walk_back sharing=yes teams=owned
aj-tiwil       19 5 culin 2 1   leaves   walk_back sharing=yes teams=owned captor_retires=yes winner=most_captures
aj-sinaanil    19 5 culin 2 1   homeward walk_back sharing=yes teams=owned retreat_captures=yes
aj-sakalil     19 5 culin 2 1   onward   return    sharing=yes teams=owned winner=most_captures
aj-sakakil     19 5 culin 2 1   onward   return    sharing=yes teams=owned winner=most_captures
a-kaakil       19 5 culin 2 1   homeward walk_back sharing=yes teams=owned fire=10
"""
COLUMNS = ("spaces", "pieces", "values", "throws", "advancing", "captor", "far_end")


@pytest.mark.parametrize("row", TABLE.strip().splitlines())
def test_the_table_of_variants(row: str) -> None:
    """Each row of the rules page is checked, with Puluc's values as defaults; fields parsed from text are exact."""
    id, *cells = row.split()  # noqa: A001 - the field's own name
    fields = dict(zip(COLUMNS, cells[:7], strict=True)) | dict(cell.split("=") for cell in cells[7:])

    assert variant("puluc").changed(fields).rules() == variant(id).rules()


def test_every_variant_is_in_the_table_and_names_its_source() -> None:
    """Readers can look up the source of each variant."""
    assert [row.split()[0] for row in TABLE.strip().splitlines()] == list(VARIANTS)
    assert all(rules.source and rules.name for rules in VARIANTS.values())


def test_fields_can_be_set_freely() -> None:
    """A custom game is a variant with some fields changed, each given as text."""
    custom = variant("puluc").changed(
        {"values": "Bell", "far_end": "bounce", "advancing": "all", "fire": "5", "sharing": " yes "}
    )

    assert (custom.values, custom.far_end, custom.advancing, custom.fire) == (BELL, FarEnd.BOUNCE, None, 5)
    assert custom.sharing
    assert variant("puluc").changed({"values": "0, 1,2,3,4", "pieces": "3"}).values == (0, 1, 2, 3, 4)
    assert variant("a-kaakil").changed({"fire": "none"}).fire is None
    assert variant("bul").changed({"captor": "leaves", "captor_retires": "yes"}).captor is Captor.LEAVES


def test_sizes_follow_the_number_of_players() -> None:
    """Aj Sakakil grows with 10 and with 16 players in all, and Bul has one piece a player, unless told otherwise."""
    sizes = [variant("aj-sakakil").changed({"players": str(players)}).spaces for players in range(1, 9)]

    assert sizes == [19, 19, 19, 19, 24, 24, 24, 29]
    assert variant("aj-sakakil").changed({"players": "8", "spaces": "19"}).spaces == 19
    assert variant("aj-sakakil").changed({"players": "8"}).changed({"players": "2"}).spaces == 19
    assert variant("bul-teams").changed({"players": "7"}).pieces == 7


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ("colour=red", "no rule called 'colour'. The rules that can be set: spaces, pieces"),
        ("spaces=many", "'many' is not a value for spaces: it takes a whole number"),
        ("spaces=-9", "takes a whole number"),
        ("spaces=٩", "takes a whole number"),
        ("spaces=4", "5 to 60 spaces"),
        ("pieces=0", "1 to 99 pieces"),
        ("values=1,2", "five numbers"),
        ("values=a,b", "culin, bell, or five numbers"),
        ("values=0,0,0,0,0", "not all 0"),
        ("values=10,1,2,3,4", "each is 0 to 9"),
        ("throws=3", "1 or 2 throws"),
        ("advancing=0", "1 to 99 units may advance, or all"),
        ("captor=sideways", "takes onward, homeward or leaves"),
        ("sharing=perhaps", "takes yes or no"),
        ("fire=0", "one of the spaces 1 to 9, or none"),
        ("fire=10", "one of the spaces 1 to 9, or none"),
        ("captor_retires=yes", "captor_retires goes only with captor=leaves, not onward"),
        ("liberation=yes far_end=stop", "liberation goes only with far_end=return, not stop"),
        ("liberation=yes captor=leaves", "liberation goes with captor=onward or homeward"),
        ("rescued=slain captor=leaves", "rescued=slain goes with captor=onward or homeward"),
        ("exact_home=yes far_end=loop", "exact_home goes with any far_end but loop"),
        ("exact_home=yes captor=leaves", "goes only with far_end=bounce or walk_back"),
        ("players=2", "1 player; set teams to shared or owned"),
        ("teams=shared players=8", "1 to 7 players"),
        ("teams=owned players=9", "1 to 8 players"),
        ("teams=owned players=0", "1 to 8 players"),
    ],
)
def test_a_change_that_makes_no_game_is_refused(changes: str, says: str) -> None:
    """The message names the field and the accepted values."""
    with pytest.raises(Unknown) as refused:
        variant("puluc").changed(dict(change.split("=") for change in changes.split()))

    assert says in str(refused.value)


def test_in_spanish_values_are_listed_without_an_or() -> None:
    """Before "owned" it would have to be another word than before "slain"."""
    with pytest.raises(Unknown) as refused:
        variant("puluc").changed({"teams": "everyone"})

    with use_language(languages()["es"]):
        assert str(refused.value).endswith("admite uno de estos: none, shared, owned.")


def test_an_unknown_variant_is_refused_with_the_known_ones() -> None:
    """The message lists the known variants."""
    with pytest.raises(Unknown, match="Known: puluc, puluc-bell"):
        variant("chess")


def test_no_code_asks_for_a_variants_name() -> None:
    """Behaviour depends on fields only: no id occurs in a comparison or a match anywhere in the program."""
    for path in Path(companion.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Compare | ast.MatchValue):
                asked = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
                assert not asked & VARIANTS.keys(), f"{path}:{node.lineno}"


def test_every_field_is_in_the_rules() -> None:
    """Every field that can be set is part of a variant's description."""
    assert list(variant("puluc").rules()) == list(FIELDS)
