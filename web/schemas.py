"""The models of request bodies, and the sentence for a body that does not fit its model."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from flask import Request
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from werkzeug.exceptions import BadRequest, UnprocessableEntity

from companion.i18n import N_, _, retranslate
from companion.referee.events import Begins


def _whole(value: object) -> object:
    """Accept 3.0 as a whole number: JSON makes no difference, and some programs write it."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE = BeforeValidator(_whole)
"""Stands after the limits; before them, pydantic would leave the limits out of the description."""
Small = Annotated[int, Field(strict=True, ge=-999, le=999), WHOLE]
Space = Annotated[int, Field(strict=True, ge=1, le=99), WHOLE]
Text = Annotated[str, Field(max_length=100)]
Players = Text | Annotated[list[Text], Field(max_length=20)]
Rule = Text | Small | Annotated[bool, Field(strict=True)] | list[Small] | None

MAY_BE_LEFT_OUT = ConfigDict(openapi_extra={"required": False})  # type: ignore[typeddict-unknown-key]  # flask-openapi3's own
NEEDED = ConfigDict(openapi_extra={"required": True})  # type: ignore[typeddict-unknown-key]  # flask-openapi3's own
"""Tell flask-openapi3 whether a body may be left out."""


class StepRequest(BaseModel):
    """The body that every request may have. All others add fields to it."""

    model_config = MAY_BE_LEFT_OUT

    step: Annotated[int, Field(strict=True, ge=0), WHOLE] | None = Field(
        None, description=N_("the step of the table you saw, a whole number; refused if the game has moved on")
    )


class NewGameRequest(StepRequest):
    """The game to start, and its players."""

    model_config = ConfigDict(extra="forbid")

    variant: Text = Field("puluc", description=N_("the id of a variant, such as puluc"))
    set: dict[Text, Rule] = Field(
        default_factory=dict,
        max_length=20,
        description=N_('rules to change, such as {"spaces": 11, "values": "bell"}'),
    )
    jade: Players = Field("human", description=N_("a person's name, a level such as easy, or human; a team is a list"))
    obsidian: Players = Field(
        "human", description=N_("a person's name, a level such as easy, or human; a team is a list")
    )
    begins: Literal["jade", "obsidian"] | None = Field(
        None, description=N_("jade or obsidian to agree on who begins; null for a throw-off")
    )
    evening: list[Text] = Field(
        default_factory=list,
        max_length=20,
        description=N_("the ids of variants to play one after another as a match; variant and set are then ignored"),
    )


class OptionsRequest(StepRequest):
    """Options to set. Those left out stay as they are."""

    model_config = ConfigDict(extra="forbid")

    ask: bool | None = Field(
        None, strict=True, description=N_("true if every throw and every forced move waits for a tap")
    )
    auto_throw: bool | None = Field(None, strict=True, description=N_("true to watch for the next throw automatically"))
    auto_move: bool | None = Field(
        None, strict=True, description=N_("true to play forced moves at once, unless ask is true")
    )
    draw: bool | None = Field(None, strict=True, description=N_("true if the computer rolls its own throws"))
    begins: Begins | None = Field(
        None, description=N_("throw_off, winner or loser: who begins the next game between the same players")
    )
    marked: Text | None = Field(
        None,
        description=N_("the chance of a marked side used for advice, such as 0.53 or 9/17; rounded to hundredths"),
    )
    advice: bool | None = Field(None, strict=True, description=N_("true to show win chances and the best move"))
    advice_after: bool | None = Field(
        None, strict=True, description=N_("true to show what the moves were worth only after a move")
    )
    board: bool | None = Field(
        None, strict=True, description=N_("true to look at the board, where the camera knows it")
    )
    board_moves: bool | None = Field(
        None, strict=True, description=N_("true to take and to correct the moves that are seen on the board")
    )


class RenameRequest(StepRequest):
    """The new name of a saved game."""

    model_config = NEEDED

    name: Annotated[str, Field(max_length=200)] = Field(description=N_("a name for the game, 1 to 100 characters"))


class PlayOnRequest(StepRequest):
    """The position of a saved game to play on from."""

    model_config = NEEDED

    turn: Annotated[int, Field(strict=True, ge=0, le=99999), WHOLE] = Field(
        description=N_("the number of turns played before it; 0 is the opening position")
    )


class RecordRequest(StepRequest):
    """A game's record to import."""

    model_config = NEEDED

    text: str = Field(description=N_("the record of a game, as text"))


class ThrowRequest(StepRequest):
    """The count of a throw."""

    model_config = NEEDED

    marked: Annotated[int, Field(strict=True, ge=0, le=4), WHOLE] = Field(
        description=N_("the number of marked sides, a whole number from 0 to 4")
    )
    faces: Annotated[list[Literal["marked", "plain"]], Field(max_length=4)] = Field(
        default_factory=list,
        description=N_("marked or plain for each stick seen, in their order, if known"),
    )


class MoveRequest(StepRequest):
    """The move to play, spelled as in the table's moves."""

    model_config = NEEDED

    start: Space | Literal["base", "field"] = Field(alias="from", description=N_('a space number, "base" or "field"'))
    to: Space | Literal["home", "field"] = Field(description=N_('a space number, "home" or "field"'))
    value: Annotated[int, Field(strict=True, ge=0, le=99), WHOLE] | None = Field(
        None, description=N_("the throw to use, a whole number, if several are possible")
    )
    unit: Text | None = Field(
        None, description=N_("the unit to move, as written in the table's moves, if several are possible")
    )


class ResignRequest(StepRequest):
    """The side that gives up."""

    model_config = ConfigDict(extra="forbid", **MAY_BE_LEFT_OUT)

    side: Literal["jade", "obsidian"] | None = Field(
        None, description=N_("jade or obsidian; left out, the side whose turn it is")
    )


class HostRequest(StepRequest):
    """A change of the host."""

    model_config = NEEDED

    host: Literal["me", "free"] = Field(description=N_("me, or free so that the next phone that asks becomes host"))


class CalibrationStep(StepRequest):
    """A step of the calibration."""

    step: Annotated[int, Field(strict=True, ge=0), WHOLE] | None = Field(
        None, description=N_("the step of the calibration you saw, a whole number; refused if that step is over")
    )


class CalibrationStart(CalibrationStep):
    """The sticks to teach the camera."""

    model_config = ConfigDict(extra="forbid")

    sticks: Text = Field(
        "", description=N_("a name for the sticks, or empty; throws under the same name are counted together")
    )


class VerdictRequest(CalibrationStep):
    """Whether a test throw was read right."""

    model_config = NEEDED

    right: bool = Field(strict=True, description=N_("true if the count is right"))


Pixel = Annotated[float, Field(ge=-10_000, le=10_000)]


class CornersRequest(CalibrationStep):
    """The corners of the board's road."""

    model_config = NEEDED

    corners: Annotated[list[Annotated[list[Pixel], Field(min_length=2, max_length=2)]], Field(max_length=4)] = Field(
        min_length=4,
        description=N_(
            "four points [x, y] in pixels of the empty picture: at Jade's end left and right, then at Obsidian's"
        ),
    )


class PiecesRequest(CalibrationStep):
    """The pieces that stand on the board."""

    position: Text | None = Field(None, description=N_("the position on the board, in notation; null as proposed"))


class TeachingPictureQuery(BaseModel):
    """Which picture of the calibration to show."""

    side: Literal["marked", "plain"] | None = Field(
        None, description=N_("marked or plain, to show that side of all four sticks; left out, the tray")
    )


class BoardPictureQuery(BaseModel):
    """Which picture of the board to show."""

    which: Literal["live", "empty", "pieces"] = Field("live", description=N_("live, empty or pieces"))


class ButtonRequest(StepRequest):
    """A button of the panel, pressed or released."""

    model_config = NEEDED

    button: Literal["confirm", "next", "back"] = Field(description=N_("confirm, next or back"))
    down: bool = Field(
        strict=True,
        description=N_("true while the button is held, repeated every second; false when it is released"),
    )


class UploadQuery(BaseModel):
    """The place of a part in the uploaded backup."""

    at: int = Field(0, ge=0, le=2**40, description=N_("the number of bytes sent before this part; 0 starts over"))


class RestoreRequest(BaseModel):
    """The backup to restore."""

    model_config = NEEDED

    word: Text = Field(description=N_("the word that the check returned"))


class TicketQuery(BaseModel):
    """The query of the address in the phone camera's QR code."""

    ticket: Text | None = Field(None, description=N_("the ticket in the QR code, which lets in one phone, once"))


class TicketRequest(BaseModel):
    """The ticket of the phone that wants to be the camera."""

    ticket: Text = Field("", description=N_("the ticket in the QR code, which lets in one phone, once"))


class RemovePhoneRequest(StepRequest):
    """The phone that should be a camera no longer."""

    model_config = MAY_BE_LEFT_OUT

    subject: Literal["tray", "board"] = Field("tray", description=N_("tray or board, which the phone looks at"))


class CameraPageRequest(StepRequest):
    """How the phone camera's page sends."""

    model_config = NEEDED

    live: bool = Field(strict=True, description=N_("true if it sends pictures by itself, false for single photographs"))


class CameraPageQuery(BaseModel):
    """The phone camera's page that sends."""

    page: int = Field(ge=0, le=2**53, description=N_("the number that the page was told when it was opened"))


class PictureQuery(CameraPageQuery):
    """The phone camera's page that sends, and which picture."""

    number: int = Field(0, ge=0, le=2**53, description=N_("the number of the request that the picture answers"))


class AbsenceQuery(CameraPageQuery):
    """Why the phone camera's page sends nothing for now."""

    why: Literal["hidden", "camera", "closed"] = Field(description=N_("hidden, camera or closed"))


BODIES: dict[str, type[BaseModel]] = {
    body.__name__: body
    for body in (
        *(StepRequest, NewGameRequest, OptionsRequest, RenameRequest, PlayOnRequest, RecordRequest, ThrowRequest),
        *(MoveRequest, ResignRequest, HostRequest, CalibrationStep, CalibrationStart, VerdictRequest, ButtonRequest),
        *(UploadQuery, RestoreRequest, CornersRequest, PiecesRequest, BoardPictureQuery, TeachingPictureQuery),
        *(TicketQuery, TicketRequest, RemovePhoneRequest),
        *(CameraPageRequest, CameraPageQuery, PictureQuery, AbsenceQuery),
    )
}


class JsonRequest(Request):
    """A request whose body is read as a JSON object whatever its content type; no body counts as an empty object."""

    def get_json(self, force: bool = False, silent: bool = False, cache: bool = True) -> Any:  # noqa: ARG002 - Flask's
        """The body as an object.

        Raises BadRequest or UnprocessableEntity even if asked to be silent, because the library that asks would take
        a damaged body for an empty one, and an empty one is a valid wish to undo.
        """
        data = self.get_data(cache=cache)
        if not data:
            return {}
        try:
            body = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise BadRequest(_('The body is not JSON. It should look like {"marked": 3}.')) from error
        if not isinstance(body, dict):
            raise UnprocessableEntity(_('The body should be a JSON object, such as {"marked": 3}.'))
        return body


def sentence(error: ValidationError) -> str:
    """The first field of a body that does not fit, and what it takes, in a sentence."""
    fields = BODIES[error.title].model_fields
    takes = {field.alias or name: field.description for name, field in fields.items()}
    first = error.errors(include_url=False, include_input=False)[0]
    name = str(first["loc"][0])[:40]
    if name not in takes:
        return _("There is no field '{name}' here. The fields are: {fields}.", name=name, fields=", ".join(takes))
    what = retranslate(takes[name] or "")
    if first["type"] == "missing":
        return _("'{name}' is missing: it takes {what}.", name=name, what=what)
    return _("'{name}' takes {what}.", name=name, what=what)
