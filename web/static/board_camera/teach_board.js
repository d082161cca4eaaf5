// Teaching the board: shows the step, the camera's picture and what is seen on it, and sends what is tapped.

import { closest, el, findPart, part, redraw } from "../common/dom.js";
import { t } from "../common/i18n.js";
import { tryRequest } from "../common/request.js";
import { confirmed, showProblem } from "../screens/actions.js";
import { CornerPicker } from "./corner_picker.js";

/** @typedef {import("./corner_picker.js").Point} Point */
/** @typedef {"closed" | "empty" | "corners" | "pieces" | "shown" | "done"} Stage */
/** @typedef {{space: number, expected: string, found: string}} SeenSpace */
/**
 * @typedef {{step: number, stage: Stage, busy: string | null, open: boolean, possible: boolean, taught: boolean,
 *   title: string, sentence: string, problem: string, button: string, width: number, height: number, printed: boolean,
 *   corners: Point[] | null, spaces_count: number, position: string, spaces: SeenSpace[], clear: boolean}} Teaching
 */

const POLL = 500; // ms between two requests for the progress
const IDLE = 2000; // ms, while nobody teaches
const PICTURE = 250; // ms between two live pictures, counted from when the last one has come
const SETTLE = 400; // ms within which a second tap was meant for the previous state
/** @type {Partial<Record<Stage, number>>} */
const STEPS = { empty: 0, corners: 1, pieces: 2, shown: 3, done: 4 };

const play = part("teach").dataset.play === "yes";
/** @type {Teaching | null} */
let now = null;
let settledAt = 0;
let asking = false;
let timer = 0;
let taps = 0;
let shownPicture = "";
const picker = new CornerPicker(part("picker"), drawBar);

/** @param {string} name */
const button = (name) => /** @type {HTMLButtonElement} */ (document.querySelector(`[data-wish=${name}]`));

/** @param {Teaching} next */
function show(next) {
  const isNew = !now || next.step !== now.step || next.stage !== now.stage;
  now = next;
  if (isNew) {
    settledAt = Date.now() + SETTLE;
    setTimeout(drawBar, SETTLE);
    if (next.stage === "corners") picker.begin(next.corners, next, next.spaces_count);
  }
  const place = STEPS[next.stage] ?? -1;
  document.querySelectorAll(".steps li").forEach((step, at) => {
    step.classList.toggle("past", at < place);
    if (at === place) step.setAttribute("aria-current", "step");
    else step.removeAttribute("aria-current");
  });
  part("steps").hidden = !next.possible;
  write("title", next.title);
  write("sentence", next.problem || next.sentence);
  part("sentence").classList.toggle("trouble", next.problem !== "" && next.stage !== "closed");
  part("tray").hidden = !next.open;
  part("tray").style.aspectRatio = next.width ? `${next.width} / ${next.height}` : "";
  part("picker").hidden = next.stage !== "corners";
  part("spaces").hidden = next.stage !== "shown";
  redraw(part("spaces"), next.spaces, () => next.spaces.map(seenSpace));
  showPicture();
  drawBar();
}

/**
 * Text that has not changed is not announced again by a screen reader.
 * @type {(name: string, text: string) => void}
 */
function write(name, text) {
  if (part(name).textContent !== text) part(name).textContent = text;
}

/** @type {(top: string) => string} */
const inWords = (top) => ({ jade: t("Jade"), obsidian: t("Obsidian"), empty: t("empty") })[top] ?? t("not sure");

/** @param {SeenSpace} seen */
function seenSpace({ space, expected, found }) {
  const right = expected === found;
  const sign = found === "jade" || found === "obsidian" ? el("i", { class: `piece ${found}` }) : found === "empty" ? "" : "?";
  return el(
    "li",
    { class: right ? "right" : "wrong" },
    el("b", { "aria-hidden": "true" }, `${space}`),
    el("span", { class: "sign", "aria-hidden": "true" }, sign),
    el("small", { "aria-hidden": "true" }, right ? "✓" : "✗"),
    el("span", { class: "visually-hidden" }, t("Space {number}: {what}", { number: space, what: inWords(found) })),
  );
}

const isSettled = () => Date.now() >= settledAt;
const isReady = () => now?.busy === null && isSettled() && (now.stage !== "corners" || picker.corners.length === 4);

function drawBar() {
  if (!now) return;
  part("bar").hidden = !play || !now.possible;
  button("main").textContent = now.button;
  button("main").setAttribute("aria-disabled", `${!isReady()}`);
  const other = now.stage === "shown" ? t("Look again") : now.stage === "closed" && now.taught ? t("Forget the board") : "";
  button("other").textContent = other;
  button("other").hidden = !other;
  button("back").hidden = !["corners", "pieces"].includes(now.stage) || now.busy === "saving";
  button("cancel").hidden = !now.open;
}

async function forget() {
  const answer = await confirmed(t("Forget the board? You can teach it again at any time."), t("Forget the board"));
  if (answer !== null) await submit("/api/board/forget");
}

/** @type {Record<Stage, () => unknown>} */
const MAIN = {
  closed: () => submit("/api/board/teach"),
  empty: () => submit("/api/board/teach/empty"),
  corners: () => submit("/api/board/teach/corners", { corners: picker.corners }),
  pieces: () => submit("/api/board/teach/pieces"),
  shown: () => submit("/api/board/teach/accept"),
  done: () => location.assign("/"),
};
/** @type {Record<string, (stage: Stage) => unknown>} */
const ACTIONS = {
  main: (stage) => isReady() && MAIN[stage](),
  other: (stage) => (stage === "shown" ? submit("/api/board/teach/pieces") : forget()),
  back: () => submit("/api/board/teach/back"),
  cancel: () => submit("/api/board/teach/cancel"),
};

/** @type {(path: string, body?: object) => Promise<void>} */
async function submit(path, body = {}) {
  if (asking) return;
  asking = true;
  taps += 1;
  const lost = t("The table is not answering. Check what it shows before you tap again.");
  const { status, body: answer } = await tryRequest(path, { ...body, step: now?.step }, lost);
  if (status === 200 && "stage" in answer) show(answer);
  asking = false;
  showProblem(status === 200 ? "" : answer.problem);
  poll();
}

async function poll() {
  clearTimeout(timer);
  const before = taps;
  const { status, body } = await tryRequest("/api/board/teach", undefined);
  if (status === 200 && before === taps) show(body); // otherwise it was asked before the last tap
  if (!status) write("sentence", t("The table is not answering. Is it switched on?"));
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(poll, now?.open ? POLL : IDLE);
}

/** The picture of the present step: live, or the one that was taken. */
function showPicture() {
  if (!now?.open || document.hidden) return;
  const which = { corners: "empty", shown: "pieces" }[/** @type {string} */ (now.stage)] ?? "live";
  const wanted = which === "live" ? "live" : `${which} ${now.step}`;
  if (wanted === shownPicture) return;
  shownPicture = wanted;
  const picture = el("img", { alt: t("The board as the camera sees it"), "data-live": true, draggable: "false" });
  const isWanted = () => shownPicture === wanted;
  const again = () => {
    if (!isWanted() || which !== "live") return;
    shownPicture = "";
    showPicture();
  };
  picture.onload = () => {
    if (!isWanted()) return;
    findPart("live")?.remove();
    part("tray").prepend(picture);
    setTimeout(again, PICTURE);
  };
  picture.onerror = () => setTimeout(again, POLL);
  picture.src = `/api/board/teach/picture?which=${which}&at=${Date.now()}`;
}

/** @param {Event} event */
function onTap(event) {
  const tapped = closest(event, "[data-wish]");
  if (tapped && now && isSettled()) ACTIONS[tapped.dataset.wish ?? ""]?.(now.stage);
}

document.addEventListener("click", onTap);
document.addEventListener("visibilitychange", () => document.hidden || poll());
await poll();
