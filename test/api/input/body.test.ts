// Bodies that no client of ours would send: each is refused with its own status, and the process goes on.
import { gzipSync } from 'node:zlib';
import type { Reads } from '../../../src/store/reads/reads';
import { memoryKeys, startApi, type TestApi } from '../../support/api/api';

const keys = memoryKeys();
const key = keys.add();
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ reads: {} as Reads, keys });
});
afterAll(() => api.close());

const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  api.send('POST', '/v1/racing/clv', { key, body, headers: { 'Content-Type': 'application/json', ...headers } });

describe('Content-Encoding', () => {
  test.each([...Object.getOwnPropertyNames(Object.prototype), 'zstd', 'gzip, br'])('%s is a 415', async (name) => {
    const { status, body, headers } = await post('{}', { 'Content-Encoding': name });
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
    expect(headers.get('accept-encoding')).toBe('gzip, deflate, br');
    // The rest of the body is read after the response: what fails there fails by now.
    expect((await api.get('/v1/nothing')).status).toBe(404);
  });
  test('a body that is not encoded as it states is a 422', async () => {
    const { status, body } = await post('{}', { 'Content-Encoding': 'gzip' });
    expect([status, body.errors[0].detail]).toEqual([422, 'The body does not match its Content-Encoding.']);
    expect((await post(new Uint8Array(gzipSync('{}')), { 'Content-Encoding': 'gzip' })).status).toBe(422);
  });
});
