// Endlessly patient clients, against their own process: readers that read nothing, writers that never end, idle
// connections. Each must be disconnected in time, and the data that waits for it must not fill the memory.
import { setTimeout as sleep } from 'node:timers/promises';
import { megabytes } from './limits.mjs';
import { asked, bytesOf, keyHeader, posting } from './requests.mjs';
import { exchange, keepOpen, placeOf } from './wire.mjs';

const LOOK_MS = 1_000;
/** By then the work that they caused is done. */
const SETTLED_MS = 8_000;

const names = (count) => Array.from({ length: count }, (_, i) => `x${i.toString(36)}`).join('&');
const times = (count, request) => [Buffer.concat(Array.from({ length: count }, () => bytesOf(request)))];

/** `bounded`: must be disconnected; a client that is only slow may stay as long as it moves. */
function clientsOf({ writing, reading, keys }) {
  const [clv] = writing;
  const uptime = { target: '/v1/uptime' };
  const refused = { target: `${reading[0].target}?${names(2_500)}`, headers: [keyHeader(keys.free)] };
  const bundle = { target: '/docs/swagger-ui-bundle.js' };
  const head = bytesOf(posting(clv, null, { headers: [['Content-Length', '100000']] }));
  const chunks = bytesOf(posting(clv, null, { headers: [['Transfer-Encoding', 'chunked']] }));
  return [
    { name: 'readers that take nothing of a file', count: 30, sends: times(6, bundle) },
    {
      name: 'readers that take nothing of a packed file',
      count: 4,
      sends: times(4, { ...bundle, headers: [['Accept-Encoding', 'br']] }),
    },
    { name: 'readers that take nothing of a refusal', count: 80, sends: times(6, refused) },
    { name: 'heads without an end', count: 20, sends: [Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n')] },
    {
      name: 'heads that get a line a second',
      count: 20,
      sends: [Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n')],
      every: 'X: a\r\n',
    },
    { name: 'bodies without an end', count: 20, sends: [head] },
    { name: 'bodies that get a byte a second', count: 20, sends: [head], every: ' ' },
    { name: 'chunks that get a byte a second', count: 20, sends: [chunks], every: '1\r\n \r\n' },
    { name: 'connections that say nothing', count: 500, sends: [] },
    { name: 'connections that sent something once', count: 100, sends: [bytesOf(uptime)] },
  ];
}

export async function wearOut(battery) {
  const { target, limits, found, signal, progress } = battery;
  const figures = { connections: 0, keptAtEnd: 0, grownBytes: 0 };
  try {
    await progress.step('Waited for slow readers and writers to be let go', async () => {
      const kept = await openAll(target, figures);
      const since = Date.now();
      await sleep(SETTLED_MS, undefined, { signal });
      await judgeHeap('with them connected', battery, figures);
      await lookOn(kept, since, { target, limits, signal });
      judgeKept(kept, limits, found, figures);
      for (const { close } of kept) close();
      await serves(target, found);
      await sleep(limits.settleMs, undefined, { signal });
      await judgeHeap('when they are gone', battery, figures);
    });
  } catch (error) {
    found.add('patience', await target.again(error), 'slow readers and writers');
  }
  return figures;
}

async function openAll(target, figures) {
  const clients = clientsOf(target.setup());
  const each = clients.flatMap((client) => Array.from({ length: client.count }, () => client));
  const opened = each.map(async ({ name, count: _, ...how }, i) => ({
    name,
    ...(await keepOpen(placeOf(target.place(), i), how)),
  }));
  figures.connections = opened.length;
  return (await Promise.all(opened)).filter(({ port }) => port !== undefined);
}

async function judgeHeap(when, { target, limits, found }, figures) {
  const grownBytes = await target.grown();
  figures.grownBytes = Math.max(figures.grownBytes, grownBytes);
  if (grownBytes <= limits.grownBytes) return;
  const fault = `has more than ${megabytes(limits.grownBytes)} of memory in use`;
  found.add('patience', fault, `${megabytes(grownBytes)} ${when}`);
}

// Only the server knows which clients it disconnected: a client that reads nothing does not notice.
async function lookOn(kept, since, { target, limits, signal }) {
  while (kept.length > 0 && Date.now() - since < limits.letGoMs) {
    await sleep(LOOK_MS, undefined, { signal });
    const open = new Set(await target.ask('open'));
    for (const one of kept.filter(({ port }) => !open.has(port))) {
      one.close();
      kept.splice(kept.indexOf(one), 1);
    }
  }
}

function judgeKept(kept, limits, found, figures) {
  figures.keptAtEnd = kept.length;
  const counts = new Map();
  for (const { name } of kept) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [name, count] of counts)
    found.add('patience', `are still connected after ${limits.letGoMs / 1000} s`, `${count} ${name}`);
}

async function serves(target, found) {
  const request = { target: '/healthz' };
  const { answers, end } = await exchange(target.place(), { sends: [bytesOf(request)], requests: [asked(request)] });
  if (answers[0]?.status !== 200)
    found.add('patience', 'does not serve afterwards', `GET /healthz: ${answers[0]?.status ?? end}`);
}
