// Parts of the Python client without a server: signatures of webhooks, the text of a stream in any pieces, a board, and
// data frames. Never: a null that becomes a figure, an instant that becomes a local time, a figure that is rounded.
import fc from 'fast-check';
import { LastSign } from '../../../clients/typescript/src/follow/last-sign.ts';
import { type Secrets, signatureHeaders } from '../../../src/webhooks/signature';
import { Agent, installForPackage } from '../../support/clients/racing/agent';
import { runs } from '../../support/property';

const installed = installForPackage();
const why = installed.lacks ? ` (skipped: ${installed.lacks})` : '';

const AT = new Date('2026-11-21T03:00:00.000Z');
const [OLD, NEW, OTHER] = ['old', 'new', 'other'].map(
  (name) => `whsec_${Buffer.from(name.padEnd(32, '.')).toString('base64')}`,
) as [string, string, string];
const BODY = '{"event":"race.result","venue":"Bjärred"}';
const signed = (...secrets: Secrets) => signatureHeaders({ id: 'msg_1', at: AT, body: BODY }, secrets);

(installed.lacks ? describe.skip : describe)(`parts of the Python client${why}`, () => {
  let agent: Agent;

  beforeAll(async () => {
    agent = new Agent(installed.python!, 'https://api.example.com');
    await agent.run(`
from racing_odds_client import schemas, to_frame, verify_webhook
from racing_odds_client.follow.event_reader import EventReader`);
  });
  afterAll(() => agent?.stop());

  describe('a post', () => {
    const verified = (secret: string, headers: object, body: string, seconds = 0, more = '') =>
      agent.run(`verify_webhook(secret, headers, body, now=lambda: at${more})`, {
        ...{ secret, headers, body },
        at: AT.getTime() / 1000 + seconds,
      });

    test('is of its secret, and of both while one is being replaced', async () => {
      for (const headers of [signed(NEW), signed(NEW, OLD), signed(OLD, NEW)])
        expect(await verified(NEW, headers, BODY)).toEqual(JSON.parse(BODY));
      expect(await verified(OLD, signed(NEW, OLD), BODY)).toEqual(JSON.parse(BODY));
      const bytes =
        'verify_webhook(secret, {"Webhook-Id": [headers["webhook-id"]], **headers}, body.encode(), now=lambda: at)';
      expect(await agent.run(bytes)).toEqual(JSON.parse(BODY));
      expect(await verified(NEW, signed(NEW), BODY, 300)).toEqual(JSON.parse(BODY));
      expect(await verified(NEW, signed(NEW), BODY, 900, ', tolerance_seconds=900')).toEqual(JSON.parse(BODY));
    });

    const refused: [what: string, secret: string, headers: object, body: string, seconds?: number][] = [
      ['of another secret', OTHER, signed(NEW, OLD), BODY],
      ['with another body', NEW, signed(NEW), BODY.replace('result', 'resulT')],
      ['under another id', NEW, { ...signed(NEW), 'webhook-id': 'msg_2' }, BODY],
      ['with another time', NEW, { ...signed(NEW), 'webhook-timestamp': `${AT.getTime() / 1000 + 1}` }, BODY],
      ['with a time that is no number', NEW, { ...signed(NEW), 'webhook-timestamp': 'NaN' }, BODY],
      ['that is too old', NEW, signed(NEW), BODY, 301],
      ['from the future', NEW, signed(NEW), BODY, -301],
      ['whose signature is cut', NEW, { ...signed(NEW), 'webhook-signature': 'v1,' }, BODY],
      ['of another version', NEW, { ...signed(NEW), 'webhook-signature': 'v2,AAAA' }, BODY],
      ['without a signature', NEW, { ...signed(NEW), 'webhook-signature': null }, BODY],
    ];
    test.each(refused)('%s is refused', async (_, ...given) => {
      await expect(verified(...given)).rejects.toThrow('WebhookVerificationError');
    });

    test('never verifies with an empty secret', async () => {
      for (const secret of ['', 'whsec_', 'whsec_ü'])
        await expect(verified(secret, signed(NEW), BODY)).rejects.toThrow('ValueError');
    });
  });

  test('the last sign of the service is that of the TypeScript client', async () => {
    const seconds = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 1200 }));
    const parts = fc.sample(fc.tuple(seconds, seconds), { numRuns: 300, seed: 7 });
    const [sign, expected] = [new LastSign(0), [] as number[]];
    let now = 0;
    for (const [worked, waited] of parts) {
      now += worked + waited;
      sign.read((now - waited) * 1000, now * 1000);
      expected.push(sign.atMs / 1000);
    }
    const program = `
from racing_odds_client.follow.last_sign import LastSign
sign, at, found = LastSign(0), 0, []
for worked, waited in parts:
    at += worked + waited
    sign.read(at - waited, at)
    found.append(sign.at)
found`;
    expect(await agent.run(program, { parts })).toEqual(expected);
    expect(expected.some((one, i) => one === expected[i - 1])).toBe(true);
  });

  test('a stream has the same events in whatever pieces and with whatever line ends it comes', async () => {
    const lines = [
      ...[': comment', 'retry: 1500', '', 'event: race', 'data: {"ü":', 'data:1}', 'id: 7 a', ''],
      ...['id: 8', '', 'data', ''],
    ];
    await agent.run(`
def read(text, sizes):
    data, reader, found, at, i = text.encode(), EventReader(), [], 0, 0
    while at < len(data):
        found += reader.read(data[at : at + sizes[i % len(sizes)]])
        at, i = at + sizes[i % len(sizes)], i + 1
    return found`);
    const block = (over: object) => ({ event: 'message', data: null, id: null, retry: null, ...over });
    const blocks = [
      block({ retry: 1.5 }),
      block({ event: 'race', data: '{"ü":\n1}', id: '7 a' }),
      block({ id: '8' }),
      block({ data: '' }),
    ];
    const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 });
    const property = fc.asyncProperty(fc.constantFrom('\n', '\r\n'), cuts, async (lineEnd, sizes) => {
      const text = `${lines.join(lineEnd)}${lineEnd}`;
      expect(await agent.run('read(text, sizes)', { text, sizes })).toEqual(blocks);
    });
    await fc.assert(property, { numRuns: runs(200) });
  });

  test('events and members that come later do not disturb a board', async () => {
    const board = await agent.run(
      `
from racing_odds_client import StreamBatch
board = Board()
board.apply(StreamBatch("1", events))
list(board.races.values())`,
      {
        events: [
          { event: 'weather', data: ['anything'] },
          { event: 'race', data: { race_id: 'a', new: 1, runners: [] } },
          {
            event: 'changes',
            data: {
              races: [
                { race_id: 'b', changed_runners: [] },
                { race_id: 'a', new: 2, changed_runners: [] },
              ],
            },
          },
          { event: 'gone', data: { race_id: 'never seen' } },
        ],
      },
    );
    expect(board).toEqual([{ race_id: 'a', new: 2, runners: [] }]);
    // A batch that the program keeps does not change with the board.
    expect(await agent.run('events[1]["data"]["new"]')).toBe(1);
  });

  describe('a frame', () => {
    const instant = fc
      .date({ min: new Date('1990-01-01T00:00:00Z'), max: new Date('2090-01-01T00:00:00Z'), noInvalidDate: true })
      .map((date) => date.toISOString());
    const figure = fc.double({ min: 1.01, max: 1000, noNaN: true });
    const row = fc.record(
      {
        race_id: fc.string(),
        start_time: instant,
        scratched_at: fc.option(instant),
        country: fc.option(fc.string()),
        race_number: fc.integer({ min: 1, max: 24 }),
        open_win_price: figure,
        close_place_price: fc.option(figure),
        finish_position: fc.option(fc.integer({ min: 1, max: 24 })),
        scratched: fc.boolean(),
        books_in_consensus_open: fc.option(fc.constantFrom(0, 2 ** 53 - 1)),
      },
      { requiredKeys: ['race_id', 'start_time', 'open_win_price'] },
    );

    test('has every value as it came, and what is null or absent as missing', async () => {
      await agent.run(`
import pandas as pd
def back(value):
    if value is None or pd.isna(value): return None
    if isinstance(value, pd.Timestamp):
        assert str(value.tzinfo) == "UTC"
        return value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return value.item() if hasattr(value, "item") else value
def framed(rows):
    frame = to_frame(rows, schemas.ClosingLine)
    names = {name for row in rows for name in row}
    return [{name: back(frame[name][i]) for name in names} for i in range(len(rows))], {str(t) for t in frame.dtypes}`);
      const property = fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 30 }), async (rows) => {
        const [values, dtypes] = await agent.run('framed(rows)', { rows });
        const names = [...new Set(rows.flatMap((one) => Object.keys(one)))];
        const expected = rows.map((one) =>
          Object.fromEntries(names.map((name) => [name, one[name as keyof typeof one] ?? null])),
        );
        expect(values).toEqual(expected);
        expect(dtypes.sort()).toEqual(['Float64', 'Int64', 'boolean', 'datetime64[us, UTC]', 'string']);
      });
      await fc.assert(property, { numRuns: runs(100) });
    });

    test('has the same columns without a row, instants of another offset in UTC, and members that come later', async () => {
      expect(
        await agent.run(
          'list(to_frame([], schemas.ClosingLine).dtypes) == list(to_frame([{}], schemas.ClosingLine).dtypes)',
        ),
      ).toBe(true);
      const later = `
frame = to_frame([{"start_time": "2026-11-21T14:00:00+11:00", "new": 1.5}, {"new": None}], schemas.ClosingLine)
[frame["start_time"][0].isoformat(), frame["new"].isna().tolist(), frame["race_number"].isna().all().item()]`;
      expect(await agent.run(later)).toEqual(['2026-11-21T03:00:00+00:00', [false, true], true]);
    });

    test('follows lists down: a row for each quote', async () => {
      const quote = (key: string, win_price: number | null) => ({ key, win_price, last_update: AT.toISOString() });
      const races = [
        {
          race_id: 'a',
          venue: 'Flemington',
          runners: [
            { number: 1, name: 'One', bookmakers: [quote('tab', 2.5), quote('neds', null)] },
            { number: 2, name: 'Two', bookmakers: [] },
          ],
        },
        { race_id: 'b', venue: 'Ascot', runners: [{ number: 1, name: 'Three', bookmakers: [quote('tab', 3)] }] },
      ];
      const columns = ['venue', 'runners.number', 'runners.bookmakers.key', 'runners.bookmakers.win_price'];
      const found = await agent.run(
        `
frame = to_frame(races, schemas.NextRace, down=("runners", "bookmakers"))
[frame[columns].astype(object).where(frame[columns].notna(), None).values.tolist(), str(frame["runners.bookmakers.last_update"].dtype)]`,
        { races, columns },
      );
      expect(found).toEqual([
        [
          ['Flemington', 1, 'tab', 2.5],
          ['Flemington', 1, 'neds', null],
          ['Ascot', 1, 'tab', 3],
        ],
        'datetime64[us, UTC]',
      ]);
      await expect(agent.run('to_frame([], schemas.NextRace, down=("horses",))')).rejects.toThrow('has no list horses');
    });
  });
});
