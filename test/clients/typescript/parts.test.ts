// Parts of the TypeScript client without a server: signatures of webhooks, the text of a stream in any pieces, and when
// the service was there for certain.
import fc from 'fast-check';
import { EventReader } from '../../../clients/typescript/src/follow/event-reader.ts';
import { LastSign } from '../../../clients/typescript/src/follow/last-sign.ts';
import { verifyWebhook, WebhookVerificationError } from '../../../clients/typescript/src/index.ts';
import { type Secrets, signatureHeaders } from '../../../src/webhooks/signature';
import { runs } from '../../support/property';

const AT = new Date('2026-11-21T03:00:00.000Z');
const now = (): number => AT.getTime();
const [OLD, NEW, OTHER] = ['old', 'new', 'other'].map(
  (name) => `whsec_${Buffer.from(name.padEnd(32, '.')).toString('base64')}`,
) as [string, string, string];
const BODY = '{"event":"race.result","venue":"Bjärred"}';
const signed = (...secrets: Secrets) => signatureHeaders({ id: 'msg_1', at: AT, body: BODY }, secrets);

describe('a post', () => {
  test('is of its secret, and of both while one is being replaced', async () => {
    for (const headers of [signed(NEW), signed(NEW, OLD), signed(OLD, NEW)]) {
      expect(await verifyWebhook(NEW, headers, BODY, { now })).toEqual(JSON.parse(BODY));
      expect(await verifyWebhook(NEW, new Headers(headers), new TextEncoder().encode(BODY), { now })).toEqual(
        JSON.parse(BODY),
      );
    }
    expect(await verifyWebhook(OLD, signed(NEW, OLD), BODY, { now })).toBeTruthy();
  });

  const time = (seconds: number) => ({ now: () => AT.getTime() + seconds * 1000 });
  const refused: [what: string, ...Parameters<typeof verifyWebhook>][] = [
    ['of another secret', OTHER, signed(NEW, OLD), BODY, { now }],
    ['with another body', NEW, signed(NEW), BODY.replace('result', 'resulT'), { now }],
    ['under another id', NEW, { ...signed(NEW), 'webhook-id': 'msg_2' }, BODY, { now }],
    ['with another time', NEW, { ...signed(NEW), 'webhook-timestamp': `${now() / 1000 + 1}` }, BODY, { now }],
    ['with a time that is no number', NEW, { ...signed(NEW), 'webhook-timestamp': 'NaN' }, BODY, { now }],
    ['that is too old', NEW, signed(NEW), BODY, time(301)],
    ['from the future', NEW, signed(NEW), BODY, time(-301)],
    ['whose signature is cut', NEW, { ...signed(NEW), 'webhook-signature': 'v1,' }, BODY, { now }],
    ['of another version', NEW, { ...signed(NEW), 'webhook-signature': 'v2,AAAA' }, BODY, { now }],
    ['without a signature', NEW, { ...signed(NEW), 'webhook-signature': undefined }, BODY, { now }],
  ];
  test.each(refused)('%s is refused', async (_, ...given) => {
    await expect(verifyWebhook(...given)).rejects.toBeInstanceOf(WebhookVerificationError);
  });

  test('is accepted at the edge of the tolerance, and an empty secret never verifies', async () => {
    expect(await verifyWebhook(NEW, signed(NEW), BODY, time(300))).toBeTruthy();
    expect(await verifyWebhook(NEW, signed(NEW), BODY, { ...time(900), toleranceSeconds: 900 })).toBeTruthy();
    for (const secret of ['', 'whsec_', 'whsec_ü'])
      await expect(verifyWebhook(secret, signed(NEW), BODY)).rejects.toThrow();
  });
});

test('a stream has the same events in whatever pieces and with whatever line ends it comes', () => {
  const lines = [
    ': comment',
    'retry: 1500',
    '',
    'event: race',
    'data: {"ü":',
    'data:1}',
    'id: 7 a',
    '',
    'id: 8',
    '',
    'data',
    '',
  ];
  const blocks = [
    { event: 'message', retryMs: 1500 },
    { event: 'race', data: '{"ü":\n1}', id: '7 a' },
    { event: 'message', id: '8' },
    { event: 'message', data: '' },
  ];
  const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 });
  const property = fc.property(fc.constantFrom('\n', '\r\n'), cuts, (lineEnd, sizes) => {
    const bytes = new TextEncoder().encode(`${lines.join(lineEnd)}${lineEnd}`);
    const reader = new EventReader();
    const found: object[] = [];
    for (let at = 0, i = 0; at < bytes.length; i += 1) {
      const size = sizes[i % sizes.length]!;
      found.push(...reader.read(bytes.slice(at, at + size)));
      at += size;
    }
    expect(found).toEqual(blocks);
  });
  fc.assert(property, { numRuns: runs(500) });
});

describe('the last sign of the service', () => {
  const noticed = fc.integer({ min: 1000, max: 1_200_000 });
  const ms = fc.oneof(fc.constant(0), noticed);

  test('is never later than what was read had been sent, however slowly the program reads', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ sentAfterMs: ms, workedMs: ms }), { maxLength: 30 }), (parts) => {
        const sign = new LastSign(0);
        sign.answered(5000);
        let [sentMs, askedMs] = [5000, 5000];
        for (const { sentAfterMs, workedMs } of parts) {
          sentMs += sentAfterMs;
          const readMs = Math.max(askedMs, sentMs);
          sign.read(askedMs, readMs);
          expect(sign.atMs).toBeLessThanOrEqual(sentMs);
          askedMs = readMs + workedMs;
        }
      }),
      { numRuns: runs(200) },
    );
  });

  test('is now for a program that reads as fast as the service sends, and again once it has caught up', () => {
    const sign = new LastSign(0);
    for (let ms = 0; ms < 10_000_000; ms += 500) sign.read(ms, ms);
    expect(sign.atMs).toBe(9_999_500);
    sign.read(20_000_000, 20_000_000);
    expect(sign.atMs).toBe(9_999_500);
    sign.read(20_000_000, 20_015_000);
    expect(sign.atMs).toBe(20_000_000);
  });
});
