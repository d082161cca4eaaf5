"""A camera for a table that is not there: it throws four drawn sticks whenever it is asked to."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.errors import CameraLost
from companion.referee.events import Face
from companion.words import _
from hardware.camera import Frame, Pixels
from hardware.pace import Pace
from hardware.simulated_throw import STICK_LENGTH, STICK_WIDTH, TILT, TRAY_CENTRE, TRAY_HALF, Plane, Pose, Tabletop

APART = 0.87
"""Share of throws whose sticks all lie apart. Fewer and the companion asks more often; 1 and it never would."""

WATCH_WIDTH_PX = 640
TUMBLE_S = (0.75, 1.05)
"""The first and the last moment at which a stick may come to rest, after the throw."""
_LAID_S = 0.001  # what is laid by hand does not fall
_SHUTTER_S = 0.02
_SMEAR = 3


@dataclass(frozen=True, slots=True)
class TrueStick:
    """Where a stick really lies, in pixels of the full picture, and which face is up. Angles as in Lot."""

    x: float
    y: float
    angle: float
    face: Face


@dataclass(frozen=True, slots=True)
class Truth:
    """What a throw really shows; for tests, never for the game.

    apart: no two sticks are nearer than half a stick's width, and all lie on the tray's floor.
    """

    marked: int
    sticks: tuple[TrueStick, ...]
    apart: bool


@dataclass(frozen=True, slots=True)
class _Fall:
    """How one stick comes to its place: from where, turning and rolling how far, until when."""

    rest: Pose
    start: tuple[float, float]
    spin: float
    rolls: int
    lands_s: float

    def pose(self, age_s: float) -> Pose:
        """The stick ``age_s`` seconds after it left the hand."""
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
    """A tray with four casting sticks, drawn. The same seed throws the same throws.

    The sticks are fair, and in about one throw of eight some touch or cross, so that the companion has to ask.
    Table, tray and sticks look the same whatever the seed: a profile made from ``calibration`` fits every one.
    """

    def __init__(
        self,
        seed: int | None = None,
        *,
        width: int = 1280,
        height: int = 960,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """width, height: of the full picture in pixels. clock, sleep: monotonic seconds, and waiting for some."""
        self.width, self.height = width, height
        self._full = Tabletop(width, height)
        self._small = Tabletop(WATCH_WIDTH_PX, round(height * WATCH_WIDTH_PX / width))
        # What is thrown must not depend on how many frames were looked at, so noise has its own source.
        chances, noise = np.random.SeedSequence(seed).spawn(2)
        self._chance, self._noise = np.random.default_rng(chances), np.random.default_rng(noise)
        self._pace = Pace(clock=clock, sleep=sleep)
        self._closed = False
        self._thrown_at = float("-inf")
        self._falls: list[_Fall] = []
        self._exposure, self._tint = 1.0, (1.0, 1.0, 1.0)
        # Most frames show sticks at rest: those are drawn once, and only their noise is new.
        self._at_rest: dict[Tabletop, Plane] = {}

    @property
    def truth(self) -> Truth | None:
        """What the latest throw shows, or None before the first."""
        if not self._falls:
            return None
        rests = [fall.rest for fall in self._falls]
        sticks = tuple(
            TrueStick(
                pose.x * self.width, pose.y * self.width, pose.angle % 180, Face.MARKED if pose.marked else Face.PLAIN
            )
            for pose in rests
        )
        return Truth(sum(pose.marked for pose in rests), sticks, _clearance(rests) >= STICK_WIDTH / 2)

    def throw(self) -> None:
        """Take the sticks up and cast them: they tumble for about a second, then lie."""
        self._check_open()
        apart = self._chance.random() < APART
        self._falls = [self._fall(rest) for rest in _scatter(self._chance, apart)]
        # Clouds and the camera's own mind.
        self._exposure = float(np.clip(self._chance.normal(1, 0.02), 0.94, 1.06))
        blue, red = np.clip(self._chance.normal(1, 0.006, 2), 0.985, 1.015)
        self._tint = (float(blue), 1.0, float(red))
        self._at_rest.clear()
        self._thrown_at = self._pace.now()

    def watch(self) -> Frame:
        """The tray 640 px wide, about 15 times a second."""
        return self._frame(self._small)

    def still(self) -> Frame:
        """The tray in full. While the sticks tumble they are smeared in it, as they would be."""
        return self._frame(self._full)

    def close(self) -> None:
        """Stop; frames asked for later raise CameraLost."""
        self._closed = True

    def calibration(self) -> tuple[Pixels, Pixels, Pixels]:
        """Three full pictures to learn the reader from: the empty tray, four marked faces up, four plain faces up.

        Always the same pictures; later throws do not depend on whether they were asked for.
        """
        random = np.random.default_rng(4)
        pictures = []
        for faces in ((), (Face.MARKED,) * 4, (Face.PLAIN,) * 4):
            poses = _in_rows(random, faces)
            pictures.append(self._full.expose(self._full.scene([[pose] for pose in poses]), random))
        empty, marked_up, plain_up = pictures
        return empty, marked_up, plain_up

    def lay(self, faces: Sequence[Face]) -> None:
        """Lay sticks out in rows, these faces up; later throws do not depend on it."""
        self._check_open()
        poses = _in_rows(self._noise, faces)
        self._falls = [_Fall(pose, start=(pose.x, pose.y), spin=0.0, rolls=0, lands_s=_LAID_S) for pose in poses]
        self._exposure, self._tint = 1.0, (1.0, 1.0, 1.0)
        self._at_rest.clear()

    def _check_open(self) -> None:
        if self._closed:
            raise CameraLost(_("The simulated camera was closed; open it again."))

    def _frame(self, table: Tabletop) -> Frame:
        self._check_open()
        taken_at = self._pace.exposure()
        age = taken_at - self._thrown_at
        resting = all(age >= fall.lands_s for fall in self._falls)
        scene = self._at_rest.get(table) if resting else None
        if scene is None:
            smear = 1 if resting else _SMEAR
            moments = [age + _SHUTTER_S * step / smear for step in range(smear)]
            scene = table.scene(
                [[fall.pose(moment) for moment in moments] for fall in self._falls],
                exposure=self._exposure,
                tint=self._tint,
            )
            if resting:
                self._at_rest[table] = scene
        pixels = table.expose(scene, self._noise)
        pixels.flags.writeable = False
        return Frame(pixels, taken_at)

    def _fall(self, rest: Pose) -> _Fall:
        chance = self._chance
        return _Fall(
            rest,
            start=(float(chance.uniform(0.35, 0.65)), float(chance.uniform(0.68, 0.80))),
            spin=float(chance.uniform(-500, 500)),
            rolls=int(chance.integers(2, 6)),
            lands_s=float(chance.uniform(*TUMBLE_S)),
        )


def _in_rows(random: np.random.Generator, faces: Sequence[Face]) -> list[Pose]:
    """Sticks one below the other, as one lays them out by hand."""
    return [
        Pose(
            x=TRAY_CENTRE[0] + float(random.normal(0, 0.012)),
            y=TRAY_CENTRE[1] + 0.095 * (place - 1.5),
            angle=float(random.normal(0, 4)),
            marked=face is Face.MARKED,
        )
        for place, face in enumerate(faces)
    ]


def _scatter(chance: np.random.Generator, apart: bool) -> list[Pose]:
    """Four sticks at rest on the tray's floor, lowest first; all apart, or at least two touching or crossing."""
    while True:
        poses: list[Pose] = []
        while len(poses) < 4:
            pose = _anywhere(chance)
            if not apart and len(poses) == 3:
                # Aim the last one at another, so that the two meet.
                other = poses[int(chance.integers(3))]
                x, y = chance.normal((other.x, other.y), 0.03)
                pose = replace(pose, x=float(x), y=float(y))
            if _on_floor(pose):
                poses.append(pose)
            # What lies there already leaves too little room: begin anew.
            if apart and _clearance(poses) < 0.75 * STICK_WIDTH:
                poses.clear()
        if apart or _clearance(poses) <= 0:
            # A stick across another lies a little higher.
            return [replace(pose, height=0.0 if apart or place < 3 else 0.006) for place, pose in enumerate(poses)]


def _anywhere(chance: np.random.Generator) -> Pose:
    # Thrown sticks gather towards the middle.
    x = TRAY_CENTRE[0] + TRAY_HALF[0] * float(np.clip(chance.normal(0, 0.45), -1, 1))
    y = TRAY_CENTRE[1] + TRAY_HALF[1] * float(np.clip(chance.normal(0, 0.45), -1, 1))
    return Pose(x=x, y=y, angle=float(chance.uniform(0, 360)), marked=bool(chance.random() < 0.5))


def _ends(pose: Pose) -> tuple[complex, complex]:
    """The middles of the stick's two round ends."""
    half = (STICK_LENGTH - STICK_WIDTH) / 2 * np.exp(1j * np.radians(pose.angle))
    return complex(pose.x, pose.y) - half, complex(pose.x, pose.y) + half


def _on_floor(pose: Pose) -> bool:
    """Whether the whole stick lies on the felt with a finger's breadth to the rim."""
    for end in _ends(pose):
        seen = (end - complex(*TRAY_CENTRE)) * np.exp(-1j * np.radians(TILT))
        if abs(seen.real) > TRAY_HALF[0] - 1.2 * STICK_WIDTH or abs(seen.imag) > TRAY_HALF[1] - 1.2 * STICK_WIDTH:
            return False
    return True


def _clearance(poses: list[Pose]) -> float:
    """The least space between any two sticks, as a fraction of the picture's width; 0 or less where they touch."""
    gaps = [
        _distance(_ends(one), _ends(other)) - STICK_WIDTH for place, one in enumerate(poses) for other in poses[:place]
    ]
    return min(gaps, default=float("inf"))


def _distance(one: tuple[complex, complex], other: tuple[complex, complex]) -> float:
    """The distance of two line segments in the plane, 0 where they cross."""

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
