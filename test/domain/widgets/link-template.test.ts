import fc from 'fast-check';
import { linkOf, PLACEHOLDERS, templateProblem, type WidgetType } from '../../../src/domain/widgets/link-template';
import { originProblem } from '../../../src/domain/widgets/site-origin';
import { runs } from '../../support/property';

const valuesOf = (type: WidgetType) =>
  fc.record(
    Object.fromEntries(
      PLACEHOLDERS[type].map((name) => [name, fc.oneof(fc.string({ unit: 'binary', minLength: 1 }), fc.nat())]),
    ),
  );
const PIECES = ['https://', 'go.example', '/', '?', '#', '@', ':', '\\', '{', '}', 'x=', ' '];
/** Anything with a valid start, and what an owner would write. */
const templateOf = (named: readonly string[]) =>
  fc.oneof(
    fc.array(fc.constantFrom(...PIECES, ...named)).map((pieces) => `https://${pieces.join('')}`),
    fc
      .array(fc.constantFrom('/', '?', '#', '@', ':', 'x=', ...named))
      .map((path) => `https://go.example/${path.join('')}`),
  );

test.each(['racing', 'sports'] as const)(
  'for any price, a link of a %s widget goes to the host of its template',
  (type) => {
    let accepted = 0;
    const named = PLACEHOLDERS[type].map((one) => `{${one}}`);
    const property = fc.property(templateOf(named), valuesOf(type), (text, of) => {
      if (templateProblem(text, type) !== null) return;
      accepted++;
      const link = new URL(linkOf(text, of as never));
      const plain = new URL(text.replace(/\{\w+\}/g, 'x'));
      expect([link.origin, link.username, link.password]).toEqual([plain.origin, '', '']);
      expect(link.protocol).toBe('https:');
      // Every value is one component: it starts no new path, query or fragment.
      expect([link.search === '', link.hash === '']).toEqual([plain.search === '', plain.hash === '']);
    });
    fc.assert(property, { numRuns: runs(20_000) });
    expect(accepted).toBeGreaterThan(10);
  },
);

test('values are percent-encoded, each at its placeholder', () => {
  const of = {
    race_id: 'f06c',
    race_number: 7,
    venue: 'Gold Coast & Co',
    category: 'horse',
    runner_number: 3,
  } as const;
  const text = 'https://go.example/{venue}/{race_number}?h={runner_name}&again={runner_name}#{bookmaker}';
  expect(linkOf<'racing'>(text, { ...of, runner_name: 'O’Brien/=?#', bookmaker: 'tab' })).toBe(
    'https://go.example/Gold%20Coast%20%26%20Co/7?h=O%E2%80%99Brien%2F%3D%3F%23&again=O%E2%80%99Brien%2F%3D%3F%23#tab',
  );
});

test('an accepted origin is one source of a policy, and is written as browsers write it', () => {
  const pieces = fc.constantFrom(
    'https://',
    'http://',
    'localhost',
    'a.example',
    ':',
    '8443',
    ';',
    "'",
    ',',
    ' ',
    '*',
    '/',
    '@',
    'É',
    '.',
  );
  const property = fc.property(fc.array(pieces, { maxLength: 6 }), (list) => {
    const text = list.join('');
    if (originProblem(text, () => true) !== null) return;
    expect(new URL(text).origin).toBe(text);
    expect(text).toMatch(/^https?:\/\/[a-z0-9.:-]+$/);
  });
  fc.assert(property, { numRuns: runs(20_000) });
  for (const text of [
    'https://a.example',
    'https://a.example:8443',
    'http://localhost:3000',
    'https://xn--mnchen-3ya.de',
  ])
    expect([text, originProblem(text, () => true)]).toEqual([text, null]);
  for (const text of [
    'https://..',
    'https://-',
    'https://a-.example',
    'https://a.com.',
    `https://${'a.'.repeat(130)}com`,
  ])
    expect([text, originProblem(text, () => true)]).toEqual([text, expect.stringContaining('no name of a site')]);
});
