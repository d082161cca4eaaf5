// The four corners of the road, tapped on a picture of the empty board and moved by finger or arrow keys.

import { redraw, svg } from "../common/dom.js";
import { t } from "../common/i18n.js";

/** @typedef {[number, number]} Point */

const NEAR = 0.07; // of the picture's width: a tap this near a corner takes hold of it
const STEP = 0.005; // of the picture's width, for an arrow key
/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The point of a quadrilateral where a road's picture in perspective has it.
 *
 * Corners: Jade's left and right, Obsidian's left and right. across: 0 left to 1 right; along: 0 at Jade's end to 1.
 * @type {(corners: Point[], across: number, along: number) => Point}
 */
export function onRoad([a = [0, 0], b = [0, 0], d = [0, 0], c = [0, 0]], across, along) {
  const [dx1, dy1, dx2, dy2] = [b[0] - c[0], b[1] - c[1], d[0] - c[0], d[1] - c[1]];
  const [sx, sy] = [a[0] - b[0] + c[0] - d[0], a[1] - b[1] + c[1] - d[1]];
  const area = dx1 * dy2 - dx2 * dy1;
  const [g, h] = area ? [(sx * dy2 - dx2 * sy) / area, (dx1 * sy - sx * dy1) / area] : [0, 0];
  const w = g * across + h * along + 1;
  const at = (/** @type {0 | 1} */ i) => ((b[i] - a[i] + g * b[i]) * across + (d[i] - a[i] + h * d[i]) * along + a[i]) / w;
  return [at(0), at(1)];
}

/**
 * Whether the road's two long sides cross, because Obsidian's corners are the wrong way round.
 * @param {Point[]} corners
 */
function areCrossed([a, b, d, c]) {
  if (!a || !b || !c || !d) return false;
  const side = (/** @type {Point} */ p, /** @type {Point} */ q, /** @type {Point} */ r) =>
    Math.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
  return side(a, d, b) * side(a, d, c) < 0 && side(b, c, a) * side(b, c, d) < 0;
}

/** Lets a person place four corners over a picture. */
export class CornerPicker {
  /** @type {Point[]} */
  corners = [];
  #size = { width: 1, height: 1 };
  #spaces = 0;
  #held = -1;

  /**
   * @param {HTMLElement} place
   * @param {() => void} onChange
   */
  constructor(place, onChange) {
    this.place = place;
    this.onChange = onChange;
    place.addEventListener("pointerdown", (event) => this.#take(event));
    place.addEventListener("pointermove", (event) => this.#held >= 0 && this.#move(this.#held, this.#pointAt(event)));
    for (const end of ["pointerup", "pointercancel"]) place.addEventListener(end, () => (this.#held = -1));
    place.addEventListener("keydown", (event) => this.#press(event));
  }

  /**
   * Begin with these corners, or without any.
   * @type {(corners: Point[] | null, size: {width: number, height: number}, spaces: number) => void}
   */
  begin(corners, size, spaces) {
    this.corners = (corners ?? []).map(([x, y]) => [x, y]);
    this.#size = size;
    this.#spaces = spaces;
    this.#draw();
  }

  /** @type {(event: PointerEvent) => Point} */
  #pointAt({ clientX, clientY }) {
    const { left, top, width, height } = this.place.getBoundingClientRect();
    const scale = Math.max(this.#size.width / width, this.#size.height / height);
    const spare = [(width - this.#size.width / scale) / 2, (height - this.#size.height / scale) / 2];
    return [(clientX - left - (spare[0] ?? 0)) * scale, (clientY - top - (spare[1] ?? 0)) * scale];
  }

  /** @param {PointerEvent} event */
  #take(event) {
    const [x, y] = this.#pointAt(event);
    const distances = this.corners.map(([cx, cy]) => Math.hypot(cx - x, cy - y));
    const nearest = distances.indexOf(Math.min(...distances));
    const isNear = nearest >= 0 && (distances[nearest] ?? 0) < NEAR * this.#size.width;
    event.preventDefault();
    this.#held = isNear || this.corners.length === 4 ? nearest : this.corners.length;
    this.place.setPointerCapture(event.pointerId);
    this.#move(this.#held, [x, y]);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const arrow = ARROWS[event.key];
    const at = event.target instanceof SVGElement ? Number(event.target.dataset.corner ?? -1) : -1;
    const corner = this.corners[at];
    if (!arrow || !corner) return;
    event.preventDefault();
    const far = STEP * this.#size.width;
    this.#move(at, [corner[0] + arrow[0] * far, corner[1] + arrow[1] * far]);
    /** @type {HTMLElement | null} */ (this.place.querySelector(`[data-corner="${at}"]`))?.focus();
  }

  /** @type {(at: number, point: Point) => void} */
  #move(at, [x, y]) {
    const { width, height } = this.#size;
    /** @type {Point} */
    const moved = [Math.min(Math.max(x, 0), width), Math.min(Math.max(y, 0), height)];
    this.corners[at] = moved;
    if (areCrossed(this.corners)) this.corners.push(...this.corners.splice(2, 1)); // tapped round the road
    if (this.#held === at) this.#held = this.corners.indexOf(moved);
    this.#draw();
    this.onChange();
  }

  #draw() {
    const { width, height } = this.#size;
    redraw(this.place, [this.corners, width, height, this.#spaces], () => [
      svg(
        "svg",
        { viewBox: `0 0 ${width} ${height}` },
        ...(this.corners.length === 4 ? this.#lines() : []),
        ...this.corners.map((corner, at) => this.#handle(corner, at)),
      ),
    ]);
  }

  #lines() {
    const line = (/** @type {Point} */ [x1, y1], /** @type {Point} */ [x2, y2]) => svg("line", { x1, y1, x2, y2 });
    const along = (/** @type {number} */ across) => line(onRoad(this.corners, across, 0), onRoad(this.corners, across, 1));
    const across = Array.from({ length: this.#spaces + 1 }, (_, at) => at / this.#spaces);
    return [along(0), along(1), ...across.map((at) => line(onRoad(this.corners, 0, at), onRoad(this.corners, 1, at)))];
  }

  /** @type {(corner: Point, at: number) => SVGElement} */
  #handle([x, y], at) {
    const jade = at < 2;
    const name = jade ? t("Corner {number}, at Jade's end", { number: at + 1 }) : t("Corner {number}, at Obsidian's end", { number: at + 1 });
    const radius = this.#size.width / 45;
    return svg(
      "g",
      { class: `corner ${jade ? "jade" : "obsidian"}`, tabindex: 0, role: "img", "aria-label": name, "data-corner": at },
      svg("circle", { cx: x, cy: y, r: radius }),
      svg("text", { x, y, dy: "0.35em", "font-size": radius * 1.2 }, `${at + 1}`),
    );
  }
}
