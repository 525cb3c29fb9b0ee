// `bodies`: the largest push of sports, read on the thread that serves requests (counted, parsed, validated), against what that thread would
// still do if another one read it: take the parsed body over. Rounds alternate. Needs no server.
// Run: node --import tsx bench/bodies.ts [--rounds 15] [--matches 2000]
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { ENDPOINTS } from '../src/api/endpoints';
import { bodyReader } from '../src/api/input/body';
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

function millis<T>(work: () => T): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/** The longest time without a turn of the event loop until it is stopped. */
function watchTurns(): () => number {
  let most = 0;
  let last = performance.now();
  let isOver = false;
  const look = (): void => {
    const now = performance.now();
    most = Math.max(most, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  return () => {
    look();
    isOver = true;
    return most;
  };
}

async function bench(): Promise<void> {
  const body = { bookmaker_key: 'boostbet', events: Array.from({ length: Number(values.matches) }, matchOf) };
  const text = Buffer.from(JSON.stringify(body));
  const read = bodyReader(schema!, bodyBytes);
  const packed = serialize(body);
  const figures: { readonly read: number; readonly taken: number; readonly parsed: number; readonly turn: number }[] =
    [];
  for (let round = 0; round < Number(values.rounds) + 2; round++) {
    const request = Object.assign(Readable.from([text]), { headers: { 'content-type': 'application/json' } });
    const started = performance.now();
    const stop = watchTurns();
    const { problems } = await read(request as unknown as IncomingMessage);
    const turn = stop();
    const whole = performance.now() - started;
    if (round === 0 && problems.length > 0) throw new Error(JSON.stringify(problems[0]));
    const one = {
      turn,
      read: whole,
      taken: millis(() => deserialize(packed)),
      parsed: millis(() => JSON.parse(text.toString())),
    };
    // The first two warm up.
    if (round >= 2) figures.push(one);
  }
  const of = (pick: (one: (typeof figures)[number]) => number) => median(figures.map(pick));
  console.log(
    `${text.length} bytes: read in ${of((one) => one.read).toFixed(0)} ms, the longest turn ${of((one) => one.turn).toFixed(0)} (JSON.parse alone ${of((one) => one.parsed).toFixed(0)}), taken over in ${of((one) => one.taken).toFixed(0)} ms, ratio ${of((one) => one.taken / one.read).toFixed(2)}`,
  );
}

void bench();
