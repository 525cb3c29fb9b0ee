// .env.example and the schema of src/config agree both ways, and uncommenting the whole file changes nothing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { Environment, loadConfig } from '../src/config';

const text = readFileSync(join(__dirname, '../.env.example'), 'utf8');
const written = parseEnv(text.replace(/^#(?=[A-Z])/gm, ''));

test('the file has exactly the existing settings, with their defaults', () => {
  const settings = Object.entries(Environment.properties).map(([name, schema]) => [name, String(schema.default ?? '')]);
  expect(written).toEqual(Object.fromEntries(settings));
});

test('every setting is commented out, appears once and has its description above it', () => {
  const lines = text.split('\n');
  const settings = lines.flatMap((line, i) => (/^#?[A-Z]\w*=/.test(line) ? [{ line, above: lines[i - 1] }] : []));
  expect(settings).toHaveLength(Object.keys(Environment.properties).length);
  for (const { line, above } of settings) {
    expect(line).toMatch(/^#/);
    expect(above).toMatch(/^# \S|^#SIMULATOR_PUSH_URL=/);
  }
});

test('uncommenting every line changes no setting', () => {
  expect(loadConfig(written)).toEqual(loadConfig({}));
});
