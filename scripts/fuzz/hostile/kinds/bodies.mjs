// Bodies that are wide, deep, long or not text: each must be judged before it is walked, otherwise it blocks all other
// requests.
import { posting, single } from '../requests.mjs';

const MEGABYTE = 1_048_576;
/** As many as fit into a megabyte. */
const MOST_MEMBERS = 130_000;
const repeat = (text, count, between = ',') => Array.from({ length: count }, () => text).join(between);
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const letter = (i) => letters[i % letters.length];
/** Names as short as possible, so that a megabyte holds the most: each costs more than its bytes. */
const nameOf = (i) => letter(i) + letter(Math.floor(i / 52)) + letter(Math.floor(i / 2_704));
const members = (count, value = '1') => Array.from({ length: count }, (_, i) => `"${nameOf(i)}":${value}`).join(',');

export const bodies = {
  name: 'bodies',
  title: 'bodies: members, depth, size, text',
  *cases({ writing, random }) {
    for (const operation of writing) {
      for (const [name, body] of Object.entries(shapes(operation.example))) yield sent(operation, name, body);
      yield together(operation, `${MOST_MEMBERS} members, many at once`, `{${members(MOST_MEMBERS)}}`);
      yield* oneText(operation);
      for (const [name, bytes] of Object.entries(texts(operation.example))) yield sent(operation, name, bytes);
      for (let i = 0; i < 20; i += 1) yield sent(operation, `random bytes ${i}`, random.bytes(1 + random.below(400)));
      for (let i = 0; i < 40; i += 1)
        yield sent(operation, `a changed example ${i}`, changed(operation.example, random));
    }
  },
};

const sent = (operation, name, body) => single(`${name} at ${operation.target}`, posting(operation, body));

// The last bytes of many bodies arrive in one turn of the event loop. Operators are trusted, and their bodies may be
// larger.
function together(operation, name, body) {
  const one = sent(operation, name, body);
  const [bytes] = one.sends;
  const sends = [bytes.subarray(0, -1), bytes.subarray(-1)];
  return { ...one, sends, connections: operation.forOperators ? 2 : 8, together: true };
}

const NO_TEXTS = ['\\ud800', 'a\\udc00b', 'a\\u0000b', '   ', '\\u200b\\u202e', 'Ev\\nil\\r\\nX-A: b'];

// Each text of the example in turn, with the others unchanged. The texts of operators are stored, so each must be a
// text.
function* oneText(operation) {
  const text = JSON.stringify(operation.example);
  for (const { 0: found, index } of text.matchAll(/"\w+":"[^"]*"/g))
    for (const value of NO_TEXTS) {
      const member = found.slice(0, found.indexOf(':'));
      const body = `${text.slice(0, index)}${member}:"${value}"${text.slice(index + found.length)}`;
      const one = sent(operation, `${member} is ${JSON.stringify(value)}`, body);
      yield operation.forOperators ? { ...one, expects: 'refusal' } : one;
    }
}

function shapes(example) {
  const text = JSON.stringify(example);
  const list = Object.keys(example).find((name) => Array.isArray(example[name])) ?? 'list';
  const row = JSON.stringify(example[list]?.[0] ?? {});
  const inList = (content) => JSON.stringify({ ...example, [list]: '@' }).replace('"@"', `[${content}]`);
  return {
    [`${MOST_MEMBERS} members`]: `{${members(MOST_MEMBERS)}}`,
    '120,000 members beside the right ones': `{${members(120_000)},${text.slice(1)}`,
    '120,000 members in a row': inList(`{${members(120_000)}}`),
    '90,000 lists as members': `{${members(90_000, '[[]]')}}`,
    '2,000 rows of 20 members': inList(repeat(`{${members(20)}}`, 2_000)),
    '300,000 empty rows': inList(repeat('{}', 300_000)),
    '200 empty rows': inList(repeat('{}', 200)),
    '200 rows of 600 members': inList(repeat(`{${members(600)}}`, 200)),
    'the same row 200 times': inList(repeat(row, 200)),
    'the same row until it is full': inList(repeat(row, Math.floor((MEGABYTE - text.length) / (row.length + 1)) - 1)),
    'one member 100,000 times': `{${repeat('"a":1', 100_000)}}`,
    'one list 50,000 times': `{${repeat(`"${list}":[{}]`, 50_000)}}`,
    '500,000 numbers': `[${repeat('1', 500_000)}]`,
    '80,000 texts': `[${repeat('"abcdefgh"', 80_000)}]`,
    '5,000 lists deep': '['.repeat(5_000) + ']'.repeat(5_000),
    '500,000 lists deep': '['.repeat(500_000) + ']'.repeat(500_000),
    '500,000 lists deep without an end': '['.repeat(1_000_000),
    '5,000 objects deep': `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    '150,000 objects deep': `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`,
    '5,000 lists deep in a row': inList(`${'['.repeat(5_000)}${']'.repeat(5_000)}`),
    '5,000 lists deep in a member of a row': inList(
      row.replace(/:[^,}]+/, `:${'['.repeat(5_000)}${']'.repeat(5_000)}`),
    ),
    'a text of a megabyte': `{"a":"${'x'.repeat(MEGABYTE - 10)}"}`,
    'a text of a megabyte in a row': inList(row.replace(/"[^"]*"(?=[,}])/, `"${'x'.repeat(MEGABYTE - 1_000)}"`)),
    'a number of a megabyte': '9'.repeat(MEGABYTE - 1),
    'a name of a megabyte': `{"${'n'.repeat(MEGABYTE - 10)}":1}`,
    '150,000 escapes': `{"a":"${'\\u0041'.repeat(150_000)}"}`,
    'a byte too much': `"${'x'.repeat(MEGABYTE - 1)}"`,
    'ten megabytes': `"${'x'.repeat(10 * MEGABYTE)}"`,
    'numbers out of range': text.replaceAll(/:-?\d+(\.\d+)?/g, ':1e400'),
    'numbers of 10,000 digits': text.replaceAll(/:-?\d+(\.\d+)?/g, `:0.${'3'.repeat(10_000)}`),
  };
}

function texts(example) {
  const text = JSON.stringify(example);
  const every = (value) => text.replaceAll(/:"[^"]*"/g, `:"${value}"`);
  return {
    'a lone surrogate in every text': every('\\ud800'),
    'a lone low surrogate in every text': every('a\\udc00b'),
    'surrogates the wrong way round': every('\\udfff\\ud800'),
    'a lone surrogate as bytes': Buffer.from(every('@'), 'utf8').toString('latin1').replaceAll('@', '\xed\xa0\x80'),
    'a lone surrogate as a name': `{"\\ud800":1,${text.slice(1)}`,
    'a NUL in every text': every('a\\u0000b'),
    'a NUL as it is': every('a\0b'),
    'control characters': every('Ev\\nil\\r\\nX-A: b'),
    'nothing that can be seen': every('\\u200b\\u202e'),
    blanks: every('   '),
    'wrong UTF-8': Buffer.concat([
      Buffer.from('{"a":"'),
      Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xf5]),
      Buffer.from('"}'),
    ]),
    'UTF-16': Buffer.from(text, 'utf16le'),
    'a byte order mark': `\ufeff${text}`,
    nothing: '',
    'null alone': 'null',
    'a text alone': '"x"',
    'NaN alone': 'NaN',
    'two bodies': `${text}${text}`,
    'half a body': text.slice(0, text.length / 2),
    comments: `/* x */ ${text}`,
  };
}

// One to three values of the example are replaced.
const VALUES = [
  'null',
  'true',
  '-1',
  '0',
  '1e308',
  '-0',
  '""',
  '" "',
  '[]',
  '{}',
  '[[]]',
  '"9999-12-31T23:59:59Z"',
  '"2026-02-31"',
];
function changed(example, random) {
  let text = JSON.stringify(example);
  for (let i = 0; i <= random.below(3); i += 1) {
    const places = [...text.matchAll(/:("[^"]*"|-?\d+(?:\.\d+)?|null|true|false)/g)];
    const { index, 0: old } = random.pick(places) ?? { index: 0, 0: '' };
    text = `${text.slice(0, index)}:${random.pick(VALUES)}${text.slice(index + old.length)}`;
  }
  return text;
}
