// Many requests on one connection, many connections at once, and senders that leave halfway.
import { gzipSync } from 'node:zlib';
import { asked, bytesOf, keyHeader, posting } from '../requests.mjs';

const piped = (name, requests, more = {}) => ({
  name,
  sends: [Buffer.concat(requests.map(bytesOf))],
  requests: requests.map(asked),
  ...more,
});
const times = (count, one) => Array.from({ length: count }, () => one);
const UPTIME = { target: '/v1/uptime' };
const BUNDLE = { target: '/docs/swagger-ui-bundle.js', headers: [['Accept-Encoding', 'br']] };

export const pipelines = {
  name: 'pipelines',
  title: 'pipelines',
  *cases({ writing, reading, random }) {
    const [clv] = writing;
    const broken = { sends: 'X\0\r\n\r\n', requests: [{ method: 'GET', target: '/' }] };
    yield piped('1,000 small ones', times(1_000, UPTIME));
    yield piped('100 that are refused', times(100, { target: '/nothing' }));
    yield piped('200 without a key', times(200, { target: '/v1/racing/venues' }));
    yield piped('20 bodies', times(20, posting(clv, JSON.stringify(clv.example))));
    yield piped('20 bodies that are refused', times(20, posting(clv, '{"a":1}')));
    yield piped('8 large ones, packed', times(8, BUNDLE));
    yield piped(
      'each operation',
      reading.map(({ target, key }) => ({ target, headers: [keyHeader(key)] })),
    );
    yield piped('HEAD and GET in turn', times(50, [{ ...UPTIME, method: 'HEAD' }, UPTIME]).flat());
    const start = times(10, bytesOf(UPTIME));
    yield {
      name: 'rubbish behind ten',
      sends: [Buffer.concat([...start, Buffer.from(broken.sends)])],
      requests: [...times(10, asked(UPTIME)), ...broken.requests],
    };
    for (let i = 0; i < 10; i += 1) {
      const mixed = times(30, null).map(() =>
        random.pick([
          UPTIME,
          { target: '/nothing' },
          posting(clv, '{}'),
          { ...UPTIME, method: 'HEAD' },
          { ...UPTIME, method: 'DELETE' },
        ]),
      );
      yield piped(`30 of all sorts ${i}`, mixed);
    }
  },
};

export const cuts = {
  name: 'cuts',
  title: 'cut uploads and answers',
  *cases({ writing }) {
    for (const operation of writing)
      for (const [name, bytes] of Object.entries(uploads(operation)))
        for (const share of [0.1, 0.5, 0.9, 0.999])
          for (const ending of ['cut', 'reset'])
            yield {
              name: `${ending} at ${share} of ${name} at ${operation.target}`,
              sends: [bytes.subarray(0, Math.floor(bytes.length * share))],
              requests: [{ method: 'POST', target: operation.target }],
              expects: 'anything',
              ending,
            };
    for (const ending of ['cut', 'reset'])
      yield piped(`${ending} before 20 answers`, times(20, BUNDLE), { expects: 'anything', ending });
  },
};

function uploads(operation) {
  const text = JSON.stringify(operation.example).padEnd(200_000);
  const chunk = Buffer.concat([Buffer.from(`${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`)]);
  const head = posting(operation, null, { headers: [['Transfer-Encoding', 'chunked']] });
  return {
    plain: bytesOf(posting(operation, text)),
    gzip: bytesOf(posting(operation, gzipSync(text), { headers: [['Content-Encoding', 'gzip']] })),
    chunked: Buffer.concat([bytesOf(head), chunk]),
    'chunked gzip': Buffer.concat([
      bytesOf({ ...head, headers: [...head.headers, ['Content-Encoding', 'gzip']] }),
      chunk,
    ]),
  };
}

const tens = (list) => Array.from({ length: list.length / 10 }, (_, i) => list.slice(10 * i, 10 * i + 10));

export const floods = {
  name: 'floods',
  title: 'many connections at once',
  *cases({ reading, writing, random, unknownKeys }) {
    const flood = (name, connections, request, more = {}) => ({
      ...piped(name, [request].flat()),
      connections,
      expects: 'anything',
      ...more,
    });
    yield flood('300 that ask for nothing much', 300, UPTIME);
    yield flood('300 that reset', 300, UPTIME, { ending: 'reset' });
    const withUnknown = unknownKeys.map((key) => ({ target: '/v1/racing/venues', headers: [keyHeader(key)] }));
    for (const [i, ten] of tens(withUnknown).entries()) yield flood(`ten unknown keys, ten times each, ${i}`, 10, ten);
    yield flood('200 unreadable addresses', 200, { target: 'http://[::1/x' });
    yield flood('100 bodies that are refused', 100, posting(writing[0], '{"a":1}'));
    yield flood('50 packed documents', 50, { target: '/openapi.json', headers: [['Accept-Encoding', 'br']] });
    yield flood('200 of the sandbox', 200, { target: '/v1/demo/racing/next-to-go' });
    for (const { target, key } of random.some(reading, 6))
      yield flood(`60 at ${target}`, 60, { target, headers: [keyHeader(key)] });
  },
};
