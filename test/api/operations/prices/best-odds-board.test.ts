// best-odds in several API processes: one computes for all, and each reports the true age of its response (A 2.4 rule
// 5, A 8).

import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { taggerOf } from '../../../../src/api/kernel/http/tag';
import { createBetslipBoard } from '../../../../src/api/operations/betslip/betslip-links';
import { type BestOddsBoard, createBestOddsBoard } from '../../../../src/api/operations/prices/best-odds-board';
import { racingBestOdds } from '../../../../src/api/operations/prices/racing-best-odds';
import type { BoardBook, BoardRace } from '../../../../src/store/reads/races/board';
import { createRedis } from '../../../../src/store/redis/redis';
import { createSharedAnswers } from '../../../../src/store/redis/shared-answers';
import { PATIENT_MS } from '../../../support/patient';
import { boardRace } from '../../../support/races/board-race';

const NOW_MS = Date.parse('2026-11-21T03:00:00.000Z');
const connections: Redis[] = [];
afterEach(() => {
  for (const redis of connections.splice(0)) redis.disconnect();
});

const book = (bookmaker: string, win: number, secondsAgo: number): BoardBook => ({
  bookmaker,
  polledAtMs: NOW_MS - secondsAgo * 1000,
  sourceUrl: `https://${bookmaker}.example/1`,
  numbers: [1],
  win: [win],
  place: [null],
  top2: [null],
  top3: [null],
  top4: [null],
  tote: null,
});

/** The data that all processes read; a test changes it. */
const world = { races: [] as BoardRace[], readings: 0 };
beforeEach(() => {
  world.races = [boardRace({ books: [book('neds', 3, 5), book('tab', 3.2, 10)] })];
  world.readings = 0;
});

function aProcess(deployment: string): BestOddsBoard {
  const redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
  connections.push(redis);
  const reads = {
    board: async () => {
      world.readings++;
      return world.races;
    },
    betslipIds: async () => [],
  };
  return createBestOddsBoard(
    reads,
    createBetslipBoard(reads, {}),
    createSharedAnswers(redis, deployment, { leadMs: 60_000 }),
  );
}

const tagOf = taggerOf(racingBestOdds.ok.schema);
const BOARD = { at: '', from: '', until: '', includeUnresolved: false, bookmakers: ['neds', 'tab'], limit: 10 };
async function request(board: BestOddsBoard, nowMs: number, over: { key?: string; betslip?: boolean } = {}) {
  const response = await board.racesFor({ key: 'all', betslip: false, board: BOARD, ...over }, nowMs);
  return { ...response, tag: tagOf(response.tagged), body: JSON.parse(response.bytes.toString()) };
}

test('one process computes; the others serve its board, each with ages at its own moment', async () => {
  const deployment = randomUUID();
  const one = aProcess(deployment);
  const other = aProcess(deployment);
  const first = await request(one, NOW_MS);
  expect(first.body[0]).toMatchObject({ cached: false, cache_age_seconds: 0, data_age_seconds: 10 });
  const second = await request(other, NOW_MS + 7_000);
  expect(second.body[0]).toMatchObject({ cached: true, cache_age_seconds: 7, data_age_seconds: 17 });
  expect(second.body[0].runners[0].best_win).toMatchObject({
    price: 3.2,
    bookmaker: 'tab',
    age_seconds: 17,
    last_update: '2026-11-21T02:59:50.000Z',
  });
  expect([second.dataAgeSeconds, second.tag]).toEqual([17, first.tag]);
  const third = await request(one, NOW_MS + 19_000);
  expect(third.body[0]).toMatchObject({ cached: true, cache_age_seconds: 19 });
  expect(world.readings).toBe(1);
  const next = await request(other, NOW_MS + 20_000);
  expect(next.body[0]).toMatchObject({ cached: false, cache_age_seconds: 0 });
  expect((await request(one, NOW_MS + 21_000)).body[0]).toMatchObject({ cached: true, cache_age_seconds: 1 });
  expect(world.readings).toBe(2);
});

test('when all processes miss simultaneously, one reads', async () => {
  const deployment = randomUUID();
  const requests = Array.from({ length: 3 }, () => aProcess(deployment)).flatMap((board) => [
    request(board, NOW_MS),
    request(board, NOW_MS),
  ]);
  const responses = await Promise.all(requests);
  expect(world.readings).toBe(1);
  expect(responses.filter(({ body }) => !body[0].cached)).toHaveLength(1);
});

test('another query and other rights get another response', async () => {
  const board = aProcess(randomUUID());
  await request(board, NOW_MS);
  const linked = await request(board, NOW_MS, { betslip: true });
  expect(linked.body[0].runners[0]).toMatchObject({ betslip_win_url: null });
  expect((await request(board, NOW_MS)).bytes.toString()).not.toContain('betslip');
  await request(board, NOW_MS, { key: 'some' });
  expect(world.readings).toBe(3);
});

test('a book with a newer poll takes over an equal price, and the response shows it', async () => {
  const board = aProcess(randomUUID());
  const polled = (neds: number, tab: number) => {
    world.races = [boardRace({ books: [book('neds', 3, neds), book('tab', 3, tab)] })];
  };
  const winner = async (nowMs: number) => (await request(board, nowMs)).body[0].runners[0].best_win.bookmaker;
  polled(5, 10);
  expect(await winner(NOW_MS)).toBe('neds');
  polled(5, 1);
  expect(await winner(NOW_MS + 20_000)).toBe('tab');
  polled(0, 1);
  expect(await winner(NOW_MS + 40_000)).toBe('neds');
});
