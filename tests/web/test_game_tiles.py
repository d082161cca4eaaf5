"""The tiles of the games differ at a glance."""

import re

from companion.rules.variants import VARIANTS
from web.game_tiles import SENTENCES, tile_icon


def test_every_game_has_a_sentence_and_a_picture_of_its_own() -> None:
    pictures = {tile_icon(rules) for rules in VARIANTS.values()}
    drawn = {name: len(re.findall('class="[sf]"', tile_icon(rules))) for name, rules in VARIANTS.items()}

    assert drawn == {name: rules.spaces for name, rules in VARIANTS.items()}
    assert SENTENCES.keys() == VARIANTS.keys()
    assert len(set(SENTENCES.values())) == len(pictures) == len(VARIANTS)
