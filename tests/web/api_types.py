"""Generate TypeScript declarations of the API's JSON. ``python -m tests.web.api_types`` writes them.

The page's scripts are plain JavaScript; the declarations let TypeScript check what they read from an answer.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.referee.events import GameStarted
from companion.referee.referee import Referee
from companion.storage.store import Store
from web.app import create_app

TYPES = Path(__file__).parents[2] / "web" / "types" / "api.d.ts"
HEADER = "// The JSON of the API. Generated from its description: python -m tests.web.api_types\n\n"


def declarations(schemas: Mapping[str, Any]) -> str:
    """A TypeScript namespace with one type for each schema of an OpenAPI description."""
    lines = [f"  type {name} = {typescript(schema, '  ')};" for name, schema in sorted(schemas.items())]
    return f"{HEADER}declare namespace Api {{\n" + "\n".join(lines) + "\n}\n"


def typescript(schema: Mapping[str, Any], indent: str = "") -> str:
    """The TypeScript type of a JSON schema.

    >>> typescript({"anyOf": [{"type": "integer"}, {"type": "null"}]})
    'number | null'
    >>> typescript({"type": "array", "items": {"enum": ["jade", "obsidian"]}})
    '("jade" | "obsidian")[]'
    """
    if reference := schema.get("$ref"):
        return str(reference).rpartition("/")[2]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return " | ".join(dict.fromkeys(typescript(one, indent) for one in schema[key]))
    match schema.get("type"):
        case "integer" | "number":
            return "number"
        case "string" | "boolean" | "null" as plain:
            return str(plain)
        case "array":
            return _array(schema, indent)
        case "object":
            return _object(schema, indent)
        case _:
            return "any"


def _array(schema: Mapping[str, Any], indent: str) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(typescript(one, indent) for one in schema['prefixItems'])}]"
    item = typescript(schema.get("items", {}), indent)
    return f"({item})[]" if " | " in item else f"{item}[]"


def _object(schema: Mapping[str, Any], indent: str) -> str:
    if "properties" not in schema:
        value = schema.get("additionalProperties")
        return f"{{ [key: string]: {typescript(value, indent) if isinstance(value, dict) else 'any'} }}"
    required = schema.get("required", ())
    fields = (
        f"{indent}  {name}{'' if name in required else '?'}: {typescript(one, indent + '  ')};"
        for name, one in schema["properties"].items()
    )
    return "{\n" + "\n".join(fields) + f"\n{indent}}}"


def current() -> str:
    """The declarations of the API as it is now."""
    with tempfile.TemporaryDirectory() as folder:
        game = GameStarted(variant="puluc", jade=("Jade",), obsidian=("Obsidian",), seed=1)
        referee = Referee(Store(Path(folder)), first=game)
        try:
            description = create_app(referee, code=None).test_client().get("/api/openapi.json").get_json()
        finally:
            referee.close()
    return declarations(description["components"]["schemas"])


if __name__ == "__main__":
    TYPES.write_text(current(), encoding="utf-8")
