// Teaching the camera: shows how far it is and the tray as it lies now, and turns taps into wishes.

import { ask } from "./ask.js";
import { el, part, redraw } from "./dom.js";
import { outlines } from "./lots.js";
import { t } from "./words.js";

const LOOK = 350; // ms between two looks at how far it is
const IDLE = 2000; // ms, while nobody teaches
const PICTURE = 150; // ms between two pictures, counted from when the last one has come
const SETTLE = 400; // ms in which a second tap still meant what stood there before
const PLACES = { empty: 0, marked: 1, plain: 2, throw: 3, shown: 3, doubt: 3, done: 4 };

const play = part("teach").dataset.play === "yes";
const button = (name) => document.querySelector(`[data-wish=${name}]`);
let now = null;
let settledAt = 0;
let asking = false;
let timer = 0;
let wishes = 0;

function show(next) {
  if (now && next.step !== now.step) {
    settledAt = Date.now() + SETTLE;
    setTimeout(drawBar, SETTLE);
  }
  now = next;
  const place = PLACES[now.stage] ?? -1;
  document.querySelectorAll(".steps li").forEach((step, at) => {
    step.classList.toggle("past", at < place);
    if (at === place) step.setAttribute("aria-current", "step");
    else step.removeAttribute("aria-current");
  });
  write("title", now.title);
  write("sentence", now.sentence);
  write("seen", now.seen);
  part("sentence").classList.toggle("trouble", now.problem !== "" && now.stage !== "closed");
  part("tray").hidden = !now.open;
  if (part("naming")) part("naming").hidden = now.open || now.stage === "done";
  redraw(part("drawn"), [now.lots, now.width, now.stage], () =>
    now.lots.length ? [outlines(now.lots, now.width, now.height, badge)] : [],
  );
  drawBar();
}

/** Words that have not changed are not said again by a screen reader. */
function write(name, words) {
  if (part(name).textContent !== words) part(name).textContent = words;
}

/** Before the faces are known, lots are numbered, so that one sees which of them is missing. */
const badge = ({ face }, at) => ({ marked: t("M"), plain: t("P") })[face] ?? (now.stage === "throw" ? "?" : `${at + 1}`);

const isSettled = () => Date.now() >= settledAt;

function drawBar() {
  if (!part("bar")) return;
  part("bar").hidden = !play || !now.possible;
  const main = button("main");
  main.textContent = now.button;
  main.setAttribute("aria-disabled", `${now.busy !== null || !isSettled()}`);
  button("other").textContent = now.other;
  button("other").hidden = !now.other;
  button("back").hidden = !["marked", "plain", "throw"].includes(now.stage) || ![null, "still"].includes(now.busy);
  button("cancel").hidden = !now.open || now.stage === "shown";
  const held = document.activeElement;
  if (held !== main && held?.dataset.wish && held.hidden) main.focus();
}

const MAIN = {
  closed: () => wish("", { sticks: part("sticks").value.trim() }),
  doubt: () => startAgain(),
  shown: () => wish("/verdict", { right: true }),
  done: () => location.assign("/"),
};
const OTHER = { shown: () => wish("/verdict", { right: false }), doubt: () => wish("/next"), done: () => startAgain() };
const WISHES = {
  main: () => now.busy === null && (MAIN[now.stage] ?? (() => wish("/next")))(),
  other: () => OTHER[now.stage]?.(),
  back: () => wish("/back"),
  cancel: () => wish("/cancel"),
};

const startAgain = () => wish("", { sticks: now.sticks });

async function wish(path, body = {}) {
  if (asking) return;
  asking = true;
  wishes += 1;
  let problem = "";
  try {
    const { status, body: told } = await ask(`/api/calibration${path}`, { ...body, step: now.step });
    if (status === 200) show(told);
    else problem = told.problem;
  } catch {
    problem = t("The table does not answer. Look what it shows before you tap again.");
  }
  asking = false;
  part("problem").textContent = problem;
  part("problem").hidden = !problem;
  look();
}

async function look() {
  clearTimeout(timer);
  const before = wishes;
  try {
    const { status, body } = await ask("/api/calibration");
    if (status === 200 && before === wishes) show(body); // else it was asked before the last tap
  } catch {
    write("sentence", t("The table does not answer. Is it switched on?"));
  }
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(look, now?.open ? LOOK : IDLE);
}

/** One picture after the other, each asked for once the last is there: a slow phone gets fewer, and none pile up. */
function watch() {
  if (!now?.open || document.hidden) return setTimeout(watch, LOOK);
  const next = el("img", { alt: t("The tray as the camera sees it"), "data-live": true });
  next.onload = () => {
    part("live")?.remove();
    part("tray").prepend(next);
    setTimeout(watch, PICTURE);
  };
  next.onerror = () => setTimeout(watch, LOOK);
  next.src = `/api/calibration/picture?${Date.now()}`;
}

document.addEventListener("click", ({ target }) => {
  const tapped = target.closest?.("[data-wish]");
  if (tapped && now && isSettled()) WISHES[tapped.dataset.wish]();
});
part("sticks")?.addEventListener("keydown", (event) => event.key === "Enter" && WISHES.main());
document.addEventListener("visibilitychange", () => document.hidden || look());
part("tray").querySelector("svg")?.remove();
part("tray").append(el("div", { "data-drawn": true }));
await look();
watch();
