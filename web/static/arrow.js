// A move drawn over the board: an arrow from where it begins to where it ends, and what it takes there.

import { svg } from "./dom.js";

const EDGE = 9; // pixels an arrow reaches into a base, so that the name in it can be read
const LOW = 30; // a space lower than this has room for a small arrow only

/**
 * Put the arrow where its places now are; one more with `more`, else instead of those there were.
 * takes: how many pieces the move captures or slays, to stand on its way.
 */
export function drawArrow(place, ends, { more = false, takes = 0 } = {}) {
  if (!more) for (const arrow of place.querySelectorAll("svg.arrow")) arrow.remove();
  const [from, to] = ends.map((name) => place.querySelector(`[data-space="${name}"]`));
  if (!from || !to) return;
  const [start, end] = [footing(from, to), footing(to, from)];
  const small = Math.min(from.offsetHeight, to.offsetHeight) < LOW;
  const size = small ? 0.7 : 1;
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const far = Math.hypot(dx, dy);
  const bow = Math.min(34, far * 0.3);
  // A bounce may end where it began: then the arrow is a loop.
  const bend = far
    ? { x: (start.x + end.x) / 2 - (dy / far) * bow, y: (start.y + end.y) / 2 + (dx / far) * bow }
    : { x: start.x + 60, y: start.y - 30 };
  const before = far ? start : { x: start.x + 30, y: start.y + 14 };
  const angle = Math.atan2(end.y - bend.y, end.x - bend.x);
  const at = (along, aside) =>
    `${end.x + size * (along * Math.cos(angle) - aside * Math.sin(angle))} ${end.y + size * (along * Math.sin(angle) + aside * Math.cos(angle))}`;
  const curve = `M${before.x} ${before.y} Q${bend.x} ${bend.y} ${at(-10, 0)}`;
  const head = `M${at(-13, -12)} L${at(5, 0)} L${at(-13, 12)} Z`;
  const strokes = ["casing", "line"].map((name) => svg("path", { class: name, d: curve }));
  const view = `0 0 ${place.clientWidth} ${place.clientHeight}`;
  const arrow = { class: small ? "arrow small" : "arrow", viewBox: view, "aria-hidden": "true" };
  place.append(svg("svg", arrow, ...strokes, svg("path", { d: head }), takes > 0 && badge(along(before, bend, end), takes)));
}

const middle = (row) => ({ x: row.offsetLeft + row.offsetWidth / 2, y: row.offsetTop + row.offsetHeight / 2 });

/** Where the arrow stands in a row: in its middle, in a base at the edge that faces the other row. */
function footing(row, other) {
  if (row === other || !row.classList.contains("base")) return middle(row);
  const { x, y } = middle(other);
  const near = (at, from, size) => Math.min(Math.max(at, from + EDGE), from + size - EDGE);
  return { x: near(x, row.offsetLeft, row.offsetWidth), y: near(y, row.offsetTop, row.offsetHeight) };
}

/** The middle of the curve. */
const along = (from, bend, to) => ({ x: (from.x + 2 * bend.x + to.x) / 4, y: (from.y + 2 * bend.y + to.y) / 4 });

/** How many are taken. */
function badge({ x, y }, takes) {
  return svg(
    "g",
    { class: "takes", transform: `translate(${x} ${y})` },
    svg("circle", { r: 15 }),
    svg("text", { y: 5.5, "text-anchor": "middle" }, `×${takes}`),
  );
}
