// What happens now: the throw with its picture, the count, the moves to choose from, and how to put a count right.

import { keyOf } from "./board.js";
import { el, part, redraw, svg } from "./dom.js";

const LETTER = { marked: "M", plain: "P", unknown: "?" };

/** A move in few words: "5 → 7, captures 2". */
export function spoken(move) {
  const way = move.from === "base" ? `Enter on ${move.to}` : `${move.from} → ${move.to}`;
  const captures = move.captures ? `, captures ${move.captures}` : "";
  return way + captures + (move.slays ? `, slays ${move.slays}` : "");
}

/** Draw everything beside the board. */
export function drawNow(table, chosen, play) {
  const { phase, throw: thrown, unsure } = table;
  const computer = table.players[table.turn].level !== null;
  part("last").textContent = phase === "throw_off" ? throwOff(table) : (table.last?.sentence ?? "");
  part("camera").textContent = table.camera.message;
  part("help").textContent = unsure?.sentence ?? help(table, computer);
  redraw(part("thrown"), [thrown, phase], () => (thrown ? count(thrown, phase) : []));
  const seen = phase === "move" || phase === "over" ? null : (thrown?.seen ?? unsure?.seen);
  redraw(part("seen"), seen ?? null, () => (seen?.picture ? [picture(seen)] : []));
  redraw(part("moves"), [table.moves, chosen && keyOf(chosen), table.advice, play, computer], () =>
    moves(table, chosen, play, computer),
  );
  drawCorrection(table, play);
}

function throwOff({ throw_off: { jade, obsidian } }) {
  if (jade === null && obsidian === null) return "";
  return `Thrown: Jade ${jade ?? "–"}, Obsidian ${obsidian ?? "–"}.`;
}

function help({ phase, moves: { length }, players, turn }, computer) {
  if (phase === "throw_off") return "Each side throws once. The higher throw begins.";
  if (phase === "throw") return computer ? `Throw for ${players[turn].name}, all four.` : "Throw all four.";
  if (phase === "move" && length > 1) return "Tap a move, here or on the board.";
  if (phase === "over") return "Well played, both of you!";
  return "";
}

function count({ marked, value }, phase) {
  const [figure, unit, small] =
    phase === "reading"
      ? [marked, "marked", marked === value ? "" : `worth ${value}`]
      : [value, value === 1 ? "space" : "spaces", `${marked} marked`];
  return [el("b", {}, `${figure}`), el("span", {}, unit, el("small", {}, small))];
}

function picture({ picture: source, width, height, lots }) {
  const middle = { x: mean(lots, "x"), y: mean(lots, "y") };
  const marks = lots.map((lot) => outline(lot, middle, width));
  return el(
    "button",
    { type: "button", class: "seen", "data-zoom": true, "aria-label": "The throw as the camera saw it, to enlarge" },
    el("img", { src: `${source}?${document.body.dataset.visit}`, width, height, alt: "" }),
    svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ...marks),
    el("span", { class: "legend" }, "M marked, P plain"),
  );
}

const mean = (lots, axis) => lots.reduce((sum, lot) => sum + lot[axis], 0) / lots.length;

function outline({ x, y, face, outline: corners }, middle, width) {
  const points = corners.map((corner) => corner.join()).join(" ");
  const shape = (name) =>
    points ? svg("polygon", { class: name, points }) : svg("circle", { class: name, cx: x, cy: y, r: width / 16 });
  const size = width / 14;
  const badge = outermost(corners, middle, size) ?? { x, y };
  return svg(
    "g",
    { class: `lot ${face}` },
    shape("casing"),
    shape("line"),
    svg("circle", { class: "badge", cx: badge.x, cy: badge.y, r: size * 0.62 }),
    svg("text", { x: badge.x, y: badge.y + size * 0.36, "font-size": size, "text-anchor": "middle" }, LETTER[face]),
  );
}

/** A point beyond the end of a lot that lies farthest from all lots' middle: a badge there covers no face. */
function outermost(corners, middle, beyond) {
  const away = corners.map(([x, y]) => ({ x, y, far: Math.hypot(x - middle.x, y - middle.y) }));
  const end = away.sort((one, other) => other.far - one.far)[0];
  if (!end?.far) return null;
  const further = 1 + (0.5 * beyond) / end.far;
  return { x: middle.x + (end.x - middle.x) * further, y: middle.y + (end.y - middle.y) * further };
}

function moves({ moves: legal, advice }, chosen, play, computer) {
  if (computer) return [];
  return legal.map((move, at) => {
    const hint = at === advice.suggestion ? el("small", {}, "tip: the best catch") : null;
    const pressed = chosen !== null && keyOf(move) === keyOf(chosen);
    if (!play) return el("p", { class: "move" }, spoken(move), hint);
    return el(
      "button",
      { type: "button", class: "move", "data-move": keyOf(move), "aria-pressed": `${pressed}` },
      el("span", {}, spoken(move)),
      hint,
    );
  });
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
  redraw(part("digits"), [rules.values, thrown?.marked ?? null, phase], () => [
    ...rules.values.map((value, marked) =>
      el(
        "button",
        { type: "button", "data-count": marked, "aria-pressed": `${thrown?.marked === marked}` },
        el("b", {}, `${marked}`),
        el("small", {}, value ? `moves ${value}` : "passes"),
      ),
    ),
    phase === "reading" ? el("button", { type: "button", "data-action": "rethrow" }, "Look again") : "",
  ]);
  if (place.dataset.phase !== phase) place.open = phase !== "move";
  place.dataset.phase = phase;
}
