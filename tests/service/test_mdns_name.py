from collections.abc import Sequence

from companion.service.mdns_name import NAME, NAMES, LocalName


class FakePublishing:
    """A publishing command that runs until it is ended or fails with a message."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words, self.last_words = list(words), ""
        self.runs = True

    def ended(self) -> str | None:
        return None if self.runs else self.last_words

    def end(self) -> None:
        self.runs = False

    def fail(self, why: str) -> None:
        self.runs, self.last_words = False, why


class Network:
    """A computer in a network, and the commands it has started."""

    def __init__(self, host: str = "raspberrypi") -> None:
        self.address: str | None = "192.0.2.7"
        self.begun: list[FakePublishing] = []
        self.name = LocalName(host=host, address=lambda: self.address, begin=self._begin)

    def _begin(self, words: Sequence[str]) -> FakePublishing:
        self.begun.append(FakePublishing(words))
        return self.begun[-1]

    @property
    def published(self) -> list[tuple[str, str]]:
        return [(one.words[-2], one.words[-1]) for one in self.begun if one.runs]


def test_name_leads_to_the_address() -> None:
    """It is published once, for the computer's address."""
    network = Network()
    for _ in range(3):
        network.name.step()

    assert network.published == [("puluc.local", "192.0.2.7")]
    assert len(network.begun) == 1


def test_name_follows_the_address() -> None:
    """It is published again for a new address, and withdrawn without a network."""
    network = Network()
    network.name.step()
    network.address = None
    network.name.step()
    assert network.published == []
    network.address = "192.0.2.9"
    network.name.step()

    assert network.published == [("puluc.local", "192.0.2.9")]


def test_second_table_in_a_club_takes_the_next_name() -> None:
    """A name that another computer has is skipped; after the last one the first is tried again."""
    network = Network()
    names = []
    for _ in range(NAMES + 1):
        network.name.step()
        names.append(network.published[0][0])
        network.begun[-1].fail("Host name conflict")

    assert names[:2] == ["puluc.local", "puluc-2.local"]
    assert names[NAMES] == "puluc.local"


def test_name_that_was_ours_is_taken_up_again() -> None:
    """A restart of avahi is no reason for another name."""
    network = Network()
    network.name.step()
    network.begun[-1].fail("Client failure, exiting: Daemon connection failed")
    network.name.step()

    assert network.published == [("puluc.local", "192.0.2.7")]


def test_computer_of_that_name_needs_no_second_one() -> None:
    """The computer publishes its own name already."""
    network = Network(host=NAME)
    network.name.step()

    assert network.begun == []


def test_name_is_given_back() -> None:
    """Closing ends the command; closing again does nothing."""
    network = Network()
    network.name.step()
    network.name.close()
    network.name.close()

    assert network.published == []
