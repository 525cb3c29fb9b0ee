// The judge of regular expressions finds them wherever they are written, and refuses one that a long input can stall.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { expressionsOf, faultOf } = require('../../../scripts/checks/expressions.mjs') as {
  expressionsOf(src: string): ReadonlyMap<string, readonly string[]>;
  faultOf(expression: string, most?: number): Promise<string | null>;
};

test('literals, schema patterns and composed expressions are found', () => {
  const src = mkdtempSync(join(tmpdir(), 'expressions-'));
  try {
    writeFileSync(
      join(src, 'one.ts'),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source.
      "const a = /^x+$/i; const b = { pattern: '^y$' }; const c = (n: string) => new RegExp(`${n}z`, 'g');",
    );
    expect([...expressionsOf(src).keys()]).toEqual(['/^x+$/i', '/^y$/u', '/wordz/g']);
  } finally {
    rmSync(src, { recursive: true });
  }
});

test('linear-time expressions pass; others need a limit, and a short enough one', async () => {
  expect(await faultOf('/^[a-z]+$/')).toBeNull();
  expect(await faultOf('/\\s+$/')).toMatch(/2nd degree polynomial: bound its input/);
  expect(await faultOf('/\\s+$/', 500)).toBeNull();
  expect(await faultOf('/^(a+)+$/', 5000)).toMatch(/takes .* ms for 5000 characters/);
});
