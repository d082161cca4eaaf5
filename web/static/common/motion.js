// Whether this phone wants to see things move.

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether things may move: neither the system nor the phone's settings ask for less motion. */
export const mayMove = () => !reduced.matches && document.documentElement.dataset.motion !== "less";
