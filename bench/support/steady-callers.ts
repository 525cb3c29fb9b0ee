// Callers of the API at a fixed rate, in a process of their own: a call is sent when it is due, whether or not the one
// before it came back. Reports latencies on request: since the last `reset`, or since the last report of either kind.
// Run by `bench/panel.ts`.
import { Pool } from 'undici';

const PATHS = [
  '/v1/racing/next-to-go?num_races=10',
  '/v1/racing/best-odds?num_races=10',
  '/v1/racing/next-to-go?num_races=5&categories=horse',
  '/v1/racing/events?hours_ahead=3',
  '/v1/racing/best-odds?num_races=60',
];

interface Job {
  readonly url: string;
  readonly key: string;
  readonly perSecond: number;
}

const latenciesMs: number[] = [];
let failed = 0;

function run({ url, key, perSecond }: Job): void {
  const pool = new Pool(url, { connections: 64 });
  const startedMs = performance.now();
  let sent = 0;
  setInterval(() => {
    const due = Math.floor(((performance.now() - startedMs) / 1000) * perSecond);
    for (; sent < due; sent++) void call(pool, PATHS[sent % PATHS.length]!, key);
  }, 5);
}

async function call(pool: Pool, path: string, key: string): Promise<void> {
  const startedMs = performance.now();
  try {
    const reply = await pool.request({ path, method: 'GET', headers: { 'x-api-key': key } });
    await reply.body.arrayBuffer();
    if (reply.statusCode !== 200) failed++;
  } catch {
    failed++;
  }
  latenciesMs.push(performance.now() - startedMs);
}

let readTo = 0;

function latenciesOf(span: readonly number[]): { calls: number; failed: number; p50Ms: number; p99Ms: number } {
  const sorted = [...span].sort((a, b) => a - b);
  const at = (q: number): number => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
  return { calls: sorted.length, failed, p50Ms: at(0.5), p99Ms: at(0.99) };
}

// A bench that a signal ends does not end its callers.
process.once('disconnect', () => process.exit());
process.on('message', (message: Job | 'read' | 'reset') => {
  if (typeof message === 'object') return run(message);
  process.send!(latenciesOf(message === 'read' ? latenciesMs.slice(readTo) : latenciesMs));
  if (message === 'reset') {
    latenciesMs.length = 0;
    failed = 0;
  }
  readTo = latenciesMs.length;
});
