"""README opens with the picture and the two commands, and stays short."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINES = (ROOT / "README.md").read_text().splitlines()
SOLVING = (ROOT / "docs/solving.md").read_text(encoding="utf-8")


def test_readme_is_short() -> None:
    """Anything that only some readers need belongs in docs."""
    assert len(LINES) < 150


def test_readme_opens_with_the_picture_and_two_sentences() -> None:
    """They stand before the first heading below the title."""
    opening = "\n".join(LINES[1 : LINES.index("## Play")]).strip()
    picture, sentences = opening.split("\n\n")

    assert re.fullmatch(r"!\[[^]]+]\(docs/table\.jpg\)", picture)
    assert len(re.findall(r"\.(?:\s|$)", sentences)) == 2


def test_readme_counts_the_solved_games() -> None:
    """As many as have a line in the table of their worth."""
    rows = re.findall(r"^\| `", SOLVING, re.MULTILINE)

    assert len(rows) == 16
    assert "worth in sixteen of the games" in "\n".join(LINES)


def test_readme_has_two_commands_to_set_up_with() -> None:
    """One line to paste under "Play", one under "Test", and no other block of commands."""
    text = "\n".join(LINES)

    assert re.findall(r"^## (Play|Test)\n\n```sh\n(.*)\n```$", text, re.MULTILINE) == [
        ("Play", "python3 start.py"),
        ("Test", "python3 start.py test"),
    ]
    assert text.count("```sh") == 2
