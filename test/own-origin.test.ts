// Which requests count as the service's own (CSRF): the configured origins decide, including their scheme, never a
// Host.
import fc from 'fast-check';
import { isOwnOrigin, ownOrigins } from '../src/own-origin';
import { runs } from './support/property';

const PUBLIC = 'https://api.example.com';
const OWN = ownOrigins(PUBLIC, ['https://odds.example.com:8443']);

test.each([
  [{ origin: PUBLIC }, true],
  // By another name of the configured origin.
  [{ origin: 'https://odds.example.com:8443' }, true],
  [{ origin: 'https://odds.example.com' }, false],
  // Another name of this machine that is not in the settings (security L3).
  [{ origin: 'https://evil.example', host: 'evil.example' }, false],
  // Anyone on the network path may have written a page that was not encrypted.
  [{ origin: 'http://api.example.com', host: 'api.example.com' }, false],
  [{ origin: 'https://evil.example', host: 'api.example.com' }, false],
  [{ origin: 'https://api.example.com.evil.example', host: 'api.example.com' }, false],
  [{ origin: 'https://127.0.0.1', host: '127.0.0.1' }, false],
  [{ origin: 'nonsense', host: 'nonsense' }, false],
  [{ origin: 'null', 'sec-fetch-site': 'same-origin' }, true],
  [{ origin: 'null', 'sec-fetch-site': 'cross-site' }, false],
  [{ origin: 'null' }, false],
  [{ 'sec-fetch-site': 'same-site' }, false],
  [{ 'sec-fetch-site': 'same-origin' }, true],
  [{}, true],
])('%j: %s', (headers, isOwn) => {
  expect(isOwnOrigin(headers, OWN)).toBe(isOwn);
});

test('a service on this machine, without encryption, is its own under each name of the machine, and under no other', () => {
  const local = ownOrigins('http://localhost:3000');
  for (const name of ['localhost', '127.0.0.1', '[::1]'])
    expect(isOwnOrigin({ origin: `http://${name}:3000` }, local)).toBe(true);
  for (const origin of ['http://127.0.0.1:9999', 'https://localhost:3000', 'http://rebound.example:3000'])
    expect(isOwnOrigin({ origin }, local)).toBe(false);
});

test('no other header makes an origin the service’s own', () => {
  const header = fc.constantFrom(PUBLIC, 'api.example.com', 'evil.example', 'same-origin', 'none', '1');
  const headers = fc.dictionary(fc.constantFrom('host', 'sec-fetch-site', 'referer', 'x-forwarded-host'), header);
  fc.assert(
    fc.property(headers, fc.webUrl({ withFragments: false }), (sent, url) => {
      const { origin } = new URL(url);
      expect(isOwnOrigin({ ...sent, origin }, OWN)).toBe(OWN.includes(origin));
    }),
    { numRuns: runs(1000) },
  );
});
