// Operations that stream rows, send a table in each format and serve a stored file, over HTTP without a database, and
// the charge for each.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import { type Endpoint, endpoint, flat } from '../../../../src/api/kernel/endpoint/endpoint';
import type { Meter } from '../../../../src/api/kernel/endpoint/meter';
import { ROW_TYPES, type RowFormat, rowsReply } from '../../../../src/api/kernel/http/response/rows';
import { rowSchema } from '../../../../src/api/operations/archive/pages/columns';
import { oneOf } from '../../../../src/api/wire/vocabulary';
import { AppError } from '../../../../src/errors';
import type { Column, Row } from '../../../../src/row-files/columns';
import { rowObjects } from '../../../../src/row-files/json';
import type { Reads } from '../../../../src/store/reads/reads';
import { memoryKeys, startApi, type TestApi } from '../../../support/api/api';

export const ROW = `${'x'.repeat(1023)}\n`;
export const BYTES = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 251));
const sha256 = createHash('sha256').update(BYTES).digest('hex');
export const TAG = `"${sha256}"`;

export const COLUMNS: readonly Column[] = [
  { name: 'seen_at', type: 'instant', nullable: false, description: 'When.' },
  { name: 'day', type: 'day', nullable: true, description: 'Day.' },
  { name: 'who', type: 'text', nullable: true, description: 'Who.' },
  { name: 'price', type: 'number', nullable: true, description: 'Price.' },
  { name: 'count', type: 'integer', nullable: false, description: 'Count.' },
  { name: 'size', type: 'long', nullable: false, description: 'Size.' },
  { name: 'out', type: 'boolean', nullable: false, description: 'Out.' },
];
export const TABLE: readonly Row[] = [
  ['2026-11-20T01:00:00.000Z', '2026-11-20', 'O’Brien, "The"', 2.4, 1, 4_000_000_000n, true],
  ['2026-11-20T01:00:00.123Z', null, null, null, -1, 7n, false],
];

interface SentBodies {
  api: TestApi;
  /** It cuts a client that reads nothing within moments; the other waits longer than any test. */
  strict: TestApi;
  /** An account without credits. */
  isPoor: boolean;
  onCharged: () => void | Promise<void>;
  /** Lets a waiting source continue. */
  goOn: () => void;
}

/** Two APIs over these operations; call it once. */
export function sentBodies() {
  const bodies = { isPoor: false, onCharged: () => {}, goOn: () => {} } as SentBodies;
  const trace: string[] = [];
  const meter: Meter = {
    uncharged: () => {},
    balance: async () => {},
    admit: async () => undefined,
    joins: async () => false,
    precheck: () => {
      trace.push('precheck');
      if (bodies.isPoor) throw new AppError('payment_required', 'No credits are left.');
    },
    charge: async () => {
      trace.push('charge');
      if (bodies.isPoor) throw new AppError('payment_required', 'No credits are left.');
      await bodies.onCharged();
      return () => void trace.push('give back');
    },
  };
  /** By the number of rows that were requested. */
  const closed = new Set<number>();

  /** Lets the store answer at last. */
  const hung: ((body: Readable) => void)[] = [];

  async function* rowsOf(rows: number, breaksAt: number, waitsAt: number) {
    try {
      for (let i = 0; i < rows; i++) {
        if (i === waitsAt)
          await new Promise<void>((resolve) => {
            bodies.goOn = resolve;
          });
        if (i === breaksAt) throw new Error('the source broke');
        yield ROW;
      }
    } finally {
      closed.add(rows);
    }
  }

  const about = { method: 'get', tag: 'Health', summary: 's', description: 'd', auth: 'key', cost: flat(3) } as const;
  const ok = { description: 'ok', schema: Type.Any(), example: {} };
  const ENDPOINTS: Endpoint<unknown>[] = [
    endpoint()({
      ...about,
      path: '/v1/rows',
      operationId: 'rows',
      query: {
        rows: Type.Integer({ minimum: 0 }),
        breaks_at: Type.Integer({ default: -1 }),
        waits_at: Type.Integer({ default: -1 }),
      },
      streamed: () => true,
      ok,
      handler: async ({ query: { rows, breaks_at, waits_at } }) => ({
        type: 'text/csv; charset=utf-8',
        compressible: true,
        open: () => Readable.from(rowsOf(rows, breaks_at, waits_at)),
      }),
    }),
    endpoint()({
      ...about,
      path: '/v1/table',
      operationId: 'table',
      query: { format: oneOf(['json', 'csv', 'parquet'], { default: 'json' }) },
      streamed: ({ format }) => format !== 'json',
      ok: { ...ok, schema: Type.Array(rowSchema(COLUMNS)), example: [], types: Object.values(ROW_TYPES) },
      handler: async ({ query: { format } }) =>
        format === 'json'
          ? { body: TABLE.map(rowObjects(COLUMNS)) }
          : rowsReply(format as RowFormat, 'table', async () => ({
              columns: COLUMNS,
              batches: async function* () {
                yield TABLE;
              },
              total: 0,
              offset: 0,
              next: null,
            })),
    }),
    endpoint()({
      ...about,
      path: '/v1/files/{name}',
      operationId: 'file',
      params: { name: Type.String() },
      servesFile: true,
      ok,
      handler: async ({ params: { name } }) => ({
        name: 'v1',
        sha256,
        bytes: BYTES.length,
        type: 'application/gzip',
        fileName: 'file.gz',
        open: async ({ start, end }) => {
          if (name === 'lost') return null;
          if (name === 'hung') return new Promise((resolve) => hung.push(resolve));
          if (name === 'cut') {
            const body = new PassThrough();
            body.write(BYTES.subarray(0, 50_000));
            bodies.onCharged = async () => {
              body.destroy(new Error('the store closed its connection'));
              // Not by `once`, which listens to errors.
              await new Promise((resolve) => body.on('close', resolve));
            };
            return body;
          }
          if (name === 'broken')
            return Readable.from(
              (async function* () {
                yield BYTES.subarray(0, 50_000);
                throw new Error('the disk broke');
              })(),
            );
          return Readable.from([BYTES.subarray(start, end)]);
        },
      }),
    }),
  ];

  const keys = memoryKeys();
  const key = keys.add();
  const deps = { reads: {} as Reads, keys, meter, endpoints: ENDPOINTS };
  beforeAll(async () => {
    [bodies.api, bodies.strict] = await Promise.all([startApi(deps), startApi({ ...deps, stalledAfterMs: 400 })]);
  });
  afterAll(() => Promise.all([bodies.api.close(), bodies.strict.close()]));
  beforeEach(() => {
    trace.splice(0);
    bodies.isPoor = false;
    bodies.onCharged = () => {};
  });

  async function open(
    path: string,
    headers: Record<string, string> = {},
    as = key,
    url = bodies.api.url,
  ): Promise<IncomingMessage> {
    const [response] = await once(
      get(url + path, { agent: false, headers: { 'X-API-Key': as, ...headers } }),
      'response',
    );
    return response as IncomingMessage;
  }

  return Object.assign(bodies, { deps, keys, key, trace, closed, hung, open });
}
