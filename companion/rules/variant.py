"""The ways to play, as data. Nothing here decides; the engine reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from companion.errors import Unknown

CULIN = (5, 1, 2, 3, 4)
BELL = (5, 0, 2, 3, 4)
_NAMED_VALUES = {"culin": CULIN, "bell": BELL}


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One documented way to play.

    source: where the rules are told, so that a reader can disagree with us.
    spaces: N, the spaces between the two bases, numbered 1..N from Jade's.
    pieces: pieces a side.
    values: what a throw showing 0, 1, 2, 3 and 4 marked faces is worth; a value of 0 ends the turn.
    """

    id: str
    name: str
    source: str
    spaces: int
    pieces: int
    values: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 5 <= self.spaces <= 60:
            raise ValueError(f"spaces={self.spaces}: a highway has 5 to 60 spaces.")
        if not 1 <= self.pieces <= 12:
            raise ValueError(f"pieces={self.pieces}: a side has 1 to 12 pieces.")
        if len(self.values) != 5 or not all(0 <= value <= 5 for value in self.values) or not any(self.values):
            raise ValueError("values: needs five numbers from 0 to 5, for 0 to 4 marked faces, not all 0.")

    def changed(self, changes: Mapping[str, str]) -> Variant:
        """The same game with fields set otherwise, each given as text: ``{"spaces": "11", "values": "bell"}``.

        Raises Unknown for a field that is not a rule, and for a value the field cannot take.

        >>> variant("puluc").changed({"values": "bell", "spaces": "11"}).values
        (5, 0, 2, 3, 4)
        """
        new: dict[str, int | tuple[int, ...]] = {}
        for name, text in changes.items():
            if name not in RULE_FIELDS:
                raise Unknown(
                    f"There is no rule called '{name[:40]}'. The rules that can be set: {', '.join(RULE_FIELDS)}."
                )
            try:
                if name == "values":
                    new[name] = _NAMED_VALUES.get(text) or tuple(int(value) for value in text.split(","))
                else:
                    new[name] = int(text)
            except ValueError as error:
                wanted = "culin, bell, or five numbers such as 5,1,2,3,4" if name == "values" else "a whole number"
                raise Unknown(f"'{text[:40]}' will not do for {name}: it takes {wanted}.") from error
        try:
            return replace(self, **new)  # type: ignore[arg-type]  # each field's type was made just above
        except ValueError as error:
            raise Unknown(f"{self.id} cannot be played so. {error}") from error


RULE_FIELDS = tuple(field.name for field in fields(Variant) if field.name not in ("id", "name", "source"))

_PSION = "Cyningstan, Puluk for the Psion Series 3, manual"
VARIANTS: Mapping[str, Variant] = {
    variant.id: variant
    for variant in (
        Variant(id="puluc", name="Puluc", source=f"{_PSION}, chapter 3", spaces=9, pieces=5, values=CULIN),
        Variant(
            id="puluc-bell",
            name="Puluc with Bell's throws",
            source=f"{_PSION}, 4.2 and 5",
            spaces=9,
            pieces=5,
            values=BELL,
        ),
        Variant(
            id="puluc-13",
            name="Puluc on thirteen rows",
            source="Boolik, juego de mesa maya (2018), variante 1",
            spaces=11,
            pieces=5,
            values=CULIN,
        ),
    )
}


def variant(id: str) -> Variant:  # noqa: A002 - the field's own name
    """The variant of that id. Raises Unknown, naming those there are."""
    try:
        return VARIANTS[id]
    except KeyError:
        raise Unknown(f"There is no variant called '{id[:40]}'. Known: {', '.join(VARIANTS)}.") from None
