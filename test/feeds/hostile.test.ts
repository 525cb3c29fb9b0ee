// Every connector with replies in which one thing is wrong, anywhere and in any way: no mapper throws, what is
// published can be stored and sent, and a bad row costs no more than its absence. The replies are the simulator's own,
// spoilt one node at a time. Each node gets a few of the values, and others with another PROPERTY_SEED.
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { FeedEndpoint, FeedReply } from '../../src/feeds/feed';
import { createSimulator, type Simulator } from '../../src/simulator/http/server';
import { PATIENT_MS } from '../support/patient';
import { runs } from '../support/property';
import { type BookServer, startBookServer } from './support/book-server';
import { value } from './support/book-under-test';
import { type Call, HOST_CASES, NOW, piecesOf, totalOf } from './support/host-cases';
import { unpublishable } from './support/publishable';
import { GONE, HOSTILE, nodesOf, type Path, rowAround, shown, spoilt, spoiltPages, thinned } from './support/spoilt';

const TURN = Number(process.env.PROPERTY_SEED ?? 1);
/** Each node of a long reply gets one value, of a short one two; of a page so many places get one. */
const LONG = 100;
const PLACES = runs(15, 8);

interface Cached {
  readonly type: string;
  readonly status: number;
  readonly body: string;
}

let simulator: Simulator;
let simulated: string;
let host: BookServer;

beforeAll(async () => {
  simulator = createSimulator({ seed: 'a', now: () => NOW });
  simulated = await simulator.listen(0);
  host = await startBookServer();
});
afterAll(async () => {
  await host.close();
  await simulator.close();
});

describe.each(HOST_CASES)('$key', ({ key, caches = false, calls }) => {
  const cached = new Map<string, Cached>();
  let thin = false;

  /** The simulator's first replies, except for one. */
  function answer(instead?: { readonly of: string; readonly body: string }): void {
    host.answer(async (request, response) => {
      const sent = request.method === 'POST' ? await text(request) : '';
      const url = `${request.url} ${sent}`;
      if (!cached.has(url)) cached.set(url, await forwarded(request, sent));
      const { type, status, body } = cached.get(url)!;
      response
        // A connector of a single call leaves no connection open.
        .writeHead(status, { 'content-type': type, ...(caches && { connection: 'close' }) })
        .end(instead?.of === url ? instead.body : body);
    });
  }

  async function forwarded(request: IncomingMessage, sent: string): Promise<Cached> {
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
    const init = { method: request.method!, headers, ...(sent !== '' && { body: sent }) };
    const reply = await fetch(`${simulated}/${key}${request.url}`, init);
    const type = reply.headers.get('content-type')!;
    const body = await reply.text();
    return {
      type,
      status: reply.status,
      body: isJson(type) && thin ? JSON.stringify(thinned(JSON.parse(body))) : body,
    };
  }

  async function replyOf(
    call: Call,
    instead?: { readonly of: string; readonly body: string },
  ): Promise<FeedReply<unknown>> {
    answer(instead);
    return call();
  }

  test('one thing wrong', async () => {
    const endpoint: FeedEndpoint = {
      baseUrl: host.url,
      contact: 'ops@example.org',
      partner: 'example',
      timeoutMs: PATIENT_MS,
    };
    answer();
    const all = await calls(endpoint, () => NOW);
    const faults: string[] = [];
    for (const [name, call] of Object.entries(all)) {
      thin = name.includes('list');
      cached.clear();
      const whole = await replyOf(call);
      faults.push(...unpublishable(value(whole)).map((fault) => `${name}: ${fault}`));
      for (const [of, { type, body, status }] of [...cached].filter((_, i) => i < 2)) {
        if (status !== 200) continue;
        const spoil = isJson(type) ? spoilJson : spoilPage;
        const found = await spoil(body, whole, (instead) => replyOf(call, { of, body: instead }));
        faults.push(...found.map((fault) => `${name}: ${fault}`));
      }
    }
    expect(faults).toEqual([]);
  });
});

/**
 * Fields by which a row is of another kind or day, or has its prices elsewhere: rows that they deselect are not lost.
 */
const CHOOSES: ReadonlySet<unknown> = new Set(['type', 'marketType', 'meetingDate', 'id']);

type ReplyTo = (body: string) => Promise<FeedReply<unknown>>;

async function spoilPage(html: string, _: unknown, replyTo: ReplyTo): Promise<string[]> {
  const faults: string[] = [];
  for (const page of spoiltPages(html, PLACES, TURN)) faults.push(...unfitIn(await replyTo(page)));
  return faults;
}

async function spoilJson(body: string, whole: FeedReply<unknown>, replyTo: ReplyTo): Promise<string[]> {
  const document: unknown = JSON.parse(body);
  const withSpoilt = (path: Path, by: unknown) => replyTo(JSON.stringify(spoilt(document, path, by)));
  const withoutRow = new Map<string, Promise<number>>();
  const faults: string[] = [];
  const nodes = nodesOf(document);
  for (const [i, path] of nodes.entries()) {
    const row = rowAround(path);
    const name = row?.join() ?? '';
    if (row && !withoutRow.has(name))
      withoutRow.set(
        name,
        withSpoilt(row, GONE).then((reply) => lost(whole, reply)),
      );
    const bearable =
      row && !CHOOSES.has(path.at(-1)) ? Math.max(1, await withoutRow.get(name)!) : Number.POSITIVE_INFINITY;
    for (let nth = 0; nth < (nodes.length > LONG ? 1 : 2); nth++) {
      const by = HOSTILE[(i * 11 + nth * 7 + TURN) % HOSTILE.length];
      const reply = await withSpoilt(path, by);
      const found = [...unfitIn(reply), ...lostTooMuch(whole, reply, bearable, by)];
      faults.push(...found.map((fault) => `${path.join('.')} = ${shown(by)}: ${fault}`));
    }
  }
  return faults;
}

/** A mapper that throws shows as a network failure. */
function unfitIn(reply: FeedReply<unknown>): string[] {
  if (reply.kind === 'ok') return unpublishable(reply.value);
  return reply.kind === 'failed' && reply.reason === 'network' ? [reply.detail] : [];
}

function lostTooMuch(whole: FeedReply<unknown>, reply: FeedReply<unknown>, bearable: number, by: unknown): string[] {
  const cost = lost(whole, reply);
  if (cost > bearable) return [`costs ${cost}, the row's absence ${bearable}`];
  const missing = bearable === 1 && by !== GONE && reply.kind === 'ok' && pieces(reply).length < pieces(whole).length;
  return missing && droppedBy(reply) <= droppedBy(whole) ? ['not counted'] : [];
}

const isJson = (type: string): boolean => type.startsWith('application/json');
const pieces = (reply: FeedReply<unknown>): string[] => (reply.kind === 'ok' ? piecesOf(reply.value) : []);
const droppedBy = (reply: FeedReply<unknown>): number => (reply.kind === 'ok' ? totalOf(reply.dropped) : 0);

/** How many pieces of the whole reply are missing or changed. */
function lost(whole: FeedReply<unknown>, reply: FeedReply<unknown>): number {
  const there = new Set(pieces(reply));
  return pieces(whole).filter((piece) => !there.has(piece)).length;
}
