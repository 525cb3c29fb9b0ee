// Applies Spectral's `oas` rules, except those for examples, to a document:
// `node spectral.mjs <folder with its packages> <document>` writes what they find, as JSON.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [folder, document] = process.argv.slice(2);
const installed = createRequire(join(folder, 'package.json'));
const { Spectral } = installed('@stoplight/spectral-core');
const { oas } = installed('@stoplight/spectral-rulesets');

const spectral = new Spectral();
// They take two thirds of its time, and `test/api/examples.test.ts` covers every example.
const OURS = ['oas3-valid-media-example', 'oas3-valid-schema-example'];
spectral.setRuleset({ extends: [oas], rules: Object.fromEntries(OURS.map((name) => [name, 'off'])) });
const found = await spectral.run(readFileSync(document, 'utf8'));
console.log(JSON.stringify(found.map(({ code, message, path }) => `${code} at ${path.join('/')}: ${message}`)));
