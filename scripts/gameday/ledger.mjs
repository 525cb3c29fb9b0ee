// What must be true after every outage for a customer who follows it: each webhook event arrived, each answered call
// was charged once, and no price is stored twice.
import { setTimeout as sleep } from 'node:timers/promises';
import { badPosts, lostEvents } from '../verify/judge.mjs';
import { startReceiver } from '../verify/receiver.mjs';

const KINDS = ['race.odds_open', 'odds.change', 'race.result', 'race.scratching', 'race.market_closed'];
const PRICED = '/v1/racing/best-odds?num_races=1';
const CALL_EVERY_MS = 1000;
/** Wall. The last writes may be in flight this long, and a post that failed in an outage is retried within minutes. */
const SETTLE_WITHIN_MS = 420_000;

export async function openLedger({ servers, apis, key, signal: ended }) {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({ connectionString: servers.databaseUrl, max: 2, query_timeout: 15_000 });
  pool.on('error', () => {});
  /** @type {(text: string, values?: unknown[]) => Promise<any[]>} */
  const rows = async (text, values = []) => (await pool.query(text, values)).rows;
  const receiver = await startReceiver();
  const send = async (url, method, path, body) => {
    const headers = { 'X-API-Key': key, ...(body && { 'Content-Type': 'application/json' }) };
    const signal = AbortSignal.timeout(20_000);
    const response = await fetch(`${url}${path}`, { method, headers, body: body && JSON.stringify(body), signal });
    const cost = Number(response.headers.get('x-credits-cost') ?? 0);
    return { status: response.status, cost, body: /** @type {any} */ (await response.json()) };
  };
  const created = await send(apis[0], 'POST', '/v1/webhooks', { url: receiver.url, events: KINDS });
  if (created.status !== 200) throw new Error(`The webhook was not created: ${created.status}`);
  const calls = callOften((n) => send(apis[n % apis.length], 'GET', PRICED), ended);
  return {
    close: () => Promise.all([calls.stop(), receiver.close(), pool.end()]),
    calls,
    rows,
    receiver,
    webhookId: created.body.id,
    secret: created.body.secret,
    isPolledSince: async (ms) =>
      (await rows('SELECT max(polled_at) > $1 AS polled FROM race_books', [new Date(ms)]))[0].polled === true,
  };
}

/** Sends calls one after another until it is stopped. `answered`: calls with a complete response. */
function callOften(send, ended) {
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, ended]);
  const stop = () => {
    stopping.abort();
    return calling;
  };
  const calls = { answered: 0, credits: 0, failed: 0, unknown: 0, stop };
  const calling = (async () => {
    for (let n = 0; !signal.aborted; n += 1) {
      const reply = await send(n).catch(() => null);
      if (reply === null) calls.unknown += 1;
      else if (reply.status === 200) {
        calls.answered += 1;
        calls.credits += reply.cost;
      } else calls.failed += 1;
      await sleep(CALL_EVERY_MS, undefined, { signal }).catch(() => {});
    }
  })();
  return calls;
}

/** Sentences about what was lost or is duplicated. It waits until everything in flight has arrived. */
export async function findLosses(ledger, signal) {
  await ledger.calls.stop();
  let found = [];
  for (const deadline = Date.now() + SETTLE_WITHIN_MS; ; await sleep(2000, undefined, { signal })) {
    found = [...(await wrongPosts(ledger)), ...(await wrongCharges(ledger)), ...(await doubled(ledger))];
    if (found.length === 0 || Date.now() > deadline) break;
  }
  const { answered, credits, failed, unknown } = ledger.calls;
  console.log(
    `${ledger.receiver.posts.length} posts of webhooks; ${answered} calls were answered and cost ${credits} credits, ${failed} failed, ${unknown} had no response.`,
  );
  return found;
}

async function wrongPosts({ rows, receiver, webhookId, secret }) {
  const wanted = await rows(
    `SELECT event_id, e.kind, d.status FROM webhook_deliveries d JOIN events e USING (event_id)
      WHERE d.webhook_id = $1 AND d.replay_of IS NULL AND e.account_id IS NULL`,
    [webhookId],
  );
  const events = receiver.events(secret);
  if (events.length === 0) return ['no webhook was posted'];
  const lost = lostEvents(wanted, events).map((event) => `never posted: ${event}`);
  return [...lost.slice(0, 5), ...badPosts(events).map((post) => `wrong post: ${post}`)];
}

/** A call without a response may have been answered, and thus charged. */
async function wrongCharges({ rows, calls: { credits, answered, unknown } }) {
  const [{ charged }] = await rows(
    `SELECT coalesce(sum(CASE kind WHEN 'charge' THEN credits WHEN 'return' THEN -credits ELSE 0 END), 0)::int AS charged
       FROM credit_ledger WHERE subject LIKE '%best-odds%'`,
  );
  const each = answered === 0 ? 1 : Math.ceil(credits / answered);
  if (credits === 0) return ['no call was charged'];
  if (charged >= credits && charged <= credits + unknown * each) return [];
  return [`answered calls cost ${credits} credits, and the ledger has ${charged}`];
}

/** A runner's price is stored once for each reply: a poll that is written twice would repeat the previous price. */
async function doubled({ rows }) {
  const [{ twice }] = await rows(
    `SELECT count(*)::int AS twice FROM (
       SELECT race_id FROM price_ticks WHERE captured_at > now() - interval '1 hour'
        GROUP BY race_id, bookmaker_key, runner_key, captured_at HAVING count(*) > 1) t`,
  );
  return twice === 0 ? [] : [`${twice} prices are stored twice`];
}
