// `bodies`: the largest push of sports: what it takes of the thread that serves requests (its processor time and its
// longest turn) while another thread judges it, against judging it on that thread. Rounds alternate. Needs no server.
// Run: node --import tsx bench/bodies.ts [--rounds 15] [--matches 2000]
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { bodyReader } from '../src/api/kernel/input/body';
import { bytesJudge } from '../src/api/kernel/input/judge-body';
import { createLargeBodies } from '../src/api/kernel/input/large/large-bodies';
import { createWorkMeter, Work } from '../src/api/kernel/work/work-meter';
import { ENDPOINTS } from '../src/api/operations';
import { median } from './support/figures';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, matches: { type: 'string', default: '2000' } },
});
const { body: schema, bodyBytes } = ENDPOINTS.find(({ operationId }) => operationId === 'ingest_sport_prices')!;
const START_MS = Date.parse('2026-11-28T00:00:00Z');

/** As many as a push may have: 60,000 in all. */
const LINES = 15;

const matchOf = (_: unknown, i: number) => {
  const [home, away] = [`Home ${i}`, `Away ${i}`];
  const line = (point: number) =>
    [home, away].map((name, k) => ({ name, price: 1.9, point: k === 0 ? point : -point }));
  return {
    source_id: `m${i}`,
    sport_key: 'nrl',
    home_team: home,
    away_team: away,
    commence_time: new Date(START_MS + i * 60_000).toISOString(),
    markets: [{ market_type: 'spreads', selections: Array.from({ length: LINES }, (__, k) => line(k - 7.5)).flat() }],
  };
};

interface Figures {
  /** Processor time of this thread. */
  readonly workMs: number;
  readonly turnMs: number;
}

const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

async function measured(work: () => Promise<unknown>): Promise<Figures> {
  const meter = createWorkMeter();
  const one = new Work();
  const before = threadMs();
  await meter.measure(one, work);
  const workMs = threadMs() - before;
  meter.close();
  return { workMs, turnMs: one.longestTurnMs };
}

function waysOf(bytes: Buffer) {
  const { measure, judge } = bytesJudge(schema!);
  const read = bodyReader(schema!, bodyBytes);
  const judgeLarge = createLargeBodies();
  const spent: number[] = [];
  const sender = { share: 'b', signal: new AbortController().signal, spend: (ms: number) => void spent.push(ms) };
  const headers = { 'content-type': 'application/json' };
  return {
    spent,
    apart: () => {
      const request = Object.assign(Readable.from([bytes]), { headers }) as unknown as IncomingMessage;
      return read(request, (body) => judgeLarge(body, sender));
    },
    here: async () => judge(bytes, measure(bytes)),
  };
}

async function bench(): Promise<void> {
  const events = Array.from({ length: Number(values.matches) }, matchOf);
  const bytes = Buffer.from(JSON.stringify({ bookmaker_key: 'boostbet', events }));
  const { apart, here, spent } = waysOf(bytes);
  const figures: { readonly apart: Figures; readonly here: Figures }[] = [];
  // The thread keeps no process alive.
  const open = setInterval(() => {}, 1000);
  for (let round = 0; round < Number(values.rounds) + 2; round++) {
    const one = { apart: await measured(apart), here: await measured(here) };
    // The first two warm up.
    if (round >= 2) figures.push(one);
  }
  clearInterval(open);
  const of = (pick: (one: (typeof figures)[number]) => number) => median(figures.map(pick)).toFixed(0);
  const { problems } = await here();
  if (problems.length > 0) throw new Error(JSON.stringify(problems[0]));
  console.log(
    `${bytes.length} bytes, of the thread that serves requests: ${of((one) => one.apart.workMs)} ms, the longest turn ${of((one) => one.apart.turnMs)}, while another works ${median(spent).toFixed(0)} ms; judged on it: ${of((one) => one.here.workMs)} ms, the longest turn ${of((one) => one.here.turnMs)}; ratio ${median(figures.map((one) => one.apart.workMs / one.here.workMs)).toFixed(2)}`,
  );
}

void bench();
