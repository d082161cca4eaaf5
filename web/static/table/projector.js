// The table for a whole room: it follows, and nobody taps it.

import { drawBoard } from "./board.js";
import { drawChances } from "./chances.js";
import { part } from "./dom.js";
import { hear } from "./likes.js";
import { follow } from "./live.js";
import { drawThrown } from "./now.js";
import { drawSeen } from "./seen.js";

let table = null;

function show(next, fresh) {
  const older = table && (next.number - table.number || next.revision - table.revision) < 0;
  if (older && !fresh) return;
  hear(table, next);
  table = next;
  const side = table.winner ?? table.turn;
  Object.assign(document.body.dataset, { phase: table.phase, number: table.number, side });
  part("emblem").className = `piece ${side}`;
  if (part("prompt").textContent !== table.prompt) part("prompt").textContent = table.prompt;
  drawBoard(part("board"), table, table.moves[table.chosen ?? (table.moves.length === 1 ? 0 : -1)] ?? null, false);
  drawThrown(table);
  drawSeen(table, false, false);
  drawChances(part("chances"), table);
}

new ResizeObserver(() => table && show(table, true)).observe(part("board"));
follow({ onTable: show, onLost: (lost) => (part("lost").hidden = !lost) });
