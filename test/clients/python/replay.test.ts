// Replays of the Python client on the real service, through a connection that breaks. Never: an event that is lost or
// passed on twice, a race that is charged twice.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DAY, replays } from '../../api/operations/replay/replays';
import { Agent, environmentOf, installForPackage, SOURCE } from '../../support/clients/racing/agent';
import { archivedRace, markRunners } from '../../support/races/archived-race';
import { type TcpLine, tcpLine } from '../../support/servers/tcp-line';

const installed = installForPackage();
const why = installed.lacks ? ` (skipped: ${installed.lacks})` : '';

(installed.lacks ? describe.skip : describe)(`replays of the Python client${why}`, () => {
  const lab = replays();
  let line: TcpLine;
  let agent: Agent;
  let folder: string;
  let key: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'python-replay-'));
    line = await tcpLine(lab.apis[0].url);
    agent = new Agent(installed.python!, line.url);
  });
  beforeEach(async () => {
    key = await lab.addKey('enterprise');
    await agent.run('watched, clock = Watched(), Clock(); client = client_of(key, transport=watched, clock=clock)', {
      key,
      span: { date: DAY, speed: 'max' },
    });
  });
  afterAll(async () => {
    await agent?.stop();
    await line?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const EVENTS = '[[one["event"], one["data"]] for batch in batches for one in batch.events]';
  const expected = async () =>
    (await lab.played(key, `?date=${DAY}&speed=max`)).map(({ event, data }) => [event, data]);

  test('every event comes once through broken connections, is charged once, and leaves an empty board', async () => {
    const all = await expected();
    const paid = await lab.used(key);
    for (const text of ['event: recorded', 'event: state', 'event: race', 'event: gone', 'event: end']) {
      line.endInside(text);
      const found = await agent.run(`
board, batches = Board(), list(client.replay(span))
for batch in batches: board.apply(batch)
[${EVENTS}, len(board.races), watched.last_ids]`);
      const [events, races, lastIds] = found;
      expect([events, races]).toEqual([all, 0]);
      expect([text, lastIds.length, lastIds.filter((id: string | null) => !id).length]).toEqual([text, 2, 1]);
      await agent.run('watched.last_ids.clear()');
    }
    expect(await lab.used(key)).toBe(paid * 6);
    expect(await agent.run('watched.answers == watched.closed')).toBe(true);
  });

  test('another program goes on from a batch for free, and one that leaves closes its connection', async () => {
    const all = await expected();
    const paid = await lab.used(key);
    const left = await agent.run(`
batches = []
for batch in client.replay(span):
    batches.append(batch)
    if len(batches) == 4: break
first = ${EVENTS}
batches = list(client.replay(span, last_event_id=batches[-1].id))
first + ${EVENTS}`);
    expect(left).toEqual(all);
    expect(await lab.used(key)).toBe(paid * 2);
    expect(await agent.run('watched.answers == watched.closed')).toBe(true);
  });

  test('a break after which the service would charge again is an error: before the answer, or too late', async () => {
    line.endInside('HTTP/1.1 200');
    const begun = await agent.run('failure_of(lambda: list(client.replay(span)))');
    expect(begun.kinds[0]).toBe('OddsConnectionError');
    const paid = await lab.used(key);
    expect([paid, await agent.run('watched.last_ids')]).toEqual([15, [null]]);
    line.endInside('event: gone');
    const late = await agent.run(`
def slowly():
    for batch in client.replay(span): clock.now += 600
failure_of(slowly)`);
    expect([late.kinds[0], await lab.used(key)]).toEqual(['OddsConnectionError', paid * 2]);
  });

  test('a slow program is not charged again: what lay in a buffer is no sign of the service', async () => {
    await agent.run(`
class Lines(httpx.SyncByteStream):
    def __init__(self, inner): self.inner = inner
    def __iter__(self): return (line for part in self.inner for line in part.splitlines(True))
    def close(self): self.inner.close()
class InLines(Watched):
    def handle_request(self, request):
        response = super().handle_request(request)
        response.stream = Lines(response.stream)
        return response
watched = InLines()
client = client_of(key, transport=watched, clock=clock)
def played(work):
    for batch in client.replay(span): clock.now += work.pop(0) if work else 0`);
    for (const work of [[1200], [0, 300, 300]]) {
      line.endInside('"reason":"jumped"');
      const { kinds } = await agent.run('failure_of(lambda: played(work))', { work });
      expect(kinds[0]).toBe('OddsConnectionError');
    }
    expect([await agent.run('watched.last_ids'), await lab.used(key)]).toEqual([[null, null], 30]);
    line.endInside('"reason":"jumped"');
    await agent.run('played([300])');
    expect([await agent.run('watched.last_ids[2:]'), await lab.used(key)]).toEqual([[null, expect.any(String)], 45]);
  });

  const example = async (name: string, ...args: string[]): Promise<string> => {
    const env = { ...environmentOf(SOURCE), ODDS_API_URL: lab.apis[0].url, ODDS_API_KEY: key };
    const program = join(SOURCE, '../examples', `${name}.py`);
    return (await promisify(execFile)(installed.python!, [program, ...args], { env })).stdout;
  };

  test('the examples replay and backtest run, and the picture is one', async () => {
    expect(await example('replay')).toBe('');
    // As a result has them; the one of the shared races has no names.
    await lab.db.pool.query(
      `UPDATE race_results SET placings = (SELECT jsonb_agg(one || jsonb_build_object('name', 'Runner ' || (one ->> 'number')))
         FROM jsonb_array_elements(placings) one)`,
    );
    const picture = join(folder, 'backtest.png');
    expect(await example('backtest', DAY, picture)).toMatch(
      /^races on [\d-]+: [1-9]\d*\nbets: [1-9]\d*, [1-9]\d* of them with a close: [+-][\d.]+ % against it, [+-][\d.]+ units\n$/,
    );
    expect((await readFile(picture)).subarray(1, 4).toString()).toBe('PNG');
  });

  test('the backtest never bets on what came after its decision: a late scratching, a first price', async () => {
    const day = '2026-11-18';
    const add = (raceNumber: number, time: string, books: Parameters<typeof archivedRace>[2]) =>
      archivedRace(
        lab.db.pool,
        { meetingDate: day, venue: 'Lateham', raceNumber, startTime: `${day}T${time}:00.000Z`, placed: [2, 1] },
        books,
      );
    const fair = { tab: [[600, 2, 2]], neds: [[600, 2, 2]] } as const;
    const late = await add(1, '03:00', fair);
    const scratchedAt = `${day}T02:59:30.000Z`;
    await markRunners(lab.db.pool, late, `scratched = true, scratched_at = '${scratchedAt}'`);
    await lab.db.pool.query(
      'UPDATE race_runners SET scratched = true, scratched_at = $2, updated_at = $2 WHERE race_id = $1 AND number = 1',
      [late, scratchedAt],
    );
    await add(2, '04:00', { tab: [[30, 2, 5]], neds: [[30, 2, 2]] });
    await add(3, '05:00', { tab: [[600, 2, 5]], neds: [[600, 2, 2]] });
    const events = (await lab.played(key, `?date=${day}&speed=max`)).map(({ event }) => event);
    expect(events.filter((event) => event === 'race')).toHaveLength(4);
    expect(await example('backtest', day, join(folder, 'late.png'))).toMatch(
      /^races on 2026-11-18: 3\nbets: 2, 0 of them with a close\n$/,
    );
  });

  test('the backtest bets on no placeholder and on no book that has stood still, and names a day without races', async () => {
    const day = '2026-11-17';
    const add = (raceNumber: number, time: string, books: Parameters<typeof archivedRace>[2]) =>
      archivedRace(
        lab.db.pool,
        { meetingDate: day, venue: 'Placeholden', raceNumber, startTime: `${day}T${time}:00.000Z`, placed: [1, 2] },
        books,
      );
    const fair = { tab: [[600, 2, 2]], neds: [[600, 2, 2]], sportsbet: [[600, 2, 2]] } as const;
    await add(1, '03:00', { ...fair, unibet: [[600, 201, 2]] });
    await add(2, '04:00', { ...fair, unibet: [[1500, 2.4, 2.4]] });
    expect(await example('backtest', day, join(folder, 'none.png'))).toBe(
      `races on ${day}: 2\nno price was 2% above the consensus\n`,
    );
    await add(3, '05:00', { ...fair, unibet: [[1200, 2.4, 2.4]] });
    expect(await example('backtest', day, join(folder, 'one.png'))).toMatch(
      /^races on .*: 3\nbets: 2, 0 of them with a close\n$/,
    );
    expect(await example('backtest', '2026-11-02', join(folder, 'empty.png'))).toMatch(/^races on 2026-11-02: 0\n/);
  });
});
