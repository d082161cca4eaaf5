// The page: shows every table it hears of, and turns taps into wishes.

import { drawArrow } from "./arrow.js";
import { ask } from "./ask.js";
import { drawBoard } from "./board.js";
import { ranked } from "./chances.js";
import { part } from "./dom.js";
import { fit } from "./fit.js";
import { askWhoGivesUp, canGiveUp } from "./giving.js";
import { hear } from "./likes.js";
import { follow } from "./live.js";
import { capital } from "./moves.js";
import { openNewGame } from "./newgame.js";
import { drawNow, nextOf, openCorrection, watched } from "./now.js";
import { listenToHolding } from "./peek.js";
import { endsOf, keyOf } from "./places.js";
import { enlarge, toldBy, turnLot } from "./seen.js";
import { turn } from "./turned.js";
import { t } from "./words.js";

const SETTLE = 400; // ms in which a second tap still meant what stood there before
const READABLE = 8000; // ms that a refusal stays
const LONG = [[30, "long"], [55, "longer"]]; // letters of a prompt too long for larger type; as in templates/table.html

let table = null;
let chosen = null; // the move that this phone has chosen
let play = document.body.dataset.play === "yes";
let asking = false;
let problems = 0;

function show(next, fresh = false) {
  const older = table && (next.number - table.number || next.revision - table.revision) < 0;
  if (older && !fresh) return;
  const moved = older || next.step !== table?.step;
  // Moves that change their order would slip away under the finger.
  if (table && (moved || `${ranked(next)}` !== `${ranked(table)}`)) settle();
  hear(table, next);
  table = next;
  if (moved) chosen = table.moves[table.chosen ?? (table.moves.length === 1 ? 0 : -1)] ?? null;
  draw();
}

function draw() {
  const side = table.winner ?? table.turn;
  Object.assign(document.body.dataset, { phase: table.phase, number: table.number, side, play: play ? "yes" : "no" });
  part("emblem").className = `piece ${side}`;
  part("emblem").hidden = side === "draw";
  if (part("prompt").textContent !== table.prompt) part("prompt").textContent = table.prompt;
  part("prompt").className = LONG.findLast(([letters]) => table.prompt.length > letters)?.[1] ?? "";
  drawBoard(part("board"), table, chosen, play);
  drawNow(table, chosen, play);
  drawBar();
  fit();
}

function drawBar() {
  part("watching").hidden = play;
  part("bar").hidden = !play;
  part("seat").hidden = false;
  part("give-up").hidden = !play || !canGiveUp(table);
  const { action, label } = mainWish();
  const main = part("main");
  main.textContent = label;
  main.disabled = !action;
  if (action) main.dataset.action = action;
  else delete main.dataset.action;
  part("bar").querySelector("[data-action=undo]").disabled = !table.undo;
  const elsewhere = play && table.chosen !== null && chosen && keyOf(chosen) !== keyOf(table.moves[table.chosen]);
  part("button").hidden = !elsewhere;
  part("button").textContent = elsewhere ? t("The button at the table: {words}", { words: table.confirm }) : "";
}

/** What the big button does now; without an action it only says what to do. */
function mainWish() {
  const { phase, moves, confirm, players, turn, unsure } = table;
  if (phase === "over") return { action: "again", label: againLabel() };
  if (phase === "reading") return { action: "confirm", label: confirm };
  if (phase !== "move" && unsure) return { action: "rethrow", label: t("Look again") };
  if (phase !== "move" && confirm) return { action: "confirm", label: confirm };
  if (phase !== "move") return { label: watched(table) ? t("Waiting for the throw") : t("Throw, then tap the count") };
  if (!moves.length) return confirm ? { action: "pass", label: confirm } : { label: t("Thinking …") };
  if (players[turn].level) return { action: "confirm", label: t("Done: {move}", { move: moves[0].words }) };
  return chosen ? { action: "confirm", label: capital(chosen.words) } : { label: t("Choose a move") };
}

function againLabel() {
  if (!table.match) return t("Play again");
  const next = nextOf(table);
  return next ? t("Next: {game}", { game: next }) : t("The whole match again");
}

/** Wish for something; answers why it was refused, or null. `tell` says so to the players. */
async function wish(path, body = {}, tell = say) {
  if (asking) return t("The table is still busy with what you tapped before.");
  asking = true;
  let problem = null;
  try {
    const answer = await ask(path, { ...body, step: table.step });
    if (answer.status === 200) show(answer.body);
    else problem = answer.body.problem;
    if (answer.status === 401) play = false;
  } catch {
    problem = t("The table does not answer. Look what it shows before you tap again.");
  }
  asking = false;
  draw();
  if (problem) tell(problem);
  return problem;
}

/** The move that a tap on that button chooses: the next of those that begin or end there, where several do. */
function moveAt({ dataset: { move, space } }) {
  if (!table || (!move && !space)) return null;
  if (move) return table.moves.find((one) => keyOf(one) === move) ?? null;
  const here = table.moves.filter((one) => endsOf(one, table).includes(space));
  const at = here.findIndex((one) => chosen && keyOf(one) === keyOf(chosen));
  return here[(at + 1) % here.length] ?? null;
}

function choose(move) {
  chosen = move;
  part("moves").classList.remove("all");
  draw();
}

const ACTIONS = {
  confirm: () =>
    table.phase === "move" && !table.players[table.turn].level
      ? wish("/api/move", { from: chosen.from, to: chosen.to, value: chosen.value, unit: chosen.unit })
      : wish("/api/confirm"),
  turn() {
    turn();
    part("menu").open = false;
    draw();
  },
  resign() {
    part("menu").open = false;
    askWhoGivesUp(table, (body) => wish("/api/resign", body));
  },
  recount: () => openCorrection(),
  all: () => part("moves").classList.toggle("all"),
  new: () => openNewGame(table, (path, body) => wish(path, body, () => {})),
};

function onTap(event) {
  const lot = event.target.closest?.(".seen.large.turning [data-lot]");
  if (lot && !part("touch").disabled) turnLot(Number(lot.dataset.lot));
  const button = event.target.closest?.("button");
  if (!button || !table) return;
  const { action, count, move, space, told, zoom, shut } = button.dataset;
  if (action) (ACTIONS[action] ?? (() => wish(`/api/${action}`)))();
  else if (count) wish("/api/throw", { marked: Number(count) });
  else if (move || space) choose(moveAt(button));
  else if (told) wish("/api/throw", toldBy(told));
  else if ((zoom ?? shut) !== undefined) enlarge(button.closest(".seen"));
}

/** Take no taps for a moment after the game has gone on: the second half of a double tap is not a wish. */
function settle() {
  const touch = part("touch");
  const held = touch.contains(document.activeElement) ? document.activeElement : null;
  touch.disabled = true;
  setTimeout(() => {
    touch.disabled = false;
    if (held && document.activeElement === document.body) (held.isConnected ? held : part("main")).focus();
  }, SETTLE);
}

function say(problem) {
  const place = part("problem");
  const number = ++problems;
  place.textContent = problem;
  place.hidden = false;
  setTimeout(() => number === problems && (place.hidden = true), READABLE);
}

// The table knows this phone by now, so the code need not stand where others see it.
if (play && location.search) history.replaceState(null, "", location.pathname);

/** With the keyboard: turn over a lot that has the focus, and leave the large picture. */
function onKey(event) {
  const lot = event.target.closest?.("[data-lot]");
  if (lot && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    lot.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
  if (event.key !== "Escape") return;
  const large = document.querySelector(".seen.large");
  if (large) enlarge(large);
  part("moves").classList.remove("all");
  openCorrection(false);
  part("menu").open = false;
}

document.addEventListener("click", onTap);
document.addEventListener("keydown", onKey);
listenToHolding({ moveAt, tableNow: () => table, board: part("board") });
for (const name of ["menu", "chances"]) document.addEventListener("click", ({ target }) => part(name).contains(target) || (part(name).open = false));
new ResizeObserver(() => table && fit()).observe(document.documentElement);
new ResizeObserver(() => {
  if (chosen) drawArrow(part("board"), endsOf(chosen, table), { takes: chosen.captures + chosen.slays });
}).observe(part("board"));
follow({ onTable: show, onLost: (lost) => (part("lost").hidden = !lost) });

if (!play) {
  // A phone that came here from another page shows its cookie only now.
  const welcome = await ask("/api/welcome").catch(() => null);
  play = welcome?.body.play ?? false;
  if (table) draw();
}
