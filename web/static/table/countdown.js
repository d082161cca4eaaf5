// The countdown: the main button fills while it runs, and a large button objects to a reading.

import { el, part, partOf } from "../common/dom.js";
import { t } from "../common/i18n.js";

let step = -1; // of the game, to which the end belongs
let endsAt = 0; // ms, on this page's clock
let timer = 0;

/**
 * Show the countdown of a table, after its main button is drawn.
 * @param {Api.Snapshot} table
 * @param {boolean} play
 */
export function drawCountdown({ countdown, step: now }, play) {
  clearInterval(timer);
  const main = partOf("main", HTMLButtonElement);
  main.classList.toggle("counts", Boolean(countdown && play));
  part("objection").hidden = !play || countdown?.what !== "throw";
  if (!countdown || !play) return void (step = -1);
  const end = performance.now() + countdown.left * 1000;
  // An event that was sent late must not make it longer.
  endsAt = step === now ? Math.min(endsAt, end) : end;
  step = now;
  const seconds = el("span", { class: "seconds", "aria-hidden": "true" });
  main.append(seconds);
  main.style.setProperty("--left", `${Math.max(0, endsAt - performance.now())}ms`);
  const tick = () => (seconds.textContent = `${Math.max(0, Math.ceil((endsAt - performance.now()) / 1000))}`);
  tick();
  timer = setInterval(tick, 200);
}

/**
 * What the main button says when it confirms: the question needs an answer, a countdown only a word.
 * @param {Api.Snapshot} table
 */
export const confirmLabel = ({ countdown, confirm }) => (countdown?.what === "throw" ? t("Right") : (confirm ?? ""));
