// Signatures as a receiver verifies them: by the published vector, by the `standardwebhooks` package, and by the older
// header.
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { signatureHeaders } from '../../src/webhooks/signature';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const PREVIOUS = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDHAL3QO7pJ7w=';

test('the published vector', () => {
  const headers = signatureHeaders(
    { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: new Date(1_614_265_330_999), body: '{"test": 2432232314}' },
    [SECRET],
  );
  expect(headers).toMatchObject({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('during a rotation a receiver with either secret accepts the post, and the older header is the previous secret’s', () => {
  const body = '{"event":"race.result","venue":"Ōtaki"}';
  const headers = signatureHeaders({ id: 'evt_1', at: new Date(), body }, [SECRET, PREVIOUS]);
  for (const secret of [SECRET, PREVIOUS]) {
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
  }
  const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  expect(() => new Webhook(other).verify(body, headers)).toThrow();
  expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  const older = (secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  expect(headers['x-webhook-signature']).toBe(older(PREVIOUS));
  expect(signatureHeaders({ id: 'evt_1', at: new Date(), body }, [SECRET])['x-webhook-signature']).toBe(older(SECRET));
});
