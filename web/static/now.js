// What happens now: the throw with its picture, the count, the moves to choose from, and how to put a count right.

import { keyOf } from "./board.js";
import { drawChances, ranked, told } from "./chances.js";
import { el, part, redraw } from "./dom.js";
import { drawSeen } from "./seen.js";

/** A sentence's beginning. */
export const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Draw everything beside the board. */
export function drawNow(table, chosen, play) {
  const { phase, throw: thrown, throws, left, rules, unsure } = table;
  const computer = table.players[table.turn].level !== null;
  drawChances(part("chances"), table);
  part("last").textContent = phase === "throw_off" ? throwOff(table) : (table.last?.sentence ?? "");
  part("camera").textContent = table.camera.message;
  part("help").textContent = unsure?.sentence ?? help(table, computer);
  redraw(part("match"), [table.match, phase, table.teams], () => match(table));
  redraw(part("thrown"), [thrown, throws, left, phase], () =>
    rules.throws > 1 ? several(table) : thrown ? count(thrown, phase) : [],
  );
  drawSeen(table, play);
  redraw(part("moves"), [table.moves, chosen && keyOf(chosen), table.advice.moves, table.advice.suggestion, play, computer], () =>
    moves(table, chosen, play, computer),
  );
  part("look").hidden = phase !== "over";
  part("look").querySelector("a").href = `/games/${table.game}/review`;
  drawCorrection(table, play);
}

function throwOff({ throw_off: { jade, obsidian } }) {
  if (jade === null && obsidian === null) return "";
  return `Thrown: Jade ${jade ?? "–"}, Obsidian ${obsidian ?? "–"}.`;
}

function help({ phase, moves: { length }, players, turn, teams, match: evening, confirm }, computer) {
  if (phase === "throw_off") return "Each side throws once. The higher throw begins.";
  if (phase === "throw" && confirm) return "";
  if (phase === "throw") return computer ? `Throw for ${players[turn].name}, all four.` : "Throw all four.";
  if (phase === "move" && length > 1 && !computer) return "Tap a move, here or on the board.";
  if (phase === "over" && !evening) return teams.jade.length > 1 ? "Well played, all of you!" : "Well played, both of you!";
  return "";
}

/** The name of a variant, as the dialog for a new game has it. */
const nameOf = (id) => document.querySelector(`[data-name][value="${id}"]`)?.dataset.name ?? id;

/** What follows a game of a match, by name; "" where the match is over or there is none. */
export function nextOf({ match: evening }) {
  return evening && evening.round < evening.variants.length ? nameOf(evening.variants[evening.round]) : "";
}

function match(table) {
  const { match: evening, phase } = table;
  if (!evening) return [];
  const totals = new Map();
  for (const { one, other, one_wins: ones, other_wins: others } of evening.scores) {
    totals.set(one, (totals.get(one) ?? 0) + ones);
    totals.set(other, (totals.get(other) ?? 0) + others);
  }
  const score = [...totals].map(([name, wins]) => `${capital(name)} ${wins}`).join(" – ");
  const where = `Match, game ${evening.round} of ${evening.variants.length}.`;
  const next = nextOf(table);
  return [
    el("p", {}, score ? `${where} ${score}.` : where),
    phase === "over" && el("p", { class: "strong" }, next ? `Next: ${next}` : "The match is over."),
  ].filter(Boolean);
}

/** The throws of a turn that has two: which are thrown, and which are still to be used. */
function several({ throws, throw: reading, left, phase }) {
  if (phase === "over" || (!throws.length && !reading)) return [];
  const unused = [...left];
  const chips = throws.map((thrown) => {
    const at = unused.indexOf(thrown.value);
    const used = phase === "move" && at < 0;
    if (at >= 0) unused.splice(at, 1);
    const told = phase !== "move" ? "thrown" : used ? "used" : "to use";
    return el("span", { class: `chip${used ? " used" : ""}` }, el("b", {}, `${thrown.value}`), el("small", {}, told));
  });
  if (phase !== "reading") return chips;
  return [...chips, el("span", { class: "chip" }, el("b", {}, `${reading.marked}`), el("small", {}, "marked"))];
}

function count({ marked, value }, phase) {
  const [figure, unit, small] =
    phase === "reading"
      ? [marked, "marked", marked === value ? "" : `worth ${value}`]
      : [value, value === 1 ? "space" : "spaces", `${marked} marked`];
  return [el("b", {}, `${figure}`), el("span", {}, unit, el("small", {}, small))];
}

function moves(table, chosen, play, computer) {
  const { moves: legal, advice } = table;
  if (computer) return play ? [] : legal.map((move) => el("p", { class: "move" }, capital(move.words)));
  const alike = (move) => legal.filter(({ words }) => words === move.words).length > 1;
  return ranked(table).map((at) => {
    const move = legal[at];
    const which = alike(move) ? el("small", {}, whichUnit(move, table)) : null;
    const words = told(advice, at) ?? (at === advice.suggestion ? "tip: the best catch" : null);
    const hint = words && el("small", { class: "tip" }, words);
    const pressed = chosen !== null && keyOf(move) === keyOf(chosen);
    if (!play) return el("p", { class: "move" }, capital(move.words), which, hint);
    return el(
      "button",
      { type: "button", class: "move", "data-move": keyOf(move), "aria-pressed": `${pressed}` },
      el("span", {}, capital(move.words)),
      which,
      hint,
    );
  });
}

/** What tells a unit from another that could go the same way: whose it is, and what it carries. */
export function whichUnit({ unit }, { rules, teams, turn }) {
  const [, player = 1] = unit.match(/^[JO]:(\d)/) ?? [];
  const whose = rules.teams === "owned" && teams[turn].length > 1 ? `${teams[turn][player - 1].name}'s ` : "the ";
  const captives = (unit.match(turn === "jade" ? /o/g : /j/g) ?? []).length;
  const friends = (unit.match(turn === "jade" ? /j/g : /o/g) ?? []).length;
  const home = unit.endsWith("'") ? ", heading home" : "";
  return `${whose}${friends + captives ? `stack ${1 + friends}+${captives}` : "single piece"}${home}`;
}

/** Whether the camera is there to read the next throw. */
export const watched = ({ camera }) => camera.state === "watching" || camera.state === "moving";

function question(table) {
  if (table.phase === "reading") return "Not right? Tap the right count:";
  if (table.phase === "move") return "Was the count wrong?";
  return watched(table) && !table.unsure ? "Or tap how many marked sides lie up:" : "How many marked sides lie up?";
}

function drawCorrection(table, play) {
  const { phase, throw: thrown, rules } = table;
  const place = part("correct");
  place.hidden = !play || phase === "over";
  place.querySelector("summary").textContent = question(table);
  redraw(part("digits"), [rules.values, thrown?.marked ?? null, phase, watched(table)], () => [
    ...rules.values.map((value, marked) =>
      el(
        "button",
        { type: "button", "data-count": marked, "aria-pressed": `${thrown?.marked === marked}` },
        el("b", {}, `${marked}`),
        el("small", {}, value ? `moves ${value}` : "passes"),
      ),
    ),
    phase === "reading" || (phase !== "move" && watched(table)) ? el("button", { type: "button", "data-action": "rethrow" }, "Look again") : "",
  ]);
  if (place.dataset.phase !== phase) place.open = phase !== "move";
  place.dataset.phase = phase;
}
