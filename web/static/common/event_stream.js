// Follows the table: by an event stream, or by asking every two seconds where there is none.

import { request } from "./request.js";

const RETRY = 2000; // ms on average: fifty pages must not come back at the same moment
const SELDOM = 5; // times that a page without a place among the streams asks for the table before it tries again for one
const QUIET = 10000; // ms after which a silent connection is tested: a dead one makes no sound

const retryDelay = () => RETRY * (0.75 + Math.random() / 2);

/**
 * Follow the table until the page is left. onOpen(): a stream has begun; what this phone may do can have changed.
 *
 * onTable(table, fresh): a fresh table replaces any other, whatever its number, because the connection is new.
 * onLost(lost): whether the connection to the table is broken.
 * @param {{onTable: (table: Api.Snapshot, fresh: boolean) => void, onLost: (lost: boolean) => void, onOpen?: () => void}} listener
 */
export function follow({ onTable, onLost, onOpen = () => {} }) {
  /** @type {EventSource | null} */
  let source = null;
  let timer = 0;
  let heardAt = 0;
  let asked = 0; // times since a stream began

  function disconnect() {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  /** @type {(table: Api.Snapshot, fresh: boolean) => void} */
  function receive(table, fresh) {
    heardAt = Date.now();
    onLost(false);
    onTable(table, fresh);
  }

  function connect() {
    let first = true;
    source = new EventSource("/api/events");
    source.onopen = () => {
      asked = 0;
      onOpen();
    };
    source.onmessage = (event) => {
      receive(JSON.parse(event.data), first);
      first = false;
    };
    // A stream that had begun has ended, or its server has; one that had not begun was refused.
    source.onerror = () => {
      disconnect();
      timer = setTimeout(poll, first ? retryDelay() : 0);
    };
  }

  async function poll() {
    clearTimeout(timer);
    try {
      const { status, body } = await request("/api/table");
      if (status !== 200) throw new Error(body.problem);
      receive(body, source === null);
      if (source !== null || document.hidden) return;
      if (asked++ % SELDOM) timer = setTimeout(poll, retryDelay());
      else connect();
    } catch {
      disconnect();
      onLost(true);
      if (!document.hidden) timer = setTimeout(poll, retryDelay());
    }
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? disconnect() : poll()));
  window.addEventListener("pagehide", disconnect);
  window.addEventListener("pageshow", (event) => event.persisted && poll());
  window.addEventListener("online", poll);
  window.addEventListener("offline", () => onLost(true));
  setInterval(() => source && Date.now() - heardAt > QUIET && poll(), QUIET / 2);
  poll();
}

/**
 * Whether a table was sent before another.
 * @param {Api.Snapshot} one
 * @param {Api.Snapshot} other
 */
export const isOlder = (one, other) => (one.number - other.number || one.revision - other.revision) < 0;
