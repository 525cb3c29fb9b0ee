// Stored events, each checked against the schema of its kind, which allows no other member.
import type { ValidateFunction } from 'ajv';
import type { Pool } from 'pg';
import { ajv } from '../../../src/api/kernel/input/ajv';
import { EVENTS } from '../../../src/api/operations/events/events-schema';
import { type EventKind, eventBody } from '../../../src/domain/events/event';
import { closed } from '../api/conforms';

interface Row {
  readonly event_id: string;
  readonly kind: Exclude<EventKind, 'market.suspend'>;
  readonly race_id: string | null;
  readonly account_id: string | null;
  readonly occurred_at: string;
  readonly facts: Record<string, unknown>;
}

const validators = new Map<string, ValidateFunction>();

/** The events of a race or an account, in the order of writing. */
export async function publishedEvents(pool: Pool, id: string): Promise<readonly Row[]> {
  const text = 'SELECT * FROM events WHERE race_id = $1 OR account_id = $1 ORDER BY written';
  const { rows } = await pool.query<Row>(text, [id]);
  for (const { event_id, kind, race_id, account_id, occurred_at, facts } of rows) {
    const validate = validators.get(kind) ?? ajv.compile(closed(EVENTS[kind].schema) as object);
    validators.set(kind, validate);
    const named = { eventId: event_id, kind, occurredAt: occurred_at, raceId: race_id, accountId: account_id };
    validate(JSON.parse(eventBody({ ...named, facts, sequence: race_id === null ? null : 1 })));
    expect(validate.errors ?? []).toEqual([]);
  }
  return rows;
}
