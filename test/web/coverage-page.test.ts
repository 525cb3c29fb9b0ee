// The states of bookmakers on the coverage report are current, and a state from half an hour ago never has the colour
// of a current one.
import { coverageMain } from '../../src/web/site/coverage-page';

const READ = Date.parse('2026-11-21T03:00:00Z');
const page = (secondsLater: number): string =>
  coverageMain(
    {
      as_of: '2026-11-21T02:31:00.000Z',
      bookmakers_as_of: '2026-11-21T03:00:00.000Z',
      prices: null,
      results: null,
      archive: null,
      bookmakers: [
        { title: 'Betr', status: 'error', last_ok: '2026-11-21T02:55:00.000Z' },
        { title: 'TAB', status: 'ok', last_ok: '2026-11-21T02:59:50.000Z' },
        { title: 'PlayUp', status: null, last_ok: null },
      ],
      unavailable: [],
    },
    READ + secondsLater * 1000,
  ).text;
const text = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

test('a state is shown with the age of its reading, and each last response with its own', () => {
  expect(page(5)).toContain('<span class="tag tag-bad">failed</span>');
  expect(text(page(5))).toContain('As of 5s ago');
  expect(text(page(5))).toContain('Betr failed 5m ago TAB ok 15s ago PlayUp none yet none yet');
});

test('after two minutes a reading is past, without the colour of a state; the browser counts to that too', () => {
  expect(page(120)).toContain('tag-bad');
  expect(page(121)).not.toMatch(/tag-(bad|good)/);
  expect(text(page(121))).toContain('Betr had failed 7m ago TAB was ok 2m ago');
  expect(page(5)).toContain(`data-stale-from="${READ + 120_001}"`);
});
