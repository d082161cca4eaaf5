// The countdown: the main button fills while it runs, and a large button objects to a reading.

import { el, part, partOf } from "../common/dom.js";
import { t } from "../common/i18n.js";
import { mayMove } from "../common/motion.js";

let step = -1; // step of the game that the end belongs to
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
  part("objection").hidden = !play || (countdown?.what !== "throw" && countdown?.what !== "board");
  if (!countdown || !play) return void (step = -1);
  const end = performance.now() + countdown.left * 1000;
  // An event that arrives late must not extend the countdown.
  endsAt = step === now ? Math.min(endsAt, end) : end;
  step = now;
  main.style.setProperty("--left", `${Math.max(0, endsAt - performance.now())}ms`);
  // Where the filling shows the time, a number would only be taken for the count.
  if (mayMove()) return;
  const seconds = el("span", { class: "seconds", "aria-hidden": "true" });
  main.append(seconds);
  const tick = () => {
    const left = `${Math.max(0, Math.ceil((endsAt - performance.now()) / 1000))}`;
    // Even the same text would be laid out and painted again.
    if (seconds.textContent !== left) seconds.textContent = left;
  };
  tick();
  timer = setInterval(tick, 200);
}

/**
 * The main button's label when it confirms: one word while a reading counts down, else the table's label.
 * @param {Api.Snapshot} table
 */
export const confirmLabel = ({ countdown, confirm }) => (countdown?.what === "throw" ? t("Right") : (confirm ?? ""));
