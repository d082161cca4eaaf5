// The panel on the page: fingers on its buttons, and its lamp in its rhythm.

import { ask } from "./ask.js";
import { part } from "./dom.js";
import { t } from "./words.js";

const LOOK = 400; // between two looks at the lamp
const STILL_THERE = 500; // how often a finger says that it is still down; the table takes off one that is silent for 1.5 s
const still = document.documentElement.dataset.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;

const panel = part("panel");
const fingers = new Map(); // by button: on what the finger lies, and what says again and again that it does
let light = null;
let since = 0;
let sent = Promise.resolve(); // one request after the other, or letting go might arrive before pressing

/** Show what the table tells. */
function show(now) {
  if (!now.light) return;
  part("prompt").textContent = now.prompt;
  if (light?.mood !== now.light.mood) {
    [light, since] = [now.light, performance.now()];
    part("says").textContent = light.says;
    part("rhythm").textContent = light.rhythm;
    part("glow").setAttribute("fill", light.colour);
    if (still) part("glow").setAttribute("fill-opacity", 1);
    for (const one of document.querySelectorAll("[data-mood]")) one.classList.toggle("now", one.dataset.mood === light.mood);
  }
  for (const key of now.keys) mark(key.button, key.down || fingers.has(key.button));
}

const mark = (button, down) => part(`key="${button}"`).setAttribute("aria-pressed", down);

/** How bright the lamp is now, 0 to 1, as hardware/lamp.py has it. */
function brightness(seconds) {
  let t = seconds % light.beats.reduce((sum, [lit, dark]) => sum + lit + dark, 0);
  for (const [lit, dark] of light.beats) {
    if (t < lit) return light.fade ? Math.sin((Math.PI * t) / lit) ** 2 : 1;
    t -= lit + dark;
    if (t < 0) return 0;
  }
  return 0;
}

function glow(time) {
  part("glow").setAttribute("fill-opacity", light ? brightness((time - since) / 1000).toFixed(3) : 0);
  requestAnimationFrame(glow);
}

function told({ status, body }) {
  part("problem").hidden = status === 200;
  if (status === 200) show(body);
  else part("problem").textContent = body.problem;
}

/** Nobody answers: the companion has ended, or the network has. What the lamp says is not known. */
function lost() {
  light = null;
  part("glow").setAttribute("fill-opacity", 0);
  for (const name of ["says", "rhythm"]) part(name).textContent = "";
  part("problem").hidden = false;
  part("problem").textContent = t("The table does not answer.");
}

const tell = (button, down) => {
  sent = sent.then(() => ask("/api/panel", { button, down }).then(told, lost));
};

function press(buttons, on) {
  for (const button of buttons) {
    if (fingers.has(button)) continue;
    fingers.set(button, { on, timer: setInterval(tell, STILL_THERE, button, true) });
    mark(button, true);
    tell(button, true);
  }
}

/** Take off the fingers that lie on this element, or all. */
function release(on) {
  for (const [button, finger] of [...fingers]) {
    if (on && finger.on !== on) continue;
    clearInterval(finger.timer);
    fingers.delete(button);
    mark(button, false);
    tell(button, false);
  }
}

/** A finger, a mouse or a key on this element holds these buttons down for as long as it stays. */
function holds(element, buttons) {
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    press(buttons, element);
  });
  element.addEventListener("keydown", (event) => {
    if ([" ", "Enter"].includes(event.key) && !event.repeat) press(buttons, element);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture", "keyup", "blur"]) {
    element.addEventListener(end, () => release(element));
  }
  element.addEventListener("contextmenu", (event) => event.preventDefault());
}

async function look() {
  if (!document.hidden && !fingers.size) await ask("/api/panel").then(told, lost);
  setTimeout(look, LOOK);
}

if (panel) {
  show({ light: JSON.parse(panel.dataset.light), prompt: part("prompt").textContent, keys: [] });
  if (panel.dataset.play === "yes") {
    for (const key of document.querySelectorAll("[data-key]")) holds(key, [key.dataset.key]);
    const both = part("both");
    if (both) {
      both.hidden = false;
      holds(both, both.dataset.both.split(" "));
    }
  }
  window.addEventListener("pagehide", () => release());
  document.addEventListener("visibilitychange", () => document.hidden && release());
  if (!still) requestAnimationFrame(glow);
  look();
}
