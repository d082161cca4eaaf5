// The table for a whole room: it follows the game, and takes no taps.

import { drawBoard } from "../board/board.js";
import { celebrate } from "../board/celebration.js";
import { chosenMove } from "../board/places.js";
import { drawChances } from "../board/win_chances.js";
import { part } from "../common/dom.js";
import { follow, isOlder } from "../common/event_stream.js";
import { announceChange } from "../common/preferences.js";
import { drawPrompt } from "./prompt.js";
import { drawThrowPicture } from "./throw_picture.js";
import { drawEarlier, drawThrow } from "./turn_panel.js";

/** @type {Api.Snapshot | null} */
let table = null;

/** @type {(next: Api.Snapshot, fresh: boolean) => void} */
function show(next, fresh) {
  if (table && isOlder(next, table) && !fresh) return;
  announceChange(table, next);
  celebrate(table, next);
  table = next;
  const side = table.winner ?? table.turn;
  Object.assign(document.body.dataset, { phase: table.phase, number: table.number, side });
  part("emblem").className = `piece ${side}`;
  drawBoard(part("board"), table, chosenMove(table), false);
  drawThrow(table);
  drawThrowPicture(table, false, false);
  drawPrompt(table);
  drawChances(part("chances"), table);
  drawEarlier(table.last ? [table.last, ...table.earlier] : []);
}

new ResizeObserver(() => table && show(table, true)).observe(part("board"));
follow({ onTable: show, onLost: (lost) => (part("lost").hidden = !lost) });
