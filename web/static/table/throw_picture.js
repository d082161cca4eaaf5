// The picture of a throw, and how a player corrects a lot that was read wrong.

import { child, el, part, redraw } from "../common/dom.js";
import { t, tn } from "../common/i18n.js";
import { LETTER, outlines } from "../common/lot_outlines.js";

/** @typedef {import("../common/lot_outlines.js").Lot} Lot */

const FOUR = 4; // the faces make the count only where all lots are in the picture

/**
 * Draw the picture of the throw that is to be confirmed. enlarges: whether a tap enlarges it.
 * @param {Api.Snapshot} table
 * @param {boolean} play
 * @param {boolean} enlarges
 */
export function drawThrowPicture({ phase, throw: thrown, unsure }, play, enlarges = true) {
  const seen = phase === "move" || phase === "over" ? null : (thrown?.seen ?? unsure?.seen ?? null);
  redraw(part("throw-picture"), [seen, play, Boolean(unsure)], () => {
    if (!seen?.picture) return [];
    // What stopped the reader may be anywhere in the picture.
    return [pictureOf(seen, seen.picture, { near: !unsure, turning: play && seen.lots.length === FOUR, enlarges })];
  });
}

/**
 * Turn a lot over, by its place in the list: only here, until the player says that all are right.
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
  answer.textContent = tn("Right now: {number} marked", "Right now: {number} marked", countMarked(faces));
}

/** @type {(place: HTMLElement, faces: Api.Face[]) => void} */
function showFaces(place, faces) {
  place.dataset.faces = faces.join();
  for (const [at, lot] of [...place.querySelectorAll(".lot")].entries()) {
    const face = faces[at] ?? "unknown";
    lot.setAttribute("class", `lot ${face}`);
    child(lot, "text", SVGTextElement).textContent = LETTER[face];
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
 * The small one shows what the table counts: corrections that were not confirmed are dropped.
 * @param {HTMLElement} place
 */
export function enlarge(place) {
  const large = place.classList.toggle("large");
  const turning = large && place.matches(".turning");
  // The whole picture is loaded only when it is enlarged.
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
    const attributes = { role: "button", tabindex: "0", "aria-label": t("Turn lot {number} over", { number: at + 1 }) };
    for (const [name, value] of Object.entries(attributes)) {
      if (turning) lot.setAttribute(name, value);
      else lot.removeAttribute(name);
    }
  }
}

/** @param {Api.Face[]} faces */
const countMarked = (faces) => faces.filter((face) => face === "marked").length;

/** @type {(seen: Api.SeenView, picture: string, how: {near: boolean, turning: boolean, enlarges: boolean}) => HTMLElement} */
function pictureOf({ width, height, lots }, picture, { near, turning, enlarges }) {
  const visit = document.body.dataset.visit;
  const [whole, light] = [`${picture}?${visit}`, `${picture.replace("/pictures/", "/pictures/light/")}?${visit}`];
  const faces = lots.map(({ face }) => face).join();
  return el(
    "div",
    { class: turning ? "throw-picture turning" : "throw-picture", "data-faces": faces, "data-read": faces, "data-whole": whole },
    el(
      "div",
      { class: "frame" },
      enlarges && el("button", { type: "button", "data-zoom": true, "aria-label": t("The throw as the camera saw it. Tap to enlarge.") }),
      outlines(lots, width, height, undefined, { picture: light, near }),
      el("span", { class: "legend" }, t("{marked} marked, {plain} plain", { marked: LETTER.marked, plain: LETTER.plain })),
    ),
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

/** @param {Lot[]} lots */
const question = (lots) =>
  lots.some(({ face }) => face === "unknown") ? t("Tap each ? until its letter is right.") : t("Is a letter wrong? Tap it.");
