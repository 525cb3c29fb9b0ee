// What `npm run verify` finds and what it does not: its judgements, on plain values.
interface Post {
  readonly event: Readonly<Record<string, unknown>> | null;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}
type Oracle = ReadonlyMap<string, Readonly<Record<string, unknown>>>;
const judge = require('../../scripts/verify/judge.mjs') as {
  afterTheEnd(events: readonly Post[], oracle: Oracle): readonly string[];
  badPosts(events: readonly Post[]): readonly string[];
  wrongResults(events: readonly Post[], oracle: Oracle): readonly string[];
  lostEvents(rows: readonly object[], events: readonly Post[]): readonly string[];
  changesAfterTheEnd(readings: readonly object[], oracle: Oracle): readonly string[];
};
const { liveOverOldPrices } = require('../../scripts/verify/page.mjs') as {
  liveOverOldPrices(looks: readonly object[]): readonly string[];
};

const JUMP = Date.parse('2026-11-24T03:00:00.000Z');
const at = (minutes: number): string => new Date(JUMP + minutes * 60_000).toISOString();
const settled = [4, 2, 7].map((number, i) => ({ position: i + 1, number }));
const ran = { jumpMs: JUMP, abandonedMs: null, settled, crossed: settled };
const oracle: Oracle = new Map<string, Readonly<Record<string, unknown>>>([
  ['ran', ran],
  ['off', { ...ran, jumpMs: null, abandonedMs: JUMP - 3_600_000, startMs: JUMP }],
]);

let posts = 0;
function post(event: string, more: Readonly<Record<string, unknown>> = {}): Post {
  const id = `evt_${++posts}`;
  const whole = { event, id, race_id: 'ran', venue: 'Randwick', race_number: 1, occurred_at: at(0), ...more };
  return { event: whole, body: JSON.stringify(whole), headers: { 'webhook-id': id } };
}

test('an event of the board is found ten minutes after the jump or the abandonment, a result never', () => {
  const late = (kind: string, minutes: number, race = 'ran') => post(kind, { occurred_at: at(minutes), race_id: race });
  expect(
    judge.afterTheEnd(
      [late('odds.change', 9.9), late('race.result', 300), late('odds.change', 300, 'unknown')],
      oracle,
    ),
  ).toEqual([]);
  const found = [late('race.odds_open', 10.1), late('odds.change', 360), late('race.scratching', 11, 'off')];
  expect(judge.afterTheEnd(found, oracle)).toHaveLength(3);
});

test('an undocumented signature, id or second body is found', () => {
  const good = post('odds.change');
  expect(judge.badPosts([good, good])).toEqual([]);
  expect(judge.badPosts([good, { ...good, body: `${good.body} ` }])).toHaveLength(1);
  expect(
    judge.badPosts([
      { ...good, event: null },
      { ...good, headers: { 'webhook-id': 'other' } },
    ]),
  ).toHaveLength(2);
});

test('a placing that the race does not have is found; fewer placings are not', () => {
  const result = (placings: readonly object[], status = 'final') => post('race.result', { status, placings });
  expect(judge.wrongResults([result(settled), result(settled.slice(0, 2)), result([], 'abandoned')], oracle)).toEqual(
    [],
  );
  expect(judge.wrongResults([result([{ position: 1, number: 2 }])], oracle)).toHaveLength(1);
});

test('an event without a post is lost, unless it is a cancelled price move', () => {
  const came = post('race.result');
  const row = (event_id: string, kind: string, status: string | null) => ({ event_id, kind, status });
  const rows = [row(came.headers['webhook-id']!, 'race.result', 'delivered'), row('a', 'odds.change', 'cancelled')];
  expect(judge.lostEvents(rows, [came])).toEqual([]);
  expect(judge.lostEvents([row('b', 'race.result', 'cancelled'), row('c', 'odds.change', null)], [came])).toHaveLength(
    2,
  );
});

test('a race that is over is found in a response of changes', () => {
  const reading = (minutes: number) => ({
    atMs: JUMP + minutes * 60_000,
    races: [{ race_id: 'ran', venue: 'Randwick', race_number: 1 }],
  });
  expect(judge.changesAfterTheEnd([reading(9)], oracle)).toEqual([]);
  expect(judge.changesAfterTheEnd([reading(9), reading(11)], oracle)).toHaveLength(1);
});

test('Live over old prices is found, any other state is not', () => {
  const look = (says: string, seconds: number) => ({ atMs: JUMP, says, newestMs: JUMP - seconds * 1000 });
  expect(
    liveOverOldPrices([look('Live', 100), look('Prices 8 min old', 480), { atMs: JUMP, says: 'Live', newestMs: null }]),
  ).toEqual([]);
  expect(liveOverOldPrices([look('Live', 200)])).toHaveLength(1);
});
