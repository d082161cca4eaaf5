// The throw as the camera saw it, and how a person tells it which lots it took for the wrong side.

import { el, part, redraw } from "./dom.js";
import { LETTER, outlines } from "./lots.js";

const FOUR = 4; // only where all are in the picture do their faces make the count

/** Draw the picture of the throw that is awaited or to be confirmed. */
export function drawSeen({ phase, throw: thrown, unsure }, play) {
  const seen = phase === "move" || phase === "over" ? null : (thrown?.seen ?? unsure?.seen);
  redraw(part("seen"), [seen ?? null, play], () => (seen?.picture ? [picture(seen, play && seen.lots.length === FOUR)] : []));
}

/** Turn a lot over, by its place among those seen: only here, until the player says that all are right. */
export function turnLot(at) {
  const place = part("seen").querySelector(".seen");
  const faces = place.dataset.faces.split(",");
  faces[at] = faces[at] === "marked" ? "plain" : "marked";
  place.dataset.faces = faces;
  const lot = place.querySelectorAll(".lot")[at];
  lot.setAttribute("class", `lot ${faces[at]}`);
  lot.querySelector("text").textContent = LETTER[faces[at]];
  const told = place.querySelector("[data-told]");
  told.hidden = faces.includes("unknown");
  told.dataset.told = faces;
  told.textContent = `Right now: ${marked(faces)} marked`;
}

/** What a list of faces says, as the table takes it. */
export function toldBy(list) {
  const faces = list.split(",");
  return { marked: marked(faces), faces };
}

const marked = (faces) => faces.filter((face) => face === "marked").length;

function picture({ picture: source, width, height, lots }, turning) {
  return el(
    "div",
    { class: turning ? "seen turning" : "seen", "data-faces": lots.map(({ face }) => face).join() },
    el(
      "div",
      { class: "frame" },
      el(
        "button",
        { type: "button", "data-zoom": true, "aria-label": "The throw as the camera saw it, to enlarge" },
        el("img", { src: `${source}?${document.body.dataset.visit}`, width, height, alt: "" }),
        el("span", { class: "legend" }, "M marked, P plain"),
      ),
      outlines(lots, width, height),
    ),
    turning && el("p", { class: "turn" }, ask(lots)),
    turning && el("button", { type: "button", class: "turn", "data-told": "", hidden: true }),
  );
}

const ask = (lots) =>
  lots.some(({ face }) => face === "unknown") ? "Tap each ? until its letter is right." : "Is a letter wrong? Tap it.";
