"""The tiles of the games differ at a glance."""

import re

from companion.rules.variant_fields import Captor, Winner
from companion.rules.variants import VARIANTS
from web.game_tiles import SENTENCES, tile_icon


def test_every_game_has_a_sentence_and_a_picture_of_its_own() -> None:
    pictures = {tile_icon(rules) for rules in VARIANTS.values()}
    drawn = {name: len(re.findall('class="[sf]"', tile_icon(rules))) for name, rules in VARIANTS.items()}

    assert drawn == {name: rules.spaces for name, rules in VARIANTS.items()}
    assert SENTENCES.keys() == VARIANTS.keys()
    assert len(set(SENTENCES.values())) == len(pictures) == len(VARIANTS)


def test_captives_on_the_road_are_not_said_to_win() -> None:
    """Only where a captor leaves at once is every captive slain; otherwise those that are carried in count."""
    won_by_slaying = [rules for rules in VARIANTS.values() if rules.winner is Winner.MOST_CAPTURES]
    carried = [rules.id for rules in won_by_slaying if rules.captor is not Captor.LEAVES]

    assert carried
    assert [name for name in carried if "captives win" in SENTENCES[name]] == []
