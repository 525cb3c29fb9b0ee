// Races at four books in a separate database per test file, and the events that the stores write about them.
import type { ValidateFunction } from 'ajv';
import { ajv } from '../../../src/api/kernel/input/ajv';
import { EVENTS } from '../../../src/api/operations/events/events-schema';
import { type EventKind, eventBody } from '../../../src/domain/events/event';
import { closed } from '../../support/api/conforms';
import { storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';

export const BOOKS = ['ladbrokes_au', 'tab', 'pointsbetau', 'betfair_ex_au'];

interface Row {
  readonly event_id: string;
  readonly kind: Exclude<EventKind, 'market.suspend'>;
  readonly race_id: string | null;
  readonly account_id: string | null;
  readonly occurred_at: string;
  readonly facts: Record<string, unknown>;
}

/** A poll of this book, which does not decide the start. */
export const by = (bookmakerKey: string) => ({ bookmakerKey, startSource: false });

/** An empty database, written with the rights of a worker; call it once. */
export function announcedEvents() {
  const lab = { venue: 0 } as {
    db: TestDatabase;
    /** The number in the name of the last race's venue. */
    venue: number;
  };
  beforeAll(async () => {
    const owner = await createTestDatabase();
    // A worker's rights: triggers run with those of the writer.
    const pool = poolAs(owner, 'racing_worker');
    lab.db = { ...owner, pool, drop: () => pool.end().then(() => owner.drop()) };
  });
  afterAll(() => lab.db.drop());

  const race = (over = {}) => storeRace(lab.db, { venue: `Venue ${++lab.venue}`, ...over }, BOOKS);

  const validators = new Map<string, ValidateFunction>();

  /** The events of a race or an account, in the order of writing, each as its published schema declares it. */
  async function eventsOf(id: string): Promise<readonly Row[]> {
    const { rows } = await lab.db.pool.query<Row>(
      'SELECT * FROM events WHERE race_id = $1 OR account_id = $1 ORDER BY written',
      [id],
    );
    for (const { event_id, kind, race_id, account_id, occurred_at, facts } of rows) {
      const validate = validators.get(kind) ?? ajv.compile(closed(EVENTS[kind].schema) as object);
      validators.set(kind, validate);
      const stored = {
        eventId: event_id,
        kind,
        occurredAt: occurred_at,
        raceId: race_id,
        accountId: account_id,
        facts,
      };
      validate(JSON.parse(eventBody({ ...stored, sequence: race_id === null ? null : 1 })));
      expect(validate.errors ?? []).toEqual([]);
    }
    return rows;
  }

  const kindsOf = async (id: string) => (await eventsOf(id)).map(({ kind }) => kind);

  return Object.assign(lab, { race, eventsOf, kindsOf });
}
