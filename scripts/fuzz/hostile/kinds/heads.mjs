// Readable requests that none of our clients would send: methods, Host, Expect, forms of the address, endless headers.
import { METHODS } from 'node:http';
import { bytesOf, keyHeader, posting, raw, short, single } from '../requests.mjs';

const TARGETS = ['/v1/uptime', '/v1/racing/clv', '/', '/openapi.json', '/nothing', '*'];
const FORMS = [
  'http://[::1/x',
  'http://[::1]/v1/uptime',
  'http://',
  'http:///v1/uptime',
  'http://a:99999/',
  'http://a:b@c/',
  'http://%00/',
  'http://a b/',
  'https://other.example/v1/uptime',
  'HTTP://API.EXAMPLE.COM/v1/uptime',
  'ftp://a/',
  'http://a',
  'http://a?x=1',
  'http://?',
  'http://#',
  '//',
  '//v1/uptime',
  '///',
  '//[::1',
  '//a:99999/',
  '/\\',
  '/%',
  '/%zz',
  '/%00',
  '/%c0%af',
  '/%ed%a0%80',
  '/%ff',
  '/v1/%',
  '/race/%',
  '/race/%ed%a0%80',
  '/assets/%',
  '/v1/ingest/%',
  '/v1/ingest/%ed%a0%80',
  '/../../etc/passwd',
  '/assets/..%2f..%2fpackage.json',
  '/.',
  '/v1/uptime/',
  '/V1/UPTIME',
  '/v1//uptime',
  '/v1/./uptime',
  '/v1/uptime;a=b',
  '/v1/uptime#x',
  '/V1/INGEST/boostbet/',
  '?',
  '#',
  '/race/nonsense',
  '/race/nonsense/prices',
  '/race/00000000-0000-0000-0000-000000000000',
  '/a:b',
  'a:1',
  'javascript:alert(1)',
  '/\x80\xff',
  '/v1/racing/\xc3\xa9',
  '/%F0%9F%90%8E',
  `/${'a/'.repeat(4_000)}`,
  `/${'%41'.repeat(4_000)}`,
  `/${'../'.repeat(4_000)}`,
];
/** Values that are not a host by RFC 3986 3.2.2, and strange hosts. */
const NO_HOSTS = [
  'a b<>',
  '[::1',
  '[',
  'a:b',
  'a/b',
  'user@a',
  '\x80',
  'a\tb',
  '"a"',
  'a?b',
  'a#b',
  'a\\b',
  '[g::1]',
  '%zz',
];
const STRANGE_HOSTS = ['', '.', 'a,b', '%00', 'a:', 'a:99999', 'a'.repeat(5_000), '[::1]:80', '127.1', 'constructor'];
const EXPECTS = ['banana', '100-continue, banana', '200-ok', '', 'constructor', '100-continue'];

export const heads = {
  name: 'heads',
  title: 'methods, Host, Expect, addresses',
  *cases({ writing, keys }) {
    const [operation] = writing;
    for (const target of TARGETS)
      for (const method of [...METHODS, 'BREW', 'get', 'Get']) yield ofMethod(method, target);
    for (const target of FORMS)
      yield raw(`address ${short(target)}`, bytesOf({ target }), {
        untilClose: false,
        requests: [{ method: 'GET', target }],
      });
    for (const target of FORMS) yield withKey(`HEAD of ${short(target)}`, { method: 'HEAD', target }, keys);
    yield refused('no Host', { target: '/v1/uptime', host: null });
    yield refused('two Hosts', { target: '/v1/uptime', headers: [['Host', 'other.example']] });
    yield refused('the same Host twice', { target: '/v1/uptime', headers: [['Host', 'api.example.com']] });
    for (const host of NO_HOSTS) yield refused(`Host ${short(host)}`, { target: '/v1/uptime', host });
    for (const host of STRANGE_HOSTS) yield single(`Host ${short(host)}`, { target: '/v1/uptime', host });
    yield single(
      'no Host in HTTP/1.0',
      { target: '/v1/uptime', host: null, version: 'HTTP/1.0' },
      { untilClose: true },
    );
    for (const value of EXPECTS) {
      yield single(`Expect "${value}"`, { target: '/v1/uptime', headers: [['Expect', value]] });
      yield single(`Expect "${value}" with a body`, posting(operation, '{}', { headers: [['Expect', value]] }));
    }
    yield* manyHeaders(keys);
    for (const version of ['HTTP/2.0', 'HTTP/3.0', 'HTTP/1.2', 'HTTP/0.9', 'HTTP/1.0'])
      yield single(version, { target: '/v1/uptime', version }, { untilClose: version === 'HTTP/1.0' });
    yield raw('a line of HTTP/0.9', 'GET /\r\n\r\n');
    yield raw('two blanks', 'GET  /v1/uptime HTTP/1.1\r\nHost: a\r\n\r\n', {
      untilClose: false,
      requests: [{ method: 'GET', target: '/v1/uptime' }],
    });
    for (const upgrade of ['websocket', 'h2c', 'TLS/1.0', 'constructor']) {
      const headers = [
        ['Connection', 'Upgrade, HTTP2-Settings'],
        ['Upgrade', upgrade],
        ['HTTP2-Settings', 'AAMAAABkAAQAAP__'],
      ];
      yield single(`upgrade to ${upgrade}`, { target: '/v1/uptime', headers });
    }
  },
};

// A CONNECT names a host, and its response is not that of an address here.
const ofMethod = (method, target) =>
  raw(`${method} ${target}`, bytesOf({ method, target: method === 'CONNECT' ? 'api.example.com:443' : target }), {
    untilClose: false,
    requests: [{ method, target }],
  });

const withKey = (name, request, { free }) => single(name, { ...request, headers: [keyHeader(free)] });
const refused = (name, request) => single(name, request, { expects: 'refusal' });

/** Headers that are parsed, with values that make a careless parser slow. */
const PARSED = [
  'Accept-Encoding',
  'Accept',
  'If-None-Match',
  'If-Range',
  'Range',
  'Accept-Language',
  'Connection',
  'Content-Type',
  'Origin',
  'Referer',
  'X-Forwarded-For',
  'Cookie',
  'Authorization',
];
/** The maximum length of all headers of a request together. */
const LONG = 15_000;
const SHAPES = {
  '2,000 items': Array.from({ length: 2_000 }, (_, i) => `a${i}`).join(','),
  'bytes above ASCII': '\x80\xff\xe9"',
  'commas and blanks': `${' ,\t'.repeat(LONG / 3)}x`,
  blanks: `a${' '.repeat(LONG)}b`,
  tabs: `a${'\t'.repeat(LONG)}b`,
  quotes: `W/"${'\\"'.repeat(LONG / 2)}`,
  'open quotes': '"'.repeat(LONG),
  semicolons: `a${';'.repeat(LONG)}`,
  'equal signs': `a${'='.repeat(LONG)}`,
  digits: '1'.repeat(LONG),
  dashes: `bytes=${'-'.repeat(LONG)}`,
};
/**
 * One address of each class of route: operations with and without a key, pages, assets, feeds, documents, a widget,
 * nothing.
 */
const CLASSES = [
  '/v1/uptime',
  '/v1/racing/venues',
  '/v1/demo/racing/next-to-go',
  '/',
  '/board/fragment',
  '/past',
  '/assets/board.mjs',
  '/data-quality.json',
  '/changelog.xml',
  '/openapi.json',
  '/docs',
  '/account',
  '/widgets/we_nothing',
  '/nothing',
];

function* manyHeaders({ free }) {
  const target = '/v1/uptime';
  const numbered = (count) => Array.from({ length: count }, (_, i) => [`X-${i}`, '']);
  yield single('1,200 headers', { target, headers: numbered(1_200) });
  yield single('the same key twice', { target: '/v1/racing/venues', headers: [keyHeader(free), keyHeader(free)] });
  yield single('a header of 8 kB', { target, headers: [['X', 'x'.repeat(8_000)]] });
  for (const at of CLASSES)
    for (const name of PARSED)
      for (const [shape, value] of Object.entries(SHAPES))
        yield single(`${name} of ${shape} at ${at}`, { target: at, headers: [keyHeader(free), [name, value]] });
}
