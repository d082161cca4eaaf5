"""The OpenAPI description covers every address, and the table fits its schema."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.referee.events import ThrowEntered, ThrowUnreadable
from companion.referee.referee import Referee


@pytest.fixture
def described(watcher: FlaskClient) -> Any:
    return watcher.get("/api/openapi.json").json


def test_every_other_address_is_described(app: Flask, described: Any) -> None:
    """Each has a summary, and nothing else is described."""
    asked = {
        (re.sub(r"<(?:[^<>]*:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    } - {("/api/openapi.json", "get")}
    described_routes = {
        (path, method): operation
        for path, operations in described["paths"].items()
        for method, operation in operations.items()
    }

    assert set(described_routes) == asked
    assert all(operation["summary"] for operation in described_routes.values())
    assert all("200" in operation["responses"] for operation in described_routes.values())


def test_bodies_and_refusals_are_described(described: Any) -> None:
    """Each POST describes its body and its problem response."""
    post = described["paths"]["/api/throw"]["post"]
    schemas = described["components"]["schemas"]
    body = schemas[post["requestBody"]["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]]

    assert body["required"] == ["marked"]
    assert post["requestBody"]["required"] is True
    assert described["paths"]["/api/undo"]["post"]["requestBody"]["required"] is False
    assert (body["properties"]["marked"]["minimum"], body["properties"]["marked"]["maximum"]) == (0, 4)
    assert set(schemas["MoveRequest"]["properties"]) == {"from", "to", "value", "unit", "step"}
    assert schemas["Problem"]["required"] == ["problem"]
    assert "4XX" in post["responses"]
    assert described["components"]["securitySchemes"]["code"]["scheme"] == "bearer"


def test_the_table_is_as_described(watcher: FlaskClient, referee: Referee, described: Any) -> None:
    """The table's JSON fits its schema at several points of a game."""
    schemas = described["components"]["schemas"]
    for event in (ThrowEntered(3), ThrowUnreadable(reason="glare"), ThrowEntered(1), ThrowEntered(2)):
        referee.submit(event)

        check(watcher.get("/api/table").json, schemas["Snapshot"], schemas)


KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "integer": (int,),
    "number": (int, float),
}


def check(value: Any, schema: dict[str, Any], schemas: dict[str, Any], at: str = "table") -> None:
    """Assert that ``value`` fits ``schema``, as far as our schemas go: types, fields, items, choices, references."""
    if "$ref" in schema:
        return check(value, schemas[schema["$ref"].rsplit("/", 1)[1]], schemas, at)
    if "anyOf" in schema:
        assert any(fits(value, choice, schemas) for choice in schema["anyOf"]), (at, value)
        return None
    assert type(value) in KINDS[schema["type"]], (at, value)
    assert value in schema.get("enum", [schema.get("const", value)]), (at, value)
    if schema["type"] == "object" and "properties" in schema:
        assert set(value) == set(schema["properties"]) == set(schema["required"]), at
        for name, part in value.items():
            check(part, schema["properties"][name], schemas, f"{at}.{name}")
    if schema["type"] == "array" and "items" in schema:
        for part in value:
            check(part, schema["items"], schemas, f"{at}[]")
    return None


def fits(value: Any, schema: dict[str, Any], schemas: dict[str, Any]) -> bool:
    try:
        check(value, schema, schemas)
    except AssertionError:
        return False
    return True
