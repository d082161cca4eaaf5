// The review of a game: the graph is a slider, and every turn is shown without a new request. While the review is being
// worked out, the page shows its progress.

import { drawArrow } from "../board/arrow.js";
import { drawBoard } from "../board/board.js";
import { closest, el, findPart, part, partOf, redraw } from "../common/dom.js";
import { t } from "../common/i18n.js";
import { tryRequest } from "../common/request.js";

/** @typedef {import("../board/places.js").BoardState} BoardState */
/** @typedef {Api.GameReview & {review: Api.ReviewView, rules: Api.RulesView, teams: Api.TeamsView}} Review */

const POLL = 1000; // ms between two requests for the progress

const address = `/api${location.pathname}`;
/** @type {Review} */
let game;
let at = 0;
let better = false; // whether the better move is shown

const pause = () => new Promise((done) => setTimeout(done, POLL));

/** Show the progress of the review until it is done; then load the page that has it. */
async function waitForReview() {
  for (;;) {
    await pause();
    const { status, body } = await tryRequest(address, undefined);
    if (!status) continue; // out of reach for the moment
    if (status !== 200 || body.state === "done") return location.reload();
    part("done").textContent = t("{done} of {turns} turns are done. This page updates automatically.", body);
    partOf("progress", HTMLProgressElement).value = body.done;
  }
}

/**
 * The game after a number of turns.
 * @param {number} number
 */
function sceneAt(number) {
  const scene = game.scenes[number];
  if (!scene) throw new Error(`there is no turn ${number}`);
  return scene;
}

/**
 * The table as it was then, as much of it as a board shows.
 * @param {number} number
 * @returns {BoardState}
 */
function tableAt(number) {
  const { rules, teams, review, turns } = game;
  const { board, position, turn } = sceneAt(number);
  const [jade, obsidian] = [teams.jade[0], teams.obsidian[0]];
  if (!jade || !obsidian) throw new Error("a team has no players");
  return { rules, teams, players: { jade, obsidian }, board, position, turn, winner: number === turns ? review.winner : null };
}

/**
 * Show the game after that many turns.
 * @param {number} number
 */
function show(number) {
  at = Math.min(Math.max(number, 0), game.turns);
  better = false;
  const { title, threw, did, now, x, y, better: ends, others } = sceneAt(at);
  for (const [name, text] of Object.entries({ title, threw, did, now })) {
    part(name).textContent = text;
    part(name).hidden = !text;
  }
  part("better").hidden = !ends.length;
  part("others").hidden = !others.length;
  redraw(part("list"), others, () => others.map(otherThrow));
  drawScene();
  drawCursor(x, y);
  const slider = partOf("slider", HTMLInputElement);
  slider.value = `${at}`;
  slider.setAttribute("aria-valuetext", `${title}. ${now}`);
  for (const link of document.querySelectorAll("[data-turn]")) {
    const { turn, step } = /** @type {HTMLElement | SVGElement} */ (link).dataset;
    if (Number(turn) === at && !step) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  setLink("back", at - 1);
  setLink("next", at + 1);
  history.replaceState(null, "", `?turn=${at}`);
}

/** @type {(step: string, number: number) => void} */
function setLink(step, number) {
  const link = /** @type {HTMLAnchorElement} */ (document.querySelector(`[data-step=${step}]`));
  link.dataset.turn = `${number}`;
  const none = number < 0 || number > game.turns;
  link.classList.toggle("none", none);
  link.setAttribute("aria-disabled", `${none}`);
  link.href = `?turn=${none ? at : number}`;
}

/** The board after the turn with the moves that were made, or the one before it with the better ones. */
function drawScene() {
  const { ends, better: best } = sceneAt(at);
  drawBoard(part("board"), tableAt(better ? at - 1 : at), null, false);
  for (const [number, places] of (better ? best : ends).entries()) drawArrow(part("board"), places, { more: number > 0 });
  part("better").setAttribute("aria-pressed", `${better}`);
  offerPlayOn(better ? at - 1 : at);
  part("better").textContent = better ? t("Show what was played") : t("Show the better move");
}

/**
 * Let players play on from the position on the board.
 * @param {number} turn
 */
function offerPlayOn(turn) {
  const button = findPart("play-on");
  if (!button) return; // a watcher's
  button.dataset.body = JSON.stringify({ turn });
  button.hidden = tableAt(turn).winner !== null;
}

/** @type {(x: number, y: number) => void} */
function drawCursor(x, y) {
  const [line, dot] = document.querySelectorAll(".cursor > *");
  line?.setAttribute("x1", `${x}`);
  line?.setAttribute("x2", `${x}`);
  dot?.setAttribute("cx", `${x}`);
  dot?.setAttribute("cy", `${y}`);
}

/** @param {Api.OtherThrow} other */
function otherThrow({ values, win, share, came }) {
  return el(
    "li",
    { class: came ? "came" : null },
    el("b", {}, values, came && el("small", {}, ` ${t("came")}`)),
    el("meter", { min: 0, max: 1, value: share }),
    el("span", {}, win),
  );
}

/** @param {MouseEvent} event */
function onTap(event) {
  const link = closest(event, "[data-turn]");
  if (link && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    show(Number(link.dataset.turn));
    const { title, threw, did, now } = sceneAt(at);
    part("spoken").textContent = [title, threw, did, now].join(" ");
    if (link.dataset.moment) partOf("others", HTMLDetailsElement).open = link.dataset.moment === "throw";
    if (link.closest(".all")) part("title").focus();
  } else if (closest(event, "[data-better]")) {
    better = !better;
    drawScene();
  }
}

async function begin() {
  const { status, body } = await tryRequest(address, undefined);
  if (status !== 200 || body.state !== "done") return; // what the server wrote stays readable
  game = body;
  part("slider").hidden = false;
  part("hint").textContent = part("hint").dataset.sliding ?? part("hint").textContent;
  document.addEventListener("click", onTap);
  partOf("slider", HTMLInputElement).addEventListener("input", ({ target }) => show(Number(/** @type {HTMLInputElement} */ (target).value)));
  new ResizeObserver(drawScene).observe(part("board"));
  show(Number(part("looking").dataset.at));
  part("looking").dataset.ready = "yes";
}

if (findPart("thinking")) waitForReview();
else if (findPart("looking")) begin();
