// One value is rendered once a second for all its viewers, and never for another value, page or second.
import fc from 'fast-check';
import { html } from '../../../src/web/html';
import { renderedOnce } from '../../../src/web/live/rendered';
import { runs } from '../../support/property';

const look = fc.record({
  value: fc.nat({ max: 3 }),
  page: fc.constantFrom('/live', '/live?code=horse', 'race'),
  nowMs: fc.integer({ min: 0, max: 4000 }),
});

test('every viewer has the text of its value, page and second, and a second costs one rendering', () => {
  fc.assert(
    fc.property(fc.array(look, { maxLength: 40 }), (looks) => {
      const values = [0, 1, 2, 3].map((of) => ({ of }));
      const rendered: string[] = [];
      // The clock only goes on.
      for (const { value, page, nowMs } of [...looks].sort((a, b) => a.nowMs - b.nowMs)) {
        const text = (ms: number) => `${value} ${page} ${Math.floor(ms / 1000)}`;
        const shown = renderedOnce({ value: values[value]!, page, nowMs }, ({ of }, ms) => {
          rendered.push(text(ms));
          return html`${of} ${page} ${Math.floor(ms / 1000)}`;
        });
        expect(shown.text).toBe(text(nowMs));
      }
      expect(new Set(rendered).size).toBe(rendered.length);
    }),
    { numRuns: runs(500) },
  );
});
