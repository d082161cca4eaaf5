"""For any damage to the file the table plays on, or says what is wrong and offers a remedy that keeps the file."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from companion.access.credentials import Credentials
from companion.backup.recovery import Recovery
from companion.errors import StoreDamaged
from companion.referee.events import GameStarted
from companion.referee.referee import Referee
from companion.storage.restore import DAMAGED, GAMES, asides
from companion.storage.store import Store
from tests.storage.damages import DAMAGES, sound_folder
from web.security.access import Access
from web.serving.waiting_page import waiting_app

FIRST = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=5)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sound_folder(tmp_path_factory.mktemp("sound"))


def listed(folder: Path) -> int:
    """The saved games after opening the table as a service does. Raises StoreDamaged."""
    with closing(Referee(Store(folder), first=FIRST)) as referee:
        Credentials.load(folder)
        return len(referee.games())


def content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


@pytest.mark.parametrize("kind", DAMAGES)
def test_damaged_games(sound: Path, tmp_path: Path, kind: str) -> None:
    """They can be played, or the page gives the reason; then the choice is made, and the damaged file kept."""
    damage = DAMAGES[kind]
    folder = shutil.copytree(sound, tmp_path / "data")
    damage.harm(folder)
    harmed = content(folder / GAMES)
    if damage.rescued is None:
        assert listed(folder) == 3
        return
    with pytest.raises(StoreDamaged, match=str(folder)) as refused:
        listed(folder)
    recovery, credentials = Recovery(folder), Credentials.load(folder)
    page = waiting_app(str(refused.value), recovery, Access(credentials)).test_client()
    recovery.survey()
    code = {"Authorization": f"Bearer {credentials.code}"}
    health = page.get("/healthz").get_json()
    choices = {choice["way"]: choice for choice in health["choices"]}
    seen = page.get("/", headers={"Accept": "text/html", **code})
    way = "rescue" if damage.rescued else "copy" if damage.copy else "empty"

    assert health["problem"] == str(refused.value)
    assert choices.get("rescue", {"games": 0})["games"] == damage.rescued
    assert ("copy" in choices) == damage.copy
    assert seen.status_code == 503
    assert f'value="{way}"' in seen.text
    assert content(folder / GAMES) == harmed
    assert page.post("/recovery", data={"way": way}, headers=code).status_code == 202
    games = choices[way].get("games", 0)
    # One of the four is deleted, so not on the list.
    assert games - 1 <= listed(folder) <= games
    assert harmed in [content(aside / GAMES) for aside in asides(folder, DAMAGED)] or harmed is None
