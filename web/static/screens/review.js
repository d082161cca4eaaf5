// Looking back: the graph is the slider, and every turn is shown without loading anew. While the review is still
// being thought out, the page asks how far it is.

import { drawArrow } from "./arrow.js";
import { ask } from "./ask.js";
import { drawBoard } from "./board.js";
import { el, part, redraw } from "./dom.js";
import { t } from "./words.js";

const PAUSE = 1000; // between two looks at how far the thinking is

const address = `/api${location.pathname}`;
let told = null; // the whole review
let at = 0;
let better = false; // whether the better move is shown

const wait = () => new Promise((done) => setTimeout(done, PAUSE));

/** Wait for the review, telling how far it is; then show the page that has it. */
async function think() {
  for (;;) {
    await wait();
    const { status, body } = await ask(address).catch(() => ({}));
    if (!status) continue; // out of reach for the moment
    if (status !== 200 || body.state === "done") return location.reload();
    part("done").textContent = t("{done} of {turns} turns are done. This page goes on by itself.", body);
    part("progress").value = body.done;
  }
}

/** The table as it was then, as much of it as a board shows. */
function tableAt(number) {
  const { rules, teams, review, scenes, turns } = told;
  const { board, position, turn } = scenes[number];
  const players = { jade: teams.jade[0], obsidian: teams.obsidian[0] };
  return { rules, teams, players, board, position, turn, moves: [], winner: number === turns ? review.winner : null };
}

/** Show the game after so many turns. */
function show(number) {
  at = Math.min(Math.max(number, 0), told.turns);
  better = false;
  const { title, threw, did, now, x, y, better: ends, others } = told.scenes[at];
  for (const [name, text] of Object.entries({ title, threw, did, now })) {
    part(name).textContent = text;
    part(name).hidden = !text;
  }
  part("better").hidden = !ends.length;
  part("others").hidden = !others.length;
  redraw(part("list"), others, () => others.map(other));
  drawScene();
  drawCursor(x, y);
  part("slider").value = at;
  part("slider").setAttribute("aria-valuetext", `${title}. ${now}`);
  for (const link of document.querySelectorAll("[data-turn]")) {
    if (Number(link.dataset.turn) === at && !link.dataset.step) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  lead("back", at - 1);
  lead("next", at + 1);
  history.replaceState(null, "", `?turn=${at}`);
}

function lead(step, number) {
  const link = document.querySelector(`[data-step=${step}]`);
  link.dataset.turn = number;
  const none = number < 0 || number > told.turns;
  link.classList.toggle("none", none);
  link.setAttribute("aria-disabled", `${none}`);
  link.href = `?turn=${none ? at : number}`;
}

/** The board after the turn with the moves that were made, or the one before it with the better ones. */
function drawScene() {
  const { ends, better: best } = told.scenes[at];
  drawBoard(part("board"), tableAt(better ? at - 1 : at), null, false);
  for (const [number, places] of (better ? best : ends).entries()) drawArrow(part("board"), places, { more: number > 0 });
  part("better").setAttribute("aria-pressed", `${better}`);
  part("better").textContent = better ? t("Show what was played") : t("Show the better move");
}

function drawCursor(x, y) {
  const [line, dot] = document.querySelectorAll(".cursor > *");
  line.setAttribute("x1", x);
  line.setAttribute("x2", x);
  dot.setAttribute("cx", x);
  dot.setAttribute("cy", y);
}

function other({ values, win, share, came }) {
  return el(
    "li",
    { class: came ? "came" : null },
    el("b", {}, values, came && el("small", {}, ` ${t("came")}`)),
    el("meter", { min: 0, max: 1, value: share }),
    el("span", {}, win),
  );
}

function onTap(event) {
  const link = event.target.closest?.("[data-turn]");
  if (link && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    show(Number(link.dataset.turn));
    const { title, threw, did, now } = told.scenes[at];
    part("spoken").textContent = [title, threw, did, now].join(" ");
    if (link.dataset.moment) part("others").open = link.dataset.moment === "throw";
    if (link.closest(".all")) part("title").focus();
  } else if (event.target.closest?.("[data-better]")) {
    better = !better;
    drawScene();
  }
}

async function begin() {
  const { status, body } = await ask(address).catch(() => ({}));
  if (status !== 200 || body.state !== "done") return; // what the server wrote stays readable
  told = body;
  part("slider").hidden = false;
  part("hint").textContent = part("hint").dataset.sliding;
  document.addEventListener("click", onTap);
  part("slider").addEventListener("input", ({ target }) => show(Number(target.value)));
  new ResizeObserver(() => told && drawScene()).observe(part("board"));
  show(Number(part("looking").dataset.at));
  part("looking").dataset.ready = "yes";
}

if (part("thinking")) think();
else if (part("looking")) begin();
