// Webhooks and events as rows, for tests of their delivery.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { EventKind } from '../../../src/domain/events/event';

export interface Outbox {
  /** Resolves to the webhook's id. `more`: columns of `webhooks`, and the plan of its account. */
  webhook(more?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Resolves to the event's id. `more`: columns of `events`. */
  event(kind: EventKind, raceId: string | null, more?: Readonly<Record<string, unknown>>): Promise<string>;
  rows<T = Readonly<Record<string, unknown>>>(text: string, ...values: unknown[]): Promise<T[]>;
}

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

export function openOutbox(pool: Pool): Outbox {
  const rows = async <T>(text: string, ...values: unknown[]): Promise<T[]> => (await pool.query(text, values)).rows;
  const insert = (table: string, row: Readonly<Record<string, unknown>>) => {
    const names = Object.keys(row);
    const places = names.map((_, i) => `$${i + 1}`);
    return rows(`INSERT INTO ${table} (${names}) VALUES (${places}) RETURNING *`, ...Object.values(row));
  };
  return {
    rows,
    webhook: async ({ plan = 'plus', ...more } = {}) => {
      const at = new Date();
      const [account] = await insert('accounts', { plan, created_at: at });
      const id = `wh_${randomBytes(6).toString('hex')}`;
      const url = 'http://127.0.0.1:9/';
      await insert('webhooks', {
        webhook_id: id,
        account_id: (account as { account_id: string }).account_id,
        url,
        secret: newSecret(),
        created_at: at,
        ...more,
      });
      return id;
    },
    event: async (kind, raceId, more = {}) => {
      const facts = { race_id: raceId, venue: 'Randwick' };
      const of = raceId === null ? {} : { category: 'horse', country: 'AU' };
      const row = { kind, race_id: raceId, occurred_at: new Date(), facts, ...of, ...more };
      const [event] = await insert('events', row);
      return (event as { event_id: string }).event_id;
    },
  };
}

export const newRace = (): string => randomUUID();
