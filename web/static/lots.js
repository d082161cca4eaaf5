// What the camera sees, outlined over its picture, each lot with a badge beside it.

import { svg } from "./dom.js";

export const LETTER = { marked: "M", plain: "P", unknown: "?" };

/** The outlines of all lots in a picture of that size. `badge` says what stands beside a lot. */
export function outlines(lots, width, height, badge = ({ face }) => LETTER[face]) {
  const middle = { x: mean(lots, "x"), y: mean(lots, "y") };
  const marks = lots.map((lot, at) => outline(lot, at, middle, width, badge(lot, at)));
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ...marks);
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
