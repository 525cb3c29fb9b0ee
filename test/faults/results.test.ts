// Faults of a result: a barrier scratching, a wrong result, no result, a postponement, a challenge page. Checks what
// the store keeps and what the poll returns to the race's workflow, with real connectors.
import type { FeedResult } from '../../src/domain/race/feed-race';
import { BOOKS, type FaultLab, MINUTE, NOON, openFaultLab } from './lab';

const START = NOON + 25 * MINUTE;
const RACE = {
  startMs: START,
  venue: 'Flemington',
  runners: 9,
  order: [4, 7, 2],
  distanceM: 1200,
  jumpDelaySeconds: 30,
  interimAfterSeconds: 150,
};

let lab: FaultLab;
let raceId: string;

beforeEach(async () => {
  lab = await openFaultLab([RACE]);
  await lab.discover();
  raceId = await lab.raceId('flemington', 1);
  await lab.poll(raceId, ...BOOKS);
});
afterEach(() => lab.close());

const story = (book = 'tab') => lab.simulator.worldOf(book).meetings('2026-11-21')[0]!.races[0]!.story;

async function resultAt(atMs: number, book: string): Promise<FeedResult | null> {
  lab.clock.nowMs = atMs;
  const [report] = await lab.poll(raceId, book);
  if (report!.kind !== 'answered') throw new Error(report!.kind);
  return report!.result;
}

const winner = (result: FeedResult | null): number | undefined => result?.placings[0]?.number;

test('barrier_scratching: scratched late with a deduction on the card, whatever was polled before', async () => {
  await lab.on('barrier_scratching');
  lab.clock.nowMs = story().jumpMs + 2 * MINUTE;
  await lab.poll(raceId, ...BOOKS);
  const card = await lab.query<{ number: number; scratched: boolean; late: boolean | null; win_deduction: number }>(
    'SELECT number, scratched, late, win_deduction FROM race_runners ORDER BY number',
  );
  expect(card.filter((row) => row.scratched).map((row) => [row.number, row.late])).toEqual([[9, true]]);
  expect(card[8]!.win_deduction).toBeGreaterThan(0);
});

test('interim_changed: the wrong winner is only an interim result, at the book that publishes one', async () => {
  await lab.on('interim_changed');
  const { interimMs, finalMs } = story();
  const interim = await resultAt(interimMs + MINUTE, 'ladbrokes_au');
  expect([interim?.stage, winner(interim)]).toEqual(['interim', 7]);
  const final = await resultAt(finalMs + MINUTE, 'ladbrokes_au');
  expect([final?.stage, winner(final)]).toEqual(['final', 4]);
  expect(winner(await resultAt(finalMs + MINUTE, 'tab'))).toBe(4);
});

test('never_resulted: hours of polls without a result and without a failure', async () => {
  await lab.on('never_resulted');
  for (const hours of [1, 3, 6]) {
    for (const book of BOOKS) expect(await resultAt(START + hours * 60 * MINUTE, book)).toBeNull();
  }
  for (const book of BOOKS)
    expect(Object.keys(await lab.counts(book)).filter((what) => /^failed/.test(what))).toEqual([]);
});

test('meeting_postponed: abandoned at every book whose format has it', async () => {
  await lab.on('meeting_postponed');
  lab.clock.nowMs += 5 * MINUTE;
  const stages = (await lab.poll(raceId, ...BOOKS)).map((report) =>
    report.kind === 'answered' ? (report.result?.stage ?? null) : report.kind,
  );
  expect(stages).toEqual(['abandoned', 'abandoned', null, 'abandoned']);
});

test('challenge_page: counted as a blocked poll of that book; the card and the prices stay', async () => {
  const prices = await lab.query('SELECT bookmaker_key, win FROM race_books ORDER BY 1');
  await lab.on('challenge_page', { book: 'tab' });
  lab.clock.nowMs += MINUTE;
  const [report] = await lab.poll(raceId, 'tab');
  expect(report).toMatchObject({ kind: 'failed' });
  expect(await lab.counts('tab')).toEqual({ 'failed blocked': 1 });
  expect(await lab.query('SELECT bookmaker_key, win FROM race_books ORDER BY 1')).toEqual(prices);
});
