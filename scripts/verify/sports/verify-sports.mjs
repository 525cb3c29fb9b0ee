// Recomputes the service's results from the sports data that the simulator sent: which rows it joined to one match, and
// every arb that it announced. The raw pushes and replies come from the simulator, and so does the truth; from the
// service it reads only its claims: rows, decisions and events.
import { setTimeout as sleep } from 'node:timers/promises';
import { areTwins, FRESH_MS, indexRaw, standingTwice, wrongArbs, wronglyJoined } from './judge.mjs';
import { readMatches, readSent, truthOf } from './raw.mjs';

const HOUR_MS = 3_600_000;
const BACK_HOURS = 60;
const SETTLED_MS = 12_000;
/** A match that starts within this much race time may start before the command has listed it. */
const SOON_MS = 15 * 60_000;

const ROWS = `
  SELECT b.event_id, b.bookmaker_key AS book, b.feed, b.source_event_id AS source_id, b.home_name AS home_team, b.away_name AS away_team,
         b.commence_time, e.sport_key, e.commence_time AS start, e.home_team AS shown_home, e.away_team AS shown_away,
         e.first_seen_at AS seen_at,
         b.taken_back_at IS NULL OR b.taken_back_at >= e.commence_time AS stands
    FROM sport_event_books b JOIN sport_events e USING (event_id) WHERE e.joined_into IS NULL AND e.commence_time >= $1`;
const DECISIONS = `SELECT event_id, verdict, reasons #>> '{match,event_id}' AS other FROM sport_decisions WHERE verdict IN ('refused', 'probable_twin')`;
const ARBS = `
  SELECT occurred_at AS at, facts, EXISTS (SELECT FROM events c WHERE c.kind = 'arb.corrected' AND c.facts ->> 'corrects' = e.event_id::text) AS ruled
    FROM events e WHERE kind = 'arb.opportunity' ORDER BY occurred_at`;

/**
 * `rows(text, values)`: queries the database. `twins()`: what the operator's command lists, as text. Resolves to lines
 * and whether anything differs.
 */
export async function verifySports({ simulatorUrl, rows, now, twins }) {
  const announced = await rows(ARBS);
  // The simulator keeps a push once its response has arrived, or after the patience of the sender.
  await sleep(SETTLED_MS);
  const sent = await readSent(simulatorUrl);
  if (sent.length === 0) return { lines: ['The simulator has sent no sports.'], differs: true };
  const nowMs = await now();
  const matches = [
    ...(await readMatches(simulatorUrl, nowMs - BACK_HOURS * HOUR_MS, nowMs)),
    ...(await readMatches(simulatorUrl, nowMs, nowMs + 72 * HOUR_MS)),
  ];
  const truthOfRow = truthOf(matches);
  const sinceMs = Math.min(...sent.map(({ fromMs }) => fromMs));
  const claimed = (await rows(ROWS, [new Date(nowMs - (BACK_HOURS - 12) * HOUR_MS)])).map((row) => ({
    ...row,
    truth: truthOfRow({ by: row.feed === null ? 'push' : 'feed', book: row.book }, row),
    name: `${row.book} ${row.home_team} v ${row.away_team}`,
  }));
  const raw = indexRaw(sent, truthOfRow);
  const byId = Map.groupBy(claimed, ({ event_id }) => event_id);
  const truthsOf = (id) => {
    /** @type {[string, any][]} */
    const truths = (byId.get(id) ?? []).flatMap(({ truth }) => (truth ? [[`${truth.id} ${truth.sport}`, truth]] : []));
    return [...new Map(truths).values()];
  };
  const decisions = await rows(DECISIONS);
  const judgedFromMs = knownFrom(claimed, sinceMs);
  const judged = claimed.filter(({ start }) => start.getTime() >= judgedFromMs);
  const arbs = announced
    .filter(({ at }) => at.getTime() >= judgedFromMs)
    .map((one) => ({ ...one, at: one.at.toISOString() }));
  const findings = {
    'rows of no true match': claimed
      .filter(({ truth }) => truth === null)
      .map(({ event_id, name }) => `${event_id} ${name}`),
    'matches joined wrongly': wronglyJoined(claimed),
    'matches that stand twice and are not reported': standingTwice(
      judged,
      reported({ decisions, byId, raw, nowMs, listed: pairsIn(await twins()) }),
    ),
    'arbs announced that the raw prices do not make': wrongArbs(arbs, { truthsOf, raw, knowsSide }),
  };
  const early = claimed.filter(({ start }) => start.getTime() < judgedFromMs).map(({ event_id }) => event_id);
  const left = { matches: new Set(early).size, arbs: announced.length - arbs.length, judgedFromMs };
  return summary(findings, { sent, claimed, arbs, byId, decisions, left });
}

/**
 * The instant from which everything that counts is known. A restarted simulator has not kept what it sent before, and
 * those prices count for another half hour.
 */
const knownFrom = (claimed, sinceMs) =>
  claimed.some(({ seen_at: at }) => at.getTime() < sinceMs) ? sinceMs + FRESH_MS : sinceMs;

/** Which true side a shown name means, by all names under which it is listed. */
function knowsSide({ match }, name) {
  const like = (side) =>
    match.listed_as.some((one) => plain(one[side]) === plain(name)) || plain(match[side]) === plain(name);
  const [home, away] = [like('home'), like('away')];
  return home === away ? null : home ? 'home' : 'away';
}

const plain = (name) =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/\([^)]*\)/g, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .sort()
    .join(' ');

/** Whether a pair that exists twice is reported: by a decision, or as probable twins, from the raw prices. */
function reported({ decisions, byId, raw, nowMs, listed }) {
  const decided = decisions.filter(({ other }) => other).map(({ event_id, other }) => [event_id, other]);
  const pairs = new Set([...listed, ...decided].flatMap(([one, other]) => [`${one} ${other}`, `${other} ${one}`]));
  const refused = new Set(decisions.filter(({ verdict }) => verdict === 'refused').map(({ event_id }) => event_id));
  const seen = (id) => {
    const all = byId.get(id).filter(({ stands }) => stands);
    const [{ start, shown_home, shown_away, truth }] = all;
    const books = all.map(({ book }) => book);
    // In any spelling of its books: the shown name is the spelling of one of them.
    const teams = [shown_home, shown_away, ...all.flatMap(({ home_team, away_team }) => [home_team, away_team])];
    return { startMs: start.getTime(), books, teams, share: shareOf(raw, truth, books) };
  };
  // The command lists upcoming matches; for matches that have started, the rule is applied to the last raw prices.
  const hasStarted = (id) => byId.get(id)[0].start.getTime() <= nowMs + SOON_MS;
  return (one, other) =>
    pairs.has(`${one} ${other}`) ||
    refused.has(one) ||
    refused.has(other) ||
    (hasStarted(one) && hasStarted(other) && areTwins(seen(one), seen(other)));
}

const pairsIn = (text) =>
  text.split('\n').flatMap((line) => {
    const ids = line.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
    return ids.length === 2 ? [ids] : [];
  });

/** The median chance of the true home side against the away side, from the last raw prices of these books. */
function shareOf({ byMatch }, { id, sport }, books) {
  const shares = books.flatMap((book) => {
    const last = (byMatch.get(`${id} ${sport}`) ?? []).filter(({ list }) => list.book === book).at(-1);
    const h2h = last?.event.markets.find(({ market }) => market === 'h2h');
    if (!h2h) return [];
    const priceOf = (name) => h2h.outcomes.find((one) => one.name === name)?.price;
    const [first, second] = [priceOf(last.event.home_team), priceOf(last.event.away_team)];
    const share = second / (first + second);
    return Number.isFinite(share) ? [last.truth.turned ? 1 - share : share] : [];
  });
  shares.sort((a, b) => a - b);
  return shares.length === 0
    ? null
    : (shares[Math.floor((shares.length - 1) / 2)] + shares[Math.ceil((shares.length - 1) / 2)]) / 2;
}

const MOST_SHOWN = 15;

function summary(findings, { sent, claimed, arbs, byId, decisions, left }) {
  const pushes = sent.filter(({ by }) => by === 'push');
  const truths = new Set(claimed.flatMap(({ truth }) => (truth ? [`${truth.id} ${truth.sport}`] : [])));
  const keys = new Set(pushes.flatMap(({ events }) => events.map(({ sport_key }) => sport_key)));
  const fed = new Set(sent.flatMap(({ by, sport }) => (by === 'feed' ? [sport] : [])));
  const hours = (Math.max(...sent.map(({ toMs }) => toMs)) - Math.min(...sent.map(({ fromMs }) => fromMs))) / HOUR_MS;
  const lines = [
    `Recomputed: ${hours.toFixed(1)} hours, ${pushes.length} pushes of ${new Set(pushes.map(({ book }) => book)).size} books, ${new Set(sent.filter(({ by }) => by === 'feed').map(({ n }) => n)).size} replies of the feed, ${keys.size} keys of sports pushed and ${fed.size} polled;`,
    `  ${claimed.length} rows are ${truths.size} true matches and ${byId.size} of the service; ${decisions.length} refusals and probable twins; ${arbs.length} arbs (${arbs.filter(({ ruled }) => ruled).length} corrected).`,
  ];
  if (left.matches > 0 || left.arbs > 0)
    lines.push(
      `  Not judged, because the simulator was started since: ${left.matches} matches and ${left.arbs} arbs of before ${new Date(left.judgedFromMs).toISOString()}.`,
    );
  for (const [what, all] of Object.entries(findings)) {
    lines.push(`${all.length === 0 ? '✓' : '✗'} ${what}: ${all.length}`);
    for (const one of all.slice(0, MOST_SHOWN)) lines.push(`    ${one}`);
  }
  return { lines, differs: Object.values(findings).some((all) => all.length > 0) };
}
