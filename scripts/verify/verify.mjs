// Follows the service for a while, then judges it. Every part continues if another fails: a failure is a finding.
import { setTimeout as sleep } from 'node:timers/promises';
import { followChanges } from './changes.mjs';
import { afterTheEnd, badPosts, changesAfterTheEnd, lostEvents, wrongResults } from './judge.mjs';
import { readOracle } from './oracle.mjs';
import { liveOverOldPrices, watchPage } from './page.mjs';
import { startReceiver } from './receiver.mjs';
import { followStream } from './stream.mjs';

const KINDS = [
  'race.odds_open',
  'odds.change',
  'race.result',
  'race.scratching',
  'race.market_closed',
  'race.start_moved',
  'race.track_changed',
];
const CHANGES_EVERY_MS = 5000;
const HOUR_MS = 3_600_000;
/** The last writes may be in flight this long. */
const GRACE_MS = 60_000;

export async function verify({ status, guide, forMs, signal, onEnd }) {
  const { api_url: apiUrl, plus_key: key, simulator_url: simulatorUrl, database_url: databaseUrl } = status;
  const { default: pg } = await import('pg');
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  onEnd(() => db.end());
  /** @type {(text: string, values?: unknown[]) => Promise<any[]>} */
  const rows = async (text, values = []) => (await db.query(text, values)).rows;
  const send = async (method, path, body) => {
    const headers = { 'X-API-Key': key, ...(body && { 'Content-Type': 'application/json' }) };
    const response = await fetch(`${apiUrl}${path}`, { method, headers, body: body && JSON.stringify(body) });
    return { status: response.status, body: /** @type {any} */ (await response.json().catch(() => null)) };
  };
  const read = async (path) => {
    const answer = await send('GET', path).catch(() => null);
    return answer?.status === 200 ? answer.body : null;
  };

  const receiver = await startReceiver();
  onEnd(receiver.close);
  const created = await send('POST', '/v1/webhooks', { url: receiver.url, events: KINDS });
  if (created.status !== 200)
    throw new Error(`The webhook was not created: ${created.status} ${JSON.stringify(created.body)}`);
  const { id: webhookId, secret } = created.body;
  onEnd(() => send('DELETE', `/v1/webhooks/${webhookId}`));
  const begunMs = Date.now();
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const newestPoll = async () => {
    const [{ at }] = await rows('SELECT max(polled_at) AS at FROM race_books');
    return at?.getTime() ?? null;
  };
  const changes = followChanges({ apiUrl, key, everyMs: CHANGES_EVERY_MS, signal: both });
  const stream = followStream({ url: apiUrl, key, guide, read, signal: both });
  const page = watchPage({ url: `${apiUrl}/live`, newestPoll, signal: both });
  await sleep(forMs, undefined, { signal });
  const untilMs = Date.now();
  await sleep(GRACE_MS, undefined, { signal });
  stop.abort();
  await Promise.all([changes.ended, stream.ended, page.ended]);

  const races = await rows(
    `SELECT race_id, meeting_date::text AS day, category, venue, venue_canonical, race_number FROM races`,
  );
  const oracle = await readOracle(simulatorUrl, races, begunMs - 48 * HOUR_MS, untilMs + 48 * HOUR_MS);
  const events = receiver.events(secret);
  const wanted = await rows(
    `SELECT e.event_id, e.kind, d.status FROM events e LEFT JOIN webhook_deliveries d ON d.event_id = e.event_id AND d.webhook_id = $1 AND d.replay_of IS NULL
      WHERE e.kind = ANY ($2) AND e.account_id IS NULL AND e.written_at BETWEEN $3 AND $4`,
    [webhookId, KINDS, new Date(begunMs), new Date(untilMs)],
  );
  const findings = {
    'posts that are not as documented': badPosts(events),
    'events of races that were over': afterTheEnd(events, oracle),
    'results that the world does not have': wrongResults(events, oracle),
    'events that never arrived': lostEvents(wanted, events),
    'rows of `changes` of races that were over': changesAfterTheEnd(changes.readings, oracle),
    'differences between the stream and next-to-go': [
      ...stream.state.differences,
      ...(stream.state.refused ? [stream.state.refused] : []),
    ],
    'pages that say Live over old prices': liveOverOldPrices(page.looks),
    'answers on races that were over': await answersOnOver({ oracle, send, nowMs: Date.now() }),
    'closes of races that were found late': await closesFoundLate(rows),
  };
  return summary(findings, { events, wanted, changes, stream, page, oracle, races });
}

/** Requests consensus of races that are over in the world: each is a free 404. */
async function answersOnOver({ oracle, send, nowMs }) {
  const over = [...oracle].filter(([, { jumpMs }]) => jumpMs !== null && jumpMs < nowMs - 11 * 60_000).slice(-30);
  const found = [];
  for (const [id] of over) {
    const { status } = await send('GET', `/v1/racing/consensus?race_id=${id}`);
    if (status !== 404) found.push(`consensus of ${id}: ${status}`);
  }
  return found;
}

/** A race whose first price was captured after its jump has no close (D63). */
const closesFoundLate = async (rows) =>
  (
    await rows(`SELECT a.race_id FROM archived_races a JOIN archived_closing_lines l USING (race_id)
      WHERE (SELECT min(t.captured_at) FROM price_ticks t WHERE t.race_id = a.race_id) > a.jump_at GROUP BY 1`)
  ).map(({ race_id }) => race_id);

const MOST_SHOWN = 10;

function summary(findings, { events, wanted, changes, stream, page, oracle, races }) {
  const byKind = [...Map.groupBy(events, ({ event }) => event?.event ?? 'unsigned')].map(
    ([kind, all]) => `${kind} ${all.length}`,
  );
  const words = [...Map.groupBy(page.looks, ({ says }) => says.replaceAll(/\d+/g, 'N'))].map(
    ([word, all]) => `"${word}" ${all.length}`,
  );
  const lines = [
    `Followed: ${events.length} posts (${byKind.join(', ')}) of ${wanted.length} events in the database;`,
    `  ${changes.readings.length} answers of changes (${changes.failures.length} failures); stream: ${stream.state.ids} ids, ${stream.state.compared} races compared in ${stream.state.looks} looks, ${stream.state.behind} behind;`,
    `  pages: ${words.join(', ')}; ${oracle.size} of ${races.length} races are the world's.`,
  ];
  for (const [what, all] of Object.entries(findings)) {
    lines.push(`${all.length === 0 ? '✓' : '✗'} ${what}: ${all.length}`);
    for (const one of all.slice(0, MOST_SHOWN)) lines.push(`    ${one}`);
  }
  return { lines, differs: Object.values(findings).some((all) => all.length > 0) };
}
