// A worker's dependencies as production configures them: a source without an address is left out, and the log names it.
import { Writable } from 'node:stream';
import pino from 'pino';
import { loadConfig } from '../../src/config';
import { EXPECTED_BOOKS } from '../../src/domain/bookmakers';
import { activityDeps } from '../../src/wiring/collecting';
import { createWiring } from '../../src/wiring/service';

test('only sources with an address are collected, and the log names the others', async () => {
  const logged: { sources?: string[]; msg: string }[] = [];
  const stream = new Writable({
    write(line, _, done) {
      logged.push(JSON.parse(line));
      done();
    },
  });
  const config = loadConfig({
    NODE_ENV: 'production',
    BULK_FOLDER: '/srv/bulk',
    BASE_URL: 'https://odds.example',
    BULK_SIGNING_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
    SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
    DATABASE_URL: process.env.DATABASE_URL,
    REDIS_URL: process.env.REDIS_URL,
    FEED_NEDS_URL: 'https://neds.example',
    FEED_TOPAZ_URL: 'https://topaz.example',
  });
  const wiring = createWiring(config, pino({}, stream));
  try {
    const deps = activityDeps(wiring, undefined as never);
    expect([...deps.feeds.keys()]).toEqual(['neds']);
    expect(deps.registry).toBeUndefined();
    expect(deps.resultsRegistries.map(({ source }) => source)).toEqual(['topaz']);
  } finally {
    await wiring.close();
  }
  const [line] = logged.filter(({ sources }) => sources);
  expect(line!.msg).toBe('sources without FEED_<KEY>_URL are not collected');
  expect(line!.sources).toEqual(expect.arrayContaining(['tab', 'betfair_ex_au', 'racing_australia']));
  for (const own of ['neds', 'topaz', 'boostbet']) expect(line!.sources).not.toContain(own);
  expect(line!.sources).toHaveLength(EXPECTED_BOOKS.length - 3 + 1);
});
