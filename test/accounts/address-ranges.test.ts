// A 5.3, D40: what an allow-list may contain, and how it is stored.
import { BlockList } from 'node:net';
import fc from 'fast-check';
import { readRanges } from '../../src/accounts/keys/address-ranges';
import { runs } from '../support/property';

const rangesOf = (...texts: string[]) => {
  const read = readRanges(texts);
  return 'ranges' in read ? read.ranges : read.problems;
};

test.each([
  ['203.0.113.7', '203.0.113.7/32'],
  [' 203.0.113.7/32 ', '203.0.113.7/32'],
  ['203.0.113.0/24', '203.0.113.0/24'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8:0:0::7', '2001:db8::7/128'],
  ['2001:db8::/32', '2001:db8::/32'],
  ['::/0', '::/0'],
  ['::ffff:203.0.113.7', '203.0.113.7/32'],
  ['::ffff:203.0.113.7/128', '203.0.113.7/32'],
  ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
  ['::ffff:cb00:7107', '203.0.113.7/32'],
  ['::ffff:0:0/96', '0.0.0.0/0'],
  ['::203.0.113.7', '::cb00:7107/128'],
])('%s is stored as %s', (text, range) => expect(rangesOf(text)).toEqual([range]));

test('a range listed twice is stored once, in the order sent', () => {
  expect(rangesOf('2001:db8::1', '203.0.113.7', '::ffff:203.0.113.7', '2001:db8:0::1/128')).toEqual([
    '2001:db8::1/128',
    '203.0.113.7/32',
  ]);
});

test.each([
  '',
  '/',
  '203.0.113.7/',
  '203.0.113.7/33',
  '203.0.113.7/024',
  '203.0.113.7/-1',
  '203.0.113.7/24/24',
  '203.0.113',
  '0313.0.0.1',
  '0x7f.0.0.1',
  '3405803783',
  '2001:db8::/129',
  '2001:db8::7%eth0',
  'example.com',
  "203.0.113.7'; DROP TABLE api_keys; --",
])('%p is refused with its place', (text) => {
  expect(rangesOf('203.0.113.7', text)).toEqual([{ pointer: '/1', detail: expect.stringMatching(/\.$/) }]);
});

test('a range that begins inside itself is refused with both of its meanings: nothing is widened silently', () => {
  expect(rangesOf('203.0.113.7/24')).toEqual([
    {
      pointer: '/0',
      detail: '203.0.113.7/24 begins inside its range: send 203.0.113.0/24, or 203.0.113.7 alone.',
    },
  ]);
  expect(rangesOf('::ffff:203.0.113.7/90')).toMatchObject([{ pointer: '/0' }]);
});

test('a stored range includes the address that it was written for', () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV6());
  fc.assert(
    fc.property(address, (text) => {
      const [range = ''] = rangesOf(text) as string[];
      const [network = '', bits] = range.split('/');
      const family = network.includes(':') ? 'ipv6' : 'ipv4';
      const list = new BlockList();
      list.addSubnet(network, Number(bits), family);
      expect(list.check(text, text.includes(':') ? 'ipv6' : 'ipv4')).toBe(true);
    }),
    { numRuns: runs(500) },
  );
});
