// The legend explains what the table shows, by the rules that are applied.
import { legend } from '../../src/web/legend';

const text = (race: Parameters<typeof legend>[0]): string =>
  legend(race)
    .text.replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
const race = (category: 'horse' | 'harness' | 'greyhound', jumpedMs: number | null = null) => ({ category, jumpedMs });

test('the staleness rule, with the books that have their own horizon', () => {
  expect(text(null)).toContain(
    'the book has not responded for more than 2 minutes, or 30 minutes while the jump is over 3 hours away. ' +
      'Betr until 30 minutes before the jump and PlayUp until 6 minutes before the jump: polled every 15 minutes, and stale after 30 minutes',
  );
});

test('abbreviations of the racing code', () => {
  expect(text(race('horse'))).toContain(
    'J: T: F: jockey, trainer, form of the last five runs, latest last; (4) is the barrier',
  );
  expect(text(race('harness'))).toContain('D: T: F: driver, trainer, form');
  expect(text(race('greyhound'))).toMatch(/T: F: trainer, form of the last five runs, latest last –/);
});

test('after the jump, ages and movements are counted back from it', () => {
  expect(text(race('horse', 1))).toMatch(/5 minutes before the jump .* more than 2 minutes before the jump/);
  expect(text(race('horse'))).toMatch(/5 minutes ago .* more than 2 minutes ago: check the price before you bet/);
  expect(text(race('horse', 1))).not.toContain('before you bet');
});
