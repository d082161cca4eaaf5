"""A disk that loses what was not synced when the power goes, in every way that a real one may.

What is promised: a file's content once it was synced; a folder's names once it was synced; and, as on ext4, XFS and
Btrfs, a new file's name once the file was. All else may be there or not: of what was written since, any part, down to
a sector; of the changes of names, any number of the first ones.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.power.traced import Cut, Gone, Made, Moved, Op, Said, Synced, Written

SECTOR = 512

Change = Made | Moved | Gone


@dataclass(slots=True, eq=False)
class Node:
    """A file: its content on the disk, and the changes made since."""

    folder: bool = False
    safe: bytearray = field(default_factory=bytearray)
    since: list[Written | Cut] = field(default_factory=list)

    def content(self, chosen: list[Written | Cut]) -> bytes:
        """The content after these of the changes."""
        content = bytearray(self.safe)
        for change in chosen:
            _do(content, change)
        return bytes(content)


def _do(content: bytearray, change: Written | Cut) -> None:
    if isinstance(change, Cut):
        del content[change.length :]
        content.extend(bytes(change.length - len(content)))
        return
    content.extend(bytes(max(0, change.at - len(content))))
    content[change.at : change.at + len(change.data)] = change.data


class Disk:
    """One folder on such a disk. before: a copy of what was safely in it at the beginning."""

    def __init__(self, folder: Path, before: Path | None = None) -> None:
        self._names: dict[str, Node] = {str(folder): Node(folder=True)}
        for path in sorted(before.rglob("*")) if before else ():
            content = b"" if path.is_dir() else path.read_bytes()
            self._names[str(folder / path.relative_to(before or path))] = Node(path.is_dir(), bytearray(content))
        self._safe_names = dict(self._names)
        self._changes: list[tuple[Change, Node]] = []

    def happen(self, op: Op) -> None:
        """Apply this change."""
        match op:
            case Said():
                pass
            case Written() | Cut():
                self._names[op.path].since.append(op)
            case Synced():
                self._sync(op.path)
            case Made():
                self._make(op)
            case Moved():
                self._changes.append((op, self._names[op.path]))
                _rename(self._names, op)
            case Gone():
                self._changes.append((op, self._names.pop(op.path)))

    def after_a_cut(self, how: str, chance: Random) -> dict[str, bytes | None]:
        """What is found when the power comes back: contents by name; None for a folder.

        how: ``nothing`` of what was not synced is there; ``all`` of it is; ``names`` are, but no content; or anything
        in between, by ``chance``.
        """
        names = self._names
        if how in ("nothing", "chance"):
            names = dict(self._safe_names)
            for change, node in self._changes[: 0 if how == "nothing" else chance.randint(0, len(self._changes))]:
                _apply(names, change, node)
        found: dict[str, bytes | None] = {}
        for name, node in names.items():
            if node.folder:
                found[name] = None
            elif how == "all":
                found[name] = node.content(node.since)
            elif how == "chance":
                found[name] = node.content([torn for change in node.since for torn in _torn(change, chance)])
            else:
                found[name] = bytes(node.safe)
        return found

    def _make(self, op: Made) -> None:
        path = op.path.removesuffix("?")
        if path in self._names:
            if not op.path.endswith("?") and not op.folder:
                self._names[path].since.append(Cut(path, 0))
            return
        node = self._names[path] = Node(folder=op.folder)
        self._changes.append((Made(path, op.folder), node))

    def _sync(self, path: str) -> None:
        node = self._names[path]
        if node.folder:
            self._settle(lambda change, _node: posixpath.dirname(getattr(change, "to", change.path)) == path)
            return
        for change in node.since:
            _do(node.safe, change)
        node.since.clear()
        self._settle(lambda change, made: made is node and isinstance(change, Made))

    def _settle(self, safe: Callable[[Change, Node], bool]) -> None:
        left = []
        for change, node in self._changes:
            if safe(change, node):
                _apply(self._safe_names, change, node)
            else:
                left.append((change, node))
        self._changes = left


def _apply(names: dict[str, Node], change: Change, node: Node) -> None:
    match change:
        case Made():
            names[change.path] = node
        case Moved():
            names.setdefault(change.path, node)
            _rename(names, change)
        case Gone():
            if names.get(change.path) is node:
                del names[change.path]


def _rename(names: dict[str, Node], op: Moved) -> None:
    """Rename an entry, and everything below it if it is a folder."""
    for name in [name for name in names if name == op.path or name.startswith(f"{op.path}/")]:
        names[op.to + name.removeprefix(op.path)] = names.pop(name)


def _torn(change: Written | Cut, chance: Random) -> list[Written | Cut]:
    """The whole change, nothing of it, or some of its sectors."""
    luck = chance.random()
    if luck < 0.4:
        return [change]
    if luck < 0.7 or isinstance(change, Cut):
        return []
    starts = range(0, len(change.data), SECTOR)
    return [
        Written(change.path, change.at + start, change.data[start : start + SECTOR])
        for start in starts
        if chance.random() < 0.5
    ]


def lay_out(found: dict[str, bytes | None], folder: Path, place: Path) -> Path:
    """Write the state found after a cut into a real folder, and return the folder."""
    for name, content in sorted(found.items()):
        path = place / Path(name).relative_to(folder)
        if content is None:
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    return place
