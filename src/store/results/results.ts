// Writes results, which are kept forever. A feed never demotes a final result and never changes an operator's placings
// (A 3).
import type { ClientBase, Pool } from 'pg';
import type { FeedPlacing, FeedResult } from '../../domain/race/feed-race';
import type { Instant } from '../../domain/race/race';
import { contradictsPlacings } from '../../domain/results/field-agreement';
import { CONTRADICTED, type FieldState, fieldStateOf } from '../../domain/results/field-coverage';
import { placingsKey } from '../../domain/results/placings';
import type { ResultRunner } from '../../domain/results/result';
import { inTransaction } from '../pg/transaction';
import { acceptField, type FieldVerdict, fillField, saveFieldState } from './field';
import { type BookResult, declaringFor, inSettlingOrder, mergedDividends, mergedResult } from './merge';
import { type SettledPlacings, settledPlacings } from './prices';
import {
  bookResults,
  deductionsOf,
  hasDeductions,
  KEEP_STAMPS,
  LIVE_ROW,
  lockRace,
  meetingRaceIds,
  type ResultRace,
  readResult,
  type StoredReport,
  type StoredResult,
  type StoredResultRow,
  saveBookResult,
  seenAgain,
  storedReports,
} from './sources';
import { abandon, finalise, reinstate } from './stages';

interface ResultWrite {
  readonly raceId: string;
  readonly source: string;
  readonly result: FeedResult;
  /** When the source reported it. A report older than the source's stored one changes nothing. */
  readonly at: Instant;
}

export interface ResultStore {
  /**
   * Writes a book's report: placings (and since when they stand), dividends, protest. Never demotes a final, never
   * touches an override.
   */
  saveResult(write: ResultWrite): Promise<StoredResult>;
  /**
   * interim → final, if `placingsKey` is the stored one and there is no protest. Idempotent. Resolves to the stored
   * result.
   */
  finalise(raceId: string, at: Instant, placingsKey?: string): Promise<StoredResult | null>;
  /** An operator's placings; later feed results do not change them. */
  override(raceId: string, placings: readonly FeedPlacing[], note: string | null, at: Instant): Promise<StoredResult>;
  /** For a race that did not run: empty placings, null runners, `not_applicable`. */
  abandon(raceId: string, note: string, source: string, at: Instant): Promise<void>;
  /** Undoes an abandonment of a race that has not run. */
  reinstate(raceId: string, at: Instant): Promise<void>;
  read(raceId: string): Promise<StoredResultRow | null>;
  /** What each book last reported. */
  reports(raceId: string): Promise<readonly StoredReport[]>;
  /**
   * The book reports this at `at` too, so an older report that arrives later changes nothing. False if another one was
   * stored meanwhile.
   */
  seenAgain(raceId: string, report: StoredReport, at: Instant): Promise<boolean>;
  /** Whether a result that is not final has the deductions of the race's card. */
  hasDeductions(stored: StoredResultRow): Promise<boolean>;
  /** Never moves back (A 3), nor to an earlier pass than the stored one. Without `lastPassAt` the stored pass stays. */
  saveFieldState(raceId: string, field: FieldState, at: Instant, lastPassAt?: Instant | null): Promise<void>;
  /**
   * Writes a published field if it agrees with the placings. A stored field is kept, unless the placings contradict it
   * and agree with this one.
   */
  acceptField(
    raceId: string,
    runners: readonly ResultRunner[],
    source: FieldState['source'],
    at: Instant,
  ): Promise<FieldVerdict>;
  /** Writes an operator's field and completes it (A 3), however late. */
  fillField(raceId: string, runners: readonly ResultRunner[], source: FieldState['source'], at: Instant): Promise<void>;
}

export function createResultStore(pool: Pool): ResultStore {
  const read = (raceId: string): Promise<StoredResultRow | null> => readResult(pool, raceId);
  return {
    read,
    reports: (raceId) => storedReports(pool, raceId),
    seenAgain: (raceId, report, at) => seenAgain(pool, raceId, report, at),
    hasDeductions: (stored) => hasDeductions(pool, stored),
    saveResult: (write) => saveResult(pool, write),
    override: (raceId, placings, note, at) => override(pool, raceId, placings, note, at),
    finalise: async (raceId, at, placingsKey) => {
      await finalise(pool, raceId, at, placingsKey);
      return read(raceId);
    },
    abandon: (raceId, note, source, at) => abandon(pool, raceId, note, source, at),
    reinstate: (raceId, at) => reinstate(pool, raceId, at),
    saveFieldState: (raceId, field, at, lastPassAt = null) => saveFieldState(pool, raceId, field, at, lastPassAt),
    acceptField: (raceId, runners, source, at) => acceptField(pool, raceId, runners, source, at),
    fillField: (raceId, runners, source, at) => fillField(pool, raceId, runners, source, at),
  };
}

/** What books or an operator decide about a result. */
interface ResultContent extends SettledPlacings {
  readonly placingsKey: string;
  readonly protest: boolean;
  readonly source: string | null;
  readonly note: string | null;
  readonly overridden: boolean;
}

function saveResult(pool: Pool, { raceId, source, result, at }: ResultWrite): Promise<StoredResult> {
  return inTransaction(pool, async (client) => {
    const race = await lockRace(client, raceId);
    const before = await readResult(client, raceId);
    const report = { bookmakerKey: source, result };
    const reported = inSettlingOrder(await saveBookResult(client, raceId, report, before?.status === 'final', at));
    if (before?.status === 'abandoned') return before;
    if (before && stands(before)) return writeResult(client, race, before, at, asItStands(before), reported);
    const content = await contentOf(client, race, reported, before);
    return writeResult(client, race, before, at, content, declaringFor(reported, content.placingsKey));
  });
}

/**
 * Feeds never change the placings of a final result or of an operator; they may still declare dividends and deductions.
 */
const stands = ({ status, overridden }: StoredResultRow): boolean => status === 'final' || overridden;

const asItStands = ({ statusNote: note, ...stored }: StoredResultRow): ResultContent => ({ ...stored, note });

async function contentOf(
  client: ClientBase,
  race: ResultRace,
  reported: readonly BookResult[],
  before: StoredResultRow | null,
): Promise<ResultContent> {
  const { placings, ...merged } = mergedResult(reported);
  const settled = await settledPlacings(client, race, placings, before);
  return { ...merged, ...settled, placingsKey: placingsKey(placings), overridden: false };
}

function override(
  pool: Pool,
  raceId: string,
  placings: readonly FeedPlacing[],
  note: string | null,
  at: Instant,
): Promise<StoredResult> {
  return inTransaction(pool, async (client) => {
    const race = await lockRace(client, raceId);
    const before = await readResult(client, raceId);
    if (before?.status === 'abandoned') throw new Error(`race ${raceId} was abandoned: reinstate it first`);
    const settled = await settledPlacings(client, race, placings, before);
    const decided = { placingsKey: placingsKey(placings), protest: false, source: 'operator', note, overridden: true };
    const reported = inSettlingOrder(await bookResults(client, raceId));
    return writeResult(client, race, before, at, { ...settled, ...decided }, reported);
  });
}

/**
 * `placings_since` moves only with the placings, `resulted_at` never. New placings, which for a final result only an
 * operator can write, make it interim again (A 3). Of the field only its note follows the placings: whether they
 * contradict it.
 */
const WRITE = `
  INSERT INTO race_results AS stored (race_id, status, status_note, protest, placings, placings_key, placings_since, price_source,
         dividends, deductions, source, overridden, resulted_at, market_closed_at, inplay_at, market_state_source, field_status,
         field_source, field_note, field_expected_at, updated_at)
  SELECT $1, 'interim', $3, $4, $5, $6, $2, $7, $8, $9, $10, $11, CASE WHEN $6 <> '' THEN $2::timestamptz END,
         r.market_closed_at, r.inplay_at, r.market_state_source, $12, $13, $14, $15, $2
    FROM ${LIVE_ROW}
  ON CONFLICT (race_id) DO UPDATE
     SET status = CASE WHEN stored.placings_key = EXCLUDED.placings_key THEN stored.status ELSE 'interim' END,
         finalised_at = CASE WHEN stored.placings_key = EXCLUDED.placings_key THEN stored.finalised_at END,
         status_note = EXCLUDED.status_note, protest = EXCLUDED.protest, placings = EXCLUDED.placings,
         placings_key = EXCLUDED.placings_key,
         placings_since = CASE WHEN stored.placings_key = EXCLUDED.placings_key THEN stored.placings_since ELSE $2 END,
         price_source = EXCLUDED.price_source, dividends = EXCLUDED.dividends, deductions = EXCLUDED.deductions,
         source = EXCLUDED.source, overridden = EXCLUDED.overridden,
         resulted_at = COALESCE(stored.resulted_at, EXCLUDED.resulted_at), ${KEEP_STAMPS},
         field_note = CASE WHEN stored.field_status = 'complete' THEN $16 ELSE stored.field_note END, updated_at = $2
   WHERE (stored.status_note, stored.protest, stored.placings, stored.price_source, stored.dividends, stored.deductions, stored.source,
          stored.overridden)
         IS DISTINCT FROM
         (EXCLUDED.status_note, EXCLUDED.protest, EXCLUDED.placings, EXCLUDED.price_source, EXCLUDED.dividends, EXCLUDED.deductions,
          EXCLUDED.source, EXCLUDED.overridden)`;

async function writeResult(
  client: ClientBase,
  race: ResultRace,
  before: StoredResultRow | null,
  at: Instant,
  content: ResultContent,
  reported: readonly BookResult[],
): Promise<StoredResult> {
  const { raceId, category, country, startTime } = race;
  const facts = { category, country, startTime, resultStatus: 'interim', hasRunners: false, lastPassAt: null } as const;
  const field = fieldStateOf({ ...facts, now: at });
  const contradicted = before?.runners && contradictsPlacings(before.runners, content.placings);
  const dividends = mergedDividends(reported, content.placings, await meetingRaceIds(client, raceId));
  const deductions = await deductionsOf(client, raceId, before?.status === 'final' ? before : null);
  await client.query(WRITE, [
    raceId,
    at,
    content.note,
    content.protest,
    JSON.stringify(content.placings),
    content.placingsKey,
    content.priceSource,
    dividends && JSON.stringify(dividends),
    JSON.stringify(deductions),
    content.source,
    content.overridden,
    field.status,
    field.source,
    field.note,
    field.expectedAt,
    contradicted ? CONTRADICTED : null,
  ]);
  return (await readResult(client, raceId))!;
}
