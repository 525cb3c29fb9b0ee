// A large body is judged in a thread. Never: another verdict, text or value than on the thread that serves requests; a
// body lost silently; a failure of the thread that reaches another body or the process; a body that waits after its
// sender has left.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { TSchema } from '@sinclair/typebox';
import fc from 'fast-check';
import { bodyReader } from '../../../../src/api/kernel/input/body';
import { bytesJudge, type ReadBody } from '../../../../src/api/kernel/input/judge-body';
import { createLargeBodies, type JudgeLarge } from '../../../../src/api/kernel/input/large/large-bodies';
import { createJoiner, type Slice, sendSlices } from '../../../../src/api/kernel/input/large/slices';
import { IngestPayload } from '../../../../src/api/operations/ingest/ingest-schema';
import { SportIngestPayload } from '../../../../src/api/operations/ingest/sport-ingest-schema';
import type { AppError } from '../../../../src/errors';
import { PATIENT_MS } from '../../../support/patient';
import { runs } from '../../../support/property';

const START = '2026-11-28T14:00:00+11:00';
const runner = (i: number) => ({ name: `Runner ${i}`, number: i + 1, win_price: 2 });
const race = (i: number) => ({
  source_id: `r${i}`,
  venue: 'Flemington',
  race_number: 1,
  category: 'horse',
  start_time: START,
  runners: [runner(0), runner(1)],
});
const selection = (i: number) => ({ name: `Team ${i}`, price: 1.9, point: i / 2 });
const market = (i: number) => ({ market_type: 'h2h', selections: [selection(i), selection(i + 1)] });
const event = (i: number) => ({
  source_id: `m${i}`,
  sport_key: 'nrl',
  home_team: `Home ${i}`,
  away_team: `Away ${i}`,
  commence_time: START,
  markets: [market(i), market(i + 1)],
});
const many = <T>(count: number, item: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => item(i));
const racing = (races: number) => ({ bookmaker_key: 'boostbet', races: many(races, race) });
const sports = (matches: number) => ({ bookmaker_key: 'boostbet', events: many(matches, event) });

const sender = (share = 'boostbet', signal = new AbortController().signal) => ({ share, signal, spend: () => {} });
const large = (schema: TSchema, bytes: Uint8Array) => ({ schema: JSON.stringify(schema), bytes });

/** Everything that a caller can see of a verdict. */
type Seen =
  | { readonly read: ReadBody }
  | { readonly code: string; readonly detail: string; readonly extensions: object };

async function seen(judge: () => ReadBody | Promise<ReadBody>): Promise<Seen> {
  try {
    const read = await judge();
    // A body whose problems were not counted is refused without further examination.
    return { read: read.unlisted === null ? { ...read, body: undefined } : read };
  } catch (error) {
    const { code, message: detail, extensions } = error as AppError;
    return { code, detail, extensions };
  }
}

function kindOf(one: Seen): 'accepted' | 'listed' | 'first' | 'refused' {
  if (!('read' in one)) return 'refused';
  if (one.read.problems.length === 0) return 'accepted';
  return one.read.unlisted === null ? 'first' : 'listed';
}

const here = (schema: TSchema, bytes: Uint8Array): Promise<Seen> => {
  const { judge, measure } = bytesJudge(schema);
  return seen(() => judge(bytes, measure(bytes)));
};

/** In the place of a value of the text, or of some of its bytes. */
const RAW = fc.constantFrom(
  ...[
    '-0',
    '1e400',
    '1E-400',
    '12345678901234567890',
    'null',
    'true',
    '""',
    '"x"',
    '[]',
    '{}',
    '[{}]',
    '{"a":1,"a":2}',
  ],
  ...[
    '"\\ud800"',
    '"\\u0000"',
    '"\\ud83d\\ude00"',
    `"${'x'.repeat(300)}"`,
    '{"__proto__":{"a":1}}',
    '1,"__proto__":[1]',
  ],
  ...['1,"source_id":"twice"', '1,"unknown":1', '{"toString":1}', '', '}', ',', '\ufeff', '"2026-11-28T03:00:00Z"'],
);

const seldom = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: one });

/** A body as text, with some of its values replaced, and perhaps truncated or with a wrong byte. */
const SENT = fc
  .record({
    isRacing: fc.boolean(),
    // The larger ones have more values than are judged completely.
    items: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 0, max: 4 }) }, fc.constantFrom(150, 260)),
    replaced: fc.array(fc.tuple(fc.nat(), RAW), { maxLength: 3 }),
    broken: seldom(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }))),
    cutAt: seldom(fc.nat()),
  })
  .map(({ isRacing, items, replaced, broken, cutAt }) => {
    let text = JSON.stringify(isRacing ? racing(items) : sports(items));
    for (const [at, raw] of replaced) {
      const values = [...text.matchAll(/(?<=:|\[|,)(?:"[^"]*"|[\d.]+)(?=[,}\]])/g)];
      const found = values[at % Math.max(1, values.length)];
      if (found) text = text.slice(0, found.index) + raw + text.slice(found.index + found[0].length);
    }
    const bytes = Buffer.from(text);
    if (broken) bytes[broken[0] % bytes.length] = broken[1];
    const sent = cutAt === null ? bytes : bytes.subarray(0, cutAt % bytes.length);
    return { schema: isRacing ? IngestPayload : SportIngestPayload, bytes: Uint8Array.from(sent) };
  });

describe('the verdict', () => {
  const judgeLarge = createLargeBodies();

  test('the thread’s verdict equals this process’s for every text and every value', async () => {
    const verdicts = { accepted: 0, listed: 0, first: 0, refused: 0 };
    const property = fc.asyncProperty(SENT, async ({ schema, bytes }) => {
      const [one, other] = [await here(schema, bytes), await seen(() => judgeLarge(large(schema, bytes), sender()))];
      expect(other).toEqual(one);
      // The order of members too.
      expect(JSON.stringify(other)).toBe(JSON.stringify(one));
      verdicts[kindOf(one)] += 1;
    });
    await fc.assert(property, { numRuns: runs(1000) });
    expect(Math.min(...Object.values(verdicts))).toBeGreaterThan(0);
  });

  test('is the same on both sides of the limits in bytes and values, and only large bodies go to the thread', async () => {
    const threaded: number[] = [];
    const judge: JudgeLarge = (body, by) => {
      threaded.push(body.bytes.length);
      return judgeLarge(body, by);
    };
    const read = (text: string) => {
      const request = Object.assign(Readable.from([Buffer.from(text)]), {
        headers: { 'content-type': 'application/json' },
      });
      const reader = bodyReader(SportIngestPayload, 4_194_304);
      return seen(() => reader(request as unknown as IncomingMessage, (body) => judge(body, sender())));
    };
    const texts = [sports(2), { ...sports(2), unknown: 1 }, sports(0)].map((body) => JSON.stringify(body));
    for (const text of texts) {
      const small = await read(text.padEnd(256_000));
      expect(threaded).toEqual([]);
      expect(await read(text.padEnd(256_001))).toEqual(small);
      expect(threaded.splice(0)).toEqual([256_001]);
    }
    const manyValues = JSON.stringify(sports(260));
    await read(manyValues);
    expect(threaded.splice(0)).toEqual([manyValues.length]);
    // Refused at the first count.
    await read(`{"events":${'['.repeat(200)}`);
    expect(threaded).toEqual([]);
  });
});

test('slices are small, whatever the shape of a value, and reassemble to the same value', () => {
  const property = fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 9 }), (value, most) => {
    for (const one of [value, JSON.parse('[{"__proto__":[-0,1e400,{}],"a":{"":[]}},{},[[]]]')]) {
      const slices: Slice[] = [];
      sendSlices(one, (slice) => slices.push(structuredClone(slice)), most);
      expect(Math.max(...slices.map(({ kinds }) => kinds.length))).toBeLessThanOrEqual(most);
      const joiner = createJoiner();
      for (const slice of slices) joiner.add(slice);
      expect(joiner.value()).toEqual(one);
      expect(JSON.stringify(joiner.value())).toBe(JSON.stringify(one));
    }
  });
  fc.assert(property, { numRuns: runs(500) });
});

describe('a thread that fails', () => {
  /** Does what the first byte specifies, and accepts with the processor time of the second. */
  const FAULTY = `
    const { parentPort } = require('node:worker_threads');
    parentPort.on('message', ({ bytes, slices }) => {
      const fault = bytes[0];
      if (fault === 1) process.exit(0);
      if (fault === 2) throw new Error('a defect');
      if (fault === 3) for (;;);
      if (fault === 4) for (const all = []; ; ) all.push(new Array(1000).fill(0.5));
      slices.postMessage({ kinds: Int32Array.of(0), primitives: [bytes[1]], names: [] });
      parentPort.postMessage({ verdict: { read: { problems: [], unlisted: 0, slices: 1 } }, workMs: 1 });
    });`;
  const HEAP = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };
  const threads: Worker[] = [];
  const start = () => {
    threads.push(new Worker(FAULTY, { eval: true, resourceLimits: HEAP }));
    return threads.at(-1)!;
  };
  /** Whether or not by an error. */
  const ended = (thread: Worker) => new Promise((done) => thread.once('exit', done));
  const body = (fault: number, value: number) =>
    large({ type: 'object' } as unknown as TSchema, Uint8Array.of(fault, value));

  test('gives a free 503 to its own body; every other body gets its verdict, and none is forgotten', async () => {
    const times = { idleMs: PATIENT_MS, longestMs: PATIENT_MS };
    const FAULTS = fc.array(fc.tuple(fc.constantFrom(0, 0, 0, 1, 2, 4), fc.constantFrom('a', 'b', 'c')), {
      maxLength: 10,
    });
    const property = fc.asyncProperty(FAULTS, async (sent) => {
      const judge = createLargeBodies(start, times);
      const counts = new Map<string, number>();
      const answers = sent.map(async ([fault, share], i) => {
        const nth = (counts.get(share) ?? 0) + 1;
        counts.set(share, nth);
        return [fault, nth, await seen(() => judge(body(fault, i), sender(share))), i] as const;
      });
      for (const [fault, nth, answer, i] of await Promise.all(answers)) {
        if ('read' in answer) expect([fault, answer.read.body]).toEqual([0, i]);
        else {
          expect(answer.code).toBe('unavailable');
          expect(answer.extensions).toEqual({ retry_after_seconds: expect.any(Number) });
          // One is judged, four wait.
          expect(fault > 0 || nth > 4).toBe(true);
        }
      }
    });
    await fc.assert(property, { numRuns: runs(30) });
    await Promise.all(threads.splice(0).map((thread) => thread.terminate()));
  });

  test('between two bodies affects neither', async () => {
    const judge = createLargeBodies(start, { idleMs: PATIENT_MS, longestMs: PATIENT_MS });
    expect(await seen(() => judge(body(0, 1), sender()))).toMatchObject({ read: { body: 1 } });
    const over = ended(threads.at(-1)!);
    threads.at(-1)!.postMessage(body(2, 0));
    await over;
    expect(await seen(() => judge(body(0, 2), sender()))).toMatchObject({ read: { body: 2 } });
    await threads.at(-1)!.terminate();
  });

  test('by never ending is ended; the next body has a new one', async () => {
    const times = { idleMs: PATIENT_MS, longestMs: 1 };
    const judge = createLargeBodies(start, times);
    const spent: number[] = [];
    const paying = { ...sender(), spend: (ms: number) => void spent.push(ms) };
    expect(await seen(() => judge(body(3, 1), paying))).toMatchObject({ code: 'unavailable' });
    // It pays for the time.
    expect(spent).toEqual([expect.any(Number)]);
    times.longestMs = PATIENT_MS;
    expect(await seen(() => judge(body(0, 2), sender()))).toMatchObject({ read: { body: 2 } });
    await threads.at(-1)!.terminate();
  });

  test('to start gives a 503 too, and is retried', async () => {
    let starts = 0;
    const broken = () => new Worker(starts++ === 0 ? '/no/such/thread.js' : FAULTY, { eval: starts > 1 });
    const judge = createLargeBodies(broken, { idleMs: 0, longestMs: PATIENT_MS });
    expect(await seen(() => judge(body(0, 1), sender()))).toMatchObject({ code: 'unavailable' });
    expect(await seen(() => judge(body(0, 2), sender()))).toMatchObject({ read: { body: 2 } });
  });

  test('a thread exists only when needed: it starts with a body and ends after an idle time', async () => {
    threads.length = 0;
    const judge = createLargeBodies(start, { idleMs: 1, longestMs: PATIENT_MS });
    expect(threads).toEqual([]);
    await judge(body(0, 1), sender());
    await ended(threads[0]!);
    await judge(body(0, 1), sender());
    expect(threads.length).toBe(2);
  });

  test('a body whose sender has left is not judged, and a finished verdict is discarded', async () => {
    const judge = createLargeBodies(start, { idleMs: 0, longestMs: PATIENT_MS });
    const gone = new AbortController();
    const reason = new Error('the client left');
    const spent: string[] = [];
    const by = (name: string, signal?: AbortSignal) => ({ ...sender('a', signal), spend: () => void spent.push(name) });
    const running = judge(body(0, 1), by('running', gone.signal));
    const waiting = judge(body(0, 2), by('waiting', gone.signal));
    const staying = judge(body(0, 3), by('staying'));
    await turn();
    gone.abort(reason);
    await expect(running).rejects.toBe(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(await staying).toMatchObject({ body: 3 });
    expect(spent).toEqual(['running', 'staying']);
  });
});

test('the thread that a process starts from its sources judges the worst bodies in half of its heap, and keeps no process alive', async () => {
  const args = ['--import', 'tsx', 'test/support/api/judge-worst-bodies.ts'];
  const child = spawn(process.execPath, args, { cwd: join(__dirname, '../../../..'), stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([2, null]);
});
