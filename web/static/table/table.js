// The table's page: shows each new state of the table, and sends the players' taps.

import { drawArrow } from "../board/arrow.js";
import { drawBoard, takenBy } from "../board/board.js";
import { celebrate } from "../board/celebration.js";
import { OTHER, chosenMove, keyOf } from "../board/places.js";
import { ranked } from "../board/win_chances.js";
import { drawBoardSeen, noticeTaken, seenMove } from "../board_camera/board_seen.js";
import { child, closest, findPart, part, partOf } from "../common/dom.js";
import { follow, isOlder } from "../common/event_stream.js";
import { areHintsShown, toggleHints, withHints } from "../common/hints.js";
import { t } from "../common/i18n.js";
import { turnBoard } from "../common/orientation.js";
import { announceChange, isOn, setPreference } from "../common/preferences.js";
import { request, tryRequest } from "../common/request.js";
import { confirmLabel, drawCountdown } from "./countdown.js";
import { fit } from "./fit_to_screen.js";
import { capitalized } from "./move_list.js";
import { hindrance, isLanded } from "./live_tray.js";
import { listenToHolding } from "./move_preview.js";
import { drawPrompt, speakTurn } from "./prompt.js";
import { canResign, openResignDialog } from "./resign_dialog.js";
import { enlarge, throwOf, turnLot } from "./throw_picture.js";
import { closeCorrection, drawTurnPanel, isSimulated, isWatched, nextGame, openCorrection } from "./turn_panel.js";
import { begin, drawWelcome } from "./welcome.js";
import { listenToIdleTaps } from "./why_not.js";

/** @typedef {import("../board/places.js").Move} Move */
/** @typedef {import("../new_game/new_game_dialog.js").Refusal} Refusal */

const SETTLE = 400; // ms within which a second tap was meant for the previous state
const BLIND = new Set(["lost", "uncalibrated"]); // states of a camera that cannot look again
const READABLE = 8000; // ms for which a refusal is shown
const BRIEF = 3000; // ms for which anything else is said
const NEXT = ["main", "move", "count", "recount", "prompt"]; // parts that may be next; the headline where nothing can be done

/** @type {Api.Snapshot | null} */
let table = null;
/** @type {Move | null} */
let chosen = null; // the move that this phone has chosen
/** @type {string | undefined} */
let picked; // the space of several moves that was tapped last; the other end of one of them plays it
let play = document.body.dataset.play === "yes";
let asking = false;
let problems = 0;

/** @type {(next: Api.Snapshot, fresh?: boolean) => void} */
function show(next, fresh = false) {
  const older = table !== null && isOlder(next, table);
  if (older && !fresh) return;
  const moved = older || next.step !== table?.step;
  // Reordered moves would slip away under the finger.
  if (table && (moved || `${ranked(withHints(next))}` !== `${ranked(withHints(table))}`)) settle();
  announceChange(table, next);
  noticeTaken(table, next);
  speakTurn(table, next);
  celebrate(table, next);
  table = next;
  if (moved) [chosen, picked] = [chosenMove(next), undefined];
  draw(next);
}

/** @param {Api.Snapshot | null} now */
function draw(now = table) {
  if (!now) return;
  const side = now.winner ?? now.turn;
  // First the board, which measures how it stood while the page is still laid out.
  document.body.dataset.play = play ? "yes" : "no";
  drawBoard(part("board"), withHints(now), chosen ?? seenMove(now), play);
  Object.assign(document.body.dataset, { phase: now.phase, number: now.number, side });
  part("emblem").className = `piece ${side}`;
  part("emblem").hidden = side === "draw";
  drawWelcome(now, play);
  drawTurnPanel(withHints(now), chosen, play);
  drawPrompt(now);
  drawBoardSeen(now, play);
  drawHints(now);
  drawBar(now);
  drawEnding(now);
  fit();
}

/** @param {Api.Snapshot} now */
function drawEnding(now) {
  // Loaded when it is needed, once a game.
  if (now.phase === "over") import("../ending/story.js").then(({ showEnding }) => void (table === now && showEnding(now)));
  else if (!part("ending").hidden) import("../ending/story.js").then(({ hideEnding }) => hideEnding());
}

/** @param {Api.Snapshot} now */
function drawHints({ phase, advice, players, turn }) {
  part("hints").hidden = !play || phase !== "move" || advice.moves.length < 2 || players[turn].level !== null;
  part("hints").textContent = areHintsShown() ? t("Hide the hints") : t("Show hints");
}

/** @param {Api.Snapshot} now */
function drawBar(now) {
  part("watching").hidden = play;
  part("bar").hidden = !play;
  part("turn-board").hidden = false;
  part("resign").hidden = !play || !canResign(now);
  const { action, label } = mainAction(now);
  const main = partOf("main", HTMLButtonElement);
  main.textContent = label;
  main.disabled = !action;
  if (action) main.dataset.action = action;
  else delete main.dataset.action;
  drawCountdown(now, play);
  for (const undo of part("bar").querySelectorAll("button")) if (undo.dataset.action === "undo") undo.disabled = !now.undo;
  const elsewhere = now.chosen === null ? undefined : now.moves[now.chosen];
  const differs = play && elsewhere && chosen && keyOf(chosen) !== keyOf(elsewhere);
  part("button").hidden = !differs;
  part("button").textContent = differs ? t("The button at the table: {words}", { words: now.confirm }) : "";
}

/**
 * What the main button does now. Without an action it only says what to do.
 * @param {Api.Snapshot} now
 * @returns {{action?: string, label: string}}
 */
function mainAction(now) {
  const { phase, moves: [first], confirm, players, turn, unsure } = now;
  if (phase === "over") return { action: "again", label: rematchLabel(now) };
  if (phase === "reading") return { action: "confirm", label: confirmLabel(now) };
  if (phase !== "move" && unsure && !BLIND.has(now.camera.state)) return { action: "rethrow", label: isSimulated() ? t("Throw again") : t("Look again") };
  if (phase !== "move" && confirm) return { action: "confirm", label: confirm };
  if (takesBoard(now) && confirm) return { action: "confirm", label: confirm };
  if (hindrance(now)) return { action: "rethrow", label: t("Look again") };
  if (phase !== "move" && isLanded(now)) return { label: t("Reading the throw…") };
  if (phase !== "move") return { label: isWatched(now) ? t("Waiting for the throw") : t("Throw, then tap the count") };
  if (!first) return confirm ? { action: "pass", label: confirm } : { label: t("Thinking…") };
  if (players[turn].level) return { action: "confirm", label: t("Got it") };
  return chosen ? { action: "confirm", label: capitalized(chosen.way) } : { label: t("Choose a move") };
}

/**
 * Whether confirming takes what is seen on the real board.
 * @param {Api.Snapshot} now
 */
const takesBoard = ({ countdown, board_seen: seen }) => countdown?.what === "board" || (seen?.status === "played" && !chosen);

/** @param {Api.Snapshot} now */
function rematchLabel(now) {
  if (!now.match) return t("Rematch");
  const next = nextGame(now);
  return next ? t("Next: {game}", { game: next }) : t("The whole match again");
}

/**
 * Send a request to the table. Returns why it was refused, or null.
 * @type {(path: string, body?: object) => Promise<Refusal | null>}
 */
async function submit(path, body = {}) {
  if (!table || asking) return { problem: t("The table is still busy with your last tap.") };
  asking = true;
  part("problem").hidden = true;
  /** @type {Refusal | null} */
  let refusal = null;
  try {
    const answer = await request(path, { step: table.step, ...body });
    if (answer.status === 200) show(answer.body);
    else refusal = answer.body;
    if (answer.status === 401) play = false;
  } catch {
    refusal = { problem: t("The table is not answering. Check what it shows before you tap again.") };
  }
  asking = false;
  draw();
  return refusal;
}

/** @type {(path: string, body?: object) => Promise<void>} */
async function submitOrSay(path, body) {
  const refusal = await submit(path, body);
  if (refusal) say(refusal.problem);
}

/**
 * The move that a tap on that button chooses: the next of those that start or end there, if there are several.
 * @param {HTMLElement} button
 * @returns {Move | null}
 */
function moveAt({ dataset: { move, space } }) {
  if (!table || (!move && !space)) return null;
  if (move) return table.moves.find((one) => keyOf(one) === move) ?? null;
  const here = movesBetween(picked, space);
  const at = here.findIndex((one) => chosen && keyOf(one) === keyOf(chosen));
  return here[(at + 1) % here.length] ?? null;
}

/** @param {string | undefined} space */
const movesAt = (space) => table?.moves.filter(({ ends }) => space && ends.includes(space)) ?? [];

/**
 * The moves of a space, or only those that also belong to the space tapped before, if there are any.
 * @param {string | undefined} before
 * @param {string | undefined} space
 */
function movesBetween(before, space) {
  const here = movesAt(space);
  const both = before && before !== space ? here.filter(({ ends }) => ends.includes(before)) : [];
  return both.length ? both : here;
}

/**
 * Play the move that was tapped. If a space belongs to several moves, the tap chooses one, and a tap on the other end of any plays it.
 * @param {HTMLElement} button
 */
function takeMove(button) {
  const { move: listed, space } = button.dataset;
  const move = moveAt(button);
  const isClear = listed || movesBetween(picked, space).length === 1;
  picked = space;
  choose(move);
  if (move && isClear) playMove(move);
}

/** @param {Move} move */
const playMove = ({ from, to, value, unit }) => submitOrSay("/api/move", { from, to, value, unit });

/** @param {Move | null} move */
function choose(move) {
  chosen = move;
  part("moves").classList.remove("all");
  draw();
}

function closeMenu() {
  const menu = partOf("menu", HTMLDetailsElement);
  if (menu.contains(document.activeElement)) child(menu, "summary", HTMLElement).focus();
  menu.open = false;
}

/** @type {Record<string, (now: Api.Snapshot) => unknown>} */
const ACTIONS = {
  confirm(now) {
    const { phase, players, turn } = now;
    if (phase !== "move" || takesBoard(now) || players[turn].level || !chosen) return submitOrSay("/api/confirm");
    return playMove(chosen);
  },
  turn() {
    turnBoard();
    closeMenu();
    draw();
  },
  resign(now) {
    closeMenu();
    openResignDialog(now, (side) => submitOrSay("/api/resign", { side }));
  },
  undoSeen: () => submitOrSay("/api/undo"),
  async undo() {
    // What the computer rolled and moved by itself is nobody's decision, so one tap leads back to the person's last one.
    const isComputers = (/** @type {Api.Snapshot} */ { players, turn }) => players[turn].level && !players[OTHER[turn]].level;
    let refusal;
    do refusal = await submit("/api/undo");
    while (!refusal && table?.undo && table.options.draw && isComputers(table));
    if (refusal) say(refusal.problem);
    else say(t("Taken back."), true);
  },
  async check() {
    closeMenu();
    const { checkBoard } = await import("../board_camera/check_board.js");
    checkBoard(async () => (await submit("/api/board/right"))?.problem ?? null);
  },
  closeEnding() {
    part("ending").hidden = true;
    focusNext();
  },
  computer: (now) => begin(now, true, submitOrSay),
  together: async (now) => {
    await begin(now, false, submitOrSay);
    draw();
  },
  hints() {
    toggleHints();
    draw();
  },
  recount: () => openCorrection(),
  sound() {
    setPreference("sound", !isOn("sound"));
    draw();
  },
  all() {
    part("moves").classList.add("all");
    child(part("moves"), ".spared", HTMLElement).focus();
  },
  async new(now) {
    const opened = import("../new_game/new_game_dialog.js").then(({ openNewGame }) => openNewGame(now, submit));
    await opened.catch(() => say(t("The table is not answering. Check what it shows before you tap again.")));
  },
};

/** @param {MouseEvent} event */
function onTap(event) {
  if (closest(event, "[data-touch][aria-disabled]") && !closest(event, "[data-welcome], [data-objection], [data-action=new]")) return;
  const lot = closest(event, ".throw-picture.large.turning [data-lot]");
  if (lot) turnLot(Number(lot.dataset.lot));
  const button = closest(event, "button");
  if (!button || !table) return;
  const { action, count, move, space, facesAnswer, zoom, shut } = button.dataset;
  if (action) (ACTIONS[action] ?? (() => submitOrSay(`/api/${action}`)))(table);
  else if (count) {
    closeCorrection();
    submitOrSay("/api/throw", { marked: Number(count) });
  } else if (move || space) takeMove(button);
  else if (facesAnswer) submitOrSay("/api/throw", throwOf(facesAnswer));
  // An answer closes the picture too: a refusal would be hidden beneath it.
  if ((zoom ?? shut ?? facesAnswer) !== undefined) enlarge(/** @type {HTMLElement} */ (button.closest(".throw-picture")));
}

/**
 * Ignore taps for a moment after the game has gone on, so that a double tap counts once. No style depends on it: disabled
 * buttons would be drawn anew while a piece is on its way.
 */
function settle() {
  const held = document.activeElement;
  part("touch").ariaDisabled = "true";
  setTimeout(() => {
    part("touch").ariaDisabled = null;
    if (held !== document.activeElement && document.activeElement === document.body) focusNext();
  }, SETTLE);
}

/** Focus what the player does next: the first such part that takes the focus, as none does that is hidden or disabled. */
function focusNext() {
  for (const next of NEXT.map(findPart)) {
    next?.focus();
    if (next && next === document.activeElement) return;
  }
}

/**
 * Say something for a while. calm: it is no refusal.
 * @param {string} problem
 */
function say(problem, calm = false) {
  const place = part("problem");
  const number = ++problems;
  place.classList.toggle("calm", calm);
  place.textContent = problem;
  place.hidden = false;
  setTimeout(() => number === problems && (place.hidden = true), calm ? BRIEF : READABLE);
}

/**
 * Keyboard control of the throw's picture: turn the focused lot over, or close the large picture.
 * @param {KeyboardEvent} event
 */
function onKey(event) {
  const lot = closest(event, "[data-lot]");
  if (lot && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    lot.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
  if (event.key !== "Escape") return;
  const large = document.querySelector(".throw-picture.large");
  if (large instanceof HTMLElement) enlarge(large);
  if (document.activeElement?.matches(".all .move")) part("move").focus();
  part("moves").classList.remove("all");
  closeCorrection();
  closeMenu();
}

document.addEventListener("click", onTap);
document.addEventListener("keydown", onKey);
listenToIdleTaps(() => (play ? table : null), (why) => say(why, true));
listenToHolding({ moveAt, tableNow: () => table, board: part("board") });
for (const name of ["menu", "chances"]) {
  const details = partOf(name, HTMLDetailsElement);
  document.addEventListener("click", ({ target }) => details.contains(/** @type {Node} */ (target)) || (details.open = false));
}
const refit = new ResizeObserver(() => table && fit());
for (const one of [document.documentElement, part("correct")]) refit.observe(one);
new ResizeObserver(() => {
  if (chosen) drawArrow(part("board"), chosen.ends, { takes: takenBy(chosen) });
}).observe(part("board"));

/** Ask whether this phone may play. It may show its cookie only now, or the host has made a new code. */
async function askRole() {
  const { status, body } = await tryRequest("/api/welcome", undefined);
  if (status !== 200) return;
  // This phone has its pass now, so the code need not stay visible in the address.
  if (body.play && location.search) history.replaceState(null, "", location.pathname);
  if (play === body.play) return;
  if (play && location.search) say(t("This browser keeps no cookies, so you can only watch. Allow cookies for this page, then open it again."));
  play = body.play;
  draw();
}

follow({ onTable: show, onLost: (lost) => (part("lost").hidden = !lost), onOpen: askRole });
if (!play || location.search) askRole();
