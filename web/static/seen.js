// The throw as the camera saw it, and how a person tells it which lots it took for the wrong side.

import { el, part, redraw, svg } from "./dom.js";

const LETTER = { marked: "M", plain: "P", unknown: "?" };
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
  const middle = { x: mean(lots, "x"), y: mean(lots, "y") };
  const marks = lots.map((lot, at) => outline(lot, at, middle, width));
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
      svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ...marks),
    ),
    turning && el("p", { class: "turn" }, ask(lots)),
    turning && el("button", { type: "button", class: "turn", "data-told": "", hidden: true }),
  );
}

const ask = (lots) =>
  lots.some(({ face }) => face === "unknown") ? "Tap each ? until its letter is right." : "Is a letter wrong? Tap it.";

const mean = (lots, axis) => lots.reduce((sum, lot) => sum + lot[axis], 0) / lots.length;

function outline({ x, y, face, outline: corners }, at, middle, width) {
  const points = corners.map((corner) => corner.join()).join(" ");
  const shape = (name) =>
    points ? svg("polygon", { class: name, points }) : svg("circle", { class: name, cx: x, cy: y, r: width / 16 });
  const size = width / 14;
  const badge = outermost(corners, middle, size) ?? { x, y };
  return svg(
    "g",
    { class: `lot ${face}`, "data-lot": at },
    shape("touch"),
    shape("casing"),
    shape("line"),
    svg("circle", { class: "touch", cx: badge.x, cy: badge.y, r: size * 0.9 }),
    svg("circle", { class: "badge", cx: badge.x, cy: badge.y, r: size * 0.62 }),
    svg("text", { x: badge.x, y: badge.y + size * 0.36, "font-size": size, "text-anchor": "middle" }, LETTER[face]),
  );
}

/** A point beyond the end of a lot that lies farthest from all lots' middle: a badge there covers no face. */
function outermost(corners, middle, beyond) {
  const away = corners.map(([x, y]) => ({ x, y, far: Math.hypot(x - middle.x, y - middle.y) }));
  const end = away.sort((one, other) => other.far - one.far)[0];
  if (!end?.far) return null;
  const further = 1 + (0.5 * beyond) / end.far;
  return { x: middle.x + (end.x - middle.x) * further, y: middle.y + (end.y - middle.y) * further };
}
