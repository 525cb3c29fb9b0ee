// A large body is judged in turns: with the verdict of the validator, whatever is wrong and wherever, and with turns for others in between.
import fc from 'fast-check';
import { firstError } from '../../../src/api/input/ajv';
import { judgeInTurns } from '../../../src/api/input/judge-in-turns';
import { IngestPayload } from '../../../src/api/schemas/ingest';
import { SportIngestPayload } from '../../../src/api/schemas/sports/ingest';
import { runs } from '../../support/property';

const START = '2026-11-28T03:00:00.000Z';
const selection = (i: number) => ({ name: `Team ${i}`, price: 1.9, point: i / 2 });
const market = (i: number) => ({ market_type: 'h2h', selections: [selection(i), selection(i + 1)] });
const event = (i: number) => ({
  source_id: `m${i}`,
  sport_key: 'nrl',
  home_team: `Home ${i}`,
  away_team: `Away ${i}`,
  commence_time: START,
  markets: [market(i), market(i + 1)],
});
const push = (matches: number) => ({
  bookmaker_key: 'boostbet',
  events: Array.from({ length: matches }, (_, i) => event(i)),
});

/** Every place of a JSON value: the holder and the name of the member. */
function* placesIn(value: unknown): Generator<readonly [holder: Record<string, unknown>, name: string]> {
  if (typeof value !== 'object' || value === null) return;
  for (const name of Object.keys(value)) {
    yield [value as Record<string, unknown>, name];
    yield* placesIn((value as Record<string, unknown>)[name]);
  }
}

/** What is put in the place of something, or added beside it. */
const WRONG = fc.constantFrom<unknown>(null, 1, -7, 'x', '', true, [], {}, [{}], { selections: [{}] }, undefined);

test('the verdict is that of the validator over the whole, and points into the body', async () => {
  const whole = firstError.compile(SportIngestPayload);
  const judge = judgeInTurns(SportIngestPayload);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      WRONG,
      fc.boolean(),
      fc.integer({ min: 1, max: 4 }),
      async (at, wrong, adds, matches) => {
        const body = push(matches);
        const places = [...placesIn(body)];
        const [holder, name] = places[at % places.length]!;
        holder[adds ? 'unknown' : name] = wrong;
        const sent = JSON.stringify(body);
        const problem = await judge(JSON.parse(sent));
        expect(problem === null).toBe(whole(JSON.parse(sent)));
        if (!problem) return;
        const parts = (problem.pointer ?? '').split('/').slice(1, -1);
        // biome-ignore lint/suspicious/noExplicitAny: a JSON document, read freely.
        const reached = parts.reduce((one: any, part) => one?.[part], JSON.parse(sent));
        expect(reached).toBeDefined();
      },
    ),
    { numRuns: runs(300) },
  );
});

test('a racing push, whose lists are races and their runners', async () => {
  const judge = judgeInTurns(IngestPayload);
  const runner = { name: 'Fast', number: 1, win_price: 2 };
  const race = {
    source_id: 'r',
    venue: 'Flemington',
    race_number: 1,
    category: 'horse',
    start_time: START,
    runners: [runner],
  };
  const body = {
    bookmaker_key: 'boostbet',
    races: [race, { ...race, runners: [runner, { ...runner, win_price: 'x' }] }],
  };
  expect(await judge(body)).toMatchObject({ pointer: '/races/1/runners/1/win_price' });
});

test('others have a turn whenever a turn is over, and a body in order is judged to its end', async () => {
  let nowMs = 0;
  // Every look at the clock is a turn later.
  const judge = judgeInTurns(SportIngestPayload, () => (nowMs += 100));
  let turns = 0;
  let isOver = false;
  const others = async () => {
    for (; !isOver; turns += 1) await new Promise((resolve) => void setImmediate(resolve));
  };
  const running = others();
  expect(await judge(push(100))).toBeNull();
  isOver = true;
  await running;
  // An event, its two markets and their four selections.
  expect(turns).toBeGreaterThanOrEqual(100 * 7);
});
