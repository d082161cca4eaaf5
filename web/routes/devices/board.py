"""The real board: comparing it with the game, and teaching it from a phone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Response, request
from flask_openapi3.openapi import OpenAPI
from werkzeug.exceptions import NotFound

from companion.calibration.board_mailbox import BoardService
from companion.calibration.board_prompts import board_button, board_sentence, board_title
from companion.calibration.board_session import (
    AcceptBoard,
    BoardRequest,
    BoardStage,
    BoardTeaching,
    TeachCorners,
    TeachEmpty,
    TeachPieces,
)
from companion.calibration.session import Busy, GoBack
from companion.errors import NotAllowed
from companion.i18n import _, retranslate
from companion.live_preview import Preview
from companion.referee.board.expected import ExpectedBoard, expected_board
from companion.referee.board.sightings import ILLEGAL, BoardSighting, BoardUnchanged, BoardUnclear, MoveSeen, Top
from companion.referee.game_state import GameState
from companion.referee.referee import Referee
from companion.referee.snapshots.board_sentences import differences_text, unclear_text
from companion.referee.snapshots.table_view import Snapshot, SpaceDifferenceView, View
from web.routes.devices.camera import PATIENCE_S
from web.routes.game.api import PLAYERS, table_response
from web.routes.game.page import JPEG
from web.schemas import BoardPictureQuery, CalibrationStep, CornersRequest, PiecesRequest, StepRequest
from web.security.access import Access

MOST_UNDONE = 60
"""Steps that "The board is right" may take back. More takes longer to compare, 2 ms each."""


class BoardCheck(View):
    """The board compared with the game's present position, as in the table's ``board_seen``."""

    status: str
    reason: str
    sentence: str
    spaces: list[Top]
    differences: list[SpaceDifferenceView]


class TaughtSpace(View):
    """A space, from 1, of the position that a board is taught with."""

    space: int
    expected: Top
    found: Top


class BoardTeachingView(View):
    """The complete state of teaching a board; the newest replaces all before.

    step: to be sent with each request, which is refused if another phone was quicker.
    stage: closed, empty, corners, pieces (what to do), shown, done. busy: why the next request has to wait, or null.
    open: whether a board is being taught. possible: whether there is a camera. taught: whether a board is known.
    width, height: of the empty picture, in whose pixels the corners are. spaces_count: of the road.
    position: of the pieces. spaces, clear: what was read, and whether without doubt.
    """

    step: int
    stage: BoardStage
    busy: Busy | None
    open: bool
    possible: bool
    taught: bool
    title: str
    sentence: str
    problem: str
    button: str
    width: int
    height: int
    corners: list[tuple[float, float]] | None
    spaces_count: int
    position: str
    spaces: list[TaughtSpace]
    clear: bool


def add_board(app: OpenAPI, referee: Referee, access: Access, board: BoardService, preview: Preview | None) -> None:
    """Add the routes of the real board to ``app``. preview: of the camera that sees the board; None without one."""

    def shown(state: BoardTeaching) -> dict[str, Any]:
        if state.is_open and not state.problem and preview is not None:
            # Without a picture there is nothing else to do.
            state = replace(state, problem=preview.failure)
        return teaching_view(state, plays=access.may_play(request)).model_dump(mode="json")

    def done(wish: BoardRequest, body: CalibrationStep) -> dict[str, Any]:
        return shown(board.submit(wish, seen=body.step))

    @app.post("/api/board/check", responses={200: BoardCheck}, security=PLAYERS)
    def board_check(body: StepRequest) -> dict[str, Any]:  # noqa: ARG001 - every request may have a body
        """Compare the board with the game."""
        return check_view(board.check(ExpectedBoard(referee.state().position))).model_dump(mode="json")

    @app.post("/api/board/right", responses={200: Snapshot}, security=PLAYERS)
    def board_right(body: StepRequest) -> Response:
        """Make the game agree with the board, by the move that the board shows or by taking back steps."""
        state = referee.state()
        step = state.step if body.step is None else body.step
        sighting = board.check(expected_board(state))
        if isinstance(sighting, MoveSeen):
            return table_response(referee.take_result(sighting.result, seen=step))
        return table_response(referee.undo_steps(steps_back(state, board), seen=step))

    @app.get("/api/board/teach", responses={200: BoardTeachingView})
    def board_teaching() -> dict[str, Any]:
        """Return the state of teaching. Teaching is abandoned if no player asks for two minutes."""
        return shown(board.teaching(attended=access.may_play(request)))

    @app.get("/api/board/teach/picture", responses={200: JPEG})
    def board_picture(query: BoardPictureQuery) -> Response:
        """Show the camera's picture, or one of those that were taken."""
        if query.which != "live":
            jpeg = board.picture(query.which)
        else:
            jpeg = preview.picture(PATIENCE_S) if preview is not None else None
        if jpeg is None:
            raise NotFound(_("There is no such picture now."))
        return Response(jpeg, mimetype="image/jpeg")

    @app.post("/api/board/teach", responses={200: BoardTeachingView}, security=PLAYERS)
    def board_begin(body: CalibrationStep) -> dict[str, Any]:  # noqa: ARG001 - every request may have a body
        """Start teaching the board of the game on the table, or join."""
        state = referee.state()
        return shown(board.begin(state.rules, state.game.changes))

    @app.post("/api/board/teach/empty", responses={200: BoardTeachingView}, security=PLAYERS)
    def board_empty(body: CalibrationStep) -> dict[str, Any]:
        """Take the picture of the empty board once nothing moves, after this response."""
        return done(TeachEmpty(), body)

    @app.post("/api/board/teach/corners", responses={200: BoardTeachingView}, security=PLAYERS)
    def board_corners(body: CornersRequest) -> dict[str, Any]:
        """Name the corners of the road."""
        return done(TeachCorners(tuple((x, y) for x, y in body.corners)), body)

    @app.post("/api/board/teach/pieces", responses={200: BoardTeachingView}, security=PLAYERS)
    def board_pieces(body: PiecesRequest) -> dict[str, Any]:
        """Take the picture with the pieces once nothing moves, after this response."""
        return done(TeachPieces(body.position), body)

    @app.post("/api/board/teach/accept", responses={200: BoardTeachingView}, security=PLAYERS)
    def board_accept(body: CalibrationStep) -> dict[str, Any]:
        """Save what was learnt, and watch the board from now on."""
        return done(AcceptBoard(), body)

    @app.post("/api/board/teach/back", responses={200: BoardTeachingView}, security=PLAYERS)
    def board_back(body: CalibrationStep) -> dict[str, Any]:
        """Go back one step."""
        return done(GoBack(), body)

    @app.post("/api/board/teach/cancel", responses={200: BoardTeachingView}, security=PLAYERS)
    def board_cancel(body: CalibrationStep) -> dict[str, Any]:  # noqa: ARG001 - every request may have a body
        """Stop teaching, and keep what was known."""
        return shown(board.cancel())

    @app.post("/api/board/forget", responses={200: BoardTeachingView}, security=PLAYERS)
    def board_forget(body: CalibrationStep) -> dict[str, Any]:  # noqa: ARG001 - every request may have a body
        """Forget the board, so that moves are tapped."""
        return shown(board.forget())


def check_view(sighting: BoardSighting | None) -> BoardCheck:
    """What was found when the board was compared with the game."""
    if isinstance(sighting, BoardUnclear):
        illegal = sighting.reason == ILLEGAL
        return BoardCheck(
            status="illegal" if illegal else "unsure",
            reason="" if illegal else sighting.reason,
            sentence=f"{differences_text(sighting.differences)}." if illegal else unclear_text(sighting.reason),
            spaces=list(sighting.tops),
            differences=[
                SpaceDifferenceView(space=one.space, expected=one.expected, found=one.found)
                for one in sighting.differences
            ],
        )
    if sighting is None:
        sentence = _("I can't look at the board now. Keep your hands away from it, then try again.")
        return BoardCheck(status="unsure", reason="moving", sentence=sentence, spaces=[], differences=[])
    sentence = _("The board and the game agree.")
    return BoardCheck(status="unchanged", reason="", sentence=sentence, spaces=list(sighting.tops), differences=[])


def steps_back(state: GameState, board: BoardService) -> int:
    """Number of steps to take back until the game agrees with the board. Raises NotAllowed, which says why not."""
    seen = check = board.check(ExpectedBoard(state.position))
    if isinstance(check, BoardUnchanged):
        raise NotAllowed(_("The board and the game agree already."))
    before, undone, position = state.before, 1, state.position
    while check is not None and before is not None and undone <= MOST_UNDONE:
        if before.position.places != position.places:
            position = before.position
            check = board.check(ExpectedBoard(position))
            if isinstance(check, BoardUnchanged):
                return undone
        before, undone = before.before, undone + 1
    told = check_view(seen)
    if told.status == "unsure":
        raise NotAllowed(told.sentence)
    raise NotAllowed(_("Neither undoing nor a legal move gives this board. Put the pieces back as the game has them."))


def teaching_view(state: BoardTeaching, *, plays: bool) -> BoardTeachingView:
    """The state as JSON. plays: the reader is a player, and may see problems, which may name files."""
    problem = retranslate(state.problem) if plays or not state.possible else ""
    return BoardTeachingView.copied_from(
        state,
        open=state.is_open,
        title=board_title(state),
        sentence=problem if state.problem else board_sentence(state),
        problem=problem,
        button=board_button(state),
        spaces_count=state.rules.spaces if state.rules else 0,
        spaces=[
            TaughtSpace(space=at, expected=expected, found=found)
            for at, (expected, found) in enumerate(state.spaces, 1)
        ],
    )
