// The pictures of the README show the pages as they are. `npm run pictures` takes them again.
import { existsSync, readFileSync } from 'node:fs';
import { noBrowserReason } from '../../support/pages/browser';
import { altOf, pictureFile, README, recordOf, showPictures } from './pictures';

const reason = noBrowserReason();
const each = reason === null ? test : test.skip;

each(`each picture is of the page of today${reason === null ? '' : ` (skipped: ${reason})`}`, async () => {
  const shown = await showPictures();
  const alts = altOf(readFileSync(README, 'utf8'));
  expect([...alts.keys()]).toEqual(shown.map(({ name }) => name));
  for (const { name, alt, state } of shown) {
    expect(existsSync(pictureFile(name, 'png'))).toBe(true);
    const recorded = readFileSync(pictureFile(name, 'txt'), 'utf8');
    expect(recorded).toBe(recordOf(readFileSync(pictureFile(name, 'png')), state));
    expect(alts.get(name)).toBe(alt);
  }
});
