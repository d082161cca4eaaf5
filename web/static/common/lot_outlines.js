// What the camera sees, outlined over its picture, each lot with a badge beside it.

import { svg } from "./dom.js";
import { t } from "./words.js";

// Translators: one letter each, on a stick that lies marked side up, and plain side up.
export const LETTER = { marked: t("M"), plain: t("P"), unknown: "?" };
const MARGIN = 0.14; // of the picture's width, about the lots, so that their badges are seen as well
const CLOSEST = 0.5; // of the picture's width that is always shown: closer, one would not know the tray again

/**
 * The outlines of all lots in a picture of that size. `badge` says what stands beside a lot.
 * picture: its address, where it is to be drawn with them; near: as much of it as there are lots in.
 */
export function outlines(lots, width, height, badge = ({ face }) => LETTER[face], { picture = null, near = false } = {}) {
  const middle = { x: mean(lots, "x"), y: mean(lots, "y") };
  const [left, top, wide, high] = near && lots.length ? about(lots, width, height) : [0, 0, width, height];
  const marks = lots.map((lot, at) => outline(lot, at, middle, wide, badge(lot, at)));
  const image = picture && svg("image", { href: picture, width, height });
  return svg("svg", { viewBox: `${left} ${top} ${wide} ${high}`, "aria-hidden": "true" }, image, ...marks);
}

/** Left, top, width and height of the part of the picture with the lots, in the picture's own shape. */
function about(lots, width, height) {
  const [xs, ys] = [0, 1].map((axis) => lots.flatMap(({ x, y, outline: corners }) => [[x, y], ...corners].map((at) => at[axis])));
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const shape = height / width;
  const needed = Math.max(right - left, (bottom - top) / shape) + 2 * MARGIN * width;
  const wide = Math.min(width, Math.max(needed, CLOSEST * width));
  const within = (middle, size, all) => Math.min(Math.max(middle - size / 2, 0), all - size);
  return [within((left + right) / 2, wide, width), within((top + bottom) / 2, wide * shape, height), wide, wide * shape];
}

const mean = (lots, axis) => lots.reduce((sum, lot) => sum + lot[axis], 0) / lots.length;

function outline({ x, y, face, outline: corners }, at, middle, width, letter) {
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
    svg("text", { x: badge.x, y: badge.y + size * 0.36, "font-size": size, "text-anchor": "middle" }, letter),
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
