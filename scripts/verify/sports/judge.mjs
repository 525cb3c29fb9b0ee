// Judges the service's matches and the arbs that it announced, against the oracle and the raw offers. Pure: values in,
// findings out.
import { profitPct } from './arithmetic.mjs';

const MINUTE_MS = 60_000;
/** A price that was not seen for this long is not part of an arb (A 2.13). */
export const FRESH_MS = 30 * MINUTE_MS;
/** What the service writes may be this much older than its stamp. */
const MOMENT_MS = 1000;
/** A reply of the feed is written within this much race time, at a speed of 20. */
const WRITTEN_MS = 3 * MINUTE_MS;
const TOGETHER_MS = 10 * MINUTE_MS;

const nameOf = ({ match, sport }) => `${match.home} v ${match.away} (${sport}) ${match.start}`;

/** `rows`: `{ event_id, truth, book, name }` of the service. Returns matches that have rows of two true matches. */
export function wronglyJoined(rows) {
  return [...groups(rows, ({ event_id }) => event_id)].flatMap(([id, all]) => {
    const truths = new Map(all.flatMap(({ truth }) => (truth ? [[keyOf(truth), truth]] : [])));
    if (truths.size < 2) return [];
    return [`${id}: ${[...truths.values()].map(nameOf).join(' and ')}: ${all.map(({ name }) => name).join(', ')}`];
  });
}

/**
 * True matches that the service has twice without reporting it. `listed(a, b)`: whether the pair of matches is
 * reported.
 */
export function standingTwice(rows, listed) {
  const standing = rows.filter(({ truth, stands }) => truth && stands);
  return [...groups(standing, ({ truth }) => keyOf(truth))].flatMap(([, all]) => {
    const ids = [...groups(all, ({ event_id }) => event_id)];
    const pairs = ids.flatMap((one, i) => ids.slice(i + 1).map((other) => [one, other]));
    return pairs
      .filter(([one, other]) => !listed(one[0], other[0]))
      .map(([one, other]) => `${nameOf(all[0].truth)}: ${textOf(one)} and ${textOf(other)}`);
  });
}

const textOf = ([id, rows]) => `${id} (${rows.map(({ name }) => name).join(', ')})`;
const keyOf = ({ id, sport }) => `${id} ${sport}`;

/**
 * A pair is a probable twin if both start at the same time, no book lists both, and prices agree: within 40 points if a
 * side is spelled alike, within 3 otherwise.
 */
export function areTwins(a, b) {
  if (Math.abs(a.startMs - b.startMs) > TOGETHER_MS) return false;
  if (a.books.some((book) => b.books.includes(book)) || a.share === null || b.share === null) return false;
  const apart = Math.min(Math.abs(a.share - b.share), Math.abs(1 - a.share - b.share));
  return apart < (a.teams.some((team) => b.teams.some((other) => areAlike(team, other))) ? 0.4 : 0.03);
}

/** One contains a word of the other, or the beginning of one. */
function areAlike(a, b) {
  const [one, other] = [a, b].map((name) => name.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);
  return one.some((word) => other.some((its) => its.startsWith(word) || word.startsWith(its)));
}

/**
 * `events`: `{ event_id, at, facts }`; `truthsOf(id)`: the true matches whose rows the service has in a match; `raw`:
 * offers by time, with their true matches.
 */
export function wrongArbs(events, { truthsOf, raw, knowsSide }) {
  return events.flatMap(({ at, facts, ruled }) => {
    if (ruled) return [];
    const say = (why) => [`${facts.event_name} ${facts.market_type} at ${at}: ${why} (${legText(facts.legs)})`];
    const truths = truthsOf(facts.event_id);
    if (truths.length !== 1) return say(`its match is ${truths.length} true ones`);
    const [truth] = truths;
    const legs = facts.legs.map((leg) => readLeg(leg, facts, (name) => knowsSide(truth, name)));
    if (legs.some((leg) => leg === null)) return say('a selection names no side of the match');
    for (const leg of legs) {
      const offers = currentOffers(raw, leg.bookmaker, truth, Date.parse(at));
      const has = offers.some((offer) => offersLeg(offer, facts.market_type, leg, Date.parse(at)));
      if (!has) return say(`${leg.bookmaker} does not offer ${leg.selection} at ${leg.odds}`);
    }
    if (!coversAll(facts.market_type, legs, hasDraw(raw, truth))) return say('its legs do not cover every outcome');
    const edge = profitPct(legs.map(({ odds }) => odds));
    if (edge <= 0) return say('its prices return less than they cost');
    return edge === facts.edge_pct ? [] : say(`it returns ${edge} %, not ${facts.edge_pct}`);
  });
}

const legText = (legs) => legs.map(({ bookmaker, selection, odds }) => `${bookmaker} ${selection} ${odds}`).join(', ');

/** With its side and point; null if the selection cannot be read. */
function readLeg(leg, { market_type }, sideOf) {
  if (market_type === 'h2h') {
    const side = leg.selection === 'Draw' ? 'draw' : sideOf(leg.selection);
    return side && { ...leg, side, point: null };
  }
  const [, name, point] = /^(.*) ([+-]?[\d.]+)$/.exec(leg.selection) ?? [];
  const side = market_type === 'totals' ? { Over: 'over', Under: 'under' }[name] : name && sideOf(name);
  return side ? { ...leg, side, point: Number(point) } : null;
}

/** Between different lines too: whatever the result, one of the legs wins or is refunded. */
function coversAll(market, legs, drawn) {
  const sides = legs.map(({ side }) => side).sort();
  if (market === 'h2h') return sides.join() === (drawn ? 'away,draw,home' : 'away,home');
  if (market === 'spreads') return sides.join() === 'away,home' && legs[0].point + legs[1].point >= 0;
  const [over, under] = [legs.find(({ side }) => side === 'over'), legs.find(({ side }) => side === 'under')];
  return sides.join() === 'over,under' && over.point <= under.point;
}

const hasDraw = (raw, truth) =>
  (raw.byMatch.get(keyOf(truth)) ?? []).some(({ event }) =>
    event.markets.some(({ market, outcomes }) => market === 'h2h' && outcomes.some(({ name }) => name === 'Draw')),
  );

/** Raw offers by match, and when each book's lists were sent. `sent`: `{ by, book, sport, fromMs, toMs, events }`. */
export function indexRaw(sent, truthOfRow) {
  const byMatch = new Map();
  const lists = new Map();
  for (const one of sent) {
    const key = one.by === 'push' ? one.book : `${one.book} ${one.sport}`;
    lists.set(key, [...(lists.get(key) ?? []), one]);
    for (const event of one.events) {
      const truth = truthOfRow(one, event);
      if (!truth) continue;
      const offers = byMatch.get(keyOf(truth)) ?? [];
      byMatch.set(keyOf(truth), offers);
      offers.push({ list: one, event, truth });
    }
  }
  return { byMatch, lists, all: sent };
}

/**
 * What the book may have offered on the match as the service knew it then: from its last list, or one in flight, and
 * from the previous one if the last had just arrived. Its own pushes count if one arrived within 30 minutes; otherwise
 * the feed's.
 */
function currentOffers({ byMatch, lists, all }, book, truth, atMs) {
  // An event has the instant of the push or reply that caused it, which was then written in its turn.
  const writtenBy = Math.max(atMs, ...all.flatMap((one) => (isOpenAt(one, atMs) ? [one.toMs] : []))) + MOMENT_MS;
  const offers = (byMatch.get(keyOf(truth)) ?? []).filter(({ list }) => list.book === book);
  const current = (all) => {
    const begun = all.filter(({ fromMs }) => fromMs <= writtenBy).sort((a, b) => a.fromMs - b.fromMs);
    const last = begun.at(-1);
    // A reply of the feed is written some time after it was sent.
    const isOpen = last && (last.by === 'feed' || !last.isCertain || last.toMs + MOMENT_MS > atMs);
    return new Set(begun.filter((one) => one === last || (isOpen && one === begun.at(-2)) || one.fromMs > atMs));
  };
  const pushes = current(lists.get(book) ?? []);
  const isPushed = [...pushes].some(({ toMs }) => atMs - toMs <= FRESH_MS);
  const fed = new Set(offers.flatMap(({ list }) => (list.by === 'feed' ? [`${book} ${list.sport}`] : [])));
  const wanted = isPushed ? pushes : new Set([...fed].flatMap((key) => [...current(lists.get(key) ?? [])]));
  return offers.filter(
    ({ list }) =>
      wanted.has(list) ||
      (isPushed && pushes.size === 1 && wasFirst([...pushes], lists, book, atMs) && list.by === 'feed'),
  );
}

/** A push is written before its response; a reply of the feed shortly after it. */
const isOpenAt = ({ by, fromMs, toMs }, atMs) =>
  fromMs <= atMs + MOMENT_MS && atMs <= (by === 'push' ? toMs : toMs + WRITTEN_MS);

/**
 * While a book's first push is in flight, the feed's prices stand.
 * @param {any[]} pushes
 */
const wasFirst = ([only], lists, book, atMs) => lists.get(book)[0] === only && atMs <= only.toMs + MOMENT_MS;

function offersLeg({ event, truth }, market, leg, atMs) {
  const [home, away] = truth.turned ? [event.away_team, event.home_team] : [event.home_team, event.away_team];
  const isSide = (name) => {
    if (leg.side === 'draw') return name === 'Draw';
    if (leg.side === 'over' || leg.side === 'under') return name.toLowerCase().startsWith(leg.side);
    return name === (leg.side === 'home' ? home : away);
  };
  return event.markets.some(
    (one) =>
      one.market === market &&
      atMs - one.atMs <= FRESH_MS + MOMENT_MS &&
      one.outcomes.some(({ name, price, point }) => isSide(name) && price === leg.odds && point === leg.point),
  );
}

function groups(rows, keyFor) {
  const found = new Map();
  for (const row of rows) {
    const key = keyFor(row);
    found.set(key, [...(found.get(key) ?? []), row]);
  }
  return found;
}
