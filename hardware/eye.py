"""The camera's one worker: it watches the game, and learns new sticks while a phone asks for that."""

from __future__ import annotations

import logging
from collections.abc import Callable

from companion.errors import CameraLost, CompanionError
from companion.referee.events import CameraChanged, CameraState, Event
from companion.window import Window
from companion.words import later
from hardware.calibrating import Calibrating, Learned
from hardware.camera import Camera, Pixels
from hardware.locked_controls import LockedControls
from hardware.pictures import small_jpeg
from hardware.profile import Profile
from hardware.watcher import Watcher

log = logging.getLogger(__name__)

RETRY_S = 2.0
"""Seconds between two tries to open the camera for a calibration. Lower keeps a slow device from coming up at all."""

LEARNING = CameraChanged(
    state=CameraState.UNCALIBRATED,
    message=later(
        "The camera is being taught on a phone. Tap the counts meanwhile, or go on teaching it from the menu."
    ),
)
UNTAUGHT = CameraChanged(
    state=CameraState.UNCALIBRATED,
    message=later("The camera does not know these sticks yet, so tap the counts. The menu leads to how to teach it."),
)


def glance(window: Window, pixels: Pixels) -> None:
    """Show that picture to those who look, if any do."""
    if window.is_due:
        window.show(small_jpeg(pixels))


class Eye:
    """Owns the camera. One thread steps it, and nothing else touches the camera.

    open_camera: opens it, held at those settings; raises CompanionError.
    camera: the one that is open already, if any.
    watch: makes a watcher for a profile; the watcher opens its camera with the function it is given.
    teaching: the calibration that phones ask for.
    keep: writes down what was learnt; raises CompanionError.
    tell: tells the table about the camera. clock, pause: monotonic seconds, and waiting for some.
    profile, held: what is known of the sticks, and how the camera was set then.
    window: through which people look at the tray; before any sticks are known the camera is opened for them alone.
    """

    def __init__(
        self,
        *,
        open_camera: Callable[[LockedControls | None], Camera],
        camera: Camera | None,
        watch: Callable[[Profile, Callable[[], Camera]], Watcher],
        teaching: Calibrating,
        keep: Callable[[Learned], None],
        tell: Callable[[Event], object],
        clock: Callable[[], float],
        pause: Callable[[float], None],
        profile: Profile | None,
        held: LockedControls | None,
        window: Window,
    ) -> None:
        self._open, self._camera, self._watch, self._teaching = open_camera, camera, watch, teaching
        self._keep, self._tell, self._clock, self._pause = keep, tell, clock, pause
        self._profile, self._held, self._window = profile, held, window
        self._watcher: Watcher | None = None
        # Whether neither is at work: at the start, and when a calibration has come to its end.
        self._idle, self._learning = True, False
        self._retry_at = clock()

    @property
    def untaught(self) -> CameraChanged | None:
        """What the players are to be told where no sticks are known yet, else None."""
        return UNTAUGHT if self._profile is None else None

    def step(self) -> None:
        """Watch, or learn, for the length of a frame. Returns within a few seconds."""
        if self._teaching.is_wanted():
            self._learn()
            return
        if self._learning or self._idle:
            self._begin_watching()
        if self._watcher is not None:
            self._watcher.step()
        elif self._window.is_looked_through:
            self._show()
        else:
            self._let_go()
            self._pause(0.2)

    def close(self) -> None:
        if self._watcher is not None:
            self._watcher.close()
        self._let_go()

    def _begin_watching(self) -> None:
        # A calibration that came to nothing has moved the camera's settings, and perhaps a drawn camera's sticks.
        if self._learning:
            self._let_go()
        self._idle = self._learning = False
        if self._profile is None:
            self._let_go()
            self._say(UNTAUGHT)
        else:
            self._watcher = self._watch(self._profile, self._take_over)

    def _show(self) -> None:
        """Let people see the tray, so that they can aim the camera before they teach it."""
        if self._camera is None and self._clock() < self._retry_at:
            self._pause(0.2)
            return
        try:
            self._camera = self._camera or self._open(self._held)
            glance(self._window, self._camera.watch().pixels)
        except CompanionError as error:
            log.info("%s", error)
            self._window.stay_dark(error.args[0])
            self._let_go()
            self._retry_at = self._clock() + RETRY_S

    def _take_over(self) -> Camera:
        """The camera for the watcher: the open one at first, later opened anew."""
        camera, self._camera = self._camera, None
        return camera or self._open(self._held)

    def _learn(self) -> None:
        if not self._learning:
            self._learning = True
            if self._watcher is not None:
                self._camera = self._watcher.release()
                self._watcher = None
            self._say(LEARNING)
        try:
            if self._camera is None:
                if self._clock() < self._retry_at:
                    self._pause(0.2)
                    return
                self._camera = self._found()
            taught = self._teaching.step(self._camera)
        except CameraLost as error:
            self._let_go()
            self._retry_at = self._clock() + RETRY_S
            self._teaching.lost(str(error))
            return
        if taught is not None:
            self._use(taught)

    def _found(self) -> Camera:
        try:
            camera = self._open(self._teaching.held)
        except CameraLost:
            raise
        except CompanionError as error:
            raise CameraLost(str(error)) from error
        self._teaching.found()
        return camera

    def _use(self, taught: Learned) -> None:
        """Keep what was learnt and watch with it from now on, with the camera as it is."""
        try:
            self._keep(taught)
        except CompanionError as error:
            self._teaching.desk.not_saved(str(error))
            return
        self._profile, self._held = taught.profile, taught.held
        self._idle, self._learning = True, False
        self._teaching.desk.saved()

    def _let_go(self) -> None:
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def _say(self, told: CameraChanged) -> None:
        try:
            self._tell(told)
        except CompanionError as error:
            log.warning("The camera's state could not be told: %s", error)
