// The parts of a service that has run for long: a day each of the last month and of the next days.
import type { Pool } from 'pg';
import { dropDays, keepDays } from '../../../src/store/events/days';

const DAY_MS = 86_400_000;
const MONTH_DAYS = 30;

/** Only of an empty database. */
export async function standInDays(pool: Pool): Promise<void> {
  const at = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
  while ((await dropDays(pool, at(100))).length > 0);
  for (let days = -MONTH_DAYS; days <= 0; days++) await keepDays(pool, at(days));
  while ((await dropDays(pool, at(0))).length > 0);
}
