// `served`: every GET over a full card (150 races x 11 runners x 15 books), answers a second against a bare Koa route
// that sends the same bytes: Koa and one middleware that sets type and body, no router, no other header. Its data does
// not change. Each server and the client are processes of their own, over loopback, rounds alternating. Counted twice:
// answers a second, and the server's CPU an answer, which no other process on the machine can hide; an operation passes
// by both. Run: DATABASE_URL=… [REDIS_URL=…] node --import tsx bench/served.ts [--races 150] [--rounds 3] [--ms 1000]
// [--connections 8]
//   [--encodings identity,gzip] [--only name]. A round is not shorter than a second: an answer is computed anew once in
//   each.
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Endpoint } from '../src/api/kernel/endpoint/endpoint';
import { ENDPOINTS } from '../src/api/operations';
import { newKey } from '../test/support/api/api';
import { requestFor } from '../test/support/api/operation-requests';
import { createTestDatabase } from '../test/support/servers/database';
import { median } from './support/figures';
import { type FullCard, seedFullCard } from './support/full-card';
import { type LoadClient, startLoadClient } from './support/load';
import { type BareServer, type Server, startApiServer, startBareServer } from './support/servers';

const TARGET = 0.5;
const WARM_UP_MS = 500;

const { values } = parseArgs({
  options: {
    races: { type: 'string', default: '150' },
    rounds: { type: 'string', default: '3' },
    ms: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '8' },
    encodings: { type: 'string', default: 'identity,gzip' },
    only: { type: 'string' },
  },
});
const races = Number(values.races);
const rounds = Number(values.rounds);
const ms = Number(values.ms);
const connections = Number(values.connections);

interface Call {
  readonly name: string;
  readonly path: string;
}

interface Rig {
  readonly api: Server;
  readonly bare: BareServer;
  readonly client: LoadClient;
  readonly key: string;
}

interface Cell {
  readonly perSecond: number;
  readonly cpuMs: number;
  readonly busy: number;
}

async function bench(): Promise<void> {
  const db = await createTestDatabase();
  const client = startLoadClient();
  const servers: Server[] = [];
  try {
    const card = await seedFullCard(db.pool, races, Date.now());
    const key = newKey();
    const api = await startApiServer(db.url, key);
    const bare = await startBareServer();
    servers.push(api, bare);
    const rig = { api, bare, client, key };
    console.log(`served: ${races} races, ${connections} connections, ${rounds} alternating rounds of ${ms} ms`);
    for (const encoding of values.encodings.split(',')) await table(rig, callsOf(card), encoding);
  } finally {
    for (const server of servers) server.stop();
    client.stop();
    await db.drop();
  }
}

/** Every GET as the suites call it, and the two boards at their largest. */
function callsOf(card: FullCard): Call[] {
  const seeded = { next: card.live, final: card.final } as never;
  const gets = ENDPOINTS.filter((one) => one.method === 'get' && !one.path.includes('{') && !one.sendsEvents);
  // What changed since a moment ago: nothing.
  const more = new Map([['racing_changes', `since=${new Date().toISOString()}`]]);
  const pathOf = (one: Endpoint) =>
    more.has(one.operationId) ? `${one.path}?${more.get(one.operationId)}` : requestFor(one, seeded);
  const whole = (one: Endpoint) => [
    { name: one.operationId, path: pathOf(one) },
    ...(one.query && 'num_races' in one.query
      ? [
          {
            name: `${one.operationId}, ${races} races`,
            path: requestFor(one, seeded, `num_races=${races}&hours_ahead=48`),
          },
        ]
      : []),
  ];
  return gets.flatMap(whole).filter(({ name }) => name.startsWith(values.only ?? ''));
}

async function table(rig: Rig, calls: readonly Call[], encoding: string): Promise<void> {
  const judged = encoding === 'identity';
  console.log(
    `\nAccept-Encoding: ${encoding}${judged ? '' : ', for information: the reference sends the packed bytes'}`,
  );
  console.log(row('operation', 'bytes', 'served/s', 'bare/s', 'ratio', 'CPU ratio', 'busy', `target ${TARGET}`));
  for (const one of calls) {
    const { bytes, served, bare, ratio, cpuRatio } = await measure(rig, one, encoding);
    const passed = ratio >= TARGET && cpuRatio >= TARGET;
    if (judged && !passed) process.exitCode = 1;
    const figures = [bytes, whole(served.perSecond), whole(bare.perSecond), ratio.toFixed(2), cpuRatio.toFixed(2)];
    const busy = `${whole(served.busy * 100)}/${whole(bare.busy * 100)} %`;
    console.log(row(one.name, ...figures.map(String), busy, judged ? (passed ? 'PASS' : 'FAIL') : ''));
  }
}

async function measure(rig: Rig, { path }: Call, encoding: string) {
  const headers = { 'X-API-Key': rig.key, 'Accept-Encoding': encoding };
  const response = await fetch(rig.api.url + path, { headers: { ...headers, 'Accept-Encoding': 'identity' } });
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const body = Buffer.from(await response.arrayBuffer());
  const packed = encoding === 'gzip' && body.length >= 1024;
  await rig.bare.send(packed ? gzipSync(body) : body, packed ? 'gzip' : '');
  const cells = { api: [] as Cell[], bare: [] as Cell[] };
  for (const server of [rig.bare, rig.api])
    await rig.client.run({ url: server.url, path, headers, connections, ms: WARM_UP_MS });
  for (let round = 0; round < rounds; round++) {
    cells.bare.push(await cell(rig, rig.bare, path, headers));
    cells.api.push(await cell(rig, rig.api, path, headers));
  }
  // Round by round, so that other work on the machine affects both alike.
  const ratioOf = (figure: (cell: Cell) => number) =>
    median(cells.api.map((one, i) => figure(one) / figure(cells.bare[i]!)));
  return {
    bytes: body.length,
    served: middle(cells.api),
    bare: middle(cells.bare),
    ratio: ratioOf((one) => one.perSecond),
    cpuRatio: ratioOf((one) => 1 / one.cpuMs),
  };
}

async function cell({ client }: Rig, server: Server, path: string, headers: Record<string, string>): Promise<Cell> {
  const before = await server.cpuSeconds();
  const { answers, seconds } = await client.run({ url: server.url, path, headers, connections, ms });
  const cpu = (await server.cpuSeconds()) - before;
  return { perSecond: answers / seconds, cpuMs: (cpu * 1000) / answers, busy: cpu / seconds };
}

const middle = (cells: readonly Cell[]): Cell => ({
  perSecond: median(cells.map((one) => one.perSecond)),
  cpuMs: median(cells.map((one) => one.cpuMs)),
  busy: median(cells.map((one) => one.busy)),
});

const whole = (value: number): string => value.toFixed(0);
const WIDTHS = [34, 9, 10, 10, 7, 10, 11, 10];
const row = (...cells: string[]): string =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(WIDTHS[0]!) : cell.padStart(WIDTHS[i]!))).join('');

void bench();
