// The same checks for every polled book of the table: whatever happens to a meeting, a book's stored runners of a race
// are the horses of that race, and a book's list never wrongly creates or moves a race.
import { loadConfig } from '../../src/config';
import type { BookListing } from '../../src/domain/race/feed-race';
import { runnerKey } from '../../src/domain/race/runner';
import type { Race } from '../../src/simulator/world/race';
import { racesOf } from '../../src/simulator/world/world';
import { placeCard } from '../../src/store/card/place-card';
import { at, type FaultLab, MINUTE, NOON, openFaultLab } from './lab';

const DAY = '2026-11-21';
const PANEL = Object.keys(loadConfig({}).feeds);
const CARD = [1, 2].map((raceNumber) => ({
  startMs: NOON + raceNumber * 12 * MINUTE,
  venue: 'Flemington',
  raceNumber,
  runners: 8,
}));

let lab: FaultLab;
afterEach(() => lab.close());

async function open(): Promise<{ id: string; race: Race }[]> {
  lab = await openFaultLab(CARD, { books: PANEL });
  await lab.discover();
  // A book with incomplete rows joins the races that the others have listed.
  await lab.discover();
  const placed = [];
  for (const race of racesOf(lab.simulator.world, DAY))
    placed.push({ id: await lab.raceId('flemington', race.number), race });
  return placed;
}

/** Polls every book that is linked to the race, the best-ranked first, in the order of discovery. */
async function pollAll(id: string): Promise<string[]> {
  const books = (
    await lab.query<{ key: string }>('SELECT bookmaker_key AS key FROM race_books WHERE race_id = $1', [id])
  )
    .map((row) => row.key)
    .sort((a, b) => PANEL.indexOf(a) - PANEL.indexOf(b));
  await lab.poll(id, 'ladbrokes_au');
  await lab.poll(id, ...books.filter((key) => key !== 'ladbrokes_au'));
  return books;
}

async function expectOwnHorses(id: string, race: Race): Promise<void> {
  const own = new Set(race.runners.map((runner) => runnerKey(runner.name)));
  const stored = await lab.query<{ key: string; runner_keys: string[] }>(
    'SELECT bookmaker_key AS key, runner_keys FROM race_books WHERE race_id = $1 AND polled_at IS NOT NULL',
    [id],
  );
  const strangers = stored.map(({ key, runner_keys }) => ({ key, not: runner_keys.filter((one) => !own.has(one)) }));
  expect(strangers.filter(({ not }) => not.length > 0)).toEqual([]);
  const ticks = await lab.query<{ key: string; number: number; name: string }>(
    `SELECT DISTINCT bookmaker_key AS key, runner_number AS number, runner_key AS name FROM price_ticks WHERE race_id = $1`,
    [id],
  );
  for (const { key, number, name } of ticks) {
    expect({ key, number, name }).toEqual({ key, number, name: runnerKey(race.runners[number - 1]!.name) });
  }
}

test('without a fault every book is linked to every race and has its horses', async () => {
  for (const { id, race } of await open()) {
    expect((await pollAll(id)).sort()).toEqual([...PANEL].sort());
    await expectOwnHorses(id, race);
  }
});

test('race_renumbered at every book: no horse of one race is stored under the other', async () => {
  const placed = await open();
  for (const { id } of placed) await pollAll(id);
  const starts = await lab.query('SELECT race_id, start_time, start_version FROM races ORDER BY 1');
  await lab.on('race_renumbered', { race: placed[0]!.race.id });
  for (let i = 0; i < 2; i++) {
    lab.clock.nowMs += MINUTE;
    await lab.discover();
    for (const { id } of placed) await pollAll(id);
  }
  for (const { id, race } of placed) await expectOwnHorses(id, race);
  expect(await lab.query('SELECT race_id, start_time, start_version FROM races ORDER BY 1')).toEqual(starts);
});

test('two_cards_at_one_track at every book: distinguishable cards are joined, the rest is refused', async () => {
  const placed = await open();
  await lab.on('two_cards_at_one_track');
  for (let i = 0; i < 2; i++) await lab.discover();
  const second = racesOf(lab.simulator.worldOf('tab'), DAY).filter(
    (race) => !placed.some((one) => one.race.id === race.id),
  );
  const ids = await lab.query<{ race_id: string; race_number: number }>(
    'SELECT race_id, race_number FROM races WHERE card = 2 ORDER BY race_number',
  );
  expect(ids.map((row) => row.race_number)).toEqual(second.map((race) => race.number));
  for (const [i, { race_id }] of ids.entries()) {
    await pollAll(race_id);
    await expectOwnHorses(race_id, second[i]!);
  }
  for (const { id, race } of placed) {
    await pollAll(id);
    await expectOwnHorses(id, race);
  }
});

test('an inserted race: its new id does not replace one that is still on the list', async () => {
  await open();
  const { races } = lab.deps.stores;
  const list = await lab.deps.feeds.get('ladbrokes_au')!.listRaces(DAY);
  const rows: readonly BookListing[] = list.kind === 'ok' ? list.value : [];
  const inserted: BookListing = { ...rows[0]!, sourceRaceId: 'division-2', startTime: at(NOON + 6 * MINUTE) };
  const later = rows.map((row) => ({ ...row, raceNumber: row.raceNumber! + 1 }));
  const { refused, changes } = await placeCard(races, 'ladbrokes_au', DAY, [inserted, ...later], at(NOON));
  expect(refused.map((one) => one.reason)).toEqual(Array(3).fill('race_renumbered'));
  expect(changes).toEqual([]);
  // Once the old id has left the list, the new one replaces it.
  const anew = [{ ...rows[0]!, sourceRaceId: 'anew' }, ...rows.slice(1)];
  expect((await placeCard(races, 'ladbrokes_au', DAY, anew, at(NOON))).refused).toEqual([]);
  const [link] = await lab.query(
    "SELECT race_number FROM race_books JOIN races USING (race_id) WHERE source_race_id = 'anew'",
  );
  expect(link).toEqual({ race_number: 1 });
});
