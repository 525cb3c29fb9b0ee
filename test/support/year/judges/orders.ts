// Orders of the customer: none waits longer than a horse may be tried.
import type { Pool } from 'pg';

const TRIED_FOR_MS = 7 * 86_400_000;
const WAITING = `
  SELECT job_id AS job, name, queued_at::date::text AS since FROM backfill_items WHERE state = 'queued' AND queued_at < $1`;

export async function judgeOrders(owner: Pool, nowMs: number): Promise<readonly string[]> {
  const before = new Date(nowMs - TRIED_FOR_MS).toISOString();
  const { rows } = await owner.query<{ job: string; name: string; since: string }>(WAITING, [before]);
  return rows.map(({ job, name, since }) => `${name} of the order ${job} is queued since ${since}`);
}
