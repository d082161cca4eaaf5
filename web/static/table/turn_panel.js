// What happens now: the throw with its picture, the count, the moves to choose from, and how to put a count right.

import { drawChances } from "./chances.js";
import { el, part, redraw } from "./dom.js";
import { capital, drawMoves } from "./moves.js";
import { drawSeen } from "./seen.js";
import { t, tn } from "./words.js";

/** Draw everything beside the board. */
export function drawNow(table, chosen, play) {
  const { phase, unsure } = table;
  const computer = table.players[table.turn].level !== null;
  const looking = phase === "reading" || Boolean(unsure);
  drawChances(part("chances"), table);
  const last = [table.last?.sentence, table.advice.judged?.sentence].filter(Boolean).join(" ");
  part("last").textContent = looking ? "" : phase === "throw_off" ? throwOff(table) : last;
  part("camera").textContent = table.camera.message;
  part("help").textContent = unsure?.sentence ?? help(table, computer, play);
  redraw(part("match"), [table.match, phase, table.teams, looking], () => (looking || phase === "move" ? [] : match(table)));
  drawThrown(table);
  drawSeen(table, play);
  drawMoves(table, chosen, play);
  part("look").hidden = phase !== "over";
  part("look").querySelector("a").href = `/games/${table.game}/review`;
  drawCorrection(table, play);
}

/** Draw the count, or the throws of a turn that has two. */
export function drawThrown(table) {
  const { phase, throw: thrown, throws, left, rules } = table;
  redraw(part("thrown"), [thrown, throws, left, phase], () =>
    rules.throws > 1 ? several(table) : thrown ? count(thrown, phase) : [],
  );
}

function throwOff({ throw_off: { jade, obsidian } }) {
  if (jade === null && obsidian === null) return "";
  return t("Thrown: Jade {jade}, Obsidian {obsidian}.", { jade: jade ?? "–", obsidian: obsidian ?? "–" });
}

function help({ phase, moves: { length }, players, turn, teams, match: evening, confirm }, computer, play) {
  if (phase === "throw_off") return t("Each side throws once. The higher throw begins.");
  if (phase === "throw" && confirm) return "";
  if (phase === "throw") return computer ? t("Throw for {name}, all four.", { name: players[turn].name }) : t("Throw all four.");
  if (phase === "move" && length > 1 && !computer && play) return t("Tap a move, here or on the board. Hold it to see what comes of it.");
  if (phase === "over" && !evening) return teams.jade.length > 1 ? t("Well played, all of you!") : t("Well played, both of you!");
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
  const where = t("Match, game {round} of {all}.", { round: evening.round, all: evening.variants.length });
  const next = nextOf(table);
  return [
    el("p", {}, score ? `${where} ${score}.` : where),
    phase === "over" && el("p", { class: "strong" }, next ? t("Next: {game}", { game: next }) : t("The match is over.")),
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
    const told = phase !== "move" ? t("thrown") : used ? t("used") : t("to use");
    return el("span", { class: `chip${used ? " used" : ""}` }, el("b", {}, `${thrown.value}`), el("small", {}, told));
  });
  if (phase !== "reading") return chips;
  const [figure, words] = count(reading, phase);
  words.append(...chips);
  return [figure, words];
}

function count({ marked, value }, phase) {
  const worth = marked === value ? "" : t("worth {number}", { number: value });
  const [figure, unit, small] =
    phase === "reading"
      ? [marked, tn("marked", "marked", marked), worth]
      : [value, tn("space", "spaces", value), tn("{number} marked", "{number} marked", marked)];
  return [el("b", { class: "figure" }, `${figure}`), el("span", {}, unit, small && el("small", {}, small))];
}

/** Whether the camera is there to read the next throw. */
export const watched = ({ camera }) => camera.state === "watching" || camera.state === "moving";

function question(table) {
  if (table.phase === "reading") return t("Not right? Tap the right count:");
  if (table.phase === "move") return t("Was the count wrong?");
  if (table.unsure) return t("Tap how many marked sides lie up, or throw again:");
  return watched(table) ? t("Or tap how many marked sides lie up:") : t("How many marked sides lie up?");
}

function drawCorrection(table, play) {
  const { phase, throw: thrown, rules } = table;
  const place = part("correct");
  place.hidden = !play || phase === "over";
  const done = phase === "move"; // then it is rarely wanted, and stands behind a button
  if (place.dataset.phase !== phase) place.classList.remove("open");
  place.dataset.phase = phase;
  part("question").hidden = done;
  part("question").textContent = question(table);
  part("recount").hidden = !done;
  part("recount").textContent = question(table);
  openCorrection(place.classList.contains("open"));
  redraw(part("digits"), [rules.values, thrown?.marked ?? null, phase, watched(table)], () => [
    ...rules.values.map((value, marked) =>
      el(
        "button",
        { type: "button", "data-count": marked, "aria-pressed": `${thrown?.marked === marked}` },
        el("b", {}, `${marked}`),
        el("small", {}, value ? t("moves {number}", { number: value }) : t("passes")),
      ),
    ),
    phase === "reading" || (phase !== "move" && watched(table))
      ? el("button", { type: "button", "data-action": "rethrow" }, t("Look again"))
      : "",
  ]);
}

/** Show the counts over the moves, or put them away again. */
export function openCorrection(open = !part("correct").classList.contains("open")) {
  part("correct").classList.toggle("open", open);
  part("recount").setAttribute("aria-expanded", `${open}`);
  part("digits").hidden = !open && !part("recount").hidden;
}
