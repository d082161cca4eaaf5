"""What the page on a camera phone sends."""

from __future__ import annotations

from flask.testing import FlaskClient

from web.security.access import PHONE_API


def send(phone: FlaskClient, path: str, body: bytes = b"", **query: object) -> tuple[int, dict[str, object]]:
    """Status and JSON of the answer."""
    answer = phone.post(f"{PHONE_API}{path}", query_string=query, data=body, content_type="image/jpeg")
    return answer.status_code, dict(answer.get_json())


def open_page(phone: FlaskClient, *, live: bool = True) -> int:
    answer = phone.post(f"{PHONE_API}page", json={"live": live})
    assert answer.status_code == 200, answer.json
    assert answer.json is not None
    return int(answer.json["page"])
