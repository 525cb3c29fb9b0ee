// The replay of the TypeScript client on the real service, through a connection that breaks. Never: an event that is
// lost or passed on twice, or a second charge.
import { Board, ConnectionError, OddsClient, type ReplayEvent } from '../../../clients/typescript/src/index.ts';
import { DAY, replays } from '../../api/operations/replay/replays';
import { tcpLine } from '../../support/servers/tcp-line';

const lab = replays();

test('the past comes whole and once through breaks, in the events that a board takes, and ends', async () => {
  const line = await tcpLine(lab.apis[0].url);
  const key = await lab.addKey();
  const expected = await lab.played(key, `?date=${DAY}&speed=max`);
  const paid = await lab.used(key);
  const lastIds: (string | null)[] = [];
  const client = new OddsClient({
    apiKey: key,
    baseUrl: line.url,
    maxRetries: 0,
    sleep: (ms) => new Promise((done) => setTimeout(done, Math.min(ms, 20))),
    fetch: (input, init) => {
      lastIds.push(new Headers(init!.headers).get('Last-Event-ID'));
      return fetch(input, init);
    },
  });
  const board = new Board();
  const events: ReplayEvent[] = [];
  const shown: number[] = [];
  const breaks = ['event: changes', 'event: gone', 'data: {"race_id"', '"reason":"jumped"', 'event: end'];
  line.endInside('event: race');
  try {
    for await (const batch of client.replay({ query: { date: DAY, speed: 'max' } })) {
      // A board keeps the objects that it gets, and changes them.
      events.push(...structuredClone(batch.events));
      board.apply(batch);
      shown.push(board.races.size);
      const next = breaks.shift();
      if (next) line.endInside(next);
    }
  } finally {
    await line.close();
  }
  expect(events.map(({ event, data }) => ({ event, data }))).toEqual(
    expected.map(({ event, data }) => ({ event, data })),
  );
  expect([Math.max(...shown), board.races.size]).toEqual([2, 0]);
  expect(lastIds.length).toBeGreaterThan(1);
  expect(lastIds.slice(1)).not.toContain(null);
  expect(await lab.used(key)).toBe(paid + 15);
});

test('a break before the first event is not charged again, and one before the answer is an error', async () => {
  const line = await tcpLine(lab.apis[0].url);
  const key = await lab.addKey();
  const expected = await lab.played(key, `?date=${DAY}&speed=max`);
  const client = new OddsClient({
    apiKey: key,
    baseUrl: line.url,
    maxRetries: 0,
    sleep: (ms) => new Promise((done) => setTimeout(done, Math.min(ms, 20))),
  });
  const names = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { events } of client.replay({ query: { date: DAY, speed: 'max' } }))
      found.push(...events.map(({ event }) => event));
    return found;
  };
  try {
    line.endInside('event: recorded');
    expect(await names()).toEqual(expected.map(({ event }) => event));
    expect(await lab.used(key)).toBe(30);
    line.endInside('HTTP/1.1 200');
    await expect(names()).rejects.toThrow(ConnectionError);
    expect(await lab.used(key)).toBe(45);
  } finally {
    await line.close();
  }
});

/** The same answer, line by line. */
async function inLines(answer: Promise<Response>): Promise<Response> {
  const { body, status, headers } = await answer;
  const lines = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      for (const line of Buffer.from(bytes)
        .toString('latin1')
        .split(/(?<=\n)/))
        controller.enqueue(Buffer.from(line, 'latin1'));
    },
  });
  return new Response(body!.pipeThrough(lines), { status, headers });
}

test('a break after which the service would charge again is an error: before the answer, or too late', async () => {
  const line = await tcpLine(lab.apis[0].url);
  const key = await lab.addKey();
  let nowMs = 0;
  const lastIds: (string | null)[] = [];
  const client = new OddsClient({
    apiKey: key,
    baseUrl: line.url,
    now: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
    },
    fetch: (input, init) => {
      lastIds.push(new Headers(init!.headers).get('Last-Event-ID'));
      return inLines(fetch(input, init));
    },
  });
  const played = async (workMs: readonly number[]): Promise<void> => {
    const work = [...workMs];
    for await (const _ of client.replay({ query: { date: DAY, speed: 'max' } })) nowMs += work.shift() ?? 0;
  };
  try {
    line.endInside('HTTP/1.1 200');
    await expect(played([])).rejects.toThrow(ConnectionError);
    // The rest of the answer was sent long before it was read.
    for (const work of [[1_200_000], [0, 300_000, 300_000]]) {
      line.endInside('"reason":"jumped"');
      await expect(played(work)).rejects.toThrow(ConnectionError);
    }
    expect([lastIds, await lab.used(key)]).toEqual([[null, null, null], 45]);
    line.endInside('"reason":"jumped"');
    await played([300_000]);
    expect([lastIds.slice(3), await lab.used(key)]).toEqual([[null, expect.any(String)], 60]);
  } finally {
    await line.close();
  }
});
