// What came of a race, kept forever. A final is never demoted and an operator's placings are never touched by a feed (A 3).
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
  KEEP_STAMPS,
  LIVE_ROW,
  lockRace,
  meetingRaceIds,
  type ResultRace,
  readResult,
  type StoredResult,
  type StoredResultRow,
  saveBookResult,
} from './sources';
import { abandon, finalise, reinstate } from './stages';

interface ResultWrite {
  readonly raceId: string;
  readonly source: string;
  readonly result: FeedResult;
  /** When the source said so. What it said before its own last word changes nothing. */
  readonly at: Instant;
}

export interface ResultStore {
  /** Writes what a book says of the outcome: placings (and since when they stand), dividends, protest. Never demotes a final, never touches an override. */
  saveResult(write: ResultWrite): Promise<StoredResult>;
  /** interim → final, where `placingsKey` is what is held, without a protest. Idempotent. Says what is held. */
  finalise(raceId: string, at: Instant, placingsKey?: string): Promise<StoredResult | null>;
  /** An operator's placings; later feed results do not change them. */
  override(raceId: string, placings: readonly FeedPlacing[], note: string | null, at: Instant): Promise<StoredResult>;
  /** The race did not run: empty placings, null runners, `not_applicable`. */
  abandon(raceId: string, note: string, source: string, at: Instant): Promise<void>;
  /** Undoes an abandonment of a race that has not run. */
  reinstate(raceId: string, at: Instant): Promise<void>;
  read(raceId: string): Promise<StoredResult | null>;
  /** Never back (A 3), and never a pass earlier than the one held; without `lastPassAt` that stays as it is. */
  saveFieldState(raceId: string, field: FieldState, at: Instant, lastPassAt?: Instant | null): Promise<void>;
  /** Takes a published field where it agrees with the placings. A field that is held stands, unless the placings contradict it and not this one. */
  acceptField(
    raceId: string,
    runners: readonly ResultRunner[],
    source: FieldState['source'],
    at: Instant,
  ): Promise<FieldVerdict>;
  /** Any fill, scheduled, manual or weeks late: writes the field and completes it (A 3). */
  fillField(raceId: string, runners: readonly ResultRunner[], source: FieldState['source'], at: Instant): Promise<void>;
}

export function createResultStore(pool: Pool): ResultStore {
  const read = (raceId: string): Promise<StoredResult | null> => readResult(pool, raceId);
  return {
    read,
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

/** What is written of an outcome, whoever says it. */
interface Outcome extends SettledPlacings {
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
    const word = { bookmakerKey: source, result };
    const said = inSettlingOrder(await saveBookResult(client, raceId, word, before?.status === 'final', at));
    if (before?.status === 'abandoned') return before;
    if (before && stands(before)) return writeOutcome(client, race, before, at, asItStands(before), said);
    const outcome = await outcomeOf(client, race, said, before);
    return writeOutcome(client, race, before, at, outcome, declaringFor(said, outcome.placingsKey));
  });
}

/** Feeds do not touch what made a result final, nor what an operator said; dividends and deductions are still declared. */
const stands = ({ status, overridden }: StoredResultRow): boolean => status === 'final' || overridden;

const asItStands = ({ statusNote: note, ...held }: StoredResultRow): Outcome => ({ ...held, note });

async function outcomeOf(
  client: ClientBase,
  race: ResultRace,
  said: readonly BookResult[],
  before: StoredResultRow | null,
): Promise<Outcome> {
  const { placings, ...verdict } = mergedResult(said);
  const settled = await settledPlacings(client, race, placings, before);
  return { ...verdict, ...settled, placingsKey: placingsKey(placings), overridden: false };
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
    const verdict = { placingsKey: placingsKey(placings), protest: false, source: 'operator', note, overridden: true };
    const said = inSettlingOrder(await bookResults(client, raceId));
    return writeOutcome(client, race, before, at, { ...settled, ...verdict }, said);
  });
}

/**
 * `placings_since` moves only when the placings do, `resulted_at` never. Other placings make a final interim again, which only an operator's
 * can be (A 3). Of the field only its note follows the placings: whether they contradict it.
 */
const WRITE = `
  INSERT INTO race_results AS held (race_id, status, status_note, protest, placings, placings_key, placings_since, price_source,
         dividends, deductions, source, overridden, resulted_at, market_closed_at, inplay_at, market_state_source, field_status,
         field_source, field_note, field_expected_at, updated_at)
  SELECT $1, 'interim', $3, $4, $5, $6, $2, $7, $8, $9, $10, $11, CASE WHEN $6 <> '' THEN $2::timestamptz END,
         r.market_closed_at, r.inplay_at, r.market_state_source, $12, $13, $14, $15, $2
    FROM ${LIVE_ROW}
  ON CONFLICT (race_id) DO UPDATE
     SET status = CASE WHEN held.placings_key = EXCLUDED.placings_key THEN held.status ELSE 'interim' END,
         finalised_at = CASE WHEN held.placings_key = EXCLUDED.placings_key THEN held.finalised_at END,
         status_note = EXCLUDED.status_note, protest = EXCLUDED.protest, placings = EXCLUDED.placings,
         placings_key = EXCLUDED.placings_key,
         placings_since = CASE WHEN held.placings_key = EXCLUDED.placings_key THEN held.placings_since ELSE $2 END,
         price_source = EXCLUDED.price_source, dividends = EXCLUDED.dividends, deductions = EXCLUDED.deductions,
         source = EXCLUDED.source, overridden = EXCLUDED.overridden,
         resulted_at = COALESCE(held.resulted_at, EXCLUDED.resulted_at), ${KEEP_STAMPS},
         field_note = CASE WHEN held.field_status = 'complete' THEN $16 ELSE held.field_note END, updated_at = $2
   WHERE (held.status_note, held.protest, held.placings, held.price_source, held.dividends, held.deductions, held.source, held.overridden)
         IS DISTINCT FROM
         (EXCLUDED.status_note, EXCLUDED.protest, EXCLUDED.placings, EXCLUDED.price_source, EXCLUDED.dividends, EXCLUDED.deductions,
          EXCLUDED.source, EXCLUDED.overridden)`;

async function writeOutcome(
  client: ClientBase,
  race: ResultRace,
  before: StoredResultRow | null,
  at: Instant,
  outcome: Outcome,
  said: readonly BookResult[],
): Promise<StoredResult> {
  const { raceId, category, country, startTime } = race;
  const facts = { category, country, startTime, resultStatus: 'interim', hasRunners: false, lastPassAt: null } as const;
  const field = fieldStateOf({ ...facts, now: at });
  const contradicted = before?.runners && contradictsPlacings(before.runners, outcome.placings);
  const dividends = mergedDividends(said, outcome.placings, await meetingRaceIds(client, raceId));
  const deductions = await deductionsOf(client, raceId, before?.status === 'final' ? before : null);
  await client.query(WRITE, [
    raceId,
    at,
    outcome.note,
    outcome.protest,
    JSON.stringify(outcome.placings),
    outcome.placingsKey,
    outcome.priceSource,
    dividends && JSON.stringify(dividends),
    JSON.stringify(deductions),
    outcome.source,
    outcome.overridden,
    field.status,
    field.source,
    field.note,
    field.expectedAt,
    contradicted ? CONTRADICTED : null,
  ]);
  return (await readResult(client, raceId))!;
}
