// Compares a book's push with what is served of it, at the push: a push cannot be read again, and the next one replaces
// it. A sample: one push in five minutes of each book, its nearest races, some of its matches. A failed check fails no
// push.
import { CUSTOMER_BOOKMAKER_KEYS } from '../../../domain/bookmakers';
import { isFormula } from '../../../domain/formula-text';
import type { AuditedSport } from '../../../domain/quality/audit';
import { compare, NO_PRICES } from '../../../domain/quality/comparison';
import { figuresOf, findingsOf, type RaceReadings } from '../../../domain/quality/findings';
import { AUDITED_MARKETS } from '../../../domain/quality/markets';
import { matchFigures, matchFindings, type ReadMatch } from '../../../domain/quality/match-findings';
import { compareMatch } from '../../../domain/quality/second-reader/pushed-matches';
import { readPushedRace } from '../../../domain/quality/second-reader/read-race';
import { servedOf } from '../../../domain/quality/served';
import { numberRunners } from '../../../domain/race/join-runners';
import { NO_DETAILS } from '../../../domain/race/not-reported';
import type { Category, Instant } from '../../../domain/race/race';
import { sameRunner } from '../../../domain/race/runner';
import { aetDay } from '../../../domain/time/aet';
import type { AuditStore } from '../../../store/audits';
import type { LiveRace } from '../../../store/reads/races/find-races';
import type { Reads } from '../../../store/reads/reads';

/** Wall. Of one process. */
const APART_MS = 5 * 60_000;
const MOST_RACES = 5;
const MOST_MATCHES = 20;

export interface PushAudit {
  /** After a push of racing was written. `body`: as sent. */
  races(bookmakerKey: string, body: PushedBody, nowMs: number): Promise<void>;
  /** After a push of sports was written, whose prices apply from `observedAt`. */
  matches(bookmakerKey: string, body: unknown, observedAt: Instant, nowMs: number): Promise<void>;
}

interface PushedBody {
  readonly races: readonly { readonly source_id: string; readonly observed_at?: Instant }[];
  readonly observed_at?: Instant;
}

export interface PushAuditDeps {
  readonly reads: Pick<Reads, 'pushedRaces' | 'pushedMatches' | 'findRaces' | 'matches'>;
  readonly audits: Pick<AuditStore, 'savePushCheck'>;
  readonly wallMs: () => number;
  readonly warn: (err: unknown, message: string) => void;
}

export const NO_PUSH_AUDIT: PushAudit = { races: async () => {}, matches: async () => {} };

export function createPushAudit(deps: PushAuditDeps): PushAudit {
  const checkedAtMs = new Map<string, number>();
  const sampled = async (key: string, check: () => Promise<void>): Promise<void> => {
    const nowMs = deps.wallMs();
    if (nowMs - (checkedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < APART_MS) return;
    checkedAtMs.set(key, nowMs);
    await check().catch((error: unknown) => deps.warn(error, 'a push could not be audited'));
  };
  return {
    races: (key, body, nowMs) => sampled(`races ${key}`, () => auditRaces(deps, key, body, nowMs)),
    matches: (key, body, observedAt, nowMs) =>
      sampled(`matches ${key}`, () => auditMatches(deps, key, body, observedAt, nowMs)),
  };
}

type Read = readonly [category: Category, readings: RaceReadings];

async function auditRaces(
  { reads, audits }: PushAuditDeps,
  bookmakerKey: string,
  body: PushedBody,
  nowMs: number,
): Promise<void> {
  const at = new Date(nowMs).toISOString();
  const ids = body.races.map(({ source_id }) => source_id);
  const pushed = await reads.pushedRaces(bookmakerKey, ids, at, MOST_RACES);
  const read: Read[] = [];
  for (const { raceId, sourceRaceId } of pushed) {
    const [race] = await reads.findRaces({ raceId }, CUSTOMER_BOOKMAKER_KEYS);
    const { observed_at = body.observed_at ?? at } = body.races.find(({ source_id }) => source_id === sourceRaceId)!;
    const readings = race && readingsOf(race, { bookmakerKey, sourceRaceId, observedAt: observed_at }, body, nowMs);
    if (race && readings) read.push([race.category, readings]);
  }
  for (const category of new Set(read.map(([one]) => one))) {
    const own = read.flatMap(([one, readings]) => (one === category ? [readings] : []));
    const sportKey: AuditedSport = `racing_${category}`;
    await audits.savePushCheck({ bookmakerKey, sportKey, figures: figuresOf(own, 0), findings: findingsOf(own) }, at);
  }
}

interface PushedRace {
  readonly bookmakerKey: string;
  readonly sourceRaceId: string;
  readonly observedAt: Instant;
}

/** Null: another push of the book is served, or none of this race. */
function readingsOf(race: LiveRace, of: PushedRace, body: unknown, nowMs: number): RaceReadings | null {
  const { bookmakerKey, sourceRaceId, observedAt } = of;
  const served = servedOf(race, nowMs);
  const own = served.books.get(bookmakerKey);
  const second = readPushedRace(body, sourceRaceId);
  if (!own || own.polledAtMs !== Date.parse(observedAt) || !second) return null;
  const taken = second.filter(({ name }) => !isFormula(name));
  const named = taken.map(({ number, name, prices: { tote_win: _, ...legs } }) => ({
    ...NO_DETAILS,
    ...legs,
    number,
    name,
    scratching: null,
  }));
  const card = new Map(race.runners.map((runner) => [runner.number, runner]));
  const joined = numberRunners(named, race.runners).runners.filter((runner) => {
    const known = card.get(runner.number);
    return known === undefined || sameRunner(known, runner);
  });
  const numbers = new Set(joined.map(({ number }) => number));
  const cells = AUDITED_MARKETS.flatMap((market) => {
    if (market === 'tote_win') return [];
    const source = new Map(
      joined.flatMap((one): [number, number][] => (one[market] === null ? [] : [[one.number, one[market]]])),
    );
    const shown = own.prices[market] ?? NO_PRICES;
    // A push does not write a runner whose name contradicts the card.
    const runners = served.runners.filter(({ number }) => numbers.has(number) || shown.has(number));
    return compare({ market, before: shown, source, after: shown, runners });
  });
  return {
    near: false,
    race: { raceId: race.race_id, venue: race.venue, raceNumber: race.race_number, day: aetDay(race.startMs) },
    runners: served.runners,
    served: [...served.books.values()],
    read: [{ bookmakerKey, against: 'pushed', cells, failure: null }],
  };
}

async function auditMatches(
  { reads, audits }: PushAuditDeps,
  bookmakerKey: string,
  body: unknown,
  observedAt: Instant,
  nowMs: number,
): Promise<void> {
  const at = new Date(nowMs).toISOString();
  const eventIds = await reads.pushedMatches(bookmakerKey, observedAt, at, MOST_MATCHES);
  const matches = await reads.matches({ sportKey: null, after: at, eventIds });
  const read = matches.flatMap((match): ReadMatch[] => {
    const book = match.books.find((one) => one.bookmaker === bookmakerKey);
    if (!book || book.observedAtMs !== Date.parse(observedAt)) return [];
    const cells = compareMatch(body, { ...book, sportKey: match.sportKey });
    return cells === null ? [] : [{ match, bookmakerKey, cells }];
  });
  const check = {
    bookmakerKey,
    sportKey: 'sports',
    figures: matchFigures(read),
    findings: matchFindings(read),
  } as const;
  if (read.length > 0) await audits.savePushCheck(check, at);
}
