import { createIpLimit } from '../../src/api/ip-limit';

test('an address has so many requests a minute, and gets them back evenly', () => {
  let wall = 0;
  const limit = createIpLimit(() => wall);
  const take = (ip = '192.0.2.1') => limit.take(ip, 30);
  for (let i = 0; i < 30; i++) take();
  expect(() => take()).toThrow(expect.objectContaining({ code: 'rate_limit', extensions: { retry_after_seconds: 2 } }));
  expect(() => take('192.0.2.2')).not.toThrow();
  wall = 2_000;
  expect(() => take()).not.toThrow();
  expect(() => take()).toThrow();
  wall = 10 * 60_000;
  for (let i = 0; i < 30; i++) take();
  expect(() => take()).toThrow();
});
