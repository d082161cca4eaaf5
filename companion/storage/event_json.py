"""Events as JSON, as the database stores them: the event's class by its name, its fields in the body."""

from __future__ import annotations

from typing import get_args

from pydantic import TypeAdapter

from companion.referee.events import Event

_KINDS: dict[str, TypeAdapter[Event]] = {kind.__name__: TypeAdapter(kind) for kind in get_args(Event)}


def parse_event(kind: str, body: str) -> Event:
    """Parse a stored event. Raises ValueError."""
    if kind not in _KINDS:
        raise ValueError(f"there are no events called {kind[:40]}")
    return _KINDS[kind].validate_json(body)


def dump_event(event: Event) -> tuple[str, str]:
    """The event's kind and body."""
    kind = type(event).__name__
    return kind, _KINDS[kind].dump_json(event).decode()
