// The board: bases at the ends, numbered spaces between, every piece to be counted, and the chosen move as an arrow.

import { el, redraw, svg } from "./dom.js";

const OTHER = { jade: "obsidian", obsidian: "jade" };

/** A move's one spelling: "base-4", "5-7", "8-home". */
export const keyOf = (move) => `${move.from}-${move.to}`;

/** Where a move begins and ends, as the board's rows are called. */
export function endsOf(move, turn) {
  return [move.from === "base" ? turn : `${move.from}`, move.to === "home" ? OTHER[turn] : `${move.to}`];
}

/** Draw the table's board, its legal moves and the one that is chosen, if any. */
export function drawBoard(place, table, chosen, play) {
  const { board, moves, players, turn, winner } = table;
  const open = new Set(play ? moves.flatMap((move) => endsOf(move, turn)) : []);
  const ends = chosen ? endsOf(chosen, turn) : [];
  redraw(place, [board, players, turn, winner, [...open], ends], () => {
    const state = (name) => (ends.includes(name) ? " chosen" : open.has(name) ? " can" : "");
    const base = (side) => baseRow(side, table, state(side), open.has(side));
    const spaces = board.spaces.map((unit, at) => spaceRow(at + 1, unit, state(`${at + 1}`), open.has(`${at + 1}`)));
    return [base("obsidian"), ...spaces.reverse(), base("jade")];
  });
  drawArrow(place, ends);
}

/** Put the arrow where its rows now are. */
export function drawArrow(place, ends) {
  place.querySelector("svg")?.remove();
  const [from, to] = ends.map((name) => place.querySelector(`[data-space="${name}"]`));
  if (!from || !to) return;
  const middle = (row) => row.offsetTop + row.offsetHeight / 2;
  const x = place.clientWidth * 0.5;
  const [start, end] = [middle(from), middle(to)];
  const up = end < start ? 1 : -1;
  const curve = `M${x} ${start} Q${x + 34} ${(start + end) / 2} ${x} ${end + 10 * up}`;
  const head = `M${x - 11} ${end + 14 * up} L${x - 2} ${end - 4 * up} L${x + 15} ${end + 12 * up} Z`;
  const strokes = ["casing", "line"].map((name) => svg("path", { class: name, d: curve }));
  const view = `0 0 ${place.clientWidth} ${place.clientHeight}`;
  const arrow = { class: "arrow", viewBox: view, "aria-hidden": "true" };
  place.append(svg("svg", arrow, ...strokes, svg("path", { d: head })));
}

function baseRow(side, table, state, open) {
  const { name, level } = table.players[side];
  const there = table.board.base[side];
  const slain = table.board.slain[side];
  const turn = table.turn === side && !table.winner ? " turn" : "";
  return el(
    "button",
    { type: "button", class: `row base ${side}${turn}${state}`, "data-space": side, disabled: !open },
    el("span", { class: "who" }, level ? `${name} (computer)` : name),
    pieces(side, there, 0),
    el("span", { class: "tally" }, slain ? `${there} in, ${slain} slain` : `${there} in base`),
  );
}

function spaceRow(number, unit, state, open) {
  const { owner, own, captives } = unit ?? {};
  const told = unit
    ? `: ${owner}, ${own} own${captives ? ` and ${captives} captive` : ""}`
    : ": empty";
  return el(
    "button",
    {
      type: "button",
      class: `row space${state}`,
      "data-space": number,
      "aria-label": `Space ${number}${told}`,
      disabled: !open,
    },
    el("span", { class: "number" }, `${number}`),
    unit && pieces(owner, own, captives),
    unit && el("span", { class: "tally" }, own + captives > 1 ? `${own}${captives ? `+${captives}` : ""}` : ""),
  );
}

function pieces(side, own, captives) {
  const mine = Array.from({ length: own }, () => el("i", { class: `piece ${side}` }));
  const theirs = Array.from({ length: captives }, () => el("i", { class: `piece captive ${OTHER[side]}` }));
  return el("span", { class: "pieces" }, ...mine, ...theirs);
}
