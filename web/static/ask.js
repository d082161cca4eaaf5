// Requests to the table. A request that is not answered in time counts as one that never arrived.

const PATIENCE = 5000;

/** GET, or POST if there is a body. Answers {status, body}; throws if the table cannot be reached. */
export async function ask(path, body) {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), PATIENCE);
  const how = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  try {
    const answer = await fetch(path, { ...how, cache: "no-store", signal: limit.signal });
    return { status: answer.status, body: await answer.json() };
  } finally {
    clearTimeout(timer);
  }
}
