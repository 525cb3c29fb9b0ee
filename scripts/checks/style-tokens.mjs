// Sizes in the style sheets that a token has: `node scripts/checks/style-tokens.mjs` writes the token in their place.
// A size that no token has stays as it is. The tokens are those of src/web/assets/css/tokens.css.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ASSETS = join(dirname(fileURLToPath(import.meta.url)), '../../src/web/assets');
const TOKENS = 'css/tokens.css';

/** Paths below the assets, without the tokens themselves. */
export const sheets = () =>
  [...readdirSync(join(ASSETS, 'css')).map((name) => `css/${name}`), 'widget.css'].filter((path) => path !== TOKENS);

export const sheetText = (path) => readFileSync(join(ASSETS, path), 'utf8');

/** By size, the names of one kind: `type`, `space` or `radius`. */
const tokensOf = (kind) =>
  new Map([...sheetText(TOKENS).matchAll(new RegExp(`(--${kind}-\\d+): ([\\d.]+px);`, 'g'))].map((m) => [m[2], m[1]]));

const DECLARATIONS = [
  ['type', /(?<=\bfont-size: )[\d.]+px(?=;)/g],
  ['radius', /(?<=\bborder-radius: )[\d.]+px(?=;)/g],
  ['space', /(?<=\b(?:gap|(?:padding|margin)(?:-[a-z]+)*): )[^;()]+(?=;)/g],
];

/** The text of a sheet with tokens for the sizes that have one; of several values, if all have one or are 0 or auto. */
export function withTokens(text) {
  return DECLARATIONS.reduce((now, [kind, declaration]) => {
    const tokens = tokensOf(kind);
    return now.replace(declaration, (value) => {
      const parts = value.split(' ');
      const isKnown = parts.every((part) => tokens.has(part) || part === '0' || part === 'auto');
      return isKnown ? parts.map((part) => (tokens.has(part) ? `var(${tokens.get(part)})` : part)).join(' ') : value;
    });
  }, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const path of sheets()) {
    const text = sheetText(path);
    const better = withTokens(text);
    if (better === text) continue;
    writeFileSync(join(ASSETS, path), better);
    console.log(path);
  }
}
