// The throw as the camera saw it, and how a person tells it which lots it took for the wrong side.

import { el, part, redraw } from "./dom.js";
import { LETTER, outlines } from "./lots.js";
import { t, tn } from "./words.js";

const FOUR = 4; // only where all are in the picture do their faces make the count

/** Draw the picture of the throw that is awaited or to be confirmed. large: whether a tap makes it so. */
export function drawSeen({ phase, throw: thrown, unsure }, play, large = true) {
  const seen = phase === "move" || phase === "over" ? null : (thrown?.seen ?? unsure?.seen);
  // What stopped the reader may lie anywhere in the picture.
  redraw(part("seen"), [seen ?? null, play, Boolean(unsure)], () =>
    seen?.picture ? [pictureOf(seen, !unsure, play && seen.lots.length === FOUR, large)] : [],
  );
}

/** Turn a lot over, by its place among those seen: only here, until the player says that all are right. */
export function turnLot(at) {
  const place = part("seen").querySelector(".seen");
  const faces = place.dataset.faces.split(",");
  faces[at] = faces[at] === "marked" ? "plain" : "marked";
  showFaces(place, faces);
  const told = place.querySelector("[data-told]");
  told.hidden = faces.includes("unknown");
  told.dataset.told = faces;
  told.textContent = tn("Right now: {number} marked", "Right now: {number} marked", marked(faces));
}

function showFaces(place, faces) {
  place.dataset.faces = faces;
  for (const [at, lot] of [...place.querySelectorAll(".lot")].entries()) {
    lot.setAttribute("class", `lot ${faces[at]}`);
    lot.querySelector("text").textContent = LETTER[faces[at]];
  }
}

/** What a list of faces says, as the table takes it. */
export function toldBy(list) {
  const faces = list.split(",");
  return { marked: marked(faces), faces };
}

/**
 * Enlarge the picture, or make it small again; only in the large one are lots turned, by a tap or by a key.
 * The small one shows what the table counts: lots that were turned and not said to be right turn back.
 */
export function enlarge(place) {
  const large = place.classList.toggle("large");
  const turning = large && place.matches(".turning");
  // Only what is looked at closely is worth the bytes of the whole picture.
  if (large) place.querySelector("image").setAttribute("href", place.dataset.whole);
  if (!large && place.dataset.faces) {
    showFaces(place, place.dataset.read.split(","));
    const told = place.querySelector("[data-told]");
    if (told) told.hidden = true;
  }
  const drawing = place.querySelector("svg");
  if (turning) drawing.removeAttribute("aria-hidden");
  else drawing.setAttribute("aria-hidden", "true");
  for (const [at, lot] of [...place.querySelectorAll(".lot")].entries()) {
    const given = { role: "button", tabindex: "0", "aria-label": t("Turn lot {number} over", { number: at + 1 }) };
    for (const [name, value] of Object.entries(given)) {
      if (turning) lot.setAttribute(name, value);
      else lot.removeAttribute(name);
    }
  }
}

const marked = (faces) => faces.filter((face) => face === "marked").length;

function pictureOf({ picture, width, height, lots }, near, turning, large) {
  const [whole, light] = [picture, picture.replace("/pictures/", "/pictures/light/")].map((at) => `${at}?${document.body.dataset.visit}`);
  const faces = lots.map(({ face }) => face).join();
  return el(
    "div",
    { class: turning ? "seen turning" : "seen", "data-faces": faces, "data-read": faces, "data-whole": whole },
    el(
      "div",
      { class: "frame" },
      large && el("button", { type: "button", "data-zoom": true, "aria-label": t("The throw as the camera saw it, to enlarge") }),
      outlines(lots, width, height, undefined, { picture: light, near }),
      el("span", { class: "legend" }, t("{marked} marked, {plain} plain", { marked: LETTER.marked, plain: LETTER.plain })),
    ),
    turning && el("p", { class: "turn" }, ask(lots)),
    large &&
      el(
        "div",
        { class: "ends" },
        el("button", { type: "button", "data-shut": true }, t("Close")),
        turning && el("button", { type: "button", class: "main", "data-told": "", hidden: true }),
      ),
  );
}

const ask = (lots) =>
  lots.some(({ face }) => face === "unknown") ? t("Tap each ? until its letter is right.") : t("Is a letter wrong? Tap it.");
