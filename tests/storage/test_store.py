"""Stored events are never lost, and an unusable folder is refused with the reason."""

import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from companion.errors import NotStored, SettingsUnusable, StoreDamaged
from companion.referee.events import (
    CameraChanged,
    CameraState,
    Event,
    Face,
    GameDeleted,
    GameRenamed,
    GameResumed,
    GameStarted,
    Lot,
    MoveChosen,
    MoveProposed,
    Options,
    OptionsSet,
    Picture,
    Resigned,
    ThrowDrawn,
    ThrowEntered,
    ThrowSeen,
    ThrowUnreadable,
)
from companion.referee.referee import Referee
from companion.referee.saved_games import SavedGame
from companion.rules.unit import Side
from companion.storage import store as store_module
from companion.storage.schema import MIGRATIONS
from companion.storage.store import Store

START = GameStarted(variant="puluc", jade=("Ana",), obsidian=("easy",), seed=5, changes={"spaces": "11"})
LOT = Lot(x=1.5, y=2.5, angle=30.0, face=Face.MARKED, confidence=0.75, outline=((0.0, 1.0), (2.0, 3.0)))
PICTURE = Picture(jpeg=b"\xff\xd8picture", width=640, height=480)
ENTRY = SavedGame(
    number=1,
    name="Sunday",
    variant="puluc",
    jade=("Ana",),
    obsidian=("easy",),
    phase="throw",
    winner=None,
    position="5/9/5 0:0 J",
    match=0,
)
EXAMPLES: list[Event] = [
    START,
    ThrowSeen(marked=3, confidence=0.5, lots=(LOT,)),
    ThrowUnreadable(reason="glare", lots=(LOT, LOT)),
    CameraChanged(state=CameraState.LOST, message="Unplugged."),
    ThrowEntered(4),
    MoveChosen(None, 4),
    MoveProposed(9, None, 2, "Joo"),
    ThrowDrawn(2),
    Resigned(Side.OBSIDIAN),
    OptionsSet(Options(draw=True)),
    GameResumed(1),
    GameRenamed(1, "Monday"),
    GameDeleted(7),
    *(kind() for kind in get_args(Event) if not kind.__dataclass_fields__),
]


def test_every_kind_of_event_comes_back_as_it_went(tmp_path: Path) -> None:
    """Events read after a restart equal those written, numbered from 1."""
    store = Store(tmp_path)
    store.append(EXAMPLES[:3], ENTRY)
    store.append(EXAMPLES[3:], ENTRY)
    store.close()
    again = Store(tmp_path)

    assert {type(event) for event in EXAMPLES} == set(get_args(Event))
    assert list(again.game(1)) == list(enumerate(EXAMPLES, 1))
    assert again.last == len(EXAMPLES)
    again.close()


def test_each_game_has_its_own_events(tmp_path: Path) -> None:
    """Games may alternate in the file; each is read alone, and the latest one is on the table."""
    store = Store(tmp_path)
    store.append([START, ThrowEntered(1)], ENTRY)
    store.append([START, ThrowEntered(2)], replace(ENTRY, number=3))
    store.append([ThrowEntered(3)], ENTRY)

    assert list(store.game(1)) == [(1, START), (2, ThrowEntered(1)), (5, ThrowEntered(3))]
    assert list(store.game(3)) == [(3, START), (4, ThrowEntered(2))]
    assert store.current() == 1
    assert [entry.number for entry in store.games()] == [1, 3]
    store.close()


def test_pictures_are_kept_apart_and_the_oldest_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The event keeps the picture's size for ever; the picture is deleted after too many newer ones."""
    monkeypatch.setattr(store_module, "PICTURES_KEPT", 2)
    store = Store(tmp_path)
    store.append([START], ENTRY)
    for marked in range(3):
        store.append([ThrowSeen(marked=marked, confidence=1.0, lots=(), picture=PICTURE)], ENTRY)

    assert [store.picture(number) for number in range(1, 6)] == [None, None, PICTURE.jpeg, PICTURE.jpeg, None]
    assert [event.picture for _, event in store.game(1) if isinstance(event, ThrowSeen)] == [
        Picture(jpeg=b"", width=640, height=480)
    ] * 3
    store.close()


def test_a_second_companion_is_kept_off(tmp_path: Path) -> None:
    """Two programs on one folder would overwrite each other's game."""
    store = Store(tmp_path)

    with pytest.raises(SettingsUnusable, match="another companion runs on them"):
        Store(tmp_path)
    store.close()
    Store(tmp_path).close()


@pytest.mark.parametrize("content", [b"no database at all", b""])
def test_a_file_that_is_not_ours_is_refused_or_fresh(tmp_path: Path, content: bytes) -> None:
    """A foreign file is named and left unchanged; an empty one is a fresh start."""
    (tmp_path / "puluc.sqlite3").write_bytes(content)

    if content:
        with pytest.raises(SettingsUnusable, match="not a database"):
            Store(tmp_path)
        assert (tmp_path / "puluc.sqlite3").read_bytes() == content
    else:
        Store(tmp_path).close()


def test_a_newer_programs_games_are_refused(tmp_path: Path) -> None:
    """An older program could misread them."""
    with sqlite3.connect(tmp_path / "puluc.sqlite3") as db:
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    db.close()

    with pytest.raises(SettingsUnusable, match="newer version"):
        Store(tmp_path)


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    """The message names the folder and the option to change."""
    (tmp_path / "games").write_text("")

    with pytest.raises(SettingsUnusable, match="--data"):
        Store(tmp_path / "games")


def test_what_the_disk_does_not_take_did_not_happen(tmp_path: Path) -> None:
    """On a full disk the event is refused completely, and the store continues once there is room."""
    store = Store(tmp_path)
    store.append([START], ENTRY)
    pages = store._db.execute("PRAGMA page_count").fetchone()[0]
    store._db.execute(f"PRAGMA max_page_count = {pages}")
    big = ThrowSeen(marked=1, confidence=1.0, lots=(), picture=Picture(jpeg=b"x" * 100_000, width=1, height=1))

    with pytest.raises(NotStored, match="full"):
        store.append([ThrowEntered(1), big], ENTRY)
    assert list(store.game(1)) == [(1, START)]
    store._db.execute("PRAGMA max_page_count = 1000000")
    store.append([big], ENTRY)
    assert store.last == 2
    store.close()


def test_games_kept_before_there_was_a_list_are_listed(tmp_path: Path) -> None:
    """Events in a file of the first version are sorted by game; a single name is read as a team of one."""
    with sqlite3.connect(tmp_path / "puluc.sqlite3", isolation_level=None) as db:
        MIGRATIONS[0](db)
        db.execute("PRAGMA user_version = 1")
        body = '{"variant": "puluc", "jade": "Ana", "obsidian": "easy", "seed": 5, "changes": {}}'
        for number, (kind, text) in enumerate(
            [("GameStarted", body), ("ThrowEntered", '{"marked": 4}'), ("GameStarted", body)], 1
        ):
            db.execute("INSERT INTO events VALUES (?, '', ?, ?)", (number, kind, text))
    db.close()
    referee = Referee(Store(tmp_path), first=START)

    assert [(entry.number, entry.jade, entry.phase) for entry in referee.games()] == [
        (1, ("Ana",), "throw_off"),
        (3, ("Ana",), "throw_off"),
    ]
    assert referee.snapshot().game == 3
    assert referee.load_game(1).opening[0][1].marked == 4
    referee.close()


def test_people_of_old_games_with_a_later_levels_name_stay_people(tmp_path: Path) -> None:
    """Whoever played as bold before there was such a level is now called Bold, in the game and in the list."""
    old = Referee(Store(tmp_path), first=GameStarted(variant="puluc", jade=("bold",), obsidian=("easy",), seed=5))
    old.submit(ThrowEntered(4))
    old.close()
    with sqlite3.connect(tmp_path / "puluc.sqlite3", isolation_level=None) as db:
        db.execute("PRAGMA user_version = 4")
    db.close()
    referee = Referee(Store(tmp_path), first=START)
    players = referee.snapshot().players

    assert [(player.name, player.level) for player in (players.jade, players.obsidian)] == [
        ("Bold", None),
        ("Easy", "easy"),
    ]
    assert [entry.jade for entry in referee.games()] == [("Bold",)]
    referee.close()


def test_a_damaged_game_is_named_and_the_others_go_on(tmp_path: Path) -> None:
    """Opening it is refused with a message; the game on the table is unaffected."""
    first = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=5)
    referee = Referee(Store(tmp_path), first=first)
    referee.submit(ThrowEntered(4))
    referee.submit(first)
    referee.submit(ThrowEntered(3))
    referee.close()
    with sqlite3.connect(tmp_path / "puluc.sqlite3") as db:
        db.execute("UPDATE events SET kind = 'Cheated' WHERE number = 2")
    db.close()
    again = Referee(Store(tmp_path), first=first)
    with pytest.raises(StoreDamaged, match="no events called Cheated"):
        again.load_game(1)
    with pytest.raises(StoreDamaged, match="no events called Cheated"):
        again.submit(GameResumed(1))
    game = again.submit(ThrowEntered(1)).game
    again.close()

    assert game == 3


def test_a_table_that_another_program_has_altered_is_refused(tmp_path: Path) -> None:
    """A trigger could change what is written; the file is unchanged, and other programs may open it."""
    Store(tmp_path).close()
    with sqlite3.connect(tmp_path / "puluc.sqlite3") as db:
        db.execute("CREATE TRIGGER more AFTER INSERT ON events BEGIN DELETE FROM events; END")
    db.close()
    before = (tmp_path / "puluc.sqlite3").read_bytes()
    for _ in range(2):
        with pytest.raises(StoreDamaged, match="not those of this program"):
            Store(tmp_path)

    assert (tmp_path / "puluc.sqlite3").read_bytes() == before
