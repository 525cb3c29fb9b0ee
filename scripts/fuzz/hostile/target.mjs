// The API process under attack: measured by its watcher, restarted after it has ended, with its own log of internal
// failures.
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { bytesOf, keyHeader } from './requests.mjs';
import { setUp } from './setup.mjs';
import { Lost, watched } from './watched.mjs';
import { exchange } from './wire.mjs';

/** The line that Node writes for an uncaught error. */
const UNCAUGHT = /^(?:Uncaught )?\w*(?:Error|Exception)\b.*/gm;
const FAILED_INSIDE = /^API error: .*(?:\n\s+err: .*)?/gm;
const WARM_UP_ROUNDS = 5;
const STARTED_WITHIN_MS = 240_000;

/**
 * `start(abandoned)` returns a world with the `child` process; `abandoned` is the database of the process that ended.
 * @param {{ start: (abandoned: string | null) => Promise<any>, seed: number, stuckMs?: number }} options
 */
export async function createTarget({ start, seed, stuckMs }) {
  async function begin(abandoned) {
    const world = await start(abandoned);
    const inside = watched(world.child, stuckMs);
    const setup = await setUp(world, seed);
    const place = { host: new URL(world.url).hostname, port: Number(new URL(world.url).port) };
    await warmUp(place, setup);
    return { world, inside, setup, place, baseline: await inside.ask('heap', STARTED_WITHIN_MS) };
  }
  let current = await begin(null);

  return {
    place: () => current.place,
    setup: () => current.setup,
    ask: (name) => current.inside.ask(name),
    /** Bytes above the warm-up. */
    grown: async () => (await current.inside.ask('heap')) - current.baseline,
    /** The current size counts as the warm-up from now on, so that one growth is reported once. */
    async accept() {
      current.baseline = await current.inside.ask('heap');
    },
    /** The log lines about failures since the last call. */
    failures: failuresIn(() => current.world.log),
    /** How the process was lost; a new one has been started. */
    async again(error) {
      if (!(error instanceof Lost)) throw error;
      const { world, inside } = current;
      if (error.how === 'stuck') inside.kill();
      const reason =
        error.how === 'ended' ? (readFileSync(world.log, 'utf8').match(UNCAUGHT)?.at(-1) ?? world.reason()) : '';
      current = await begin(world.database ?? null);
      return error.how === 'ended'
        ? `ends the process: ${reason}`
        : 'leaves no turn to the event loop until it is killed';
    },
    log: () => current.world.log,
  };
}

// Every operation, page and file, plain and compressed: data that is cached or compiled once is not growth.
async function warmUp(place, { reading, writing }) {
  const pages = [
    '/',
    '/docs',
    '/docs/swagger-ui-bundle.js',
    '/docs/swagger-ui.css',
    '/openapi.json',
    '/openapi.yaml',
    '/healthz',
    '/nothing',
  ];
  const requests = [
    ...reading.map(({ target, key }) => ({ target, headers: [keyHeader(key)] })),
    ...reading.map(({ target, key }) => ({ target: `${target}?x=1`, headers: [keyHeader(key)] })),
    ...pages.flatMap((target) => [{ target }, { target, headers: [['Accept-Encoding', 'br']] }]),
    ...writing.map(({ target, key, example }) => ({
      method: 'POST',
      target,
      headers: [keyHeader(key), ['Content-Type', 'application/json']],
      body: JSON.stringify(example),
    })),
  ];
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1)
    for (const request of requests) await exchange(place, { sends: [bytesOf(request)], requests: [request] });
}

// Each process has its own log.
function failuresIn(log) {
  let file = '';
  let from = 0;
  return () => {
    if (file !== log()) [file, from] = [log(), 0];
    const text = textFrom(file, from);
    from += text.length;
    return [...text.matchAll(FAILED_INSIDE)].map(([lines]) => lines.replace(/^API error: |\{?\s*\n\s*err: ?/g, ''));
  };
}

function textFrom(file, from) {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(fstatSync(handle).size - from);
    readSync(handle, bytes, 0, bytes.length, from);
    return bytes.toString('latin1');
  } finally {
    closeSync(handle);
  }
}
