// Teaching the board: shows the camera's picture and what is seen on it, and sends what is tapped.

import { el, part, redraw } from "../common/dom.js";
import { t } from "../common/i18n.js";
import { confirmed } from "../screens/actions.js";
import { Lesson } from "../screens/lesson.js";
import { loadPicture } from "../screens/live_picture.js";
import { CornerPicker } from "./corner_picker.js";

const POLL = 500; // ms between two requests for the progress
const PICTURE = 250; // ms between two live pictures, counted from when the last one has come

let shownPicture = "";
let picking = -1; // the step whose corners are being picked
const picker = new CornerPicker(part("picker"), () => lesson.drawBar());

/** @param {Api.BoardTeachingView} now */
function show(now) {
  const { stage, step, spaces, width, height } = now;
  if (stage !== "corners") picking = -1;
  else if (picking !== step) {
    picking = step;
    picker.begin(now.corners, now, now.spaces_count);
  }
  part("steps").hidden = !now.possible;
  part("tray").style.aspectRatio = width ? `${width} / ${height}` : "";
  part("picker").hidden = stage !== "corners";
  part("spaces").hidden = stage !== "shown";
  redraw(part("spaces"), spaces, () => spaces.map(seenSpace));
  showPicture();
}

/** @type {(top: string) => string} */
const inWords = (top) => ({ jade: t("Jade"), obsidian: t("Obsidian"), empty: t("empty") })[top] ?? t("not sure");

/** @param {Api.TaughtSpace} seen */
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

/** @type {(path: string, body?: object) => Promise<void>} */
const submit = (path, body) => lesson.submit(`/api/board/${path}`, body);

async function forget() {
  const answer = await confirmed(t("Forget the board? You can teach it again at any time."), t("Forget the board"));
  if (answer !== null) await submit("forget");
}

/** @type {Record<Api.BoardStage, () => unknown>} */
const MAIN = {
  closed: () => submit("teach"),
  empty: () => submit("teach/empty"),
  corners: () => submit("teach/corners", { corners: picker.corners }),
  pieces: () => submit("teach/pieces"),
  shown: () => submit("teach/accept"),
  done: () => location.assign("/"),
};

/** @type {Lesson<Api.BoardTeachingView>} */
const lesson = new Lesson({
  path: "/api/board/teach",
  poll: POLL,
  steps: { empty: 0, corners: 1, pieces: 2, shown: 3, done: 4 },
  isNew: (before, now) => now.step !== before?.step || now.stage !== before.stage,
  show,
  bar: ({ stage, busy, open, taught }) => ({
    main: stage !== "corners" || picker.corners.length === 4,
    other: stage === "shown" ? t("Look again") : stage === "closed" && taught ? t("Forget the board") : "",
    back: ["corners", "pieces"].includes(stage) && busy !== "saving",
    cancel: open,
  }),
  actions: {
    main: ({ stage }) => lesson.isReady && MAIN[stage](),
    other: ({ stage }) => (stage === "shown" ? submit("teach/pieces") : forget()),
    back: () => submit("teach/back"),
    cancel: () => submit("teach/cancel"),
  },
});

/** The picture of the present step: live, or the one that was taken. */
function showPicture() {
  const { now } = lesson;
  if (!now?.open || document.hidden) return;
  const which = now.stage === "corners" ? "empty" : now.stage === "shown" ? "pieces" : "live";
  const wanted = which === "live" ? "live" : `${which} ${now.step}`;
  if (wanted === shownPicture) return;
  shownPicture = wanted;
  const isWanted = () => shownPicture === wanted;
  const again = () => {
    if (!isWanted() || which !== "live") return;
    shownPicture = "";
    showPicture();
  };
  const after = (/** @type {number} */ wait) => () => void setTimeout(again, wait);
  const address = `/api/board/teach/picture?which=${which}&at=${Date.now()}`;
  loadPicture(t("The board as the camera sees it"), address, after(PICTURE), after(POLL), isWanted);
}

await lesson.poll();
