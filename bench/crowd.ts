// `crowd`: what a call about one race and the list calls of a page cost with 75 and with 600 races on the board, each
// read from the database (nothing cached): p50 over alternating rounds of one caller after the other. The target is for
// calls about one race; the lists are for information, since a larger board gives a larger list. Run: DATABASE_URL=…
// node --import tsx bench/crowd.ts [--calls 40] [--rounds 5]
import { parseArgs } from 'node:util';
import { ENDPOINTS } from '../src/api/operations';
import { createStores } from '../src/store/create-stores';
import { hashApiKey } from '../src/store/keys/keys';
import { createReads } from '../src/store/reads/reads';
import { keyRow, newKey, startApi, type TestApi } from '../test/support/api/api';
import { requestFor } from '../test/support/api/operation-requests';
import { createTestDatabase, type TestDatabase } from '../test/support/servers/database';
import { median } from './support/figures';
import { type FullCard, seedFullCard } from './support/full-card';

const SIZES = [75, 600] as const;
const TARGET = 1.3;
const WARM_UPS = 15;
const OF_ONE_RACE = ['consensus', 'intelligence', 'race_markets'];
const LISTS = [
  'race_events',
  'next_to_go',
  'race_results',
  'results_coverage',
  'racing_venues',
  'acceptances',
  'racing_changes',
];

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '40' }, rounds: { type: 'string', default: '5' } },
});
const calls = Number(values.calls);
const rounds = Number(values.rounds);

interface Board {
  readonly races: number;
  readonly db: TestDatabase;
  readonly api: TestApi;
  readonly card: FullCard;
  readonly key: string;
}

async function bench(): Promise<void> {
  const boards: Board[] = [];
  try {
    for (const races of SIZES) boards.push(await board(races));
    console.log(`crowd: p50 of ${calls} calls in each of ${rounds} alternating rounds, nothing cached`);
    for (const name of OF_ONE_RACE) await compare(boards, name, true);
    for (const name of LISTS) await compare(boards, name, false);
  } finally {
    for (const { api, db } of boards) {
      await api.close();
      await db.drop();
    }
  }
}

async function board(races: number): Promise<Board> {
  const db = await createTestDatabase();
  const card = await seedFullCard(db.pool, races, Date.now());
  const { keys, ingest, health } = createStores(db.pool);
  const key = newKey();
  await keys.insert(hashApiKey(key), keyRow(key, { plan: 'plus' }));
  const api = await startApi({ reads: createReads(db.pool), keys, ingest, health, now: Date.now });
  return { races, db, api, card, key };
}

async function compare(boards: readonly Board[], name: string, judged: boolean): Promise<void> {
  for (const one of boards) for (let i = 0; i < WARM_UPS; i++) await send(one, name);
  const waits = boards.map(() => [] as number[]);
  for (let round = 0; round < rounds; round++) {
    for (const [i, one] of boards.entries()) {
      const each: number[] = [];
      for (let call = 0; call < calls; call++) each.push(await send(one, name));
      waits[i]!.push(median(each));
    }
  }
  const [few, many] = waits as [number[], number[]];
  const ratio = median(many.map((ms, round) => ms / few[round]!));
  const verdict = judged ? `target ${TARGET}: ${ratio <= TARGET ? 'PASS' : 'FAIL'}` : 'for information';
  if (judged && ratio > TARGET) process.exitCode = 1;
  const shown = (ms: readonly number[]) => `${median(ms).toFixed(2)} ms`;
  console.log(
    `${name}: ${SIZES[1]} races ${shown(many)}, ${SIZES[0]} races ${shown(few)}, ratio ${ratio.toFixed(2)}, ${verdict}`,
  );
}

/** Milliseconds to the last byte. */
async function send({ api, card, key }: Board, name: string): Promise<number> {
  const one = ENDPOINTS.find((endpoint) => endpoint.operationId === name)!;
  const since = new Date(Date.now() - 1000).toISOString();
  const path =
    name === 'racing_changes'
      ? `${one.path}?since=${since}`
      : requestFor(one, { next: card.live, final: card.final } as never);
  const started = performance.now();
  const { status, text } = await api.get(path, key, { 'Accept-Encoding': 'identity' });
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return performance.now() - started;
}

void bench();
