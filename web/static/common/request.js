// Requests to the table. One that is not answered in time counts as lost.

const TIMEOUT = 5000; // ms

/**
 * GET, or POST if there is a body. Throws if the table cannot be reached.
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<{status: number, body: any}>}
 */
export async function request(path, body) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), TIMEOUT);
  const post = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  try {
    const answer = await fetch(path, { ...post, cache: "no-store", signal: abort.signal });
    return { status: answer.status, body: await answer.json() };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The same, with a status of 0 and `problem` as the problem if the table cannot be reached.
 * @param {string} path
 * @param {object | undefined} body
 * @param {string} [problem]
 * @returns {Promise<{status: number, body: any}>}
 */
export async function tryRequest(path, body, problem = "") {
  try {
    return await request(path, body);
  } catch {
    return { status: 0, body: { problem } };
  }
}
