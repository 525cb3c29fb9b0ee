// Races at four books in a separate database per test file, and the events that the stores write about them.
import { storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';
import { publishedEvents } from '../../support/webhooks/published-events';

export const BOOKS = ['ladbrokes_au', 'tab', 'pointsbetau', 'betfair_ex_au'];

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

  /** The events of a race or an account, in the order of writing, each as its published schema declares it. */
  const eventsOf = (id: string) => publishedEvents(lab.db.pool, id);
  const kindsOf = async (id: string) => (await eventsOf(id)).map(({ kind }) => kind);

  return Object.assign(lab, { race, eventsOf, kindsOf });
}
