// The beginning of a replay: its answer begins with an id, so that a break at any byte after it costs nothing. Never: a
// second charge for one replay, or a replay for free whose credits were given back.
import fc from 'fast-check';
import { createReads } from '../../../../src/store/reads/reads';
import { named } from '../../../support/api/stream-client';
import { runs } from '../../../support/property';
import { until } from '../../../support/races/stream-lab';
import { DAY, HERE, replays } from './replays';

const lab = replays();
const { start, addKey, open, played, used } = lab;
const MAX = `?date=${DAY}&speed=max`;

/** At least so many bytes of the answer; the rest is lost. */
async function bytesOf(key: string, least: number, lastEventId: string): Promise<string> {
  const left = new AbortController();
  const headers = { 'X-API-Key': key, ...(lastEventId !== '' && { 'Last-Event-ID': lastEventId }) };
  const response = await fetch(`${lab.apis[0].url}${HERE}${MAX}`, { headers, signal: left.signal });
  let text = '';
  for await (const bytes of response.body!) {
    text += Buffer.from(bytes).toString();
    if (text.length >= least) break;
  }
  left.abort();
  return text.slice(0, least);
}

const BLOCK = /(?:event: (?<event>\w+)\n)?id: (?<id>.*)\n(?:data: (?<data>.*)\n|retry: \d+\n)\n/g;

test('it is whole and charged once, wherever it breaks off', async () => {
  const reader = await addKey('scale');
  const all = (await played(reader, MAX)).map(({ event, data }) => [event, data]);
  const whole = await bytesOf(reader, Number.POSITIVE_INFINITY, '');
  const head = whole.indexOf('\n\n') + 2;
  expect(whole.slice(0, head)).toMatch(/^id: \S.*\nretry: \d+\n\n$/);
  const seen = { before: 0, after: 0 };
  const near = fc.integer({ min: 0, max: 200 });
  const breaks = fc.array(fc.oneof(near, fc.integer({ min: 0, max: whole.length })), { minLength: 1, maxLength: 3 });
  const check = async (cuts: readonly number[]) => {
    const key = await addKey();
    const got: unknown[] = [];
    let lastId = '';
    for (const cut of [...cuts.map((one) => head + one), Number.POSITIVE_INFINITY]) {
      const blocks = [...(await bytesOf(key, cut, lastId)).matchAll(BLOCK)].map(({ groups }) => groups!);
      lastId = blocks.at(-1)!.id!;
      const events = blocks.filter(({ data }) => data !== undefined);
      got.push(...events.map(({ event, data }) => [event, JSON.parse(data!)]));
      seen[got.length === 0 ? 'before' : 'after'] += 1;
      if (got.length >= all.length) break;
    }
    expect(got).toEqual(all);
    expect(await used(key)).toBe(15);
  };
  await fc.assert(fc.asyncProperty(breaks, check), { numRuns: runs(25), examples: [[[0]], [[0, 3, 200]]] });
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});

test('a failure before the first event gives the credits back, and its id goes on for nothing less', async () => {
  const reads = createReads(lab.pool);
  let failures = 1;
  const racesToReplay: typeof reads.archive.racesToReplay = async (...args) => {
    if (failures-- > 0) await lab.pool.query('SELECT no_such_column');
    return reads.archive.racesToReplay(...args);
  };
  const api = await start({ reads: { ...reads, archive: { ...reads.archive, racesToReplay } } });
  const all = await played(await addKey(), MAX);
  // It has not paid for what this id is of: the rest is charged, and must be read before its first event.
  const key = await addKey();
  try {
    const failed = await open(key, MAX, all[1]!.id, api);
    await failed.ended;
    expect([failed.headers.get('x-credits-cost'), ...failed.events.map(({ event }) => event)]).toEqual(['15', 'error']);
    await until(async () => (await used(key)) === 0);
    const rest = await open(key, MAX, failed.lastEventId, api);
    await rest.until(named('end'));
    expect(rest.events.map(({ event, data }) => [event, data])).toEqual(
      all.slice(2).map((one) => [one.event, one.data]),
    );
    expect([rest.headers.get('x-credits-cost'), await used(key)]).toEqual(['15', 15]);
  } finally {
    await api.close();
  }
});
