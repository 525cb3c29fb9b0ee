// Live calls beside clients that ask for a long file and then read nothing: what they wait, against what they wait
// without those clients.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { createStores } from '../../../src/store/create-stores';
import { hashApiKey } from '../../../src/store/keys/keys';
import { PRICE_PATH_LINES } from '../../../src/store/reads/archive/csv/price-paths';
import { keyRow, newKey } from '../../../test/support/api/api';
import { median } from '../figures';
import { seedFullCard } from '../full-card';
import { growthOf } from '../resident';
import { startApiServer } from '../servers';
import type { Sizes } from './calls';
import { bytesOf } from './files';
import { dayOf } from './generated-days';
import { line } from './report';

const LONG_FILE = `/v1/racing/price-paths?from=${dayOf(0)}&to=${dayOf(6)}&format=csv&limit=200000`;
const READERS = 20;
/** As many downloads as one key may have under way. */
const OF_A_KEY = 4;
const CALLS_A_SECOND = 50;
const LIVE_RACES = 40;
const PHASE_MS = 8000;
/** Streams of stalled readers send no statement for so long once the buffers of their connections are full. */
const SETTLED_MS = 2000;
const LOOK_EVERY_MS = 200;

export async function measureReaders({ large, rounds }: Sizes): Promise<void> {
  await seedFullCard(large.pool, LIVE_RACES, Date.now(), LIVE_RACES);
  const { keys } = createStores(large.pool);
  const readerKeys = Array.from({ length: READERS / OF_A_KEY }, newKey);
  for (const one of readerKeys) await keys.insert(hashApiKey(one), keyRow(one, { plan: 'plus' }));
  const key = newKey();
  const server = await startApiServer(large.url, key);
  const callers = fork(join(__dirname, '../steady-callers.ts'), { execArgv: ['--import', 'tsx'] });
  let readers: Socket[] = [];
  const p99 = async (): Promise<number> => {
    callers.send('reset');
    await once(callers, 'message');
    await sleep(PHASE_MS);
    callers.send('reset');
    const [{ p99Ms, failed }] = (await once(callers, 'message')) as [{ p99Ms: number; failed: number }];
    if (failed > 0) throw new Error(`${failed} live calls failed`);
    return p99Ms;
  };
  try {
    callers.send({ url: server.url, key, perSecond: CALLS_A_SECOND });
    await bytesOf(server.url + LONG_FILE, key);
    await p99();
    const growth = growthOf(server.pid);
    const [beside, alone]: [number[], number[]] = [[], []];
    for (let round = 0; round < Math.min(rounds, 3); round++) {
      alone.push(await p99());
      readers = readerKeys.flatMap((one) => Array.from({ length: OF_A_KEY }, () => stalled(server.url, one)));
      // Before that they have sent no statement that could settle.
      await Promise.all(readers.map((reader) => once(reader, 'pause')));
      await settled(large.pool);
      beside.push(await p99());
      if (readers.some(({ destroyed }) => destroyed))
        throw new Error('a stalled reader was cut off while it was counted');
      for (const reader of readers.splice(0)) reader.destroy();
      await settled(large.pool);
    }
    const ratio = median(beside.map((ms, i) => ms / alone[i]!));
    const figures = `${median(beside).toFixed(0)} ms, without them ${median(alone).toFixed(0)} ms`;
    line(`p99 of live calls beside ${READERS} stalled readers`, figures, ratio, ['at most', 1.3]);
    line('  resident memory of the API', 'MB above what it had after one whole file', growth.megabytes(), [
      'at most',
      64,
    ]);
  } finally {
    for (const reader of readers) reader.destroy();
    callers.kill();
    server.stop();
  }
}

/** The server keeps only the beginning of a statement. */
const STATEMENTS = `
  SELECT count(*) FILTER (WHERE state = 'active' OR state_change > clock_timestamp() - $1::integer * interval '1 ms') AS busy
    FROM pg_stat_activity WHERE datname = current_database() AND starts_with(query, $2)`;
const STREAMED = PRICE_PATH_LINES.text.slice(0, 80);

async function settled(pool: Pool): Promise<void> {
  for (;;) {
    await sleep(LOOK_EVERY_MS);
    const { rows } = await pool.query<{ busy: number }>(STATEMENTS, [SETTLED_MS, STREAMED]);
    if (rows[0]!.busy === 0) return;
  }
}

/** Its first bytes are taken, and no more. */
function stalled(url: string, key: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${LONG_FILE} HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${key}\r\n\r\n`);
  socket.once('data', (chunk: Buffer) => {
    socket.pause();
    const head = chunk.toString('latin1', 0, 15);
    if (head !== 'HTTP/1.1 200 OK') socket.destroy(new Error(head));
  });
  return socket.on('error', () => undefined);
}
