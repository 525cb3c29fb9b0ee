// Stored files over HTTP, on a test operation: conditions and parts (D32, D47).
import { get } from 'node:http';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { runs } from '../../../support/property';
import { until } from '../../../support/races/stream-lab';
import { BYTES, sentBodies, TAG } from './sent-bodies';

const bodies = sentBodies();
const { keys, key, trace, hung } = bodies;

const fetchFile = async (headers: Record<string, string> = {}, name = 'whole', method = 'GET') => {
  const response = await fetch(`${bodies.api.url}/v1/files/${name}`, {
    method,
    headers: { 'X-API-Key': key, ...headers },
  });
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, body };
};

describe('files', () => {
  test('are sent whole, with a strong tag over their bytes and no Content-Encoding', async () => {
    const { status, headers, body } = await fetchFile({ 'Accept-Encoding': 'gzip' });
    expect([status, headers.get('etag'), headers.get('accept-ranges')]).toEqual([200, TAG, 'bytes']);
    expect(headers.get('content-encoding')).toBeNull();
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('content-disposition')).toBe('attachment; filename="file.gz"');
    expect(body.equals(BYTES)).toBe(true);
    expect(trace).toEqual(['charge']);
  });

  test('that the client already has are a free 304, whatever the balance', async () => {
    bodies.isPoor = true;
    for (const tag of [TAG, `"x", ${TAG}`, `W/${TAG}`, '*']) {
      const { status, headers, body } = await fetchFile({ 'If-None-Match': tag, Range: 'bytes=0-9' });
      expect([status, headers.get('etag'), body.length]).toEqual([304, TAG, 0]);
    }
    expect(trace).toEqual([]);
    expect((await fetchFile({ 'If-None-Match': '"other"' })).status).toBe(402);
  });

  test('that the store never opens end when their clients leave, and release the key', async () => {
    const waiting = keys.add();
    const requests = [1, 2, 3, 4].map(() =>
      get(`${bodies.api.url}/v1/files/hung`, { agent: false, headers: { 'X-API-Key': waiting } }).on('error', () => {}),
    );
    await until(() => hung.length === 4);
    expect((await bodies.api.get('/v1/rows?rows=1', waiting)).status).toBe(429);
    for (const request of requests) request.destroy();
    await until(async () => (await bodies.api.get('/v1/rows?rows=1', waiting)).status === 200);
    const late = new PassThrough();
    hung[0]!(late);
    await until(() => late.destroyed);
  });

  test('are described to HEAD, which is free', async () => {
    const { status, headers } = await fetchFile({ Range: 'bytes=0-9' }, 'whole', 'HEAD');
    expect([status, headers.get('content-length'), headers.get('etag')]).toEqual([200, String(BYTES.length), TAG]);
    expect(trace).toEqual([]);
  });

  const size = BYTES.length;
  test.each([
    ['bytes=0-0', 0, 1],
    ['bytes=5-9', 5, 10],
    ['bytes=99990-', 99_990, size],
    ['bytes=-10', 99_990, size],
    ['bytes=-200000', 0, size],
    ['bytes=99999-200000', 99_999, size],
    ['bytes = 5 - 9', 5, 10],
  ])('%s is served as a part', async (Range, start, end) => {
    const { status, headers, body } = await fetchFile({ Range, 'If-Range': TAG });
    expect([status, headers.get('content-range')]).toEqual([206, `bytes ${start}-${end - 1}/${size}`]);
    expect(headers.get('content-length')).toBe(String(end - start));
    expect(body.equals(BYTES.subarray(start, end))).toBe(true);
  });

  test.each(['bytes=0-1,5-9', 'bytes=9-5', 'bytes=', 'bytes=-', 'rows=0-1', 'bytes=a-b'])(
    '%s is served as the whole file',
    async (Range) => {
      expect((await fetchFile({ Range })).status).toBe(200);
    },
  );

  test('a part of another version is served as the whole file', async () => {
    for (const ifRange of ['"other"', `W/${TAG}`, 'Sat, 21 Nov 2026 00:00:00 GMT'])
      expect((await fetchFile({ Range: 'bytes=0-9', 'If-Range': ifRange })).status).toBe(200);
  });

  test.each(['bytes=100000-', 'bytes=100000-100001', 'bytes=-0'])(
    '%s is past the end of the file, and free',
    async (Range) => {
      const { status, headers, body } = await fetchFile({ Range });
      expect([status, headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
      expect(JSON.parse(body.toString())).toMatchObject({ code: 'range_not_satisfiable' });
      expect(trace).toEqual([]);
    },
  );

  test('the parts joined equal the file', () =>
    fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: size - 1 }), { maxLength: 3 }), async (cuts) => {
        const ends = [...cuts.sort((a, b) => a - b), size];
        const parts: Buffer[] = [];
        for (const [i, end] of ends.entries())
          parts.push((await fetchFile({ Range: `bytes=${ends[i - 1] ?? 0}-${end - 1}` })).body);
        expect(Buffer.concat(parts).equals(BYTES)).toBe(true);
      }),
      { numRuns: runs(50) },
    ));

  test('that are missing are a free 503, and the charge of a file that breaks is refunded', async () => {
    expect((await fetchFile({}, 'lost')).status).toBe(503);
    expect(trace).toEqual([]);
    await expect(fetchFile({}, 'broken')).rejects.toThrow('terminated');
    await until(() => trace.includes('give back'));
  });

  test('that break while being charged are refunded, and the API continues', async () => {
    await expect(fetchFile({}, 'cut')).rejects.toThrow('fetch failed');
    await until(() => trace.includes('give back'));
    expect(trace).toEqual(['charge', 'give back']);
    bodies.onCharged = () => {};
    expect((await fetchFile()).status).toBe(200);
  });
});
