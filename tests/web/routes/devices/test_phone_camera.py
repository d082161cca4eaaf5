"""A phone as the camera: who is let in, what it may send, and what is said of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flask import Flask, Request
from flask.testing import FlaskClient
from werkzeug.test import EnvironBuilder

from companion.access.credentials import Credentials
from companion.access.start_command import StartCommand
from companion.phone_camera.absence import SENTENCES, Absence, Subject
from companion.phone_camera.mailbox import PhoneMailbox
from companion.phone_camera.pairing import PhonePairing
from companion.referee.events import (
    CameraChanged,
    CameraState,
    ThrowUnreadable,
)
from companion.referee.referee import Referee
from hardware.tracking.throw_watcher import NOT_THROWN, OUT_OF_PLACE
from tests.phone_camera.answering_phone import jpeg_of
from tests.web.conftest import CODE, Clock, without_tags
from tests.web.routes.devices.phone import open_page, send
from web.app import create_app
from web.routes.devices.phone_link import COOKIE, PICTURES_AT_ONCE, PhoneLink, SecurePage
from web.security.access import PHONE_API, Access
from web.serving.picture_upload import LARGEST_PICTURE
from web.serving.wsgi_adapter import PLAYS

SMALL = jpeg_of(np.full((480, 640, 3), 90, np.uint8))


@pytest.fixture
def link(clock: Clock) -> PhoneLink:
    mailbox = PhoneMailbox(clock=clock)
    return PhoneLink(mailbox=mailbox, pairing=PhonePairing(None, clock=clock), hold_s=0)


@pytest.fixture
def app(referee: Referee, link: PhoneLink, clock: Clock) -> Flask:
    return create_app(referee, code=CODE, phones=(link,), clock=clock)


@pytest.fixture
def camera_phone(app: Flask, link: PhoneLink) -> FlaskClient:
    """A phone that has scanned the host's code."""
    client = app.test_client()
    answer = client.post("/camera/phone", data={"ticket": link.pairing.ticket()})
    assert answer.status_code == 303
    return client


def told(absence: Absence, subject: Subject = Subject.TRAY, *, let_in: bool = True) -> dict[str, object]:
    """What the host's screen is told of a phone that sends nothing."""
    return {"subject": subject, "let_in": let_in, "sends": False, "sentence": SENTENCES[subject][absence]}


def test_the_host_lets_in_one_phone(player: FlaskClient, app: Flask, link: PhoneLink) -> None:
    """The host's screen shows the code; who scans it is asked first; then the host sees the phone instead."""
    before = player.get("/camera/phone").text
    address = f"/camera/phone?ticket={link.pairing.ticket()}"
    phone, second = app.test_client(), app.test_client()
    asked = phone.get(address).text
    phone.post("/camera/phone", data={"ticket": link.pairing.ticket()})

    assert "QR code for using a phone as the camera" in before or "only this computer" in before
    assert "Use this phone as the camera?" in asked
    assert "This phone is the camera" in phone.get("/camera/phone").text
    assert "already used" in second.get(address).text
    assert "The page on the phone over the tray was closed." in player.get("/camera/phone").text


def test_a_second_phone_watches_the_board(referee: Referee, link: PhoneLink, clock: Clock) -> None:
    """Each phone is let in by a code of its own, sends what its camera wants, and is removed alone."""
    mailbox = PhoneMailbox(clock=clock, subject=Subject.BOARD)
    over_board = PhoneLink(
        mailbox=mailbox, pairing=PhonePairing(None, clock=clock, subject=Subject.BOARD), hold_s=0, pictures_per_s=1e6
    )
    app = create_app(referee, code=None, phones=(link, over_board), clock=clock)
    host, tray, board = (app.test_client() for _ in range(3))
    codes = host.get("/camera/phone").text
    asked = board.get(f"/camera/phone?ticket={over_board.pairing.ticket()}").text
    for phone, one in ((tray, link), (board, over_board)):
        phone.post("/camera/phone", data={"ticket": one.pairing.ticket()})
    laid, page = board.get("/camera/phone").text, open_page(board)
    status, wanted = send(board, "picture", page=page, number=0)
    told_both = host.get("/api/camera/phone").json
    removed = host.post("/api/camera/phone", json={"subject": "board"}).json

    assert 0 < codes.index("Over the tray") < codes.index("Over the board")
    assert "Use this phone as the camera over the board?" in asked
    assert "the whole board is in the picture" in laid
    assert (status, wanted["title"]) == (200, "I don't know this board yet")
    assert link.mailbox.absence() is Absence.CLOSED
    assert told_both == {
        "phones": [
            told(Absence.CLOSED),
            {"subject": "board", "let_in": True, "sends": True, "sentence": ""},
        ]
    }
    assert removed == {"phones": [told(Absence.CLOSED), told(Absence.REMOVED, Subject.BOARD, let_in=False)]}


def test_a_guest_sees_no_code(watcher: FlaskClient, link: PhoneLink) -> None:
    """Only the host's screen can let a phone in."""
    page = watcher.get("/camera/phone").text

    assert "The host can add one on this screen." in page
    assert link.pairing.ticket() not in page


def test_a_pass_given_without_tls_replaces_none_given_over_it(app: Flask, link: PhoneLink) -> None:
    """A browser would keep the secure one, and the phone would never be let in."""
    phone = app.test_client()
    secure = phone.post("/camera/phone", data={"ticket": link.pairing.ticket()}, base_url="https://localhost")
    link.pairing.end()
    plain = phone.post("/camera/phone", data={"ticket": link.pairing.ticket()})
    names = [one.headers["Set-Cookie"].partition("=")[0] for one in (secure, plain)]

    assert len(set(names)) == 2
    assert open_page(phone)


@pytest.mark.parametrize(
    ("is_own", "led_to"), [(True, "https://192.0.2.9:8443"), (False, "https://table.example:8443")]
)
def test_with_a_certificate_the_code_leads_to_its_name(
    referee: Referee, link: PhoneLink, clock: Clock, is_own: bool, led_to: str
) -> None:
    """A browser would warn of a number that the certificate does not name."""
    secure = SecurePage(port=8443, fingerprint="AB", is_own=is_own)
    secured = replace(link, secure=lambda: secure)
    certified = () if is_own else ("table.example",)
    app = create_app(
        referee, code=CODE, phones=(secured,), served_on="192.0.2.9", names=certified, certified=certified, clock=clock
    )
    asked = app.test_client().get(f"/camera/phone?ticket={link.pairing.ticket()}").text

    assert f"{led_to}/camera/phone?ticket=" in asked


def test_without_a_phone_camera_no_phone_is_let_in(referee: Referee) -> None:
    """The page says how to start the table with one."""
    refused = create_app(referee, code=None).test_client().post("/camera/phone", data={"ticket": "any"})

    assert refused.status_code == 409
    assert "puluc play --camera phone" in without_tags(refused.text)


@pytest.mark.parametrize("code", [CODE, None])
def test_the_server_does_not_slow_the_phone_down(link: PhoneLink, code: str | None) -> None:
    """At a table without a code everybody plays, and only the phone is known."""
    access = Access(Credentials(code), is_guest=link.is_guest)
    builder = EnvironBuilder(f"{PHONE_API}page", method="POST")
    builder.headers["Cookie"] = f"{COOKIE}={link.pairing.redeem(link.pairing.ticket())}"
    asked = Request(builder.get_environ())
    access.enter(asked)

    assert asked.environ[PLAYS]


def test_nobody_else_can_send_pictures(app: Flask, camera_phone: FlaskClient, player: FlaskClient) -> None:
    """Neither strangers, nor players, nor the phone with another token; and the phone may not play."""
    page = open_page(camera_phone)
    forged = app.test_client()
    forged.set_cookie(COOKIE, "forged")

    for other in (app.test_client(), forged, player):
        assert send(other, "picture", SMALL, page=page, number=0)[0] == 401
        assert send(other, "photo", SMALL, page=page)[0] == 401
    assert camera_phone.post("/api/throw", json={"marked": 3}).status_code == 401
    evil = camera_phone.post(f"{PHONE_API}page", json={"live": True}, headers={"Origin": "http://evil.example"})
    assert evil.status_code == 403


def test_the_host_removes_the_phone(camera_phone: FlaskClient, player: FlaskClient, link: PhoneLink) -> None:
    """It can send nothing more, and the table says what to do."""
    page = open_page(camera_phone)
    refused = camera_phone.post("/api/camera/phone", json={})
    removed = player.post("/api/camera/phone", json={})

    assert (refused.status_code, removed.status_code) == (401, 200)
    assert removed.json == {"phones": [told(Absence.REMOVED, let_in=False)]}
    assert send(camera_phone, "picture", SMALL, page=page, number=0)[0] == 401
    assert link.mailbox.absence() is Absence.REMOVED


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (SMALL[: len(SMALL) // 2], 422),
        (b"GIF89a" + bytes(100), 422),
        (jpeg_of(np.zeros((32, 640, 3), np.uint8)), 422),
        (jpeg_of(np.zeros((64, 4000, 3), np.uint8)), 422),
        (bytes(LARGEST_PICTURE + 1), 413),
    ],
    ids=["cut short", "no JPEG", "too small", "too large", "too heavy"],
)
def test_only_pictures_are_taken(camera_phone: FlaskClient, body: bytes, status: int) -> None:
    """Each fault is refused with a sentence, and the camera never sees it."""
    page = open_page(camera_phone)
    refused, answer = send(camera_phone, "picture", body, page=page, number=0)

    assert refused == status
    assert answer["problem"]


def test_too_many_pictures_are_refused(camera_phone: FlaskClient) -> None:
    """A page gone wild does not keep the server busy."""
    page = open_page(camera_phone)
    statuses = [send(camera_phone, "picture", page=page, number=0)[0] for _ in range(PICTURES_AT_ONCE + 1)]

    assert statuses == [200] * PICTURES_AT_ONCE + [409]


def test_after_a_restart_the_page_opens_itself_again(tmp_path: Path, referee: Referee, clock: Clock) -> None:
    """The table knows the phone by its pass, also at another address; a picture that was on its way is dropped."""

    def started() -> tuple[Flask, PhoneLink]:
        pairing = PhonePairing(tmp_path, clock=clock)
        mailbox = PhoneMailbox(clock=clock, has_phone=pairing.has_phone)
        link = PhoneLink(mailbox=mailbox, pairing=pairing, hold_s=0)
        return create_app(referee, code=CODE, phones=(link,), clock=clock), link

    app, link = started()
    phone = app.test_client()
    phone.post("/camera/phone", data={"ticket": link.pairing.ticket()})
    page = open_page(phone)
    cookie = phone.get_cookie(COOKIE)
    assert cookie is not None
    app, link = started()
    phone = app.test_client()
    phone.environ_base["REMOTE_ADDR"] = "192.168.1.77"
    phone.set_cookie(COOKIE, cookie.value)
    before = link.mailbox.absence()
    status, answer = send(phone, "picture", SMALL, page=page, number=1)
    again = open_page(phone)

    assert before is Absence.CLOSED
    assert (status, answer["wanted"]) == (200, "open")
    assert send(phone, "picture", page=again, number=0)[0] == 200
    assert link.mailbox.absence() is None


def test_at_a_new_address_the_phone_scans_a_new_code(
    app: Flask, camera_phone: FlaskClient, player: FlaskClient, link: PhoneLink
) -> None:
    """Its browser shows its pass to the old address only; the host removes it, and it is let in again."""
    moved = app.test_client()
    sent = send(moved, "picture", page=open_page(camera_phone), number=0)[0]
    asked = moved.get("/camera/phone").text
    player.post("/api/camera/phone", json={})
    moved.post("/camera/phone", data={"ticket": link.pairing.ticket()})

    assert (sent, link.mailbox.absence()) == (401, Absence.CLOSED)
    assert "The host can add one on this screen." not in asked
    assert send(moved, "picture", page=open_page(moved), number=0)[0] == 200
    assert link.mailbox.absence() is None


def test_a_second_page_stops_the_first(camera_phone: FlaskClient) -> None:
    """The first one says why."""
    first = open_page(camera_phone)
    open_page(camera_phone)
    status, answer = send(camera_phone, "picture", SMALL, page=first, number=0)

    assert status == 409
    assert "Another page is using the camera now" in str(answer["problem"])


def test_the_phone_says_why_it_is_away(camera_phone: FlaskClient, player: FlaskClient) -> None:
    """The host's screen shows the reason."""
    page = open_page(camera_phone)
    send(camera_phone, "absence", page=page, why="camera")
    answer = player.get("/api/camera/phone").json

    assert answer == {"phones": [told(Absence.CAMERA)]}


def test_the_phone_says_what_the_table_says(camera_phone: FlaskClient, referee: Referee) -> None:
    """Whoever stands beside the turned phone reads there what to do."""
    page = open_page(camera_phone)
    referee.submit(CameraChanged(state=CameraState.WATCHING, message=OUT_OF_PLACE))
    moved = send(camera_phone, "picture", page=page, number=0)[1]
    referee.submit(ThrowUnreadable(reason="touching"))
    asked = referee.snapshot().unsure
    unsure = send(camera_phone, "picture", page=page, number=0)[1]

    assert moved["sentence"] == OUT_OF_PLACE
    assert asked is not None
    assert unsure["table"] == asked.sentence


def test_between_two_photos_nothing_moves(camera_phone: FlaskClient, referee: Referee) -> None:
    """A phone that takes single photographs asks for the next one; what the table notices is shown there too."""
    page = open_page(camera_phone, live=False)
    told = []
    for state, message in ((CameraState.MOVING, ""), (CameraState.WATCHING, NOT_THROWN)):
        referee.submit(CameraChanged(state=state, message=message))
        answer = send(camera_phone, "picture", page=page, number=0)[1]
        told.append((answer["title"], answer["sentence"]))

    assert told == [("Take a photo of each throw", ""), ("Take a photo of each throw", NOT_THROWN)]


def test_with_another_camera_it_says_how_to_start(referee: Referee) -> None:
    """The screen is there for every table, and keeps the options that this one was started with from watchers."""
    command = StartCommand(program="python3 start.py", options=("--data", "games", "--camera", "usb:0"))
    app = create_app(referee, code=CODE, start_command=command)
    player, table = app.test_client(), app.test_client()
    player.get(f"/?code={CODE}")
    none, watched = (without_tags(one.get("/camera/phone").text) for one in (player, table))
    referee.submit(CameraChanged(state=CameraState.WATCHING))
    other = without_tags(player.get("/camera/phone").text)

    assert "python3 start.py --data games --camera phone --https --host 0.0.0.0" in none
    assert "This table has no camera" in none
    assert "This table has no camera" in watched
    assert "start.py" not in watched
    assert "This table uses a different camera" in other
    assert send(table, "picture", SMALL, page=1, number=0)[0] == 401
