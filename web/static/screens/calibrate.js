// Teaching the camera: shows the progress and the live tray, and sends what is tapped.

import { el, findPart, part, partOf, redraw, write } from "../common/dom.js";
import { t } from "../common/i18n.js";
import { countedSigns, outlines } from "../common/lot_outlines.js";
import { Lesson } from "./lesson.js";
import { loadPicture } from "./live_picture.js";

/** @typedef {import("../common/lot_outlines.js").Lot} Lot */
/** @typedef {(now: Api.Calibration) => unknown} Action */

const POLL = 350; // ms between two requests for the progress
const PICTURE = 150; // ms between two pictures, counted from when the last one has come

/** @param {Api.Calibration} now */
function show({ step, stage, lots, width, height, seen, open, faces }) {
  write("seen", faces ? "" : seen);
  showSides(faces ? step : null);
  if (faces) part("tray").hidden = true;
  const naming = findPart("naming");
  if (naming) naming.hidden = open || stage === "done";
  redraw(part("drawn"), [lots, width, stage], () =>
    lots.length ? [outlines(lots, width, height, (lot, at) => badge(lots, at, stage))] : [],
  );
}

/**
 * Show pictures of both sides in place of the tray.
 * @param {number | null} step of the lesson, which says whether they are new; null for none
 */
function showSides(step) {
  part("sides").hidden = step === null;
  if (step === null) return;
  for (const picture of part("sides").querySelectorAll("img")) {
    const address = `/api/calibration/picture?side=${picture.dataset.face}&${step}`;
    if (picture.getAttribute("src") !== address) picture.setAttribute("src", address);
  }
}

/**
 * Before the faces are known, lots are numbered, so that it is clear which of them is missing.
 * @type {(lots: Lot[], at: number, stage: Api.Stage) => string}
 */
function badge(lots, at, stage) {
  const faces = lots.map(({ face }) => face);
  return faces[at] === "unknown" && stage !== "throw" ? `${at + 1}` : (countedSigns(faces)[at] ?? "?");
}

/** @type {(path: string, body?: object) => Promise<void>} */
const submit = (path, body) => lesson.submit(`/api/calibration${path}`, body);
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
/** @type {Action} */
const main = (now) => now.busy === null && (MAIN[now.stage] ?? next)(now);

/** @type {Lesson<Api.Calibration>} */
const lesson = new Lesson({
  path: "/api/calibration",
  poll: POLL,
  steps: { empty: 0, marked: 1, plain: 2, throw: 3, shown: 3, doubt: 3, done: 4 },
  isNew: (before, now) => before !== null && now.step !== before.step,
  show,
  bar: ({ stage, busy, open, other }) => ({
    main: true,
    other,
    back: ["marked", "plain", "throw"].includes(stage) && [null, "still"].includes(busy),
    cancel: open && stage !== "shown",
  }),
  actions: { main, other: (now) => OTHER[now.stage]?.(now), back: () => submit("/back"), cancel: () => submit("/cancel") },
});

/** Load one picture after the other: a slow phone gets fewer, and none pile up. */
function watch() {
  const after = (/** @type {number} */ wait) => () => void setTimeout(watch, wait);
  if (!lesson.now?.open || !lesson.now.width || document.hidden) return after(POLL)();
  loadPicture(t("The tray as the camera sees it"), `/api/calibration/picture?${Date.now()}`, after(PICTURE), after(POLL));
}

findPart("sticks")?.addEventListener("keydown", (event) => event.key === "Enter" && lesson.now && main(lesson.now));
part("tray").querySelector("svg")?.remove();
part("tray").append(el("div", { "data-drawn": true }));
await lesson.poll();
watch();
