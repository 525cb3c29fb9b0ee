// Rows that are over their time go: a day as a whole, and as many rows one by one, which is what happens to rows in no
// day. Beside both somebody writes 3,000 deliveries a second.
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { deleteStrays, dropDays, keepDays } from '../../../src/store/events/days';
import { median } from '../figures';

const DAY_MS = 86_400_000;
const ENDPOINTS = 20;
/** Deliveries a second. Each has an attempt, and twenty an event. */
const WRITTEN = 3000;
const WRITE_EVERY_MS = 50;
const SETTLE_MS = 2000;
/** Of no day that is made. */
const FAR_DAYS = 400;
const LEAST_RATIO = 10;

export async function runPrune(pool: Pool, rows: number, rounds: number): Promise<void> {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const at = (days: number): string => new Date(today + days * DAY_MS + DAY_MS / 2).toISOString();
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    await keepDays(pool, at(round));
    await keepDays(pool, at(round + 4));
    // Of the days before: this one goes alone.
    while ((await dropDays(pool, at(round + 3))).length > 0);
    const writing = await fill(pool, rows, at(round));
    const [byDay, besideDay] = await beside(pool, at(round + 4.5), async () => {
      const parts = await dropDays(pool, at(round + 4));
      if (!parts.some((part) => part.startsWith('webhook_deliveries_') && part.endsWith('_moves')))
        throw new Error('no day was dropped');
    });
    await fill(pool, rows, at(FAR_DAYS));
    const [byRow, besideRow] = await beside(pool, at(round + 4.5), async () => {
      while ((await deleteStrays(pool, at(FAR_DAYS + 4))) > 0);
    });
    const [, alone] = await beside(pool, at(round + 4.5), async () => undefined);
    ratios.push(byRow / byDay);
    const rate = (seconds: number): string => (rows / seconds).toFixed(0);
    console.log(
      `${rows} deliveries with attempts and events: written ${rate(writing)} a second, dropped as a day ${rate(byDay)}, one by one ${rate(byRow)}: ` +
        `${ratios.at(-1)!.toFixed(0)} times as fast; the longest write beside: ${besideDay} ms, ${besideRow} ms, alone ${alone} ms`,
    );
    if (rows / byDay < WRITTEN) process.exitCode = 1;
  }
  const ratio = median(ratios);
  console.log(
    `ratio ${ratio.toFixed(0)} (median of ${rounds} rounds; target at least ${LEAST_RATIO}, and ${WRITTEN} a second)`,
  );
  if (ratio < LEAST_RATIO) process.exitCode = 1;
}

/** Price moves that were delivered. Resolves to the seconds that it took. */
async function fill(pool: Pool, rows: number, at: string): Promise<number> {
  const began = performance.now();
  await write(pool, rows, at);
  return (performance.now() - began) / 1000;
}

async function write(pool: Pool, rows: number, at: string): Promise<void> {
  await pool.query(
    `WITH made AS (
       INSERT INTO events (kind, occurred_at, facts, written_at, fanned_at, body)
       SELECT 'odds.change', $2, '{}', $2, $2, repeat('x', 800) FROM generate_series(1, $1::integer / $3::integer) RETURNING event_id
     ), delivered AS (
       INSERT INTO webhook_deliveries (webhook_id, event_id, event_at, kind, created_at, status, attempt_count, status_code, delivered_at, settled_at)
       SELECT 'wh_' || n, event_id, $2, 'odds.change', $2, 'delivered', 1, 204, $2, $2 FROM made, generate_series(1, $3::integer) n
       RETURNING delivery_id
     )
     INSERT INTO webhook_attempts (delivery_id, attempt, started_at, kind, duration_ms, status_code)
     SELECT delivery_id, 1, $2, 'odds.change', 12, 204 FROM delivered`,
    [rows, at, ENDPOINTS],
  );
}

/** Resolves to the seconds of the work, and the longest that a write of somebody else took, in milliseconds. */
async function beside(pool: Pool, at: string, work: () => Promise<void>): Promise<[number, number]> {
  let isOver = false;
  let longest = 0;
  const writer = async (): Promise<void> => {
    while (!isOver) {
      const began = performance.now();
      await write(pool, (WRITTEN * WRITE_EVERY_MS) / 1000, at);
      const ms = performance.now() - began;
      longest = Math.max(longest, ms);
      await delay(Math.max(0, WRITE_EVERY_MS - ms));
    }
  };
  const writing = writer();
  await delay(SETTLE_MS);
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  await delay(SETTLE_MS);
  isOver = true;
  await writing;
  return [seconds, Math.round(longest)];
}
