"""One tap saves a backup, and two restore it."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from companion.backup.unpacking import stage_backup
from tests.backup.tables import backup_of, table, thrown
from tests.service.companion_process import running_companion


def test_everything_is_saved_and_brought_back(page: Page, tmp_path: Path) -> None:
    """The saved file can be restored after a confirmation; then the table is as it was.

    Where the table cannot make one, the page says why. It writes dates in its own language, whatever the browser's.
    """
    backup = backup_of(table(tmp_path / "other", 4, 1, 2), tmp_path / "backup.zip")
    (tmp_path / "letter.zip").write_text("Dear Ana")
    with running_companion(tmp_path / "data", "--camera", "none") as companion:
        home, code = companion.address.split("?")
        companion.request("POST", "/api/throw", {"marked": 3}, code=code.removeprefix("code="))
        page.goto(companion.address)
        page.goto(f"{home}backup")
        save = page.get_by_role("link", name="Save a backup")
        full = {"problem": "There is no room for a copy of the games."}
        page.route("**/api/backup", lambda route: route.fulfill(status=409, json=full))
        save.click()
        expect(page.get_by_role("alert")).to_have_text(full["problem"])
        page.unroute("**/api/backup")
        with page.expect_download() as saving:
            save.click()
        saving.value.save_as(tmp_path / "saved.zip")
        expect(page.get_by_role("alert")).to_be_hidden()

        page.set_input_files("[data-backup]", tmp_path / "letter.zip")
        expect(page.get_by_role("alert")).to_contain_text("isn't a Puluc backup")
        page.set_input_files("[data-backup]", backup)
        expect(page.get_by_role("heading", name="Replace everything here with a backup with one game")).to_be_visible()
        page.get_by_role("button", name="Cancel").click()
        assert companion.ask("GET", "/api/table")["number"] == 2
        expect(page.locator("[data-backup]")).to_be_enabled()
        page.context.add_cookies([{"name": "lang", "value": "es", "url": home}])
        page.reload()
        page.set_input_files("[data-backup]", backup)
        expect(page.locator("#question")).to_have_text(re.compile(r"del \d+ \w+ \d{4}, "))
        page.context.clear_cookies(name="lang")
        page.get_by_role("button", name="Restaurar").click()
        page.wait_for_url(home)
        # Ana's only move counts by itself.
        expect(page.get_by_role("heading", name="Beto (Obsidian) to throw.")).to_be_visible()

    staged, manifest = stage_backup(tmp_path / "saved.zip", tmp_path / "again")
    assert manifest.events == 2
    assert thrown(staged) == [3]
