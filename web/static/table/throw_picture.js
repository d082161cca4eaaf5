// The picture of a throw: live while it is awaited, then with its lots lit one by one, and drawn where no camera saw it;
// and its correction by a player.

import { child, el, findPart, part, redraw } from "../common/dom.js";
import { t, tn } from "../common/i18n.js";
import { countedSigns, outlines, turnedUpright, viewOf } from "../common/lot_outlines.js";
import { mayMove } from "../common/motion.js";
import { isOn, tick } from "../common/preferences.js";
import { isAwaited, isLanded, keepLive, liveTray } from "./live_tray.js";
import { drawPrompt } from "./prompt.js";

/** @typedef {import("../common/lot_outlines.js").Lot} Lot */

const FOUR = 4; // the faces make the count only where all lots are in the picture
const BEAT = 140; // ms from one lot to the next, so that most of the countdown is left to object
const UPRIGHT = 0.75; // height of a frame, as a share of its width, from which a turned picture fills more of it
const BADGE = [13, 0.07, 90]; // a badge's radius: pixels at least, share of the picture, pixels at most
const ROOMY = matchMedia("(orientation: landscape) and (min-width: 60rem) and (min-height: 30.1rem)"); // as for styles/wide.css
/** @type {number[]} */
let beats = [];
/** @type {[Api.Snapshot, boolean, boolean] | null} */
let drawnLast = null;
let room = { width: 0, height: 0 }; // of the place for it, in pixels, as last observed: asking it would lay the page out
/** @type {string | null | undefined} */
let lit; // the address of the picture whose lots are lit; undefined before the first table

/**
 * Draw the picture of the throw that is awaited, or that was thrown last. enlarges: whether a tap enlarges it.
 * @param {Api.Snapshot} table
 * @param {boolean} play
 * @param {boolean} enlarges
 */
export function drawThrowPicture(table, play, enlarges = true) {
  drawnLast = [table, play, enlarges];
  const { phase, throw: thrown, unsure, rules } = table;
  const place = part("throw-picture");
  const winding = place.closest("[data-road]")?.getAttribute("data-road") === "winding";
  // Under a board that winds the moves need the room.
  const none = phase === "over" || (phase === "move" && winding && !ROOMY.matches);
  // While lots are turned in it, a large picture stays as it is; but never that of another throw.
  const latest = phase === "over" ? null : (thrown?.seen ?? unsure?.seen);
  const large = place.querySelector(".large");
  if (large instanceof HTMLElement && large.dataset.picture === latest?.picture) return;
  const seen = none ? null : thrown?.seen ? asCounted(thrown.seen, thrown.marked) : (unsure?.seen ?? null);
  const cast = !none && !seen?.picture && thrown && rules.throws === 1 ? thrown.marked : null;
  const live = !seen && isAwaited(table) && (play || !enlarges);
  redraw(place, [seen, cast, play, Boolean(unsure), live && table.camera.state, live && isLanded(table), room, isOn("sound")], () => {
    if (live) return [liveTray(table)];
    if (cast !== null) return [drawnSticks(cast, rules.values.length - 1)];
    if (!seen?.picture) return [];
    // Whatever stopped the reader may be anywhere in the picture.
    return [pictureOf(seen, seen.picture, { near: !unsure, turning: play && seen.lots.length === FOUR, enlarges, room })];
  });
  if (live) keepLive();
  // A throw that an undo brings back was counted before.
  if (phase === "reading" && lit !== undefined && seen?.picture && lit !== seen.picture) lightUp(place, seen.lots);
  if (!live) lit = seen?.picture ?? null;
}

/**
 * What was seen, without the faces that a player's count contradicts.
 * @type {(seen: Api.SeenView, marked: number) => Api.SeenView}
 */
function asCounted(seen, marked) {
  const faces = seen.lots.map(({ face }) => face);
  const agree = faces.length !== FOUR || (countMarked(faces) === marked && !faces.includes("unknown"));
  return agree ? seen : { ...seen, lots: [] };
}

new ResizeObserver(([entry]) => {
  const { width = 0, height = 0 } = entry?.contentRect ?? {};
  room = { width: Math.floor(width), height: Math.floor(height) };
  if (drawnLast) drawThrowPicture(...drawnLast);
}).observe(part("throw-picture"));

/**
 * Drawn sticks, the marked ones first.
 * @type {(marked: number, all: number) => HTMLElement}
 */
const drawnSticks = (marked, all) =>
  el(
    "div",
    { class: "frame cast", "aria-hidden": "true" },
    ...Array.from({ length: all }, (_, at) => el("i", { class: at < marked ? "stick marked" : "stick" })),
  );

/**
 * Light the lots one after the other, as if counted by hand, each marked one with its number. Meanwhile the style
 * sheet hides the count, and the button that objects to it: any number would be taken for a wrong count.
 * @type {(place: HTMLElement, lots: Lot[]) => void}
 */
function lightUp(place, lots) {
  for (const beat of beats) clearTimeout(beat);
  const marked = countMarked(lots.map(({ face }) => face));
  if (!mayMove()) return tick(marked);
  place.dataset.lighting = "0";
  let counted = 0;
  beats = lots.map(({ face }, at) =>
    window.setTimeout(() => {
      place.dataset.lighting = `${at + 1}`;
      if (face !== "marked") return;
      counted += 1;
      tick(counted);
    }, BEAT * (at + 1)),
  );
  const end = () => {
    delete place.dataset.lighting;
    if (drawnLast) drawPrompt(drawnLast[0]);
  };
  beats.push(window.setTimeout(end, BEAT * (lots.length + 1)));
}

/**
 * Turn a lot over, by its index: only on this page, until the player confirms.
 * @param {number} at
 */
export function turnLot(at) {
  const place = child(part("throw-picture"), ".throw-picture", HTMLElement);
  const faces = facesOf(place.dataset.faces);
  faces[at] = faces[at] === "marked" ? "plain" : "marked";
  showFaces(place, faces);
  const answer = child(place, "[data-faces-answer]", HTMLElement);
  answer.hidden = faces.includes("unknown");
  answer.dataset.facesAnswer = faces.join();
  answer.textContent = tn("Yes, {number} marked", "Yes, {number} marked", countMarked(faces));
}

/** @type {(place: HTMLElement, faces: Api.Face[]) => void} */
function showFaces(place, faces) {
  place.dataset.faces = faces.join();
  const signs = countedSigns(faces);
  for (const [at, lot] of [...place.querySelectorAll(".lot")].entries()) {
    lot.setAttribute("class", `lot ${faces[at] ?? "unknown"}`);
    child(lot, "text", SVGTextElement).textContent = signs[at] ?? "?";
  }
}

/** @type {(list: string | undefined) => Api.Face[]} */
const facesOf = (list) => /** @type {Api.Face[]} */ ((list ?? "").split(","));

/**
 * The body of a corrected throw, from a list of faces.
 * @param {string} list
 */
export function throwOf(list) {
  const faces = facesOf(list);
  return { marked: countMarked(faces), faces };
}

/**
 * Enlarge the picture, or make it small again. Lots are turned in the large one only, by a tap or a key.
 * The small one shows the table's count: unconfirmed corrections are dropped.
 * @param {HTMLElement} place
 */
export function enlarge(place) {
  const large = place.classList.toggle("large");
  const turning = large && place.matches(".turning");
  if (!large) {
    // The table may have gone on while the large picture stayed as it was.
    if (drawnLast) drawThrowPicture(...drawnLast);
    // The buttons for closing it vanish with it.
    findPart("zoom")?.focus();
  }
  // The full picture is loaded only when it is enlarged.
  if (large) child(place, "image", SVGImageElement).setAttribute("href", place.dataset.whole ?? "");
  if (!large && place.dataset.faces) {
    showFaces(place, facesOf(place.dataset.read));
    const answer = place.querySelector("[data-faces-answer]");
    if (answer instanceof HTMLElement) answer.hidden = true;
  }
  const drawing = child(place, "svg", SVGSVGElement);
  if (turning) drawing.removeAttribute("aria-hidden");
  else drawing.setAttribute("aria-hidden", "true");
  for (const [at, lot] of [...place.querySelectorAll(".lot")].entries()) {
    const attributes = { role: "button", tabindex: "0", "aria-label": t("Turn stick {number} over", { number: at + 1 }) };
    for (const [name, value] of Object.entries(attributes)) {
      if (turning) lot.setAttribute(name, value);
      else lot.removeAttribute(name);
    }
  }
}

/** @param {Api.Face[]} faces */
const countMarked = (faces) => faces.filter((face) => face === "marked").length;

/**
 * room: of the place for it, in pixels; the picture is cropped to fill as much of it as it can.
 * @type {(seen: Api.SeenView, picture: string, how: {near: boolean, turning: boolean, enlarges: boolean, room: {width: number, height: number}}) => HTMLElement}
 */
function pictureOf(seen, picture, { near, turning, enlarges, room }) {
  // Unless the frame is much wider than high, the picture lies turned, as the live one does.
  const upright = room.height > UPRIGHT * room.width && seen.width > seen.height;
  const [width, height] = upright ? [seen.height, seen.width] : [seen.width, seen.height];
  const lots = upright ? turnedUpright(seen.lots, seen.height) : seen.lots;
  const visit = document.body.dataset.visit;
  const [whole, light] = [`${picture}?${visit}`, `${picture.replace("/pictures/", "/pictures/light/")}?${visit}`];
  const faces = lots.map(({ face }) => face);
  const shape = room.width && room.height ? room.height / room.width : height / width;
  const view = near && lots.length ? viewOf(lots, width, height, shape) : { left: 0, top: 0, wide: width, high: height };
  const scale = Math.min((room.width || 160) / view.wide, (room.height || 120) / view.high);
  const signs = countedSigns(faces);
  const [least = 0, share = 0, most = 0] = BADGE;
  const size = Math.min(Math.max(least, share * Math.min(view.wide, view.high) * scale), most) / scale / 0.62;
  const frame = el(
    "div",
    { class: "frame" },
    outlines(lots, width, height, (_, at) => signs[at] ?? "?", { picture: light, view, size, upright }),
    enlarges && el("button", { type: "button", "data-zoom": true, "aria-label": t("The throw as the camera saw it. Tap to enlarge.") }),
    enlarges && soundButton(),
  );
  if (room.width) frame.style.cssText = `width: ${Math.floor(view.wide * scale)}px; height: ${Math.floor(view.high * scale)}px`;
  return el(
    "div",
    { class: turning ? "throw-picture turning" : "throw-picture", "data-faces": faces.join(), "data-read": faces.join(), "data-picture": picture, "data-whole": whole },
    frame,
    turning && el("p", { class: "turn" }, question(lots)),
    enlarges &&
      el(
        "div",
        { class: "ends" },
        el("button", { type: "button", "data-shut": true }, t("Close")),
        turning && el("button", { type: "button", class: "main", "data-faces-answer": "", hidden: true }),
      ),
  );
}

/** Mute or unmute this phone. */
function soundButton() {
  const on = isOn("sound");
  return el("button", { type: "button", class: "sound", "data-action": "sound", "aria-pressed": `${!on}`, "aria-label": on ? t("Turn the sound off") : t("Turn the sound on") }, on ? "♪" : "✕");
}

/** @param {Lot[]} lots */
const question = (lots) =>
  lots.some(({ face }) => face === "unknown")
    ? t("Tap each ? until it is right: a number is marked, a dash is plain.")
    : t("Is one wrong? Tap it: a number is marked, a dash is plain.");
