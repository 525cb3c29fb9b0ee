// What came of a race, kept forever. A final is never demoted and an operator's placings are never touched by a feed (A 3).
import type { ClientBase, Pool } from 'pg';
import type { FeedPlacing } from '../domain/feed-race';
import { contradictsPlacings } from '../domain/field-agreement';
import { CONTRADICTED, fieldStateOf } from '../domain/field-coverage';
import { placingsKey } from '../domain/placings';
import type { Instant } from '../domain/race';
import { fillField, saveFieldState, takeField } from './result-field';
import { inSettlingOrder, mergedDividends, mergedPlacings, type SettledPlacing, settled } from './result-merge';
import {
  asHeld,
  bookResults,
  type Deduction,
  deductionsOf,
  type HeldRow,
  heldRow,
  keepBookResult,
  lockRace,
  meetingRaceIds,
  type ResultRace,
  settlingPrices,
} from './result-sources';
import { abandon, finalise, reinstate } from './result-stages';
import type { HeldResult, ResultStore, ResultWrite } from './store';
import { inTransaction } from './transaction';

export function createResultStore(pool: Pool): ResultStore {
  const held = async (raceId: string): Promise<HeldResult | null> => {
    const row = await heldRow(pool, raceId);
    return row && asHeld(row);
  };
  return {
    held,
    saveResult: (write) => saveResult(pool, write),
    override: (raceId, placings, note, at) => override(pool, raceId, placings, note, at),
    finalise: async (raceId, at) => {
      await finalise(pool, raceId, at);
      return held(raceId);
    },
    abandon: (raceId, note, source, at) => abandon(pool, raceId, note, source, at),
    reinstate: (raceId, at) => reinstate(pool, raceId, at),
    saveFieldState: (raceId, field, at, lastPassAt = null) => saveFieldState(pool, raceId, field, at, lastPassAt),
    takeField: (raceId, runners, source, at) => takeField(pool, raceId, runners, source, at),
    fillField: (raceId, runners, source, at) => fillField(pool, raceId, runners, source, at),
  };
}

/** What is written of an outcome, whoever says it. */
interface Outcome {
  readonly placings: readonly SettledPlacing[];
  readonly dividends: unknown;
  readonly deductions: readonly Deduction[];
  readonly protest: boolean;
  readonly source: string | null;
  readonly note: string | null;
  readonly overridden: boolean;
}

function saveResult(pool: Pool, { raceId, source, result, at }: ResultWrite): Promise<HeldResult> {
  return inTransaction(pool, async (client) => {
    const race = await lockRace(client, raceId);
    await keepBookResult(client, raceId, { bookmakerKey: source, result }, at);
    const before = await heldRow(client, raceId);
    if (before?.overridden || before?.status === 'abandoned') return asHeld(before);
    const said = inSettlingOrder(await bookResults(client, raceId));
    const placed = mergedPlacings(said);
    // A final's placings stand; dividends are still declared after it.
    const final = before?.status === 'final' ? before : null;
    const placings = final?.placings ?? (await priced(client, raceId, placed?.result.placings ?? [], before));
    const dividends = mergedDividends(said, placings, await meetingRaceIds(client, raceId));
    return writeOutcome(client, raceId, race, before, at, {
      placings,
      dividends,
      deductions: await deductionsOf(client, raceId),
      protest: final?.protest ?? said.some((each) => each.result.stage === 'interim' && each.result.protest),
      source: placed?.bookmakerKey ?? source,
      note: placed?.result.note ?? null,
      overridden: false,
    });
  });
}

function override(
  pool: Pool,
  raceId: string,
  placings: readonly FeedPlacing[],
  note: string | null,
  at: Instant,
): Promise<HeldResult> {
  return inTransaction(pool, async (client) => {
    const race = await lockRace(client, raceId);
    const before = await heldRow(client, raceId);
    if (before?.status === 'abandoned') throw new Error(`race ${raceId} was abandoned: reinstate it first`);
    const settledPlacings = await priced(client, raceId, placings, before);
    const said = inSettlingOrder(await bookResults(client, raceId));
    return writeOutcome(client, raceId, race, before, at, {
      placings: settledPlacings,
      dividends: mergedDividends(said, settledPlacings, await meetingRaceIds(client, raceId)),
      deductions: await deductionsOf(client, raceId),
      protest: false,
      source: 'operator',
      note,
      overridden: true,
    });
  });
}

async function priced(client: ClientBase, raceId: string, placings: readonly FeedPlacing[], before: HeldRow | null) {
  const numbers = placings.map((placing) => placing.number);
  return settled(placings, await settlingPrices(client, raceId, numbers), before?.placings ?? []);
}

/**
 * Market stamps are copied from the live row while there is one; a late result keeps null (A 2.2). `placings_since` moves only when
 * the placings do, `resulted_at` never. Of the field only its note follows the placings: whether they contradict it.
 */
const WRITE = `
  INSERT INTO race_results AS held (race_id, status, status_note, protest, placings, placings_key, placings_since, dividends,
         deductions, source, overridden, resulted_at, market_closed_at, inplay_at, market_state_source, field_status, field_source,
         field_note, field_expected_at, updated_at)
  SELECT $1, 'interim', $3, $4, $5, $6, $2, $7, $8, $9, $10, CASE WHEN $6 <> '' THEN $2::timestamptz END,
         r.market_closed_at, r.inplay_at, r.market_state_source, $11, $12, $13, $14, $2
    FROM (SELECT 1) one LEFT JOIN races r ON r.race_id = $1 AND (r.left_board_at IS NULL OR r.left_board_at > $2)
  ON CONFLICT (race_id) DO UPDATE
     SET status_note = EXCLUDED.status_note, protest = EXCLUDED.protest, placings = EXCLUDED.placings,
         placings_key = EXCLUDED.placings_key,
         placings_since = CASE WHEN held.placings_key = EXCLUDED.placings_key THEN held.placings_since ELSE $2 END,
         dividends = COALESCE(EXCLUDED.dividends, held.dividends), deductions = EXCLUDED.deductions, source = EXCLUDED.source,
         overridden = EXCLUDED.overridden, resulted_at = COALESCE(held.resulted_at, EXCLUDED.resulted_at),
         market_closed_at = COALESCE(held.market_closed_at, EXCLUDED.market_closed_at),
         inplay_at = COALESCE(held.inplay_at, EXCLUDED.inplay_at),
         market_state_source = COALESCE(held.market_state_source, EXCLUDED.market_state_source),
         field_note = CASE WHEN held.field_status = 'complete' THEN $15 ELSE held.field_note END, updated_at = $2
   WHERE (held.status_note, held.protest, held.placings, held.dividends, held.deductions, held.source, held.overridden)
         IS DISTINCT FROM
         (EXCLUDED.status_note, EXCLUDED.protest, EXCLUDED.placings, COALESCE(EXCLUDED.dividends, held.dividends),
          EXCLUDED.deductions, EXCLUDED.source, EXCLUDED.overridden)`;

async function writeOutcome(
  client: ClientBase,
  raceId: string,
  race: ResultRace,
  before: HeldRow | null,
  at: Instant,
  outcome: Outcome,
): Promise<HeldResult> {
  const { category, country, startTime } = race;
  const facts = { category, country, startTime, resultStatus: 'interim', hasRunners: false, lastPassAt: null } as const;
  const field = fieldStateOf({ ...facts, now: at });
  const contradicted = before?.runners && contradictsPlacings(before.runners, outcome.placings);
  // A final keeps the key that made it final, so that nothing seems to have moved.
  const key = before?.status === 'final' && !outcome.overridden ? before.placingsKey : placingsKey(outcome.placings);
  await client.query(WRITE, [
    raceId,
    at,
    outcome.note,
    outcome.protest,
    JSON.stringify(outcome.placings),
    key,
    outcome.dividends === null ? null : JSON.stringify(outcome.dividends),
    JSON.stringify(outcome.deductions),
    outcome.source,
    outcome.overridden,
    field.status,
    field.source,
    field.note,
    field.expectedAt,
    contradicted ? CONTRADICTED : null,
  ]);
  return asHeld((await heldRow(client, raceId))!);
}
