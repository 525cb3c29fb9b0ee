// Every saved stream file, sent over TCP by a server that speaks the protocol, through the connector and the activity
// into the real store. The stored data is compared with an independent reading of the file, market by market: nothing
// lost, nothing added. We may not copy the files: they are read from their original place, and without them the tests
// are skipped.
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { aetDay } from '../../../src/domain/time/aet';
import type { MarketChangeMessage, MarketDefinition } from '../../../src/feeds/betfair/stream/payload';
import { createStreamServer } from '../../../src/simulator/stream/server';
import { createStores } from '../../../src/store/create-stores';
import { readSavedStream, replay } from '../../feeds/support/saved-stream';
import { placedRace } from '../../support/races/builders';
import { followServer, until } from '../../support/races/stream-lab';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

const FOLDER = join(process.env.SAMPLES_DIR ?? join(__dirname, '../../../../shared/samples'), 'betfair/stream');
const present = existsSync(FOLDER);
const maybe = present ? describe : describe.skip;
const why = present ? '' : ' (skipped: no folder of saved streams; set SAMPLES_DIR)';
const FILES = present
  ? ['Devonport', 'Traralgon'].flatMap((meeting) =>
      readdirSync(join(FOLDER, meeting)).map((file) => `${meeting}/${file}`),
    )
  : ['none'];
const SHORTEST = 'Devonport/1.195395434.bz2';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const iso = (ms: number): string => new Date(ms).toISOString();
const rows = async (text: string, values: unknown[] = []) => (await db.pool.query(text, values)).rows;

/** Sends the file to the end and stops. */
async function stream(messages: readonly MarketChangeMessage[], speed: number): Promise<void> {
  let nowMs = messages[0]!.pt;
  const server = createStreamServer(
    replay(messages, speed, (ms) => {
      nowMs = Math.max(nowMs, ms);
    }),
  );
  const run = await followServer(db, server, () => nowMs);
  await until(() => run.progress.changes === messages.length);
  await run.stop();
  await server.close();
}

/** The race of a WIN file is listed first; a PLACE market has no race number and waits for a poll. */
async function listRace(marketId: string, first: MarketDefinition): Promise<string | null> {
  const raceNumber = Number(/^R(\d+) /.exec(first.name!)?.[1] ?? 0);
  if (raceNumber === 0) return null;
  const start = Date.parse(first.marketTime);
  const listed = { sourceRaceId: marketId, category: 'greyhound', venue: first.venue!, raceNumber } as const;
  const race = placedRace({ ...listed, meetingDate: aetDay(start), startTime: iso(start) });
  await createStores(db.pool).races.saveCard('betfair_ex_au', [race], iso(start - 86_400_000));
  return race.raceId;
}

interface Defined {
  readonly pt: number;
  readonly definition: MarketDefinition;
}

/** The file's definitions, the first of each version: read here independently of the connector. */
function versionsOf(messages: readonly MarketChangeMessage[]): Defined[] {
  const seen = new Map<number, Defined>();
  for (const { pt, mc = [] } of messages) {
    for (const { marketDefinition: definition } of mc) {
      if (definition && !seen.has(definition.version)) seen.set(definition.version, { pt, definition });
    }
  }
  return [...seen.values()];
}

const isOut = (status: string): boolean => status.startsWith('REMOVED');
const isOff = ({ status, inPlay, bspReconciled }: MarketDefinition): boolean =>
  inPlay || status === 'CLOSED' || (status === 'SUSPENDED' && bspReconciled);

function lastValue(messages: readonly MarketChangeMessage[], id: number, what: 'ltp' | 'tv'): number | null {
  const changes = messages.flatMap(({ mc = [] }) =>
    mc.flatMap(({ rc = [] }) => rc.filter((change) => change.id === id)),
  );
  return changes.findLast((change) => change[what] !== undefined)?.[what] ?? null;
}

/** The last definition of each file already read: decompression takes seconds. */
const ends = new Map<string, MarketDefinition>();

function readFile(file: string): { messages: readonly MarketChangeMessage[]; versions: readonly Defined[] } {
  const messages = readSavedStream(join(FOLDER, file));
  const versions = versionsOf(messages);
  ends.set(file, versions.at(-1)!.definition);
  return { messages, versions };
}

function endOf(file: string): MarketDefinition {
  if (!ends.has(file)) readFile(file);
  return ends.get(file)!;
}

maybe(`saved streams${why}`, () => {
  test('there are nineteen files', () => expect(FILES).toHaveLength(19));

  test.each(FILES)(
    '%s: suspensions, the turn in play, the close, starting prices, removals and winners are those of the file',
    async (file) => {
      const marketId = basename(file, '.bz2');
      const { messages, versions } = readFile(file);
      const last = messages.flatMap(({ mc = [] }) => mc.flatMap((each) => each.marketDefinition ?? [])).at(-1)!;
      const raceId = await listRace(marketId, versions[0]!.definition);

      await stream(messages, Number.POSITIVE_INFINITY);

      const changes = await rows('SELECT * FROM exchange_market_changes WHERE market_id = $1 ORDER BY version', [
        marketId,
      ]);
      expect(changes).toEqual(
        versions.map(({ pt, definition }) => ({
          market_id: marketId,
          version: definition.version,
          at: iso(pt),
          status: definition.status,
          in_play: definition.inPlay,
          bsp_reconciled: definition.bspReconciled,
          active_runners: definition.numberOfActiveRunners,
          market_time: definition.marketTime,
        })),
      );
      expect(changes.some((change) => change.status === 'SUSPENDED')).toBe(true);

      const [market] = await rows('SELECT * FROM exchange_markets WHERE market_id = $1', [marketId]);
      expect(market).toMatchObject({
        race_id: raceId,
        market_type: last.marketType,
        version: last.version,
        status: 'CLOSED',
        settled_at: last.settledTime,
        number_of_winners: last.numberOfWinners,
        market_time: last.marketTime,
      });

      const runners = await rows('SELECT * FROM exchange_runners WHERE market_id = $1 ORDER BY number', [marketId]);
      const saddlecloth = (runner: { name?: string }) => Number(runner.name!.split('.')[0]);
      const expected = [...last.runners].sort((a, b) => saddlecloth(a) - saddlecloth(b));
      expect(runners).toMatchObject(
        expected.map((runner) => ({
          selection_id: runner.id,
          number: saddlecloth(runner),
          name: runner.name!.slice(runner.name!.indexOf(' ') + 1),
          status: runner.status,
          bsp: isOut(runner.status) ? null : (runner.bsp ?? null),
          adjustment_factor: runner.adjustmentFactor ?? null,
          removed_at: runner.removalDate ?? null,
          last_traded: lastValue(messages, runner.id, 'ltp'),
          traded_volume: lastValue(messages, runner.id, 'tv'),
        })),
      );

      if (raceId === null) return;
      const [race] = await rows(
        'SELECT inplay_at, market_closed_at, market_state_source FROM races WHERE race_id = $1',
        [raceId],
      );
      const firstOf = (is: (definition: MarketDefinition) => boolean): string | null => {
        const found = versions.find(({ definition }) => is(definition));
        return found ? iso(found.pt) : null;
      };
      expect(race).toEqual({
        inplay_at: firstOf((definition) => definition.inPlay),
        market_closed_at: firstOf(isOff),
        market_state_source: 'betfair_ex_au',
      });
    },
  );

  test('together they contain all that is tested: runs, removals, an abandoned card with reconciled prices', () => {
    const all = FILES.map(endOf);
    const statuses = all.flatMap((end) => end.runners.map((runner) => runner.status));
    expect(statuses.filter((status) => status === 'WINNER')).toHaveLength(9);
    expect(statuses.filter(isOut).length).toBeGreaterThan(100);
    expect(all.flatMap((end) => end.runners.filter((runner) => isOut(runner.status) && runner.bsp)).length).toBe(16);
  });

  test('a stream sent twice, or at another speed, gives the same rows', async () => {
    const messages = readSavedStream(join(FOLDER, SHORTEST));
    const tables = ['exchange_market_changes', 'exchange_runners'];
    const stored = () => Promise.all(tables.map((table) => rows(`SELECT * FROM ${table} ORDER BY 1, 2`)));
    const empty = () => db.pool.query('TRUNCATE exchange_market_changes, exchange_runners, exchange_markets');
    await empty();
    await stream(messages, Number.POSITIVE_INFINITY);
    const once = await stored();
    await stream(messages, Number.POSITIVE_INFINITY);
    expect(await stored()).toEqual(once);
    await empty();
    await stream(messages, 200_000_000);
    expect(await stored()).toEqual(once);
    expect(once[0]!.length).toBeGreaterThan(5);
  });
});
