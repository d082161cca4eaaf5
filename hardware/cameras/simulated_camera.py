"""A simulated camera that throws four rendered casting sticks."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.errors import CameraLost
from companion.i18n import _
from companion.referee.events import Face
from hardware.cameras.camera import Frame, Pixels
from hardware.cameras.pacing import FramePacer
from hardware.cameras.simulated_board import HEIGHT, BoardScene, SimulatedBoard
from hardware.cameras.simulated_throw import (
    STICK_LENGTH,
    STICK_WIDTH,
    TILT,
    TRAY_CENTRE,
    TRAY_HALF,
    Plane,
    StickPose,
    Tabletop,
    tabletop,
)

APART = 0.87
"""Share of throws whose sticks all lie apart. Lower makes the companion ask more often; at 1 it would never ask."""

FRAME_WIDTH_PX = 640
TUMBLE_S = (0.75, 1.05)
"""Earliest and latest second after a throw at which a stick comes to rest."""
_LAID_S = 0.001  # sticks laid out by hand do not fall
_SHUTTER_S = 0.02
_SMEAR = 3


@dataclass(frozen=True, slots=True)
class TrueStick:
    """True place and face of a stick, in pixels of the full picture. Angles as in Lot."""

    x: float
    y: float
    angle: float
    face: Face


@dataclass(frozen=True, slots=True)
class GroundTruth:
    """True result of a throw, for tests only.

    apart: all sticks lie on the tray's floor, at least half a stick's width from each other.
    """

    marked: int
    sticks: tuple[TrueStick, ...]
    apart: bool


@dataclass(frozen=True, slots=True)
class _Fall:
    """One stick's trajectory: its start, its rotation on the way, and where and when it comes to rest."""

    rest: StickPose
    start: tuple[float, float]
    spin: float
    rolls: int
    lands_s: float

    def pose(self, age_s: float) -> StickPose:
        """Return the pose ``age_s`` seconds after the throw."""
        left = max(0.0, 1 - max(age_s, 0.0) / self.lands_s)
        if left == 0:
            return self.rest
        far, tumbling = left**1.7, left**1.3
        # Two bounces, the second lower.
        height = 0.16 * left * abs(np.sin(2.5 * np.pi * (1 - left) + 0.6))
        return replace(
            self.rest,
            x=self.rest.x + far * (self.start[0] - self.rest.x),
            y=self.rest.y + far * (self.start[1] - self.rest.y),
            angle=self.rest.angle + tumbling * self.spin,
            roll=180.0 * self.rolls * tumbling,
            height=float(height),
        )


class SimulatedCamera:
    """Renders a tray and four casting sticks. Equal seeds give equal throws.

    The sticks are fair. In about one throw of eight, some touch or cross, so that the companion has to ask. The scene
    looks the same for every seed, so a profile made from ``calibration`` fits them all.

    Parameters
    ----------
    seed : int, optional
        Seed of the throws.
    width, height : int
        Size of the stills in pixels.
    clock, sleep : callable
        Return monotonic seconds, and wait for the given number of seconds.
    board : SimulatedBoard, optional
        A board below the tray, for which the pictures are higher.
    """

    def __init__(
        self,
        seed: int | None = None,
        *,
        width: int = 1280,
        height: int = 960,
        board: SimulatedBoard | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if board is not None:
            height = round(HEIGHT * width)
        self.width, self.height, self.board = width, height, board
        self._painted = board.scene if board else None
        self._full = tabletop(width, height)
        self._small = tabletop(FRAME_WIDTH_PX, round(height * FRAME_WIDTH_PX / width))
        # Noise has its own generator, so that throws do not depend on the number of frames taken.
        chances, noise = np.random.SeedSequence(seed).spawn(2)
        self._chance, self._noise = np.random.default_rng(chances), np.random.default_rng(noise)
        self._pacer = FramePacer(clock=clock, sleep=sleep)
        self._closed = False
        self._thrown_at = float("-inf")
        self._falls: list[_Fall] = []
        self._exposure, self._tint = 1.0, (1.0, 1.0, 1.0)
        # Most frames show sticks at rest: the scene is rendered once, and only the noise is new.
        self._at_rest: dict[Tabletop, Plane] = {}

    @property
    def truth(self) -> GroundTruth | None:
        """The true result of the latest throw; None before the first."""
        if not self._falls:
            return None
        rests = [fall.rest for fall in self._falls]
        sticks = tuple(
            TrueStick(
                pose.x * self.width, pose.y * self.width, pose.angle % 180, Face.MARKED if pose.marked else Face.PLAIN
            )
            for pose in rests
        )
        return GroundTruth(sum(pose.marked for pose in rests), sticks, _clearance(rests) >= STICK_WIDTH / 2)

    def throw(self) -> None:
        """Throw the sticks. They tumble for about a second, then lie at rest."""
        self._check_open()
        apart = self._chance.random() < APART
        self._falls = [self._fall(rest) for rest in _scatter(self._chance, apart)]
        # Clouds, and the camera's automatic exposure and white balance.
        self._exposure = float(np.clip(self._chance.normal(1, 0.02), 0.94, 1.06))
        blue, red = np.clip(self._chance.normal(1, 0.006, 2), 0.985, 1.015)
        self._tint = (float(blue), 1.0, float(red))
        self._at_rest.clear()
        self._thrown_at = self._pacer.now()

    def next_frame(self) -> Frame:
        """Wait for the next frame, 640 px wide, about 15 a second."""
        return self._frame(self._small)

    def still(self) -> Frame:
        """Take a full-size picture. Sticks that tumble are blurred by their motion."""
        return self._frame(self._full)

    def close(self) -> None:
        """Stop. Later calls raise CameraLost."""
        self._closed = True

    def calibration(self) -> tuple[Pixels, Pixels, Pixels]:
        """Return the pictures for a calibration: the empty tray, all sticks marked side up, all plain side up.

        They are always the same. Calling this does not change later throws.
        """
        random = np.random.default_rng(4)
        pictures = []
        for faces in ((), (Face.MARKED,) * 4, (Face.PLAIN,) * 4):
            poses = _in_rows(random, faces)
            pictures.append(self._full.expose(self._full.scene([[pose] for pose in poses]), random))
        empty, marked_up, plain_up = pictures
        return empty, marked_up, plain_up

    def board_lesson(self) -> tuple[Pixels, Pixels, list[tuple[float, float]]]:
        """Return what a board is taught with: its pictures without and with pieces, and the road's corners in pixels.

        The pieces are those of the board's scene. Calling this does not change later throws.
        """
        assert self.board is not None
        random = np.random.default_rng(5)
        bare = replace(self.board, scene=BoardScene(()))
        empty, pieces = (
            self._full.expose(self._full.scene([], paint=board.paint), random) for board in (bare, self.board)
        )
        return empty, pieces, [(x * self.width, y * self.width) for x, y in self.board.corners]

    def place(self, faces: Sequence[Face]) -> None:
        """Lay out one stick for each face, one below the other. This does not change later throws."""
        self._check_open()
        poses = _in_rows(self._noise, faces)
        self._falls = [_Fall(pose, start=(pose.x, pose.y), spin=0.0, rolls=0, lands_s=_LAID_S) for pose in poses]
        self._exposure, self._tint = 1.0, (1.0, 1.0, 1.0)
        self._at_rest.clear()

    def _check_open(self) -> None:
        if self._closed:
            raise CameraLost(_("The simulated camera is closed."))

    def _frame(self, table: Tabletop) -> Frame:
        self._check_open()
        taken_at = self._pacer.wait()
        age = taken_at - self._thrown_at
        if self.board is not None and self.board.scene != self._painted:
            self._painted = self.board.scene
            self._at_rest.clear()
        resting = all(age >= fall.lands_s for fall in self._falls)
        scene = self._at_rest.get(table) if resting else None
        if scene is None:
            smear = 1 if resting else _SMEAR
            moments = [age + _SHUTTER_S * step / smear for step in range(smear)]
            scene = table.scene(
                [[fall.pose(moment) for moment in moments] for fall in self._falls],
                exposure=self._exposure,
                tint=self._tint,
                paint=self.board.paint if self.board else None,
            )
            if resting:
                self._at_rest[table] = scene
        pixels = table.expose(scene, self._noise)
        pixels.flags.writeable = False
        return Frame(pixels, taken_at)

    def _fall(self, rest: StickPose) -> _Fall:
        chance = self._chance
        return _Fall(
            rest,
            start=(float(chance.uniform(0.35, 0.65)), float(chance.uniform(0.68, 0.80))),
            spin=float(chance.uniform(-500, 500)),
            rolls=int(chance.integers(2, 6)),
            lands_s=float(chance.uniform(*TUMBLE_S)),
        )


def _in_rows(random: np.random.Generator, faces: Sequence[Face]) -> list[StickPose]:
    """Return poses of sticks one below the other, roughly aligned as if by hand."""
    return [
        StickPose(
            x=TRAY_CENTRE[0] + float(random.normal(0, 0.012)),
            y=TRAY_CENTRE[1] + 0.095 * (place - 1.5),
            angle=float(random.normal(0, 4)),
            marked=face is Face.MARKED,
        )
        for place, face in enumerate(faces)
    ]


def _scatter(chance: np.random.Generator, apart: bool) -> list[StickPose]:
    """Return poses of four sticks on the tray's floor, lowest first: all apart, or at least two that touch or cross."""
    while True:
        poses: list[StickPose] = []
        while len(poses) < 4:
            pose = _anywhere(chance)
            if not apart and len(poses) == 3:
                # Aim the last one at another.
                other = poses[int(chance.integers(3))]
                x, y = chance.normal((other.x, other.y), 0.03)
                pose = replace(pose, x=float(x), y=float(y))
            if _on_floor(pose):
                poses.append(pose)
            # There is too little room left: start over.
            if apart and _clearance(poses) < 0.75 * STICK_WIDTH:
                poses.clear()
        if apart or _clearance(poses) <= 0:
            # A stick across another lies a little higher.
            return [replace(pose, height=0.0 if apart or place < 3 else 0.006) for place, pose in enumerate(poses)]


def _anywhere(chance: np.random.Generator) -> StickPose:
    # Thrown sticks gather in the middle.
    x = TRAY_CENTRE[0] + TRAY_HALF[0] * float(np.clip(chance.normal(0, 0.45), -1, 1))
    y = TRAY_CENTRE[1] + TRAY_HALF[1] * float(np.clip(chance.normal(0, 0.45), -1, 1))
    return StickPose(x=x, y=y, angle=float(chance.uniform(0, 360)), marked=bool(chance.random() < 0.5))


def _ends(pose: StickPose) -> tuple[complex, complex]:
    """Return the centres of the stick's two round ends, as complex numbers."""
    half = (STICK_LENGTH - STICK_WIDTH) / 2 * np.exp(1j * np.radians(pose.angle))
    return complex(pose.x, pose.y) - half, complex(pose.x, pose.y) + half


def _on_floor(pose: StickPose) -> bool:
    """Return whether the whole stick lies on the felt, a finger's breadth from the rim."""
    for end in _ends(pose):
        seen = (end - complex(*TRAY_CENTRE)) * np.exp(-1j * np.radians(TILT))
        if abs(seen.real) > TRAY_HALF[0] - 1.2 * STICK_WIDTH or abs(seen.imag) > TRAY_HALF[1] - 1.2 * STICK_WIDTH:
            return False
    return True


def _clearance(poses: list[StickPose]) -> float:
    """Return the smallest gap between two sticks as a fraction of the picture's width, 0 or less if they touch."""
    gaps = [
        _distance(_ends(one), _ends(other)) - STICK_WIDTH for place, one in enumerate(poses) for other in poses[:place]
    ]
    return min(gaps, default=float("inf"))


def _distance(one: tuple[complex, complex], other: tuple[complex, complex]) -> float:
    """Return the distance between two line segments in the plane, 0 if they cross."""

    def side(line: tuple[complex, complex], point: complex) -> float:
        return float(((line[1] - line[0]).conjugate() * (point - line[0])).imag)

    def to_segment(line: tuple[complex, complex], point: complex) -> float:
        along = line[1] - line[0]
        share = ((point - line[0]) * along.conjugate()).real / abs(along) ** 2
        return abs(point - line[0] - min(1.0, max(0.0, share)) * along)

    if side(one, other[0]) * side(one, other[1]) < 0 and side(other, one[0]) * side(other, one[1]) < 0:
        return 0.0
    return min(
        *(to_segment(one, point) for point in other),
        *(to_segment(other, point) for point in one),
    )
