// A level: does the phone that lies over the tray look straight down?

import { part } from "../common/dom.js";
import { t } from "../common/i18n.js";

const FLAT = 6; // degrees; the reader makes up for less
const REACH = 25; // degrees at the rim of the drawing

/** Ask for the sensor, where the browser wants to be asked, and show the level as long as it tells. */
export async function showLevel() {
  /** @type {any} */
  const sensor = globalThis.DeviceOrientationEvent;
  if (!sensor) return;
  if (sensor.requestPermission && (await sensor.requestPermission().catch(() => "denied")) !== "granted") return;
  addEventListener("deviceorientation", ({ beta, gamma }) => {
    if (beta !== null && gamma !== null) show(beta, gamma);
  });
}

/** @type {(beta: number, gamma: number) => void} */
function show(beta, gamma) {
  const tilt = Math.hypot(beta, gamma);
  const level = part("level");
  level.hidden = false;
  level.classList.toggle("flat", tilt <= FLAT);
  const [right, down] = [gamma, beta].map((angle) => Math.max(-1, Math.min(1, angle / REACH)) * 1.8);
  const bubble = level.firstElementChild;
  if (bubble instanceof HTMLElement) bubble.style.transform = `translate(${right}rem, ${down}rem)`;
  part("tilt").hidden = tilt <= FLAT;
  part("tilt").textContent = t("The phone is tilted by {degrees} degrees. Lay it flat so that it looks straight down.", { degrees: Math.round(tilt) });
}
