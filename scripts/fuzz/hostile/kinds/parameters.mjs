// Endless, meaningless and badly encoded parameters: a refusal must cost and reveal little.
import { keyHeader, short, single } from '../requests.mjs';

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
const twoLetters = [...letters].flatMap((one) => [...letters].map((two) => one + two));
const unknown = (count) => twoLetters.slice(0, count).join('&');
/** As many as fit into a head of 16 kB. */
const MOST = 3_700;
const threeLetters = Array.from(
  { length: MOST },
  (_, i) => `${letters[i % 26]}${letters[(i >> 3) % 36]}${letters[(i >> 6) % 36]}`,
);

const VALUES = [
  '',
  ' ',
  '%',
  '%zz',
  '%00',
  '%ed%a0%80',
  '%f0%9f%90%8e',
  '%ff',
  '+',
  '-1',
  '0',
  '1e400',
  '1e-400',
  'NaN',
  'Infinity',
  '-0',
  '9'.repeat(400),
  '2026-02-31',
  '0000-00-00',
  '9999-12-31',
  '275760-09-13',
  '2026-11-21T24:00:00Z',
  '2026-11-21T03:00:60Z',
  '2026-11-21T03:00:00.0000000001Z',
  '+275760-09-13T00:00:00Z',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  "' OR 1=1--",
  '%27%3B%20DROP',
  '%24%7B7*7%7D',
  '../..',
  'a'.repeat(8_000),
  ','.repeat(8_000),
  `${'a,'.repeat(4_000)}a`,
  'AU,'.repeat(2_000),
  '%2C'.repeat(2_000),
  '1,'.repeat(3_000),
  '..',
  '%0d%0aX-A:%20b',
];
const SHAPES = {
  [`${twoLetters.length} unknown names`]: unknown(twoLetters.length),
  [`${MOST} unknown names`]: threeLetters.join('&'),
  [`${MOST} times the same name`]: Array.from({ length: MOST }, () => 'abc').join('&'),
  'brackets and dots': 'a[b][c]=1&a.b=2&a[]=3&a[__proto__][x]=1',
  'only ampersands': '&'.repeat(8_000),
  'only equals signs': '='.repeat(8_000),
  'broken escapes': '%&%=%&=%zz&a=%e0%a4%a',
  'bytes above ASCII': '\x80=\xff&\xe9',
  'a name of 12 kB': 'a'.repeat(12_000),
};

export const parameters = {
  name: 'parameters',
  title: 'parameters',
  *cases({ reading, random, about }) {
    for (const { target, key, parameters: known } of reading) {
      const request = (query) => ({ target: `${target}?${query}`, headers: [keyHeader(key)] });
      for (const [name, query] of Object.entries(SHAPES)) yield single(`${name} at ${target}`, request(query));
      for (const name of known) {
        for (const value of random.some(VALUES, 8))
          yield single(`${name}=${short(value)} at ${target}`, request(`${name}=${value}`));
        yield single(`${name} twice at ${target}`, request(`${name}=${about.races[0]}&${name}=${about.days[0]}`));
      }
      if (known.length > 0) {
        const all = known.map((name) => `${name}=${random.pick(VALUES).slice(0, 200)}`).join('&');
        yield single(`every parameter at ${target}`, request(all));
        yield single(
          `every parameter ${MOST / 10} times at ${target}`,
          request(Array.from({ length: MOST / 10 }, () => `${random.pick(known)}=x`).join('&')),
        );
      }
    }
  },
};
