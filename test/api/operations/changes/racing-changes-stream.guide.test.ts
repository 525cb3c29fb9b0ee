// The two clients of docs/stream.md, unchanged, follow the real stream: after a break, too, they have what `next-to-go`
// reports.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { hashApiKey } from '../../../../src/store/keys/keys';
import { createQuoteStore } from '../../../../src/store/polls/quotes';
import { type Served, serve } from '../../../support/api/served';
import { withoutAges } from '../../../support/api/without-ages';
import { python } from '../../../support/clients/tools';
import { Board, blockOf, follow, type WireRace } from '../../../support/docs/stream-board';
import { PATIENT_MS } from '../../../support/patient';
import { addRace } from '../../../support/races/board';
import { feedRunner, raceSnapshot } from '../../../support/races/builders';
import { type TcpLine, tcpLine } from '../../../support/servers/tcp-line';

const PATH = 'v1/racing/changes/stream';
/** A user's addition to the client in Python: each board that equals next-to-go, a line each. */
const PRINTS = `
import sys
board = Board()
follow(sys.argv[1], sys.argv[2], board, lambda _: print(json.dumps(list(board.races.values())), flush=True))
`;

let served: Served;
let key: string;
let raceId: string;
let folder: string;
/** Between the clients and the service. */
let line: TcpLine;
beforeAll(async () => {
  served = await serve({ streamBounds: { renewMs: 50 } });
  const runners = [feedRunner(1, { win: 3, place: 1.5 }), feedRunner(2, { win: 5 })];
  const race = { venue: 'Guidefield', startTime: '2026-11-21T05:00:00.000Z' };
  ({ raceId } = await addRace(served.db.pool, race, { tab: { runners } }));
  line = await tcpLine(served.api.url);
  folder = await mkdtemp(join(tmpdir(), 'stream-guide-'));
});
beforeEach(async () => {
  key = await served.addKey({ plan: 'enterprise' });
});
afterAll(async () => {
  await line.close();
  await rm(folder, { recursive: true, force: true });
  await served.stop();
});

let polls = 0;
const poll = (place: number) =>
  createQuoteStore(served.db.pool).savePoll({
    raceId,
    bookmakerKey: 'tab',
    fence: { epoch: 1, attempt: 1 },
    observedAt: new Date(Date.parse('2026-11-21T02:59:55.000Z') + polls++).toISOString(),
    bookAt: null,
    snapshot: raceSnapshot({ runners: [feedRunner(1, { win: 3, place }), feedRunner(2, { win: 5 })] }),
    marketStateSource: false,
    startSource: false,
  });

/**
 * Until the races that a client has are those of next-to-go; each look is five seconds later, so that freshness is due.
 */
async function untilEqual(has: () => Iterable<WireRace>): Promise<void> {
  const late = AbortSignal.timeout(PATIENT_MS);
  for (;;) {
    served.api.now += 5000;
    const { body } = await served.api.get('/v1/racing/next-to-go?num_races=200&hours_ahead=168', key);
    expect(body.length).toBeGreaterThan(0);
    const [theirs, ours] = [withoutAges(has()), withoutAges(body)];
    if (JSON.stringify(theirs) === JSON.stringify(ours)) return;
    if (late.aborted) expect(theirs).toEqual(ours);
    await new Promise((done) => setTimeout(done, 20));
  }
}

async function story(has: () => Iterable<WireRace>): Promise<void> {
  await untilEqual(has);
  await poll(1.7);
  await untilEqual(has);
  const later = `UPDATE races SET start_time = start_time + interval '1 minute' WHERE race_id = $1`;
  await served.db.pool.query(later, [raceId]);
  await untilEqual(has);
  await line.mend();
  await poll(1.8);
  await untilEqual(has);
  line.endInside('event: race');
  const ridden = `UPDATE race_runners SET jockey = coalesce(jockey, '') || 'A' WHERE race_id = $1 AND number = 2`;
  await served.db.pool.query(ridden, [raceId]);
  await untilEqual(has);
}

/** Their owners know why they end. */
const revoke = () =>
  served.db.pool.query('UPDATE api_keys SET revoked_at = now() WHERE key_hash = $1', [hashApiKey(key)]).then(() => {
    // A key is looked up again after half a minute.
    served.api.now += 60_000;
  });

test('the client in TypeScript', async () => {
  const board = new Board();
  const following = follow(line.url + PATH, key, board, () => {});
  const refused = expect(following).rejects.toThrow('unauthorized');
  await story(() => board.races.values());
  await revoke();
  await refused;
});

const withPython = python === null ? test.skip : test;

withPython('the client in Python', async () => {
  const file = join(folder, 'client.py');
  await writeFile(file, blockOf('python') + PRINTS);
  const child = spawn(python!, [file, line.url + PATH, key], { stdio: ['ignore', 'pipe', 'pipe'] });
  const errors = child.stderr.toArray();
  let races: readonly WireRace[] = [];
  createInterface(child.stdout).on('line', (line) => {
    races = JSON.parse(line);
  });
  const ended = once(child, 'exit');
  try {
    await story(() => {
      expect(child.exitCode).toBeNull();
      return races;
    });
    await revoke();
    expect((await ended)[0]).toBe(1);
    expect(Buffer.concat(await errors).toString()).toContain('Refused');
  } finally {
    child.kill();
  }
});
