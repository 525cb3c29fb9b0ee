// Which requests count as the service's own (CSRF): the page's origin decides, its scheme included.
import { isOwnOrigin } from '../src/own-origin';

const PUBLIC = 'https://api.example.com';

test.each([
  [{ origin: PUBLIC }, true],
  // By another name of this machine, as the browser addressed it.
  [{ origin: 'https://api.internal:8443', host: 'api.internal:8443' }, true],
  [{ origin: 'https://api.internal', host: 'api.internal:443' }, true],
  // Anyone on the way may have written a page that was not encrypted.
  [{ origin: 'http://api.example.com', host: 'api.example.com' }, false],
  [{ origin: 'https://evil.example', host: 'api.example.com' }, false],
  [{ origin: 'https://api.example.com.evil.example', host: 'api.example.com' }, false],
  [{ origin: 'nonsense', host: 'nonsense' }, false],
  [{ origin: 'https://x', host: undefined }, false],
  [{ origin: 'https://x', host: 'a b' }, false],
  [{ origin: 'null', 'sec-fetch-site': 'same-origin' }, true],
  [{ origin: 'null', 'sec-fetch-site': 'cross-site' }, false],
  [{ origin: 'null' }, false],
  [{ 'sec-fetch-site': 'same-site' }, false],
  [{ 'sec-fetch-site': 'same-origin' }, true],
  [{}, true],
])('%j: %s', (headers, isOwn) => {
  expect(isOwnOrigin(headers, PUBLIC)).toBe(isOwn);
});

test('a service on this machine, without encryption, is its own by each name of the machine', () => {
  const local = 'http://localhost:3000';
  expect(isOwnOrigin({ origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' }, local)).toBe(true);
  expect(isOwnOrigin({ origin: 'http://127.0.0.1:9999', host: '127.0.0.1:3000' }, local)).toBe(false);
});
