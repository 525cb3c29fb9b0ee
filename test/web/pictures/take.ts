// The program of `npm run pictures` (scripts/pictures.mjs): takes the pictures of the README and records their pages.
import { readFileSync, writeFileSync } from 'node:fs';
import { ALT, pictureFile, README, recordOf, showPictures } from './pictures';

async function main(): Promise<void> {
  const shown = await showPictures();
  for (const { name, png, state } of shown) {
    writeFileSync(pictureFile(name, 'png'), png);
    writeFileSync(pictureFile(name, 'txt'), recordOf(png, state));
    console.log(`docs/pictures/${name}.png`);
  }
  const alts = new Map(shown.map(({ name, alt }) => [name, alt]));
  const readme = readFileSync(README, 'utf8');
  const described = readme.replace(
    ALT,
    (_, before: string, first: string, _old: string, after: string, second: string) =>
      [before, alts.get(first ?? second), after].join(''),
  );
  writeFileSync(README, described);
}

main().catch((error: Error) => {
  console.error(error);
  process.exitCode = 1;
});
