// Lines made by the database are only joined: none of their bytes changes, and no chunk is too long for a young
// collection.
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { csvOfLines } from '../../src/row-files/csv';
import { runs } from '../support/property';

const COLUMN = { name: 'a,b', type: 'text', nullable: false, description: '' } as const;
const MOST = 65_536;

test('lines follow the header, in chunks of at most 65,536 characters unless one text is longer', () => {
  const text = fc.integer({ min: 1, max: MOST * 1.5 }).map((length) => 'é'.repeat(length));
  const made = fc.array(fc.array(text, { maxLength: 5 }), { maxLength: 4 });
  return fc.assert(
    fc.asyncProperty(made, async (batches) => {
      const chunks: string[] = [];
      for await (const chunk of csvOfLines([COLUMN], Readable.from(batches))) chunks.push(chunk);
      expect(chunks.join('') === `"a,b"\r\n${batches.flat().join('')}`).toBe(true);
      const texts = new Set(batches.flat());
      const wrong = chunks.filter((chunk) => chunk === '' || (chunk.length > MOST && !texts.has(chunk)));
      expect(wrong.map(({ length }) => length)).toEqual([]);
    }),
    { numRuns: runs(50) },
  );
});
