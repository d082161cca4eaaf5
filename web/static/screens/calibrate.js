// Teaching the camera: shows the progress and the live tray, and sends what is tapped.

import { closest, el, findPart, part, partOf, redraw } from "../common/dom.js";
import { t } from "../common/i18n.js";
import { countedSigns, outlines } from "../common/lot_outlines.js";
import { tryRequest } from "../common/request.js";

/** @typedef {import("../common/lot_outlines.js").Lot} Lot */

const POLL = 350; // ms between two requests for the progress
const IDLE = 2000; // ms, while nobody teaches
const PICTURE = 150; // ms between two pictures, counted from when the last one has come
const SETTLE = 400; // ms within which a second tap was meant for the previous state
/** @type {Partial<Record<Api.Stage, number>>} */
const STEPS = { empty: 0, marked: 1, plain: 2, throw: 3, shown: 3, doubt: 3, done: 4 };

const play = part("teach").dataset.play === "yes";
/** @type {Api.Calibration | null} */
let now = null;
let settledAt = 0;
let asking = false;
let timer = 0;
let taps = 0;

/** @param {string} name */
const button = (name) => /** @type {HTMLButtonElement} */ (document.querySelector(`[data-wish=${name}]`));

/** @param {Api.Calibration} next */
function show(next) {
  if (now && next.step !== now.step) {
    settledAt = Date.now() + SETTLE;
    setTimeout(drawBar, SETTLE);
  }
  now = next;
  const { stage, lots, width, height } = next;
  const place = STEPS[stage] ?? -1;
  document.querySelectorAll(".steps li").forEach((step, at) => {
    step.classList.toggle("past", at < place);
    if (at === place) step.setAttribute("aria-current", "step");
    else step.removeAttribute("aria-current");
  });
  write("title", next.title);
  write("sentence", next.sentence);
  write("seen", next.seen);
  part("sentence").classList.toggle("trouble", next.problem !== "" && stage !== "closed");
  part("tray").hidden = !next.open;
  const naming = findPart("naming");
  if (naming) naming.hidden = next.open || stage === "done";
  redraw(part("drawn"), [lots, width, stage], () =>
    lots.length ? [outlines(lots, width, height, (lot, at) => badge(lots, at, stage))] : [],
  );
  drawBar();
}

/**
 * Text that has not changed is not announced again by a screen reader.
 * @type {(name: string, text: string) => void}
 */
function write(name, text) {
  if (part(name).textContent !== text) part(name).textContent = text;
}

/**
 * Before the faces are known, lots are numbered, so that it is clear which of them is missing.
 * @type {(lots: Lot[], at: number, stage: Api.Stage) => string}
 */
function badge(lots, at, stage) {
  const faces = lots.map(({ face }) => face);
  return faces[at] === "unknown" && stage !== "throw" ? `${at + 1}` : (countedSigns(faces)[at] ?? "?");
}

const isSettled = () => Date.now() >= settledAt;

function drawBar() {
  const bar = findPart("bar");
  if (!bar || !now) return;
  bar.hidden = !play || !now.possible;
  const main = button("main");
  main.textContent = now.button;
  main.setAttribute("aria-disabled", `${now.busy !== null || !isSettled()}`);
  button("other").textContent = now.other;
  button("other").hidden = !now.other;
  button("back").hidden = !["marked", "plain", "throw"].includes(now.stage) || ![null, "still"].includes(now.busy);
  button("cancel").hidden = !now.open || now.stage === "shown";
  const held = document.activeElement;
  if (held instanceof HTMLElement && held !== main && held.dataset.wish && held.hidden) main.focus();
}

/** @typedef {(now: Api.Calibration) => unknown} Action */
/** @type {Action} */
const startAgain = ({ sticks }) => submit("", { sticks });
/** @type {Action} */
const next = () => submit("/next");
/** @type {Partial<Record<Api.Stage, Action>>} */
const MAIN = {
  closed: () => submit("", { sticks: partOf("sticks", HTMLInputElement).value.trim() }),
  doubt: startAgain,
  shown: () => submit("/verdict", { right: true }),
  done: () => location.assign("/"),
};
/** @type {Partial<Record<Api.Stage, Action>>} */
const OTHER = { shown: () => submit("/verdict", { right: false }), doubt: next, done: startAgain };
/** @type {Record<string, Action>} */
const ACTIONS = {
  main: (state) => state.busy === null && (MAIN[state.stage] ?? next)(state),
  other: (state) => OTHER[state.stage]?.(state),
  back: () => submit("/back"),
  cancel: () => submit("/cancel"),
};

/** @type {(path: string, body?: object) => Promise<void>} */
async function submit(path, body = {}) {
  if (asking) return;
  asking = true;
  taps += 1;
  const lost = t("The table is not answering. Check what it shows before you tap again.");
  const { status, body: answer } = await tryRequest(`/api/calibration${path}`, { ...body, step: now?.step }, lost);
  if (status === 200) show(answer);
  asking = false;
  part("problem").textContent = status === 200 ? "" : answer.problem;
  part("problem").hidden = status === 200;
  poll();
}

async function poll() {
  clearTimeout(timer);
  const before = taps;
  const { status, body } = await tryRequest("/api/calibration", undefined);
  if (status === 200 && before === taps) show(body); // otherwise it was asked before the last tap
  if (!status) write("sentence", t("The table is not answering. Is it switched on?"));
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(poll, now?.open ? POLL : IDLE);
}

/** Load one picture after the other: a slow phone gets fewer, and none pile up. */
function watch() {
  if (!now?.open || document.hidden) return void setTimeout(watch, POLL);
  const picture = el("img", { alt: t("The tray as the camera sees it"), "data-live": true });
  picture.onload = () => {
    findPart("live")?.remove();
    part("tray").prepend(picture);
    setTimeout(watch, PICTURE);
  };
  picture.onerror = () => setTimeout(watch, POLL);
  picture.src = `/api/calibration/picture?${Date.now()}`;
}

/** @param {Event} event */
function onTap(event) {
  const tapped = closest(event, "[data-wish]");
  if (tapped && now && isSettled()) ACTIONS[tapped.dataset.wish ?? ""]?.(now);
}

document.addEventListener("click", onTap);
findPart("sticks")?.addEventListener("keydown", (event) => event.key === "Enter" && now && ACTIONS.main?.(now));
document.addEventListener("visibilitychange", () => document.hidden || poll());
part("tray").querySelector("svg")?.remove();
part("tray").append(el("div", { "data-drawn": true }));
await poll();
watch();
