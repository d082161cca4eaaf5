// Follows the table: an event stream where there is one, else a look every two seconds, and the truth about the link.

import { ask } from "./ask.js";

const WAIT = 2000; // between two tries, more or less: fifty pages do not come back in one moment
const QUIET = 10000; // a link that has been silent this long is tested: a dead one makes no sound

const soon = () => WAIT * (0.75 + Math.random() / 2);

/**
 * onTable(table, fresh): a table; `fresh` ones count whatever their number, because the link is new.
 * onLost(lost): whether the link to the table is broken.
 */
export function follow({ onTable, onLost }) {
  let source = null;
  let timer = 0;
  let heard = 0;

  function hush() {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  function told(table, fresh) {
    heard = Date.now();
    onLost(false);
    onTable(table, fresh);
  }

  function listen() {
    let first = true;
    source = new EventSource("/api/events");
    source.onmessage = (event) => {
      told(JSON.parse(event.data), first);
      first = false;
    };
    // A stream that had begun has reached its end, or its server has; one that had not was refused.
    source.onerror = () => {
      hush();
      timer = setTimeout(look, first ? soon() : 0);
    };
  }

  async function look() {
    clearTimeout(timer);
    try {
      const { status, body } = await ask("/api/table");
      if (status !== 200) throw new Error(body.problem);
      told(body, source === null);
      if (source === null && !document.hidden) listen();
    } catch {
      hush();
      onLost(true);
      if (!document.hidden) timer = setTimeout(look, soon());
    }
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? hush() : look()));
  window.addEventListener("pagehide", hush);
  window.addEventListener("pageshow", (event) => event.persisted && look());
  window.addEventListener("online", look);
  window.addEventListener("offline", () => onLost(true));
  setInterval(() => source && Date.now() - heard > QUIET && look(), QUIET / 2);
  look();
}
