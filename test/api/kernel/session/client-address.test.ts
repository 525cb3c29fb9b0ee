import type { IncomingMessage } from 'node:http';
import { clientReader, networkReader } from '../../../../src/api/kernel/session/client-address';
import type { TrustedProxies } from '../../../../src/trusted-proxies';

const PROXY = '10.0.0.1';

const clientOf = (trusted: TrustedProxies, forwarded?: string, peer: string | undefined = PROXY) =>
  clientReader(trusted)({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: peer } } as never);
const addressOf = (...call: Parameters<typeof clientOf>): string => clientOf(...call).address;

test('without trusted proxies the header is ignored', () => {
  expect(addressOf(0, '192.0.2.1')).toBe(PROXY);
  expect(addressOf([], '192.0.2.1')).toBe(PROXY);
});

test('a count trusts that many proxies, and what a client writes before them is ignored', () => {
  expect(addressOf(1, '192.0.2.1')).toBe('192.0.2.1');
  expect(addressOf(1, '198.51.100.9, 192.0.2.1')).toBe('192.0.2.1');
  expect(addressOf(2, '198.51.100.9, 192.0.2.1, 10.0.0.2')).toBe('192.0.2.1');
  expect(addressOf(2, '192.0.2.1')).toBe('192.0.2.1');
  expect(addressOf(1)).toBe(PROXY);
});

test('a list trusts those networks only', () => {
  const trusted = ['10.0.0.0/8', '2001:db8:1::/48', 'loopback'];
  expect(addressOf(trusted, '198.51.100.9, 192.0.2.1, 10.9.9.9')).toBe('192.0.2.1');
  expect(addressOf(trusted, '192.0.2.1, 2001:db8:1::7', '::ffff:10.0.0.1')).toBe('192.0.2.1');
  expect(addressOf(trusted, '192.0.2.1', '127.0.0.1')).toBe('192.0.2.1');
  expect(addressOf(trusted, '192.0.2.1', '203.0.113.5')).toBe('203.0.113.5');
});

test('a hop may carry a port', () => {
  expect(addressOf(1, '192.0.2.1:4711')).toBe('192.0.2.1');
  expect(addressOf(1, '[2001:db8::1]:4711')).toBe('2001:db8::1');
  expect(addressOf(['10.0.0.0/8'], '192.0.2.1, 10.0.0.2:4711')).toBe('192.0.2.1');
});

test('limits count an IPv4 address, or a whole IPv6 /64', () => {
  const networkOf = (address: string) => clientOf(1, address).network;
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf('::FFFF:c000:201')).toBe('192.0.2.1');
  expect(networkOf('2001:DB8:0:1::1')).toBe('2001:db8:0:1::/64');
  expect(networkOf('2001:db8:0:1:ffff:ffff:ffff:ffff')).toBe('2001:db8:0:1::/64');
  expect(networkOf('2001:db8:0:2::1')).toBe('2001:db8:0:2::/64');
  for (const zone of ['eth0', 'br-lan', 'eth0.100']) {
    expect(clientOf(0, undefined, `fe80::1%${zone}`)).toEqual({ address: 'fe80::1', network: 'fe80:0:0:0::/64' });
    expect(clientOf(1, `fe80::1%${zone}`).network).toBe('fe80:0:0:0::/64');
  }
});

test('connection limits count its address, but not that of a trusted proxy', () => {
  const networkOf = (trusted: TrustedProxies, remoteAddress?: string) => networkReader(trusted)({ remoteAddress });
  expect(networkOf(0, '192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf(0, '::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf(0, '2001:db8:0:1:ffff::1')).toBe('2001:db8:0:1::/64');
  expect(networkOf(0, 'fe80::1%br-lan')).toBe('fe80:0:0:0::/64');
  expect(networkOf(['10.0.0.0/8'], '192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf(['10.0.0.0/8'], '10.9.9.9')).toBeNull();
  expect(networkOf(['10.0.0.0/8'], '::ffff:10.9.9.9')).toBeNull();
  expect(networkOf(1, '192.0.2.1')).toBeNull();
  expect(networkOf(0, undefined)).toBeNull();
});

test('an unreadable header leaves the nearest proxy’s address, and never throws', () => {
  const junk = [
    'unknown',
    '_hidden',
    '',
    ' ',
    ',',
    '2130706433',
    '0x7f.1',
    '1.2.3',
    '999.1.1.1',
    '[::1',
    'for=192.0.2.1',
    '\u0000',
  ];
  for (const header of [...junk, ','.repeat(16_000), '1,'.repeat(8000), ':'.repeat(16_000), '['.repeat(16_000)]) {
    for (const trusted of [1, 3, ['10.0.0.0/8']]) expect(addressOf(trusted, header)).toBe(PROXY);
  }
  const connectionGone = { headers: {}, socket: {} } as IncomingMessage;
  expect(clientReader(1)(connectionGone)).toEqual({ address: '', network: '' });
});
