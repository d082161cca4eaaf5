// Teaching step by step: asks for the progress, shows what all lessons have in common, and sends what is tapped.

import { closest, findPart, part, write } from "../common/dom.js";
import { t } from "../common/i18n.js";
import { tryRequest } from "../common/request.js";
import { showProblem } from "./actions.js";

/**
 * @typedef {{step: number, stage: string, busy: string | null, open: boolean, possible: boolean, title: string,
 *   sentence: string, problem: string, button: string}} Progress
 */
/** @typedef {{main: boolean, other: string, back: boolean, cancel: boolean}} Bar what can be tapped, and the second button's label */
/**
 * path: where the progress is. poll: ms between two requests for it. steps: the number of the step of each stage.
 * isNew: whether a tap now means something else. show: draws the rest. bar: what can be tapped.
 * @template {Progress} State
 * @typedef {{path: string, poll: number, steps: Record<string, number>, isNew: (before: State | null, now: State) => boolean,
 *   show: (now: State) => void, bar: (now: State) => Bar, actions: Record<string, (now: State) => unknown>}} Parts
 */

const IDLE = 2000; // ms between two requests for the progress, while nobody teaches
const SETTLE = 400; // ms within which a second tap was meant for the previous state

/** @param {string} name */
const button = (name) => /** @type {HTMLButtonElement} */ (document.querySelector(`[data-wish=${name}]`));

/**
 * One lesson, on a screen with the parts `teach`, `title`, `sentence`, `tray` and `bar`.
 * @template {Progress} State
 */
export class Lesson {
  /** @type {State | null} */
  now = null;
  #parts;
  #settledAt = 0;
  #asking = false;
  #timer = 0;
  #taps = 0;

  /** @param {Parts<State>} parts */
  constructor(parts) {
    this.#parts = parts;
    document.addEventListener("click", (event) => {
      const tapped = closest(event, "[data-wish]");
      if (tapped && this.now && this.#isSettled()) parts.actions[tapped.dataset.wish ?? ""]?.(this.now);
    });
    document.addEventListener("visibilitychange", () => document.hidden || this.poll());
  }

  /** Whether the main button may be tapped. */
  get isReady() {
    return this.now !== null && this.now.busy === null && this.#isSettled() && this.#parts.bar(this.now).main;
  }

  /** Ask for the progress now, and then again and again. */
  async poll() {
    clearTimeout(this.#timer);
    const before = this.#taps;
    const { status, body } = await tryRequest(this.#parts.path, undefined);
    if (status === 200 && before === this.#taps) this.#show(body); // otherwise it was asked before the last tap
    if (!status) write("sentence", t("The table is not answering. Is it switched on?"));
    clearTimeout(this.#timer);
    if (!document.hidden) this.#timer = setTimeout(() => this.poll(), this.now?.open ? this.#parts.poll : IDLE);
  }

  /** @type {(path: string, body?: object) => Promise<void>} */
  async submit(path, body = {}) {
    if (this.#asking) return;
    this.#asking = true;
    this.#taps += 1;
    const lost = t("The table is not answering. Check what it shows before you tap again.");
    const { status, body: answer } = await tryRequest(path, { ...body, step: this.now?.step }, lost);
    if (status === 200) this.#show(answer);
    this.#asking = false;
    showProblem(status === 200 ? "" : answer.problem);
    this.poll();
  }

  drawBar() {
    const place = findPart("bar");
    if (!place || !this.now) return;
    const { other, back, cancel } = this.#parts.bar(this.now);
    place.hidden = part("teach").dataset.play !== "yes" || !this.now.possible;
    button("main").textContent = this.now.button;
    button("main").setAttribute("aria-disabled", `${!this.isReady}`);
    button("other").textContent = other;
    button("other").hidden = !other;
    button("back").hidden = !back;
    button("cancel").hidden = !cancel;
    const held = document.activeElement;
    if (held instanceof HTMLElement && held.dataset.wish && held.hidden) button("main").focus();
  }

  #isSettled() {
    return Date.now() >= this.#settledAt;
  }

  /** @param {State} next */
  #show(next) {
    if (this.#parts.isNew(this.now, next)) {
      this.#settledAt = Date.now() + SETTLE;
      setTimeout(() => this.drawBar(), SETTLE);
    }
    this.now = next;
    const place = this.#parts.steps[next.stage] ?? -1;
    document.querySelectorAll(".steps li").forEach((step, at) => {
      step.classList.toggle("past", at < place);
      if (at === place) step.setAttribute("aria-current", "step");
      else step.removeAttribute("aria-current");
    });
    write("title", next.title);
    write("sentence", next.sentence);
    part("sentence").classList.toggle("trouble", next.problem !== "" && next.stage !== "closed");
    part("tray").hidden = !next.open;
    this.#parts.show(next);
    this.drawBar();
  }
}
