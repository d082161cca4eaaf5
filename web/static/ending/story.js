// The end of a game: its story on one screen, and a picture of it to share.

import { el, inSentences, part, redraw, svg } from "../common/dom.js";
import { t } from "../common/i18n.js";
import { tab } from "../common/memory.js";
import { tryRequest } from "../common/request.js";
import { sharePicture } from "./share_picture.js";

/** @typedef {{label: string, text: string, turn: number}} StoryLine */

const POLL = 1000; // ms between two requests for the review
const LUCKY = 3; // whole points from which the review calls a throw lucky, see advice/review/review_summary.py
const PATIENCE = 60; // requests, after which the story stays short

let toldStep = -1; // the step whose ending was shown; its card is not opened a second time

/** @param {number} ms */
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/**
 * Show the ending of a game that is over, once.
 * @param {Api.Snapshot} table
 */
export async function showEnding(table) {
  if (toldStep === table.step || isRead(table)) return;
  toldStep = table.step;
  const card = part("ending");
  draw(table, undefined);
  card.hidden = false;
  card.onclick = ({ target }) => {
    if (target instanceof Element && target.closest("a, [data-action=closeEnding]")) tab.keep("ending", idOf(table));
  };
  const review = await reviewOf(table);
  if (review !== undefined && toldStep === table.step) draw(table, review);
}

/** @param {Api.Snapshot} table */
const idOf = ({ game, step }) => `${game} ${step}`;

/**
 * Whether the card was closed, or left for the review.
 * @param {Api.Snapshot} table
 */
const isRead = (table) => tab.read("ending") === idOf(table);

export function hideEnding() {
  toldStep = -1;
  part("ending").hidden = true;
}

/**
 * The review, as soon as it is worked out; null if there is none, undefined if it takes too long.
 * @param {Api.Snapshot} table
 * @returns {Promise<Api.ReviewView | null | undefined>}
 */
async function reviewOf({ game, step }) {
  for (let asked = 0; asked < PATIENCE && toldStep === step; asked++) {
    const { status, body } = await tryRequest(`/api/games/${game}/review`, undefined);
    if (status === 200 && body.state === "done") return body.review;
    if (status && status !== 200) return null;
    await pause(POLL);
  }
  return undefined;
}

/** @type {(table: Api.Snapshot, review: Api.ReviewView | null | undefined) => void} */
function draw(table, review) {
  const lines = review ? storyOf(review) : [];
  redraw(part("ending"), [table.step, review ? lines : `${review}`], () => [
    ...(table.winner === "draw" ? [] : [el("span", { class: "art", "aria-hidden": "true" }, el("i", { class: `piece ${table.winner}` }))]),
    el("h2", {}, ...inSentences(table.prompt)),
    ...(review ? [course(chancesIn(review))] : []),
    ...(review === undefined ? [el("p", { role: "status" }, t("Looking back at the game…"))] : []),
    ...(lines.length ? [story(lines, table.game)] : []),
    el(
      "div",
      { class: "acts" },
      review !== null && el("a", { class: "main", href: `/games/${table.game}/review` }, t("Review: luck or skill?")),
      review !== null && shareButton(table, review, lines),
      el("button", { type: "button", "data-action": "closeEnding" }, t("See the board")),
    ),
  ]);
}

/**
 * Jade's chance at the start and after each turn.
 * @param {Api.ReviewView} review
 */
const chancesIn = ({ start, turns }) => [start, ...turns.map(({ jade }) => jade)];

/**
 * The ground that each side held, turn by turn, as in the review.
 * @param {number[]} chances
 */
function course(chances) {
  const wide = Math.max(1, chances.length - 1);
  const held = chances.map((chance, at) => `${at},${1 - chance}`).join(" ");
  return svg(
    "svg",
    { class: "course", viewBox: `0 0 ${wide} 1`, preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "theirs", width: wide, height: 1 }),
    svg("polygon", { class: "ours", points: `0,1 ${held} ${wide},1` }),
    svg("line", { class: "middle", x2: wide, y1: 0.5, y2: 0.5 }),
  );
}

/** @type {(lines: StoryLine[], game: number) => HTMLElement} */
const story = (lines, game) =>
  el(
    "dl",
    {},
    ...lines.flatMap(({ label, text, turn }) => [
      el("dt", {}, label),
      el("dd", {}, el("a", { href: `/games/${game}/review?turn=${turn}` }, text)),
    ]),
  );

/**
 * The moment it turned, the luckiest throw and the best move, as far as there are any.
 * @param {Api.ReviewView} review
 * @returns {StoryLine[]}
 */
export function storyOf({ moments, turns }) {
  const moment = highest(moments, ({ swing }) => Math.abs(swing));
  const luckiest = highest(turns.filter(({ turn }) => turn !== moment?.turn), ({ luck }) => luck);
  const isLuckiest = !turns.some(({ turn, luck }) => turn === moment?.turn && luck > (luckiest?.luck ?? 0));
  const best = highest(turns.filter(({ decision, loss }) => decision && loss < 0.5), ({ before, after }) => after - before);
  return [
    ...(moment ? [{ label: t("The moment it turned"), text: moment.title, turn: moment.turn }] : []),
    ...(luckiest && Math.round(luckiest.luck) >= LUCKY ? [{ label: isLuckiest ? t("The luckiest throw") : t("Another lucky throw"), text: threw(luckiest), turn: luckiest.turn }] : []),
    ...(best ? [{ label: t("The best move"), text: t("{name}: {moves}", { name: best.player, moves: best.words }), turn: best.turn }] : []),
  ];
}

/** @param {Api.ReviewTurnView} turn */
const threw = ({ player, counts, throw_sentence: sentence }) =>
  t("{name} threw {counts}. {sentence}", { name: player, counts, sentence });

/**
 * The item that measures most.
 * @template T
 * @param {T[]} items
 * @param {(item: T) => number} measure
 * @returns {T | undefined}
 */
const highest = (items, measure) => [...items].sort((one, other) => measure(other) - measure(one))[0];

/** @type {(table: Api.Snapshot, review: Api.ReviewView | undefined, lines: StoryLine[]) => HTMLElement} */
function shareButton(table, review, lines) {
  const button = el("button", { type: "button", disabled: !review }, t("Share a picture"));
  if (review) button.onclick = () => sharePicture({ title: table.prompt, game: table.rules.name, chances: chancesIn(review), lines });
  return button;
}
