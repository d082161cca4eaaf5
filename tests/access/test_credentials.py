"""The table's code, the phones' passes and the host survive restarts and damage."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.access.credentials import Credentials
from companion.access.invitation import invitation_text, qr_svg
from companion.access.served_address import ServedAddress
from companion.commands.invite import invite
from companion.errors import SettingsUnusable


def test_phones_and_host_survive_a_restart(tmp_path: Path) -> None:
    """The first phone is host; code, passes and host are stored with the games, readable only by their owner."""
    credentials = Credentials.load(tmp_path)
    for phone in ("first", "second"):
        credentials.add_phone(phone)
    shown = {phone: credentials.issue_pass(phone) for phone in ("first", "second")}
    again = Credentials.load(tmp_path)

    assert again.code == credentials.code
    assert again.host == "first"
    assert {phone: again.verify_pass(pass_) for phone, pass_ in shown.items()} == {"first": "first", "second": "second"}
    assert {path.stat().st_mode & 0o077 for path in tmp_path.iterdir()} == {0}
    assert not list(tmp_path.glob("*.new"))


def test_only_the_very_first_phone_becomes_host_by_itself(tmp_path: Path) -> None:
    """A role that was handed over waits for the player who takes it, also over a restart."""
    credentials = Credentials.load(tmp_path)
    credentials.set_host(None)
    credentials.add_phone("first")
    first = credentials.host
    credentials.set_host(None)
    again = Credentials.load(tmp_path)
    for now in (credentials, again):
        now.add_phone("guest")

    assert (first, credentials.host, again.host) == ("first", None, None)


@pytest.mark.parametrize(("kept", "host"), [('"first"', "first"), ("null", "guest")])
def test_a_folder_of_an_earlier_version_goes_on(tmp_path: Path, kept: str, host: str) -> None:
    """It does not say whether there has been a host; where there is none, the next phone is. Passes keep their mark."""
    Credentials.load(tmp_path)
    (tmp_path / "door.json").write_text(f'{{"key": "{"00" * 32}", "host": {kept}}}')
    credentials = Credentials.load(tmp_path)
    credentials.add_phone("guest")

    assert credentials.host == host
    assert credentials.mark == "66687aad"


@pytest.mark.parametrize("shown", [None, "", ".", "first", "first.", "first.00", "other.{}", "{}", "first.\udcff"])
def test_a_pass_cannot_be_forged(shown: str | None) -> None:
    """Only a pass that these credentials signed for that phone is accepted."""
    credentials = Credentials("maize-7")
    signature = credentials.issue_pass("first").partition(".")[2]

    assert credentials.verify_pass(shown and shown.format(signature)) is None
    assert credentials.verify_pass(f"first.{signature}") == "first"
    assert Credentials("maize-7").verify_pass(f"first.{signature}") is None


def test_a_new_code_invalidates_all_passes(tmp_path: Path) -> None:
    """After a code change every phone has to join again, also after a restart."""
    credentials = Credentials.load(tmp_path)
    old_code, old_pass = credentials.code, credentials.issue_pass("first")
    credentials.renew_code(host="first")

    for now in (credentials, Credentials.load(tmp_path)):
        assert not now.is_code(old_code)
        assert now.verify_pass(old_pass) is None
        assert now.verify_pass(credentials.issue_pass("first")) == "first"
        assert now.host == "first"


@pytest.mark.parametrize(("unwritable", "joined"), [("door.json", True), ("code", False)])
def test_a_new_code_that_cannot_be_stored_changes_nothing(tmp_path: Path, unwritable: str, joined: bool) -> None:
    """The host is told; the old code stays valid, and no phone's pass outlives the code that it was issued for."""
    credentials = Credentials.load(tmp_path)
    credentials.add_phone("first")
    old_code, old_pass = credentials.code, credentials.issue_pass("first")
    (tmp_path / f"{unwritable}.new" / "in the way").mkdir(parents=True)
    with pytest.raises(SettingsUnusable, match="cannot be kept"):
        credentials.renew_code(host="second")
    restarted = Credentials.load(tmp_path)

    assert credentials.code == restarted.code == old_code
    assert credentials.host == credentials.verify_pass(old_pass) == "first"
    assert restarted.verify_pass(old_pass) == ("first" if joined else None)


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"key": "zz", "host": null}', '{"host": "first"}'])
def test_damaged_credentials_are_replaced(tmp_path: Path, damage: str) -> None:
    """Phones have to show the code again; nobody else gets in, and the code is unchanged."""
    credentials = Credentials.load(tmp_path)
    (tmp_path / "door.json").write_text(damage)
    again = Credentials.load(tmp_path)

    assert again.code == credentials.code
    assert again.host is None
    assert again.verify_pass(credentials.issue_pass("first")) is None


def test_a_failed_write_locks_nobody_out(tmp_path: Path) -> None:
    """If the host cannot be stored, the phone is host until the companion ends."""
    credentials = Credentials.load(tmp_path)
    (tmp_path / "door.json.new").mkdir()
    (tmp_path / "door.json.new" / "in the way").touch()
    credentials.add_phone("first")

    assert credentials.host == "first"


@pytest.mark.parametrize("typed", ["k7mp3wqx", "K7MP 3WQX", " k7mp-3wqx "])
def test_a_code_may_be_typed_in_any_style(typed: str) -> None:
    """Case, spaces and dashes make no difference; a different letter does."""
    assert Credentials("k7mp3wqx").is_code(typed)
    assert not Credentials("k7mp3wqx").is_code(typed.replace("3", "4"))


def test_an_invitation_can_be_read_and_scanned() -> None:
    """It has the address with the code for scanning, and both separately for typing; the drawing has no styles."""
    said = invitation_text("http://192.168.1.7:8080/?code=k7mp3wqx", "k7mp3wqx", "utf-8")
    picture = qr_svg("http://192.168.1.7:8080/?code=k7mp3wqx")

    assert "http://192.168.1.7:8080/join and type the code k7mp 3wqx." in said
    assert said.count("█") > 100
    assert "--host" not in said
    assert "--host 0.0.0.0" in invitation_text("http://127.0.0.1:8080/", None, "utf-8")
    assert picture.startswith("<svg ")
    assert "style" not in picture


def test_an_invitation_is_drawn_in_colours_where_the_terminal_lacks_blocks() -> None:
    """The terminal can show all of it, and the picture is light modules, two columns each, on its ground."""
    said = invitation_text("http://192.168.1.7:8080/?code=k7mp3wqx", "k7mp3wqx", "latin-1")

    said.encode("latin-1")
    assert said.startswith(f"\033[7m{33 * '  '}\033[0m\n")


def test_a_table_without_a_screen_can_still_invite(tmp_path: Path) -> None:
    """The command prints the invitation of a running table; a folder without a table is named and not changed."""
    without = CliRunner().invoke(invite, ["--data", str(tmp_path)])
    code = Credentials.load(tmp_path).code
    shown = CliRunner().invoke(invite, ["--data", str(tmp_path), "--host", "192.0.2.7", "--port", "8081"])
    ServedAddress("192.0.2.8", 49152).save(tmp_path)
    served = CliRunner().invoke(invite, ["--data", str(tmp_path)])

    assert isinstance(without.exception, SettingsUnusable)
    assert f"http://192.0.2.7:8081/?code={code}." in shown.output
    assert "http://192.0.2.7:8081/join" in shown.output
    assert f"http://192.0.2.8:49152/?code={code}." in served.output
