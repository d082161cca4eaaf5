"""A table file is complete and for the right game, or refused by name."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from companion.advice.solver.ranking import Ranking
from companion.advice.solver.solved_table import ROUNDING, SolvedTable, table_name, write_table
from companion.errors import TableUnusable
from companion.rules.notation import parse
from companion.rules.odds import FAIR
from companion.rules.variants import variant

RULES = variant("puluc").changed({"spaces": "5", "pieces": "1"})
WIN = np.append(np.linspace(0, 1, Ranking(RULES).positions - 1), 0.5)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / table_name(RULES)
    write_table(path, RULES, FAIR, WIN, bound=1e-8, start=0.25)
    return path


def test_every_chance_is_stored_within_the_stated_rounding(path: Path) -> None:
    """One half is stored exactly."""
    table = SolvedTable.open(path, RULES)
    read = np.array([table.stored[at] / 65534 for at in range(len(WIN))])

    assert np.abs(read - WIN).max() <= ROUNDING
    assert read[-1] == 0.5
    assert (table.error_bound, table.start, table.positions) == (1e-8, 0.25, len(WIN))
    assert table.stored_bound == 1e-8 + ROUNDING


def test_games_that_differ_in_name_share_a_table() -> None:
    """Two-player bul and team bul have the same chances; other rules or lots do not."""
    bul = variant("bul")
    assert table_name(bul) == table_name(variant("bul-teams").changed({"players": "5"}))
    others = [bul.changed({"spaces": "8"}), bul.changed({"values": "bell"}), bul.changed({"captor": "onward"})]
    assert len({table_name(bul), table_name(bul, Fraction(1, 3)), *map(table_name, others)}) == 5


def test_an_altered_file_is_refused(path: Path) -> None:
    """One flipped bit in the header, the chances or the checksum is enough."""
    whole = path.read_bytes()
    for at in (0, 9, 40, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(TableUnusable, match=path.name):
            SolvedTable.open(path, RULES)


def test_a_file_cut_short_is_refused(path: Path) -> None:
    """A file cut at any length, or with trailing bytes, is refused."""
    whole = path.read_bytes()
    for changed in (b"", whole[:5], whole[:30], whole[:200], whole[:-1], whole + b"\0"):
        path.write_bytes(changed)
        with pytest.raises(TableUnusable, match=path.name):
            SolvedTable.open(path, RULES)


def test_a_table_for_other_rules_is_refused_and_the_difference_named(path: Path) -> None:
    """For example, after a file was renamed by hand."""
    with pytest.raises(TableUnusable, match="values is"):
        SolvedTable.open(path, RULES.changed({"values": "bell"}))
    with pytest.raises(TableUnusable, match="1/3"):
        SolvedTable.open(path, RULES, Fraction(1, 3))


def test_a_header_of_something_else_is_refused(path: Path) -> None:
    """Valid JSON in another format is refused."""
    headers: list[object] = [[], {"rules": None}, {"positions": "many"}]
    for header in headers:
        text = json.dumps(header).encode()
        path.write_bytes(b"PULUCTB1" + len(text).to_bytes(4, "little") + text)
        with pytest.raises(TableUnusable, match=path.name):
            SolvedTable.open(path, RULES)


def test_an_unreachable_position_has_no_chance(path: Path) -> None:
    """The answer is None, not a wrong number."""
    table = SolvedTable.open(path, RULES)
    assert table.win(parse("1/5/1 0:0 J", RULES)) is not None
    assert table.win(parse("0/5/1 1:0 J", RULES)) is None
