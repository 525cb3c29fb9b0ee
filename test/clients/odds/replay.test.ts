// `odds replay` against the real service, through a connection that breaks. Never: an event that is lost or written
// twice, a replay that is charged twice, a price that looks stale because the archive does not know it was seen again.
import { once } from 'node:events';
import { DAY, type PlayedLine, replays } from '../../api/operations/replay/replays';
import type { TestApi } from '../../support/api/api';
import { oddsProgram, type RunningOdds, startOdds } from '../../support/clients/odds';
import { until } from '../../support/races/stream-lab';
import { type TcpLine, tcpLine } from '../../support/servers/tcp-line';

const program = oddsProgram();
const lab = replays();
const TERMINAL = { columns: 100, rows: 40 };

let line: TcpLine;
let key: string;

beforeAll(async () => {
  line = await tcpLine(lab.apis[0].url);
  await lab.db.pool.query(`UPDATE race_results SET resulted_at = '${DAY}T03:05:00Z' WHERE race_id = $1`, [
    lab.races[0],
  ]);
});
beforeEach(async () => {
  key = await lab.addKey();
});
afterAll(() => line?.close());

const start = (args: string, over: Partial<Parameters<typeof startOdds>[2]> = {}, url = line.url): RunningOdds =>
  startOdds(program, ['replay', ...args.split(' ')], {
    ...over,
    env: { ODDS_API_URL: url, ODDS_API_KEY: key, NO_COLOR: '1' },
  });

async function ended(...args: Parameters<typeof start>) {
  const running = start(...args);
  const code = await running.code;
  expect(running.out + running.err).not.toContain(key);
  return { code, out: running.out, err: running.err };
}

const eventsIn = (out: string): PlayedLine[] =>
  out
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text));
const bare = (events: readonly PlayedLine[]) => events.map(({ event, data }) => [event, data]);

test.each([
  ['in the middle', '"reason":"jumped"'],
  ['before the first event', 'event: recorded'],
])('a day through a break %s is every event once, charged once, with what is not in it', async (_, text) => {
  const all = await lab.played(await lab.addKey(), `?date=${DAY}&speed=max`);
  line.endInside(text);
  const { code, out, err } = await ended(`--date ${DAY} --speed max`);
  expect(code).toBe(0);
  expect(bare(eventsIn(out))).toEqual(bare(all));
  expect(err).toMatch(/^3 races until 2026-11-20 06:00:00 UTC, for 15 credits\n/);
  expect(err).toMatch(
    /\nno recorded prices: .*sportsbet.*\nnot recorded: prices more than 60 minutes before the start, /,
  );
  expect(await lab.used(key)).toBe(15);
});

test('another process goes on after the last id that was written, for free', async () => {
  const first = await ended(`--date ${DAY} --venue Replayfield --speed max`);
  const all = eventsIn(first.out);
  const span = ['--from', `${DAY}T03:00:00Z`, '--to', `${DAY}T03:30:00Z`].join(' ');
  expect(eventsIn((await ended(`${span} --speed max`)).out).filter(({ event }) => event === 'gone')).toHaveLength(2);
  const paid = await lab.used(key);
  const running = startOdds(
    program,
    ['replay', '--date', DAY, '--venue', 'Replayfield', '--speed', 'max', '--last-event-id', all[4]!.id!],
    { env: { ODDS_API_URL: line.url, ODDS_API_KEY: key }, terminal: TERMINAL },
  );
  expect(await running.code).toBe(0);
  expect(bare(eventsIn(running.out))).toEqual(bare(all.slice(5)));
  expect(await lab.used(key)).toBe(paid);
});

test('one race on a terminal is a table by race time, up to its result; --ndjson gives lines there too', async () => {
  const args = `--race ${lab.races[0]} --speed 60`;
  line.endInside('"reason":"jumped"');
  const { code, out, err } = await ended(args, { terminal: TERMINAL });
  expect([code, await lab.used(key)]).toEqual([0, 5]);
  expect(err + out).toMatch(/1 race until 2026-11-20 03:00:00 UTC, for 5 credits/);
  expect(out).toMatch(/race time 2026-11-20 02:01:4\d UTC · 60 times as fast/);
  expect(out).toMatch(/Replayfield R1 · horse/);
  expect(out).toMatch(/\n1 +Runner 1 +2\.90 neds +2\.90\* +2\.50\n/);
  expect(out).toContain('Replayfield R1 has jumped.');
  expect(out).toContain('final result: 1: No. 2; 2: No. 1');
  expect(out).not.toMatch(/\d!\d/);
  const lines = await ended(`${args} --ndjson`, { terminal: TERMINAL });
  expect(eventsIn(lines.out).at(-1)).toMatchObject({ event: 'end' });
});

test('an interruption ends it with 130, in the middle of a table and of lines', async () => {
  const playClock = {
    nowMs: () => 0,
    wait: async (_: number, signal: AbortSignal) => {
      if (!signal.aborted) await once(signal, 'abort');
    },
  };
  const api: TestApi = await lab.start({ playClock });
  try {
    for (const [terminal, text] of [
      [TERMINAL, 'Replayfield R1'],
      [undefined, '"event":"race"'],
    ] as const) {
      const running = start(`--race ${lab.races[0]}`, terminal && { terminal }, api.url);
      await until(() => running.out.includes(text));
      running.interrupt();
      expect(await running.code).toBe(130);
      expect(running.err).not.toContain('odds:');
    }
  } finally {
    await api.close();
  }
});

test('a selection that is none, two or wrong is refused before anything is charged; a day without races is empty', async () => {
  for (const args of [
    '--speed max',
    '--from 2026-11-20',
    `--race ${lab.races[0]} --date ${DAY}`,
    `--date ${DAY} --from ${DAY} --to ${DAY}`,
    `--date ${DAY} --speed 0`,
    `--date ${DAY} --speed 1001`,
    `--date ${DAY} --speed fast`,
  ])
    expect(await ended(args)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/^odds: /) });
  expect(await ended('--race nobody')).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^odds: .*\n$/) });
  const empty = await ended('--date 2026-11-02 --speed max');
  const days = `nothing to play: ${new URL('/past', line.url)} has the days of the archive`;
  expect(empty).toMatchObject({ code: 0, err: `0 races, for 0 credits\n${days}\n` });
  expect(eventsIn(empty.out).map(({ event }) => event)).toEqual(['recorded', 'state', 'end']);
  expect(await lab.used(key)).toBe(0);
});
