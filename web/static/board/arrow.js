// A move drawn over the board: an arrow from its start to its end, and how many enemy pieces it takes.

import { svg } from "../common/dom.js";

/** @typedef {{x: number, y: number}} Point */

const REACH = 9; // pixels that an arrow reaches into a base, so that the name in it stays legible
const LOW = 30; // pixels: a space lower than this has room for a small arrow only
const WIDE = 300; // pixels: in a row wider than this the arrow has room beside the stack, and what is written of it
const ASIDE = 2 / 3; // of the width of a wide row
const USUAL = 1000; // pixels: on a board wider than this the arrow grows with it

/**
 * Draw an arrow between two places. With `more` it is drawn beside the arrows that are there, otherwise instead of them.
 * takes: how many enemy pieces the move captures or slays.
 * @param {HTMLElement} place
 * @param {readonly string[]} ends
 * @param {{more?: boolean, takes?: number}} options
 */
export function drawArrow(place, ends, { more = false, takes = 0 } = {}) {
  if (!more) for (const arrow of place.querySelectorAll("svg.arrow")) arrow.remove();
  const [from, to] = ends.map((name) => place.querySelector(`[data-space="${name}"]`));
  if (!(from instanceof HTMLElement) || !(to instanceof HTMLElement)) return;
  const [foot, end] = [footing(from, to), footing(to, from)];
  const size = Math.min(from.offsetHeight, to.offsetHeight) < LOW ? 0.7 : Math.max(1, place.clientWidth / USUAL);
  const lane = laneTo(from, to, place);
  const [start, turn] = lane ? [{ x: lane.x, y: foot.y }, lane] : [foot, foot];
  const [dx, dy] = [end.x - turn.x, end.y - turn.y];
  const far = Math.hypot(dx, dy);
  const bow = Math.min(34, far * 0.3);
  // A bounce may end where it began: then the arrow is a loop.
  const bend = !far
    ? { x: start.x + 60, y: start.y - 30 }
    : lane
      ? { x: lane.x, y: end.y }
      : { x: (start.x + end.x) / 2 - (dy / far) * bow, y: (start.y + end.y) / 2 + (dx / far) * bow };
  const before = far ? turn : { x: start.x + 30, y: start.y + 14 };
  const angle = Math.atan2(end.y - bend.y, end.x - bend.x);
  const at = (/** @type {number} */ along, /** @type {number} */ aside) =>
    `${end.x + size * (along * Math.cos(angle) - aside * Math.sin(angle))} ${end.y + size * (along * Math.sin(angle) + aside * Math.cos(angle))}`;
  const curve = `M${far ? start.x : before.x} ${far ? start.y : before.y} L${before.x} ${before.y} Q${bend.x} ${bend.y} ${at(-10, 0)}`;
  const head = `M${at(-13, -12)} L${at(5, 0)} L${at(-13, 12)} Z`;
  const strokes = ["casing", "line"].map((name) => svg("path", { class: name, d: curve }));
  const viewBox = `0 0 ${place.clientWidth} ${place.clientHeight}`;
  const captured = takes > 0 && badge(middleOf(before, bend, end), takes, size);
  const arrow = svg("svg", { class: "arrow", viewBox, "aria-hidden": "true" }, ...strokes, svg("path", { d: head }), captured);
  arrow.style.setProperty("--size", `${size}`);
  place.append(arrow);
}

/**
 * @param {HTMLElement} row
 * @returns {Point}
 */
function middle(row) {
  const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = row;
  const across = offsetWidth > Math.max(WIDE, offsetHeight) ? ASIDE : 1 / 2;
  return { x: offsetLeft + offsetWidth * across, y: offsetTop + offsetHeight / 2 };
}

/**
 * Where the arrow stands in a row: at its middle, or in a base at the edge that faces the other row.
 * @param {HTMLElement} row
 * @param {HTMLElement} other
 * @returns {Point}
 */
function footing(row, other) {
  if (row === other || !row.classList.contains("base")) return middle(row);
  const { x, y } = middle(other);
  /** @type {(at: number, from: number, size: number) => number} */
  const near = (at, from, size) => Math.min(Math.max(at, from + REACH), from + size - REACH);
  return { x: near(x, row.offsetLeft, row.offsetWidth), y: near(y, row.offsetTop, row.offsetHeight) };
}

/**
 * On a winding track, the end of a lane between two columns by which an arrow from a base reaches a row that is not the
 * nearest, so that it crosses no space; null elsewhere.
 * @type {(from: HTMLElement, to: HTMLElement, place: HTMLElement) => Point | null}
 */
function laneTo(from, to, place) {
  const winding = place.parentElement?.dataset.road === "winding" && from.classList.contains("base") && to.classList.contains("space");
  const [top, bottom] = [to.offsetTop, to.offsetTop + to.offsetHeight];
  const below = from.offsetTop > top;
  const between = below ? from.offsetTop - bottom : top - (from.offsetTop + from.offsetHeight);
  if (!winding || between < to.offsetHeight / 2) return null;
  const left = to.offsetLeft > place.clientWidth / 2;
  return { x: left ? to.offsetLeft - 1 : to.offsetLeft + to.offsetWidth + 1, y: below ? bottom : top };
}

/** @type {(from: Point, bend: Point, to: Point) => Point} */
const middleOf = (from, bend, to) => ({ x: (from.x + 2 * bend.x + to.x) / 4, y: (from.y + 2 * bend.y + to.y) / 4 });

/** @type {(at: Point, takes: number, size: number) => SVGElement} */
function badge({ x, y }, takes, size) {
  return svg(
    "g",
    { class: "takes", transform: `translate(${x} ${y}) scale(${Math.max(1, size)})` },
    svg("circle", { r: 15 }),
    svg("text", { y: 5.5, "text-anchor": "middle" }, `×${takes}`),
  );
}
