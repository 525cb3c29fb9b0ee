// Where a webhook may be posted to: refused ranges in every spelling, names, and a name that changes between creation
// and connection.
import { resolvedProblem, urlProblem } from '../../src/webhooks/address/check-url';
import { mayBePosted } from '../../src/webhooks/address/public-address';
import { createResolver } from '../../src/webhooks/address/resolver';
import { createSender } from '../../src/webhooks/send';
import { type DnsServer, startDnsServer } from '../support/webhooks/dns-server';
import { startReceiver } from '../support/webhooks/receiver';

const STRICT = { allowLoopback: false, allowHttp: false };

test.each([
  'https://hooks.example.com/a?b=c',
  'https://hooks.example.com:443/',
  'https://93.184.216.34/',
  'https://[2606:2800:220:1:248:1893:25c8:1946]/',
])('allowed: %s', (url) => expect(urlProblem(url, STRICT)).toBeNull());

test.each([
  ['http://hooks.example.com/', 'it must begin with https://'],
  ['ftp://hooks.example.com/', 'it is not an absolute https:// URL'],
  ['https:hooks.example.com', 'it is not an absolute https:// URL'],
  ['https://hooks.example.com/a b', 'it is not an absolute https:// URL'],
  ['https://hooks.example.com/\n', 'it is not an absolute https:// URL'],
  [`https://hooks.example.com/${'a'.repeat(2048)}`, 'it is longer than 2048 characters'],
  ['https://jo@hooks.example.com/', 'it must not contain a user name or a password'],
  ['https://jo:pw@hooks.example.com/', 'it must not contain a user name or a password'],
  ['https://hooks.example.com:8443/', 'its port must be 443'],
  ['https://1572395042/', 'its address must be four decimal numbers'],
  ['https://0135.0270.0330.042/', 'its address must be four decimal numbers'],
  ['https://0x5db8d822/', 'its address must be four decimal numbers'],
  ['https://93.184.55330/', 'its address must be four decimal numbers'],
  ['https://2130706433/', 'its address must be four decimal numbers'],
  ['https://%31%32%37.0.0.1/', 'its address must be four decimal numbers'],
  ['https://0x7f.1/', 'its address must be four decimal numbers'],
  ...[
    'localhost',
    'api.localhost',
    'localhost.',
    'intranet',
    'a_b',
    'x..example.com',
    '127.0.0.1',
    '[::1]',
    '[::]',
    '[::ffff:10.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:7f00:1::]',
    '169.254.169.254',
  ].map((host) => [`https://${host}/`, expect.stringMatching(/not a public address|not an absolute/)]),
])('refused: %s', (url, problem) => expect(urlProblem(url as string, STRICT)).toEqual(problem));

test('addresses that are not public, and IPv4 written as IPv6', () => {
  const refused = [
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:0:10.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:5db8:d822::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '4000::1',
    'hooks.example.com',
    '',
  ];
  expect(refused.filter((address) => mayBePosted(address, STRICT))).toEqual([]);
  const allowed = ['93.184.216.34', '2606:2800:220:1::1', '::ffff:93.184.216.34', '64:ff9b::93.184.216.34'];
  expect(allowed.filter((address) => !mayBePosted(address, STRICT))).toEqual([]);
});

test('the test settings allow this machine, any port and http, and nothing else', () => {
  const open = { allowLoopback: true, allowHttp: true };
  for (const host of ['127.0.0.1', '[::1]', 'localhost', '[::ffff:127.0.0.1]']) {
    expect(urlProblem(`http://${host}:9000/`, open)).toBeNull();
  }
  for (const host of ['10.0.0.1', '169.254.169.254', '0x7f.1', '[fd00::1]', '0.0.0.0']) {
    expect(urlProblem(`http://${host}:9000/`, open)).not.toBeNull();
  }
});

describe('names', () => {
  let dns: DnsServer;
  beforeAll(async () => {
    dns = await startDnsServer();
  });
  afterAll(() => dns.close());

  test('every address of a name is checked; a name that cannot be resolved at the moment is accepted', async () => {
    const resolve = createResolver(3000, [dns.address]);
    dns.names.set('good.example.com', ['93.184.216.34', '2606:2800:220:1::1']);
    dns.names.set('mixed.example.com', ['93.184.216.34', '10.0.0.1']);
    dns.names.set('mixed6.example.com', ['93.184.216.34', 'fd00::1']);
    dns.names.set('silent.example.com', 'silent');
    const problem = (name: string, by = resolve) => resolvedProblem(`https://${name}/`, STRICT, by);
    expect(await problem('good.example.com')).toBeNull();
    expect(await problem('mixed.example.com')).toBe('its host is not a public address');
    expect(await problem('mixed6.example.com')).toBe('its host is not a public address');
    expect(await problem('missing.example.com')).toBe('its host has no address');
    expect(await problem('silent.example.com', createResolver(50, [dns.address]))).toBeNull();
    // One address family gets no response: the other family's addresses are used.
    dns.names.set('half.example.com', ['93.184.216.34', 'silent']);
    expect(await createResolver(500, [dns.address])('half.example.com')).toEqual(['93.184.216.34']);
  });

  test('a name that is public at creation but resolves to this machine on connection gets nothing', async () => {
    const receiver = await startReceiver();
    const resolve = createResolver(3000, [dns.address]);
    const rules = { allowLoopback: false, allowHttp: true };
    const sender = createSender({ ...rules, resolve, elapsedMs: () => performance.now() });
    const url = `http://rebind.example.com:${receiver.port}/`;
    try {
      dns.names.set('rebind.example.com', ['93.184.216.34']);
      expect(await resolvedProblem(url, rules, resolve)).toBeNull();
      dns.names.set('rebind.example.com', ['127.0.0.1']);
      const attempt = { url, eventId: 'evt_1', kind: 'race.result', body: '{}', secrets: ['whsec_AA=='] as const };
      expect(await sender.send({ ...attempt, at: new Date() })).toMatchObject({
        delivered: false,
        statusCode: null,
        error: 'The URL is not allowed: its host is not a public address.',
      });
      expect(receiver.posts).toEqual([]);
    } finally {
      await sender.close();
      await receiver.close();
    }
  });
});
