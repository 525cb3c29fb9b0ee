// The limit on cached ETags: the least recently used is evicted first, and an old one is not used.
import { createValidators } from '../../../src/feeds/transport/validators';

test('keeps as many as allowed, and removes the least recently used', () => {
  const validators = createValidators(2);
  validators.keep('/a', '"a"', 0);
  validators.keep('/b', '"b"', 0);
  expect(validators.get('/a', 1)).toBe('"a"');
  validators.keep('/c', '"c"', 1);
  expect(['/a', '/b', '/c'].map((url) => validators.get(url, 2))).toEqual(['"a"', null, '"c"']);
});

test('an ETag is used for a minute after the reply, however often it is used', () => {
  const validators = createValidators(2);
  validators.keep('/a', '"a"', 0);
  expect([30_000, 60_000, 60_001, 60_000].map((now) => validators.get('/a', now))).toEqual(['"a"', '"a"', null, null]);
});
