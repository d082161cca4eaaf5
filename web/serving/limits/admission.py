"""Admission control: how many connections and requests an address may have, and which are dropped to make room."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv6Address, IPv6Network, ip_address
from math import inf

from web.serving.limits.fair_share import largest_holder
from web.serving.limits.token_buckets import TokenBuckets

CONNECTIONS = 400
"""Largest number of open connections, from all addresses. The system's usual limit of open files, 1024, is the
ceiling."""
FOR_STRANGERS = 250
"""Connections that addresses may hold from which nobody plays. The others are kept for players and for this computer.
Higher leaves fewer for players under attack, lower turns spectators away sooner."""
PER_ADDRESS = 30
"""Connections per address; a phone has up to six. Higher helps many phones behind one router, lower slows an attacker
down."""
PER_LOOPBACK = 100
"""The same for this computer, where the health check comes from, and perhaps a proxy."""
NEW_AT_ONCE = 12
"""Connections that a stranger's address may open in one burst; a page opens six and keeps them. Higher lets an attack
begin harder, lower slows down spectators behind one router."""
NEW_PER_S = 3.0
"""The same for each second in the long run."""
REQUESTS_AT_ONCE = 300
"""Requests that a stranger's address may send in one burst; a page and its files take some forty. Higher lets a flood
begin harder, lower slows down spectators behind one router."""
REQUESTS_PER_S = 10.0
"""The same for each second in the long run."""
STRANGER_PATIENCE_S = 10.0
"""Seconds in which a stranger must send a complete request, or the next one, or receive a piece of the answer."""
PLAYER_PATIENCE_S = 75.0
"""The same for an address from which somebody plays. Higher saves a phone a new connection for the next tap."""
PLAYERS_REMEMBERED = 500
"""Addresses of players to remember; the one that played longest ago is forgotten first."""

REQUEST_BYTES = 16 * 1024
"""Largest size of a request without its body, in bytes. The parser keeps all of it; a client that sends more is
dropped."""
TLS_SHARE = 8
"""A request may take an eighth more bytes with TLS than without: a record of 1400 bytes has 22 of its own. A higher
number hangs up on clients that write small records."""
READ_AT_ONCE = 1024
"""Bytes read from a stranger before everybody else gets a turn. Higher lets strangers hold up the table for longer,
lower makes their requests take more turns."""
READ_AT_ONCE_TRUSTED = 64 * 1024
"""The same for players and this computer."""

LOOPBACK, OURS = "loopback", "ours"
"""The groups of this computer's addresses, and of what this program itself asks."""

Peer = tuple[str, int, str, int]
"""The client's address and port, and ours. A client may use one of its ports for several of ours at once."""


@dataclass(slots=True, eq=False)
class Place:
    """The permissions of a connection.

    deadline: when it is dropped, unless its client does what the server waits for.
    read_at_once: bytes to read from it before everybody else gets a turn.
    received: bytes received. announced: bytes of the requests begun so far, with their bodies.
    """

    peer: Peer
    group: str
    drop: Callable[[], object]
    deadline: float
    read_at_once: int
    received: int = 0
    announced: int = 0

    @property
    def readable(self) -> int:
        """Bytes to read from it now; 0 if it has sent far more than its requests announced."""
        return max(0, min(self.read_at_once, self.announced + REQUEST_BYTES - self.received))


@dataclass(slots=True)
class _Group:
    """The connections of one address.

    waiting: those where the server waits for the client, in the order in which that began.
    busy: those where the client waits for the server, or listens to the event stream.
    """

    waiting: OrderedDict[Peer, Place] = field(default_factory=OrderedDict)
    busy: dict[Peer, Place] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.waiting) + len(self.busy)


class Admission:
    """Counts connections by address, and decides about each new one. Only the server's thread may call it.

    If there is no room, the connection that has kept the server waiting longest is dropped: one of the same address if
    that is at its limit, else one of the address that holds the most. So an address that floods the table only drops
    its own connections. Times are monotonic seconds.

    expected: the port of this computer from which this program itself will connect; it always finds room. Any thread
        may set it.
    """

    expected: int | None = None

    def __init__(self, *, connections: int = CONNECTIONS, for_strangers: int = FOR_STRANGERS) -> None:
        self._connections, self._for_strangers = connections, for_strangers
        self._groups: dict[str, _Group] = {}
        self._places: dict[Peer, Place] = {}
        self._players: OrderedDict[str, None] = OrderedDict()
        self._new = TokenBuckets(at_once=NEW_AT_ONCE, per_s=NEW_PER_S)
        self._requests = TokenBuckets(at_once=REQUESTS_AT_ONCE, per_s=REQUESTS_PER_S)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, peer: Peer) -> bool:
        return peer in self._places

    def admit(self, peer: Peer, drop: Callable[[], object], now: float) -> Place | None:
        """Admit a new connection, or return None if there is no room. ``drop`` closes it if it must make room later."""
        is_own = peer[0] == peer[2] and peer[1] == self.expected
        if is_own:
            # Once only: when that connection is closed, others may have its port.
            self.expected = None
        group = OURS if is_own else group_of(peer[0])
        is_trusted = self._is_trusted(group)
        if not is_trusted and not self._new.take(group, now):
            return None
        if not is_own and not self._has_room(group):
            return None
        at_once = READ_AT_ONCE_TRUSTED if is_trusted else READ_AT_ONCE
        place = Place(peer, group, drop, now + self._patience_s(group), at_once)
        self._places[peer] = self._groups.setdefault(group, _Group()).waiting[peer] = place
        return place

    def release(self, peer: Peer) -> None:
        """Release the place of a closed connection."""
        place = self._places.pop(peer, None)
        if place is None:
            return
        group = self._groups[place.group]
        group.waiting.pop(peer, None)
        group.busy.pop(peer, None)
        if not group:
            del self._groups[place.group]

    def begin_work(self, peer: Peer) -> None:
        """Note that the client has sent its request and waits for the server."""
        place = self._places.get(peer)
        if place is not None:
            group = self._groups[place.group]
            group.waiting.pop(peer, None)
            group.busy[peer] = place
            place.deadline = inf

    def announce(self, peer: Peer, size: int, now: float, *, is_encrypted: bool = False) -> bool:
        """Register a request of that size. Returns whether its address may send one now."""
        place = self._places.get(peer)
        if place is not None:
            # The bytes that TLS adds to a request are not known, so they are counted from here on.
            place.announced = place.received + size + size // TLS_SHARE if is_encrypted else place.announced + size
        group = group_of(peer[0])
        return self._is_trusted(group) or self._requests.take(group, now)

    def await_client(self, peer: Peer, now: float, *, extra_s: float = 0.0) -> None:
        """Note that the server waits for the client from now on, ``extra_s`` seconds longer than usual."""
        place = self._places.get(peer)
        if place is not None:
            group = self._groups[place.group]
            group.busy.pop(peer, None)
            group.waiting[peer] = place
            group.waiting.move_to_end(peer)
            place.deadline = now + self._patience_s(place.group) + extra_s

    def welcome_player(self, address: str) -> None:
        """Let the address use the connections kept for players, because somebody plays from there."""
        group = group_of(address)
        if group not in self._players:
            for place in self._places.values():
                place.read_at_once = READ_AT_ONCE_TRUSTED if place.group == group else place.read_at_once
        self._players[group] = None
        self._players.move_to_end(group)
        if len(self._players) > PLAYERS_REMEMBERED:
            self._players.popitem(last=False)

    def is_trusted(self, address: str) -> bool:
        """Whether somebody plays from that address, or it is this computer."""
        return self._is_trusted(group_of(address))

    def drop_overdue(self, now: float) -> None:
        """Drop every connection whose client has kept the server waiting for too long."""
        for place in [place for place in self._places.values() if place.deadline < now]:
            self._drop(place)

    def drop(self, peer: Peer) -> None:
        """Drop that connection, if it is still there."""
        place = self._places.get(peer)
        if place is not None:
            self._drop(place)

    def drop_all(self) -> None:
        """Drop every connection."""
        for place in list(self._places.values()):
            self._drop(place)

    def _drop(self, place: Place) -> None:
        self.release(place.peer)
        place.drop()

    def _has_room(self, group: str) -> bool:
        """Whether there is room for that address, perhaps because another connection was just dropped for it."""
        own = self._groups.get(group)
        if own is not None and len(own) >= connection_limit(group):
            return self._drop_longest_waiting(own)
        trusted = self._is_trusted(group)
        held = {name: len(one) for name, one in self._groups.items() if self._is_trusted(name) is trusted}
        if trusted:
            full = len(self._places) >= self._connections
        else:
            full = sum(held.values()) >= self._for_strangers or len(self._places) >= self._connections
        if not full:
            return True
        while (largest := largest_holder(held, group)) is not None:
            if self._drop_longest_waiting(self._groups[largest]):
                return True
            del held[largest]
        return False

    def _drop_longest_waiting(self, group: _Group) -> bool:
        place = next(iter(group.waiting.values()), None)
        if place is not None:
            self._drop(place)
        return place is not None

    def _is_trusted(self, group: str) -> bool:
        return group in (LOOPBACK, OURS) or group in self._players

    def _patience_s(self, group: str) -> float:
        return PLAYER_PATIENCE_S if self._is_trusted(group) else STRANGER_PATIENCE_S


def connection_limit(group: str) -> int:
    """Largest number of open connections of that group."""
    return PER_LOOPBACK if group == LOOPBACK else PER_ADDRESS


def group_of(address: str) -> str:
    """The key that an address is counted under. A single device may use a whole /64 of IPv6 addresses."""
    number = ip_address(address.partition("%")[0])
    if isinstance(number, IPv6Address):
        number = number.ipv4_mapped or number
    if number.is_loopback:
        return LOOPBACK
    if isinstance(number, IPv6Address) and not number.is_link_local:
        return str(IPv6Network((number, 64), strict=False))
    return str(number)
