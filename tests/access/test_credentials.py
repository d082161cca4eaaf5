"""The table's code, the phones' passes and the host, across restarts and damage."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.commands.invite import invite
from companion.door import Door
from companion.errors import SettingsUnusable
from companion.invitation import drawn, told


def test_after_a_restart_the_same_phones_play_and_the_same_is_host(tmp_path: Path) -> None:
    """The first phone is host; code, passes and host are kept where the games are, for nobody else's eyes."""
    door = Door.of(tmp_path)
    for phone in ("first", "second"):
        door.welcome(phone)
    shown = {phone: door.pass_for(phone) for phone in ("first", "second")}
    again = Door.of(tmp_path)

    assert again.code == door.code
    assert again.host == "first"
    assert {phone: again.phone_of(pass_) for phone, pass_ in shown.items()} == {"first": "first", "second": "second"}
    assert {path.stat().st_mode & 0o077 for path in tmp_path.iterdir()} == {0}
    assert not list(tmp_path.glob("*.new"))


@pytest.mark.parametrize("shown", [None, "", ".", "first", "first.", "first.00", "other.{}", "{}", "first.\udcff"])
def test_a_pass_cannot_be_made_up(shown: str | None) -> None:
    """Only what this door signed for that phone opens it."""
    door = Door("maize-7")
    signature = door.pass_for("first").partition(".")[2]

    assert door.phone_of(shown and shown.format(signature)) is None
    assert door.phone_of(f"first.{signature}") == "first"
    assert Door("maize-7").phone_of(f"first.{signature}") is None


def test_a_new_code_shuts_out_all_passes(tmp_path: Path) -> None:
    """With the new one every phone comes in anew, also after a restart."""
    door = Door.of(tmp_path)
    old_code, old_pass = door.code, door.pass_for("first")
    door.renew(host="first")

    for now in (door, Door.of(tmp_path)):
        assert not now.knows(old_code)
        assert now.phone_of(old_pass) is None
        assert now.phone_of(door.pass_for("first")) == "first"
        assert now.host == "first"


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"key": "zz", "host": null}', '{"host": "first"}'])
def test_a_damaged_memory_is_begun_anew(tmp_path: Path, damage: str) -> None:
    """The phones have to show the code again; nobody else gets in, and the code stays."""
    door = Door.of(tmp_path)
    (tmp_path / "door.json").write_text(damage)
    again = Door.of(tmp_path)

    assert again.code == door.code
    assert again.host is None
    assert again.phone_of(door.pass_for("first")) is None


def test_a_disk_that_takes_nothing_shuts_nobody_out(tmp_path: Path) -> None:
    """Where the host cannot be kept, it is host all the same until the companion ends."""
    door = Door.of(tmp_path)
    (tmp_path / "door.json.new").mkdir()
    (tmp_path / "door.json.new" / "in the way").touch()
    door.welcome("first")

    assert door.host == "first"


@pytest.mark.parametrize("typed", ["k7mp3wqx", "K7MP 3WQX", " k7mp-3wqx "])
def test_a_code_may_be_typed_as_people_write(typed: str) -> None:
    """Case, blanks and dashes make no difference; a letter does."""
    assert Door("k7mp3wqx").knows(typed)
    assert not Door("k7mp3wqx").knows(typed.replace("3", "4"))


def test_an_invitation_can_be_read_and_scanned() -> None:
    """It has the address with the code for a camera, and both for who types; drawn, it has no styles."""
    said = told("http://192.168.1.7:8080/?code=k7mp3wqx", "k7mp3wqx")
    picture = drawn("http://192.168.1.7:8080/?code=k7mp3wqx")

    assert "http://192.168.1.7:8080/join and type the code k7mp 3wqx." in said
    assert said.count("█") > 100
    assert "--host" not in said
    assert "--host 0.0.0.0" in told("http://127.0.0.1:8080/", None)
    assert picture.startswith("<svg ")
    assert "style" not in picture


def test_a_table_without_a_screen_can_still_invite(tmp_path: Path) -> None:
    """By command: what a running table of that folder would show; a folder without a table is named, and left alone."""
    without = CliRunner().invoke(invite, ["--data", str(tmp_path)])
    code = Door.of(tmp_path).code
    shown = CliRunner().invoke(invite, ["--data", str(tmp_path), "--host", "192.0.2.7", "--port", "8081"])

    assert isinstance(without.exception, SettingsUnusable)
    assert f"http://192.0.2.7:8081/?code={code}." in shown.output
    assert "http://192.0.2.7:8081/join" in shown.output
