// What a service had stored and was doing when a test gave up waiting for it: a failure that depends on the machine
// shows its cause in the first run that has it.
import type { Standstills } from '../standstill';
import type { Service } from './service';
import { waitFor } from './service';

const STORED = {
  races: 'SELECT venue, phase, start_time, left_board_at FROM races ORDER BY start_time',
  lists: 'SELECT bookmaker_key AS book, day, tried_at, read_at, races, failing FROM book_lists ORDER BY 1, 2',
  books: 'SELECT connector, status, message, last_ok_at, polls FROM connector_health ORDER BY 1',
};
const DAY_MS = 86_400_000;

/** As `waitFor`, and its failure has the state of the service. */
export const createExplainedWait =
  (service: () => Service, standstills: () => Standstills): typeof waitFor =>
  (condition, withinMs) =>
    waitFor(condition, withinMs).catch(async (error: Error) => {
      error.message += `\n${await stateOf(service(), standstills())}`;
      throw error;
    });

async function stateOf({ now, db, temporal }: Service, standstills: Standstills): Promise<string> {
  const nowMs = now();
  const lines = [
    `race time ${new Date(nowMs).toISOString()}, of which nothing ran for ${standstills.within(nowMs - DAY_MS, nowMs)} ms`,
  ];
  for (const [name, text] of Object.entries(STORED)) {
    const rows = await db.pool.query(text).then(
      (result) => result.rows,
      (error) => [String(error)],
    );
    lines.push(`${name}:`, ...rows.map((row) => `  ${JSON.stringify(row)}`));
  }
  for await (const { workflowId, status, startTime } of temporal.client.workflow.list({ pageSize: 100 }))
    if (status.name !== 'COMPLETED') lines.push(`${workflowId}: ${status.name} since ${startTime.toISOString()}`);
  return lines.join('\n');
}
