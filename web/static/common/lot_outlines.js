// Outlines of the lots over the camera's picture, each with a badge beside it that covers no other lot or badge.

import { svg } from "./dom.js";

/** @typedef {{x: number, y: number}} Point */
/** @typedef {Api.SeenView["lots"][number]} Lot */
/** @typedef {{left: number, top: number, wide: number, high: number}} View */

const MARGIN = 0.11; // of the picture's width around the lots, so that their badges are visible too
const CLOSEST = 0.42; // share of the picture's width that is always shown: closer up, nobody would recognise the tray

/**
 * The signs on a throw's badges: marked lots are numbered, plain ones have a dash, unknown ones a question mark.
 * @param {Api.Face[]} faces
 */
export function countedSigns(faces) {
  let marked = 0;
  return faces.map((face) => (face === "marked" ? `${++marked}` : face === "plain" ? "–" : "?"));
}

/**
 * Outlines of all lots in a picture of that size. `badge` returns the sign beside a lot.
 * picture: the picture's address, to draw it underneath. view: the part of the picture to show. size: of a badge, in the picture's pixels.
 * upright: whether the lots were turned by `turnedUpright`, so that the picture is turned too.
 * @param {Lot[]} lots
 * @param {number} width
 * @param {number} height
 * @param {(lot: Lot, at: number) => string} badge
 * @param {{picture?: string | null, view?: View, size?: number, upright?: boolean}} options
 */
export function outlines(lots, width, height, badge, { picture = null, view, size = width / 14, upright = false } = {}) {
  const { left, top, wide, high } = view ?? { left: 0, top: 0, wide: width, high: height };
  const places = badgePlaces(lots, { left, top, wide, high }, size);
  const marks = lots.map((lot, at) => outline(lot, at, places[at] ?? lot, size, width, badge(lot, at)));
  const turned = { width: height, height: width, transform: `translate(${width}) rotate(90)` };
  const image = picture && svg("image", { href: picture, ...(upright ? turned : { width, height }) });
  return svg("svg", { viewBox: `${left} ${top} ${wide} ${high}`, "aria-hidden": "true" }, image || null, ...marks);
}

/**
 * Lots where they are once their picture is turned clockwise by a right angle.
 * @type {(lots: Lot[], height: number) => Lot[]}
 */
export const turnedUpright = (lots, height) =>
  lots.map((lot) => ({ ...lot, x: height - lot.y, y: lot.x, outline: lot.outline.map(([x = 0, y = 0]) => [height - y, x]) }));

/**
 * The part of a picture that shows the lots, as close as possible in shape to the frame that it fills.
 * shape: the frame's height divided by its width.
 * @type {(lots: Lot[], width: number, height: number, shape: number) => View}
 */
export function viewOf(lots, width, height, shape) {
  const points = lots.flatMap(({ x, y, outline: corners }) => [[x, y], ...corners]);
  const [xs, ys] = [points.map(([x = 0]) => x), points.map(([, y = 0]) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const [least, lower] = [right - left + 2 * MARGIN * width, bottom - top + 2 * MARGIN * width];
  const wide = Math.min(width, Math.max(least, CLOSEST * width, lower / shape));
  const high = Math.min(height, Math.max(lower, wide * shape));
  /** @type {(middle: number, size: number, all: number) => number} */
  const within = (middle, size, all) => Math.min(Math.max(middle - size / 2, 0), all - size);
  return { left: within((left + right) / 2, wide, width), top: within((top + bottom) / 2, high, height), wide, high };
}

/** @type {(lot: Lot, at: number, badge: Point, size: number, width: number, sign: string) => SVGElement} */
function outline({ x, y, face, outline: corners }, at, badge, size, width, sign) {
  const points = corners.map((corner) => corner.join()).join(" ");
  const shape = (/** @type {string} */ name) =>
    points ? svg("polygon", { class: name, points }) : svg("circle", { class: name, cx: x, cy: y, r: width / 16 });
  return svg(
    "g",
    { class: `lot ${face}`, "data-lot": at },
    shape("touch"),
    shape("casing"),
    shape("line"),
    svg("circle", { class: "touch", cx: badge.x, cy: badge.y, r: size * 0.9 }),
    svg("circle", { class: "badge", cx: badge.x, cy: badge.y, r: size * 0.62 }),
    svg("text", { x: badge.x, y: badge.y + size * 0.36, "font-size": size, "text-anchor": "middle" }, sign),
  );
}

/**
 * A point for each lot's badge just beyond one of its ends or sides, inside the view and clear of other lots and badges.
 * @type {(lots: Lot[], view: View, size: number) => Point[]}
 */
function badgePlaces(lots, view, size) {
  /** @type {Point[]} */
  const taken = [];
  const bodies = lots.map(({ outline: corners }) => alongAxis(corners));
  lots.forEach((lot, at) => {
    const choices = around(lot, size);
    const cost = (/** @type {Point} */ place, /** @type {number} */ rank) =>
      rank + 100 * outside(place, view, size) +
      taken.filter((other) => distance(place, other) < size * 1.4).length * 60 +
      bodies.filter((body, other) => other !== at && body.some((point) => distance(place, point) < size * 0.9)).length * 30;
    const best = choices.map((place, rank) => ({ place, cost: cost(place, rank) })).sort((one, other) => one.cost - other.cost)[0];
    taken.push(best?.place ?? lot);
  });
  return taken;
}

/**
 * Places beside a lot, best first: beyond its two ends, then at its sides.
 * @type {(lot: Lot, size: number) => Point[]}
 */
function around({ x, y, outline: corners }, size) {
  if (corners.length < 3) return [{ x, y }];
  const far = corners.map(([a = 0, b = 0]) => ({ x: a - x, y: b - y })).sort((one, other) => Math.hypot(other.x, other.y) - Math.hypot(one.x, one.y));
  const [tip = { x: 1, y: 0 }] = far;
  const length = Math.hypot(tip.x, tip.y) || 1;
  const [dx, dy] = [tip.x / length, tip.y / length];
  const at = (/** @type {number} */ along, /** @type {number} */ aside) => ({ x: x + dx * along - dy * aside, y: y + dy * along + dx * aside });
  const end = length + size * 0.55;
  const side = size * 1.3;
  return [at(end, 0), at(-end, 0), at(length * 0.6, side), at(-length * 0.6, side), at(length * 0.6, -side), at(-length * 0.6, -side)];
}

/**
 * Points along a lot from end to end.
 * @type {(corners: number[][]) => Point[]}
 */
function alongAxis(corners) {
  const middle = (/** @type {number[]} */ [a = 0, b = 0], /** @type {number[]} */ [c = 0, d = 0]) => ({ x: (a + c) / 2, y: (b + d) / 2 });
  const [a, b, c, d] = corners;
  if (!a || !b || !c || !d) return [];
  const long = Math.hypot((a[0] ?? 0) - (b[0] ?? 0), (a[1] ?? 0) - (b[1] ?? 0)) < Math.hypot((b[0] ?? 0) - (c[0] ?? 0), (b[1] ?? 0) - (c[1] ?? 0));
  const [from, to] = long ? [middle(a, b), middle(c, d)] : [middle(b, c), middle(d, a)];
  return [0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => ({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }));
}

/** @type {(one: Point, other: Point) => number} */
const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

/** @type {(place: Point, view: View, size: number) => number} */
function outside({ x, y }, { left, top, wide, high }, size) {
  const room = size * 0.65;
  return Number(x < left + room || x > left + wide - room || y < top + room || y > top + high - room);
}
