// A move as it is made on the board: the unit hops space by space and drags its captives along. What is taken waits until it
// is reached; what comes home is put down there, and captives that come home with it are slain.

import { child, el } from "../common/dom.js";
import { OTHER } from "./places.js";

/** @typedef {import("./places.js").BoardState} BoardState */
/** @typedef {import("./places.js").Side} Side */
/** @typedef {{ends: readonly string[], side: Side, slays: number}} Made */
/** @typedef {{x: number, y: number}} Point */

const HOP = 170; // ms from one space to the next
const LONGEST = 1100; // ms for all hops of a move
const LIFT = 0.4; // of a piece's width, how high it hops
const SMALLEST = 34; // pixels of a piece, at least
const AFTERWARDS = 520; // ms to come home, or to be slain

/** @type {WeakMap<HTMLElement, {end: string, side: Side}>} */
const awaited = new WeakMap(); // for each board, where a unit is on its way to

/**
 * The move that led from one table to the next, or null where it was something else, such as an undo.
 * @param {BoardState | undefined} before
 * @param {BoardState} now
 * @returns {Made | null}
 */
export function moveBetween(before, now) {
  if (!before) return null;
  const side = before.turn;
  const legal = before.moves?.find(({ result }) => result === now.position);
  if (legal) return { ends: legal.ends, side, slays: legal.slays };
  // The page may have been shown the throw and its only move in one.
  const [made, ...more] = now.last?.side === side ? now.last.moves : [];
  if (!made || more.length || typeof made.to !== "number" || typeof made.from === "object") return null;
  const start = made.from === "base" ? side : `${made.from}`;
  return owns(now, made.to, side) && !owns(before, made.to, side) && count(before, start, side) > count(now, start, side)
    ? { ends: [start, `${made.to}`], side, slays: 0 }
    : null;
}

/** @type {(table: BoardState, space: number, side: Side) => boolean} */
const owns = ({ board }, space, side) => board.spaces[space - 1]?.some(({ owner }) => owner === side) ?? false;

/** @type {(table: BoardState, place: string, side: Side) => number} */
function count({ board }, place, side) {
  if (place === side) return board.base[side];
  const units = board.spaces[Number(place) - 1] ?? [];
  return units.filter(({ owner }) => owner === side).reduce((sum, { own }) => sum + own, 0);
}

/**
 * Remember how the board looks before a move. The function that this returns is called once the board is drawn anew, and
 * plays the move.
 * @type {(place: HTMLElement, made: Made) => () => void}
 */
export function prepareMove(place, { ends, side, slays }) {
  const [start = "", end = ""] = ends;
  const moving = piecesOn(place, start, side) ?? el("span", { class: "pieces" }, el("i", { class: `piece ${side}` }));
  const taken = piecesOn(place, end, OTHER[side]);
  const stood = offset(place, place.querySelector(`[data-space="${start}"]`), side);
  const high = LIFT * (place.querySelector(".space .piece")?.clientWidth ?? SMALLEST);
  return () => {
    const sky = child(place, "[data-flights]", HTMLElement);
    sky.replaceChildren();
    const cells = path(place, start, end);
    const [from, to] = [cells[0], cells.at(-1)];
    if (!from || !to || cells.length < 2) return;
    const arrived = piecesIn(to, side);
    const stands = (arrived && offset(place, to, side)) ?? stood;
    const points = cells.map((cell) => standingPoint(place, cell, stands));
    const meeting = centreOf(place, arrived ?? to);
    const stopped = arrived && taken ? ghostAt(sky, taken, meeting) : null;
    const flyer = ghostAt(sky, moving, points[0] ?? { x: 0, y: 0 });
    // Drawn as layers of their own from the start, so that nothing is laid out or painted in the frame of the landing.
    if (!arrived) for (const one of [to, ...flyer.querySelectorAll(".captive")]) one.classList.add("lands");
    awaited.set(place, { end, side });
    hop(flyer, points, high).finished.then(() => {
      if (!flyer.isConnected) return; // another move has begun
      awaited.delete(place);
      holdBack(place);
      const now = place.querySelector(`[data-space="${end}"]`);
      if (now) land({ flyer, stopped, arrived: piecesIn(now, side), to: now, slays });
    });
  };
}

/**
 * Show no unit at its end before it is there, however often the board is drawn meanwhile.
 * @param {HTMLElement} place
 */
export function holdBack(place) {
  for (const one of place.querySelectorAll(".arriving")) one.classList.remove("arriving");
  const coming = awaited.get(place);
  const cell = coming && place.querySelector(`[data-space="${coming.end}"]`);
  if (cell) piecesIn(cell, coming.side)?.classList.add("arriving");
}

/** @type {(place: HTMLElement, name: string, side: Side) => HTMLElement | null} */
function piecesOn(place, name, side) {
  const cell = place.querySelector(`.space[data-space="${name}"]`);
  const found = cell && piecesIn(cell, side);
  const copy = found?.cloneNode(true);
  return copy instanceof HTMLElement ? copy : null;
}

/**
 * The stack on a space with that side's piece on top.
 * @type {(cell: Element, side: Side) => HTMLElement | null}
 */
function piecesIn(cell, side) {
  if (!cell.matches(".space")) return null;
  const stacks = [...cell.querySelectorAll(".pieces")].filter((one) => one.lastElementChild?.classList.contains(side));
  return /** @type {HTMLElement | null} */ (stacks.at(-1) ?? null);
}

/**
 * The places that a unit passes, from its start to its end.
 * @type {(place: HTMLElement, start: string, end: string) => Element[]}
 */
function path(place, start, end) {
  const road = [...place.querySelectorAll("[data-space]")]; // from Jade's base to Obsidian's
  const at = (/** @type {string} */ name) => road.findIndex((one) => one.getAttribute("data-space") === name);
  const [from, to] = [at(start), at(end)];
  if (from < 0 || to < 0) return [];
  return from <= to ? road.slice(from, to + 1) : road.slice(to, from + 1).reverse();
}

/** @type {(place: HTMLElement, one: Element) => Point} */
function centreOf(place, one) {
  const [outer, { left, top, width, height }] = [place.getBoundingClientRect(), one.getBoundingClientRect()];
  return { x: left + width / 2 - outer.left, y: top + height / 2 - outer.top };
}

/**
 * How far from a space's middle a unit stands on it; null where there is none.
 * @type {(place: HTMLElement, cell: Element | null, side: Side) => Point | null}
 */
function offset(place, cell, side) {
  const pieces = cell && piecesIn(cell, side);
  if (!pieces) return null;
  const [stands, middle] = [centreOf(place, pieces), centreOf(place, cell)];
  return { x: stands.x - middle.x, y: stands.y - middle.y };
}

/** @type {(place: HTMLElement, cell: Element, stands: Point | null) => Point} */
function standingPoint(place, cell, stands) {
  const middle = centreOf(place, cell);
  return stands && cell.matches(".space") ? { x: middle.x + stands.x, y: middle.y + stands.y } : middle;
}

/** @type {(sky: HTMLElement, pieces: HTMLElement, at: Point) => HTMLElement} */
function ghostAt(sky, pieces, { x, y }) {
  const ghost = el("div", { class: "flight" }, pieces);
  ghost.style.left = `${x}px`;
  ghost.style.top = `${y}px`;
  sky.append(ghost);
  return ghost;
}

/** @type {(flyer: HTMLElement, points: Point[], high: number) => Animation} */
function hop(flyer, points, high) {
  const [first = { x: 0, y: 0 }] = points;
  const at = (/** @type {Point} */ { x, y }, /** @type {number} */ up) => `translate(${x - first.x}px, ${y - first.y - up}px)`;
  const frames = points.flatMap((point, index) => {
    const before = points[index - 1];
    const frame = { transform: `translate(-50%, -50%) ${at(point, 0)}`, easing: "ease-out" };
    if (!before) return [frame];
    const middle = { x: (before.x + point.x) / 2, y: (before.y + point.y) / 2 };
    return [{ transform: `translate(-50%, -50%) ${at(middle, high)}`, easing: "ease-in" }, frame];
  });
  return flyer.animate(frames, { duration: Math.min((points.length - 1) * HOP, LONGEST), fill: "forwards" });
}

/** @type {(landing: {flyer: HTMLElement, stopped: HTMLElement | null, arrived: HTMLElement | null, to: Element, slays: number}) => void} */
function land({ flyer, stopped, arrived, to, slays }) {
  if (arrived) {
    flyer.remove();
    arrived.animate([{ transform: "scale(1.12, 0.88)" }, { transform: "scale(0.97, 1.04)" }, { transform: "none" }], { duration: 260, easing: "ease-out" });
    if (stopped && slays) slay(stopped);
    else stopped?.remove();
    return;
  }
  for (const captive of flyer.querySelectorAll(".captive")) {
    captive.animate([{}, { transform: "translateY(60%) rotate(50deg)", opacity: 0 }], { duration: AFTERWARDS, easing: "ease-in", fill: "forwards" });
  }
  to.animate([{ transform: "scale(1.05)" }, { transform: "none" }], { duration: AFTERWARDS, easing: "ease-out" });
  const gone = flyer.animate([{ opacity: 1 }, { opacity: 1, offset: 0.6 }, { opacity: 0 }], { duration: AFTERWARDS });
  gone.finished.then(() => (flyer.remove(), to.classList.remove("lands")), () => {});
}

/** @param {HTMLElement} stopped */
function slay(stopped) {
  const falls = stopped.animate([{}, { transform: "translate(-50%, 20%) rotate(60deg)", opacity: 0 }], { duration: AFTERWARDS, easing: "ease-in" });
  falls.finished.then(() => stopped.remove(), () => {});
}
