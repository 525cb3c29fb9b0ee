// Where one request ends and the next begins: a request that two readers could read differently is refused, and the
// connection ends.
import { keyHeader, raw } from '../requests.mjs';

const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: api.example.com\r\n\r\n';
const SIZES = ['-1', '+5', '0x5', '5_', '5;', 'G', '', ' ', 'FFFFFFFFFFFFFFFFF', '100000000000000000'];
const LENGTHS = [
  '-1',
  '+5',
  '0x5',
  '5.0',
  '1e1',
  '5 5',
  '5, 5',
  '5, 6',
  '5;',
  '"5"',
  '99999999999999999999',
  '5\t5',
  'five',
];
const CODINGS = [
  'xchunked',
  'chunked, identity',
  'identity',
  'gzip',
  'chunked, chunked',
  '\x0bchunked',
  '"chunked"',
  'chunked;q=1',
];
CODINGS.push('gzip, chunked, gzip', 'cow', ', chunked, x');

export const framing = {
  name: 'framing',
  title: 'smuggling and chunks',
  *cases({ writing, random }) {
    const [{ target, key }] = writing;
    const head = (lines) =>
      [
        `POST ${target} HTTP/1.1`,
        'Host: api.example.com',
        keyHeader(key).join(': '),
        'Content-Type: application/json',
        ...lines,
        '',
        '',
      ].join('\r\n');
    const refused = (name, bytes) =>
      raw(`${name} at ${target}`, bytes, { expects: 'refusal', requests: [{ method: 'POST', target }] });
    const body = `5\r\n{"a":\r\n0\r\n\r\n${SMUGGLED}`;
    const both = ['Transfer-Encoding: chunked', 'Content-Length: 5'];
    yield refused('length and chunked', head(both) + body);
    yield refused('chunked and length', head([...both].reverse()) + body);
    for (const value of LENGTHS)
      yield refused(`length ${JSON.stringify(value)}`, `${head([`Content-Length: ${value}`])}{"a":${SMUGGLED}`);
    yield refused('two lengths', `${head(['Content-Length: 5', 'Content-Length: 60'])}{"a":${SMUGGLED}`);
    yield refused('the same length twice', `${head(['Content-Length: 5', 'Content-Length: 5'])}{"a":${SMUGGLED}`);
    for (const value of CODINGS)
      yield refused(`coding ${JSON.stringify(value)}`, head([`Transfer-Encoding: ${value}`]) + body);
    yield refused('two codings', head(['Transfer-Encoding: chunked', 'Transfer-Encoding: identity']) + body);
    for (const size of SIZES)
      yield refused(`a chunk of ${JSON.stringify(size)}`, `${head([both[0]])}${size}\r\n{"a":\r\n0\r\n\r\n${SMUGGLED}`);
    yield refused('a chunk longer than its size', `${head([both[0]])}3\r\n{"a":1}\r\n0\r\n\r\n${SMUGGLED}`);
    yield refused('a chunk that ends with LF', `${head([both[0]])}5\n{"a":\n0\n\n${SMUGGLED}`);
    yield refused('a chunk extension with LF', `${head([both[0]])}5;a\n{"a":\r\n0\r\n\r\n${SMUGGLED}`);
    yield refused(
      'a chunk extension of 100 kB',
      `${head([both[0]])}5;a=${'x'.repeat(100_000)}\r\n{"a":\r\n0\r\n\r\n${SMUGGLED}`,
    );
    yield refused('trailers of 100 kB', `${head([both[0]])}0\r\nX-A: ${'x'.repeat(100_000)}\r\n\r\n${SMUGGLED}`);
    for (const line of headerLines())
      yield refused(
        `header line ${JSON.stringify(line).slice(0, 50)}`,
        `${head([line, 'Content-Length: 5'])}{"a":${SMUGGLED}`,
      );
    yield refused('lines that end with LF', `${head(['Content-Length: 5']).replaceAll('\r\n', '\n')}{"a":${SMUGGLED}`);
    yield refused('lines that end with CR', `${head(['Content-Length: 5']).replaceAll('\r\n', '\r')}{"a":${SMUGGLED}`);
    for (const [name, bytes] of Object.entries(noHttp(random))) yield raw(name, bytes, { expects: 'refusal' });
  },
};

function headerLines() {
  return [
    'Content-Length : 0',
    ' Content-Length: 0',
    'Content-Length: 0\n',
    'X: a\rTransfer-Encoding: chunked',
    'X: a\nTransfer-Encoding: chunked',
    'X: a\r\n Transfer-Encoding: chunked',
    'X:\0',
    'X\0: a',
    ': a',
    'X',
    'X Y: a',
    'X\x80: a',
    'Transfer-Encoding\x0b: chunked',
    '(X): a',
  ];
}

function noHttp(random) {
  return {
    'a greeting of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a greeting of TLS': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'.padEnd(300, '\x01'),
    'a greeting of SSH': 'SSH-2.0-OpenSSH_9.6\r\n',
    'a name of Redis': '*1\r\n$4\r\nPING\r\n',
    'no version': 'GET / \r\n\r\n',
    'a version of three numbers': 'GET / HTTP/1.1.1\r\nHost: a\r\n\r\n',
    'another protocol': 'GET / ICY/1.0\r\nHost: a\r\n\r\n',
    'a header of 100 kB': `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
    'an address of 100 kB': `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    '20,000 headers': `GET / HTTP/1.1\r\nHost: a\r\n${'X: 1\r\n'.repeat(20_000)}\r\n`,
    'random bytes': `${random.bytes(2_000).toString('latin1')}\r\n\r\n`,
    'a method of 10 kB': `${'G'.repeat(10_000)} / HTTP/1.1\r\nHost: a\r\n\r\n`,
  };
}
