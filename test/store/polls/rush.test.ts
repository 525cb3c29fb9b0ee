// A process that starts claims hundreds of races in one moment, at a slow database: no statement of the live tier waits
// behind all of them. No server: a pool that counts its connections.
import type { Pool } from 'pg';
import { createRaceStore } from '../../../src/store/card/races';
import { createControlStore } from '../../../src/store/polls/control';
import { createPollBatches, type PollWrite } from '../../../src/store/polls/poll-batches';

const RACES = Array.from({ length: 300 }, (_, i) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`);
/** A process has ten connections. */
const MOST = 8;

interface Query {
  readonly name: string;
  /** The arrays of a batch of polls, as PostgreSQL reads them. */
  readonly values?: readonly unknown[];
}

/** Answers nothing before `answer`. */
function slowPool(rowsOf: (query: Query) => readonly unknown[] = () => []) {
  let open = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  const taken = (): void => {
    open += 1;
    most = Math.max(most, open);
  };
  const answered = async <T>(value: T): Promise<T> => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return value;
  };
  const sent = new Set<string>();
  const query = async (asked: Query) => {
    taken();
    sent.add(asked.name);
    const reply = await answered({ rows: rowsOf(asked), rowCount: 1 });
    open -= 1;
    return reply;
  };
  const release = (): void => {
    open -= 1;
  };
  const client = { query: () => answered({ rows: [], rowCount: 1 }), release };
  const connect = async () => {
    taken();
    return client;
  };
  return {
    pool: { query, connect } as unknown as Pool,
    most: () => most,
    sent,
    answer: () => {
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}

test('claims, control reads and books of 300 races at once: a few connections, and a control read among the first', async () => {
  const { pool, most, sent, answer } = slowPool(({ name }) => (name === 'claim-race' ? [{ isOurs: true }] : []));
  const control = createControlStore(pool);
  const races = createRaceStore(pool);
  const at = '2026-11-21T01:00:00.000Z';
  const claims = RACES.map((raceId) => control.claim(raceId, 1, 1, at));
  const books = RACES.map((raceId) => races.booksOf(raceId));
  let claimed = 0;
  for (const claim of claims)
    void claim.then(() => {
      claimed += 1;
    });
  let claimedBefore = Number.NaN;
  const read = control.readControl(RACES[0]!).then(() => {
    claimedBefore = claimed;
  });
  // It waits a moment for others.
  while (!sent.has('control-read')) await new Promise(setImmediate);
  let isOver = false;
  const all = Promise.all([...claims, ...books, read]).then(() => {
    isOver = true;
  });
  for (let turns = 0; !isOver && turns < 5000; turns++) {
    answer();
    await new Promise(setImmediate);
  }
  expect(isOver).toBe(true);
  await all;
  expect(most()).toBeLessThanOrEqual(MOST);
  expect(claimedBefore).toBeLessThan(RACES.length / 4);
});

test('a write that goes alone, of a race near its jump, waits for those that have begun and for no other', async () => {
  // The batch leaves each of them.
  const { pool, answer } = slowPool(({ name, values }) =>
    String(values![0])
      .split(',')
      .map((_, i) => ({ place: i + 1, verdict: name === 'write-polls' ? 'alone' : 'written' })),
  );
  const { write } = createPollBatches(pool);
  const alone = { marketStateSource: true, bookmakerKey: 'tab', fence: { epoch: 1, attempt: 1 } };
  const written: boolean[] = [];
  const writeOf = (raceId: string, isNear: boolean) =>
    write({ poll: { ...alone, raceId, isNear }, hash: null, literal: null } as PollWrite).then(() => {
      written.push(isNear);
    });
  const far = RACES.slice(1, 40).map((raceId) => writeOf(raceId, false));
  await new Promise(setImmediate);
  const all = Promise.all([...far, writeOf(RACES[0]!, true)]);
  for (let turns = 0; written.length < 40 && turns < 5000; turns++) {
    answer();
    await new Promise(setImmediate);
  }
  await all;
  expect(written.indexOf(true)).toBeLessThanOrEqual(6);
});
