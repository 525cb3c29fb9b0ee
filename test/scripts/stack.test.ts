import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const scripts = join(__dirname, '../../scripts');
const stack = (...args: string[]) =>
  spawnSync(process.execPath, [join(scripts, 'stack.mjs'), ...args], { encoding: 'utf8' });

test('status --json prints JSON and nothing else, with every field that a script may read', () => {
  const { stdout, status } = stack('status', '--json');
  const found = JSON.parse(stdout) as Record<string, unknown>;
  expect(Object.keys(found)).toEqual(
    expect.arrayContaining([
      'ready',
      'api_url',
      'ui_url',
      'database_url',
      'redis_url',
      'temporal_address',
      'temporal_namespace',
      'simulator_url',
      'worker_url',
      'api_metrics_url',
      'sdk_metrics_url',
      'demo_key',
      'plus_key',
      'internal_key',
    ]),
  );
  expect(status).toBe(found.ready ? 0 : 1);
});

test('an unknown command is refused', () => {
  const { stderr, status } = stack('destroy');
  expect(status).toBe(1);
  expect(stderr).toContain('There is no command "destroy".');
});

test('the search attributes are those that operators search by', () => {
  expect(JSON.parse(readFileSync(join(scripts, 'servers/search-attributes.json'), 'utf8'))).toEqual({
    RacePhase: 'Keyword',
    PollTier: 'Keyword',
    FieldStatus: 'Keyword',
    Venue: 'Keyword',
    Category: 'Keyword',
    Country: 'Keyword',
    AdvertisedStart: 'Datetime',
  });
});
