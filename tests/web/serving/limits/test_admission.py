"""Admission control: which connections are accepted, and which are dropped for them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from web.serving.limits.admission import (
    CONNECTIONS,
    FOR_STRANGERS,
    NEW_AT_ONCE,
    NEW_PER_S,
    PER_ADDRESS,
    PER_LOOPBACK,
    PLAYER_PATIENCE_S,
    PLAYERS_REMEMBERED,
    REQUESTS_AT_ONCE,
    REQUESTS_PER_S,
    STRANGER_PATIENCE_S,
    Admission,
    Peer,
)
from web.serving.limits.token_buckets import REMEMBERED

PORTS = count(1)


class Gate:
    """Admission control at time 0, and the connections that it has dropped."""

    def __init__(self) -> None:
        self.admission = Admission()
        self.dropped: list[Peer] = []

    def connect(self, address: str, now: float = 0.0) -> Peer | None:
        """A new connection from this address, or None if it is refused."""
        peer = (address, next(PORTS), "10.0.0.100", 80)
        return peer if self.admission.admit(peer, lambda: self.dropped.append(peer), now) else None


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.admission.drop_all()
    assert len(gate.admission) == 0


def flood(gate: Gate, addresses: int, connections: int = PER_ADDRESS, subnet: str = "10.0") -> None:
    """This many connections from each of this many addresses."""
    for at in range(connections):
        for number in range(addresses):
            gate.connect(f"{subnet}.{number // 200}.{number % 200 + 1}", now=at / NEW_PER_S)


def test_an_address_at_its_limit_only_drops_its_own(gate: Gate) -> None:
    """The connection that has kept the server waiting longest is dropped, so a phone beside a flood still gets in."""
    guest = gate.connect("10.0.0.2")
    held = [gate.connect("10.0.0.1", now=at / NEW_PER_S) for at in range(PER_ADDRESS)]
    newest = gate.connect("10.0.0.1", now=100.0)

    assert newest
    assert gate.dropped == held[:1]
    assert guest is not None
    assert guest in gate.admission


def test_an_address_that_opens_one_after_the_other_is_slowed_down(gate: Gate) -> None:
    """Each costs the server some work, even if it is closed at once; players are not limited."""
    gate.admission.welcome_player("192.168.1.7")
    opened = {"10.0.0.1": 0, "192.168.1.7": 0}
    for address in opened:
        for number in range(1000):
            peer = gate.connect(address, now=number / 100)
            if peer:
                opened[address] += 1
                gate.admission.release(peer)

    assert opened == {"10.0.0.1": NEW_AT_ONCE + int(10 * NEW_PER_S) - 1, "192.168.1.7": 1000}


def test_what_is_being_served_is_not_dropped(gate: Gate) -> None:
    """If all connections of an address wait for the server, its next connection is refused."""
    for at in range(PER_ADDRESS):
        peer = gate.connect("10.0.0.1", now=at / NEW_PER_S)
        assert peer
        gate.admission.begin_work(peer)

    assert gate.connect("10.0.0.1", now=100.0) is None
    assert gate.dropped == []


def test_strangers_leave_places_for_players_and_this_computer(gate: Gate) -> None:
    """Their number and that of their addresses do not matter."""
    flood(gate, addresses=500, connections=2)
    strangers = len(gate.admission)
    gate.admission.welcome_player("192.168.1.7")
    phone = [gate.connect("192.168.1.7") for _ in range(6)]
    probe = gate.connect("127.0.0.1")

    assert strangers == FOR_STRANGERS
    assert all(phone)
    assert probe
    assert len(gate.admission) == FOR_STRANGERS + 7


def test_a_new_stranger_gets_a_place_of_the_largest_flood(gate: Gate) -> None:
    """A player's phone is a stranger too until it shows the code."""
    flood(gate, addresses=60)
    phone = [gate.connect("192.168.1.7") for _ in range(3)]

    assert len(gate.admission) == FOR_STRANGERS
    assert all(phone)
    assert "192.168.1.7" not in {peer[0] for peer in gate.dropped}


def test_nobody_takes_a_place_from_one_who_has_no_more(gate: Gate) -> None:
    """Otherwise all would drop each other in turn."""
    flood(gate, addresses=FOR_STRANGERS, connections=1)
    held = "10.0.0.1"

    assert gate.connect(held) is None
    assert gate.dropped == []


def test_players_are_limited_too(gate: Gate) -> None:
    """One player's address has a limit, and so have all of them together."""
    for number in range(1, 31):
        gate.admission.welcome_player(f"192.168.1.{number}")
    flood(gate, addresses=30, connections=PER_ADDRESS + 1, subnet="192.168")
    for number in range(1, 31):
        for _ in range(PER_ADDRESS + 1):
            gate.connect(f"192.168.1.{number}")

    assert len(gate.admission) <= CONNECTIONS
    assert gate.connect("192.168.1.31")


def test_this_computer_may_hold_more(gate: Gate) -> None:
    """A local proxy stands for many phones."""
    assert all(gate.connect("127.0.0.1") for _ in range(PER_LOOPBACK))
    assert gate.dropped == []
    assert gate.connect("::1")
    assert len(gate.dropped) == 1


def test_this_programs_own_connection_always_finds_room(gate: Gate) -> None:
    """No crowd on this computer keeps out the health check, and none from elsewhere, or later, passes for it."""
    own: Peer = ("127.0.0.1", next(PORTS), "127.0.0.1", 80)
    for _ in range(PER_LOOPBACK):
        peer = gate.connect("127.0.0.1")
        assert peer
        gate.admission.begin_work(peer)
    gate.admission.expected = own[1]

    assert gate.connect("127.0.0.1") is None
    assert gate.admission.admit(("127.0.0.1", own[1], "10.0.0.100", 80), gate.dropped.clear, 0.0) is None
    assert gate.admission.admit(own, gate.dropped.clear, 0.0)
    gate.admission.release(own)
    assert gate.admission.admit(own, gate.dropped.clear, 0.0) is None
    assert gate.admission.is_trusted("127.0.0.1")


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("2001:db8::1", "2001:db8::2:3", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", False),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
    ],
)
def test_addresses_of_one_device_count_together(gate: Gate, one: str, other: str, is_same: bool) -> None:
    """A device chooses addresses freely within its IPv6 network, but each link-local address is a separate device."""
    for at in range(PER_ADDRESS):
        gate.connect(one, now=at / NEW_PER_S)
    gate.connect(other, now=100.0)

    assert bool(gate.dropped) is is_same


def test_a_client_that_keeps_the_server_waiting_is_dropped(gate: Gate) -> None:
    """It sends nothing or half a request, or does not read the response: strangers are dropped soon, players later."""
    gate.admission.welcome_player("192.168.1.7")
    stranger, player = gate.connect("10.0.0.1"), gate.connect("192.168.1.7")
    served = gate.connect("10.0.0.2")
    assert served
    gate.admission.begin_work(served)
    gate.admission.drop_overdue(STRANGER_PATIENCE_S)
    assert gate.dropped == []
    gate.admission.drop_overdue(STRANGER_PATIENCE_S + 1)
    assert gate.dropped == [stranger]
    gate.admission.drop_overdue(PLAYER_PATIENCE_S + 1)
    assert gate.dropped == [stranger, player]
    gate.admission.await_client(served, 1000.0, extra_s=5.0)
    gate.admission.drop_overdue(1000.0 + STRANGER_PATIENCE_S + 4)
    assert len(gate.dropped) == 2
    gate.admission.drop_overdue(1000.0 + STRANGER_PATIENCE_S + 6)

    assert gate.dropped[2:] == [served]


def test_memory_is_bounded(gate: Gate) -> None:
    """Addresses without connections are forgotten, and the number of remembered players is limited."""
    peers = [gate.connect(f"10.1.{number // 200}.{number % 200 + 1}") for number in range(200)]
    for peer in peers:
        assert peer
        gate.admission.release(peer)
        gate.admission.release(peer)
    for number in range(PLAYERS_REMEMBERED + 10):
        gate.admission.welcome_player(f"10.2.{number // 200}.{number % 200 + 1}")

    for number in range(REMEMBERED + 10):
        peer = gate.connect(f"10.3.{number // 200}.{number % 200 + 1}")
        assert peer
        gate.admission.release(peer)

    assert not gate.admission._groups
    assert len(gate.admission._new._buckets) == REMEMBERED
    assert len(gate.admission._players) == PLAYERS_REMEMBERED
    assert not gate.admission.is_trusted("10.2.0.1")


def test_requests_of_strangers_are_limited(gate: Gate) -> None:
    """They get a burst and then a few a second for all connections of an address; players have no limit."""
    stranger, player = gate.connect("10.0.0.9"), gate.connect("10.0.0.8")
    assert stranger
    assert player
    gate.admission.welcome_player("10.0.0.8")
    asked = [gate.admission.announce(stranger, 100, 0.0) for _ in range(REQUESTS_AT_ONCE + 1)]
    later = [gate.admission.announce(stranger, 100, 1.0) for _ in range(int(REQUESTS_PER_S) + 1)]
    played = [gate.admission.announce(player, 100, 0.0) for _ in range(REQUESTS_AT_ONCE + 1)]

    assert asked == [True] * REQUESTS_AT_ONCE + [False]
    assert later == [True] * int(REQUESTS_PER_S) + [False]
    assert all(played)
