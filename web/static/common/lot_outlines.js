// The lots that the camera sees, outlined over its picture, each with a badge beside it.

import { svg } from "./dom.js";
import { t } from "./i18n.js";

/** @typedef {{x: number, y: number}} Point */
/** @typedef {Api.SeenView["lots"][number]} Lot */

/** @type {Record<Api.Face, string>} */
// Translators: one letter each, on a stick that lies marked side up, and plain side up.
export const LETTER = { marked: t("M"), plain: t("P"), unknown: "?" };
const MARGIN = 0.14; // of the picture's width, around the lots, so that their badges are seen as well
const CLOSEST = 0.5; // of the picture's width that is always shown: closer, nobody would recognise the tray

/**
 * The outlines of all lots in a picture of that size. `badge` says what stands beside a lot.
 * picture: its address, to draw it underneath. near: show only the part with the lots.
 * @param {Lot[]} lots
 * @param {number} width
 * @param {number} height
 * @param {(lot: Lot, at: number) => string} badge
 * @param {{picture?: string | null, near?: boolean}} options
 */
export function outlines(lots, width, height, badge = ({ face }) => LETTER[face], { picture = null, near = false } = {}) {
  const middle = { x: mean(lots.map(({ x }) => x)), y: mean(lots.map(({ y }) => y)) };
  const [left, top, wide, high] = near && lots.length ? cropAround(lots, width, height) : [0, 0, width, height];
  const marks = lots.map((lot, at) => outline(lot, at, middle, wide, badge(lot, at)));
  const image = picture && svg("image", { href: picture, width, height });
  return svg("svg", { viewBox: `${left} ${top} ${wide} ${high}`, "aria-hidden": "true" }, image || null, ...marks);
}

/**
 * Left, top, width and height of the part of the picture with the lots, in the picture's own shape.
 * @type {(lots: Lot[], width: number, height: number) => [number, number, number, number]}
 */
function cropAround(lots, width, height) {
  const points = lots.flatMap(({ x, y, outline: corners }) => [[x, y], ...corners]);
  const [xs, ys] = [points.map(([x = 0]) => x), points.map(([, y = 0]) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const shape = height / width;
  const needed = Math.max(right - left, (bottom - top) / shape) + 2 * MARGIN * width;
  const wide = Math.min(width, Math.max(needed, CLOSEST * width));
  /** @type {(middle: number, size: number, all: number) => number} */
  const within = (middle, size, all) => Math.min(Math.max(middle - size / 2, 0), all - size);
  return [within((left + right) / 2, wide, width), within((top + bottom) / 2, wide * shape, height), wide, wide * shape];
}

/** @param {number[]} numbers */
const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** @type {(lot: Lot, at: number, middle: Point, width: number, letter: string) => SVGElement} */
function outline({ x, y, face, outline: corners }, at, middle, width, letter) {
  const points = corners.map((corner) => corner.join()).join(" ");
  const shape = (/** @type {string} */ name) =>
    points ? svg("polygon", { class: name, points }) : svg("circle", { class: name, cx: x, cy: y, r: width / 16 });
  const size = width / 14;
  const badge = badgePlace(corners, middle, size) ?? { x, y };
  return svg(
    "g",
    { class: `lot ${face}`, "data-lot": at },
    shape("touch"),
    shape("casing"),
    shape("line"),
    svg("circle", { class: "touch", cx: badge.x, cy: badge.y, r: size * 0.9 }),
    svg("circle", { class: "badge", cx: badge.x, cy: badge.y, r: size * 0.62 }),
    svg("text", { x: badge.x, y: badge.y + size * 0.36, "font-size": size, "text-anchor": "middle" }, letter),
  );
}

/**
 * A point just beyond the lot's corner that is farthest from the middle of all lots: a badge there covers no face.
 * @type {(corners: number[][], middle: Point, size: number) => Point | null}
 */
function badgePlace(corners, middle, size) {
  const away = corners.map(([x = 0, y = 0]) => ({ x, y, far: Math.hypot(x - middle.x, y - middle.y) }));
  const end = away.sort((one, other) => other.far - one.far)[0];
  if (!end?.far) return null;
  const further = 1 + (0.5 * size) / end.far;
  return { x: middle.x + (end.x - middle.x) * further, y: middle.y + (end.y - middle.y) * further };
}
