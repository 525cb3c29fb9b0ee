// The season of every sport in the format of The Odds API: read completely by the connector, priced by the minute, with
// an oracle that knows each row.
import { SIMULATED_ODDS_KEY } from '../../../src/config';
import { placeEvents } from '../../../src/domain/sports/identity/place-events';
import { SPORT_KEYS } from '../../../src/domain/sports/sports';
import { addDays } from '../../../src/domain/time/aet';
import type { FeedReply } from '../../../src/feeds/feed';
import { createTheOddsApi } from '../../../src/feeds/the-odds-api/fetch';
import { atOnce } from '../../../src/in-parts';
import { createSimulator } from '../../../src/simulator/http/server';
import { EVERY_LEAGUE, seasonOf } from '../../../src/simulator/sports/season/season';
import { theOddsApi } from '../../../src/simulator/sports/season/the-odds-api';
import { hashText } from '../../../src/simulator/world/random';
import { PATIENT_MS } from '../../support/patient';

const NOW = Date.parse('2026-11-21T03:00:00.000Z');
let nowMs = NOW;
const simulator = createSimulator({ seed: 'season', now: () => nowMs, races: [] });
let url: string;
beforeAll(async () => {
  url = await simulator.listen(0);
});
afterAll(() => simulator.close());

const feedOf = (key = SIMULATED_ODDS_KEY) =>
  createTheOddsApi(
    { baseUrl: `${url}/the_odds_api`, contact: 'c', partner: 'p', timeoutMs: PATIENT_MS, settings: { key } },
    () => nowMs,
  );
const value = <T>(reply: FeedReply<T>): T => {
  if (reply.kind !== 'ok') throw new Error(JSON.stringify(reply));
  return reply.value;
};
interface TrueMatch {
  readonly rows: readonly Readonly<Record<'by' | 'book' | 'source_id' | 'home_team', string>>[];
}
const ofOracle = async (): Promise<readonly TrueMatch[]> => {
  const body = (await (await fetch(`${url}/world/matches`)).json()) as { readonly matches: readonly TrueMatch[] };
  return body.matches;
};

test('every sport has a season, and each row of each book is the oracle’s match, without a row left out', async () => {
  const sports = value((await feedOf().sports()).reply);
  expect(new Set(sports.map(({ sportKey }) => sportKey))).toEqual(new Set(SPORT_KEYS));
  const rows = new Map<string, string>();
  const listed = new Set<string>();
  for (const sport of sports) {
    const { reply, credits } = await feedOf().odds(sport);
    const { books } = value(reply);
    expect(credits.last).toBe(3);
    const { dropped } = reply as { dropped: Record<string, number> };
    for (const reason of Object.keys(dropped)) expect(['exchange_withheld', 'book_unknown']).toContain(reason);
    for (const [book, matches] of books) {
      const placed = atOnce(
        placeEvents(
          matches.map((one) => ({ ...one, homeShare: null, h2h: null })),
          [],
          new Date(nowMs).toISOString(),
        ),
      );
      expect(placed.filter(({ kind }) => kind === 'refused')).toEqual([]);
      for (const { sourceId, homeTeam } of matches) {
        rows.set(`${book} ${sourceId}`, homeTeam);
        listed.add(sourceId);
      }
    }
  }
  const withheld = ['betfair_ex_au', 'bet365_au', 'boombet'];
  const matches = await ofOracle();
  const known = matches.flatMap(({ rows: of }) =>
    of.filter((row) => row.by === 'the_odds_api' && !withheld.includes(row.book)),
  );
  expect(new Map(known.map((row) => [`${row.book} ${row.source_id}`, row.home_team]))).toEqual(rows);
  expect(
    matches.some(({ rows: of }) => of.some((row) => row.by === 'push' && row.home_team !== of[0]!.home_team)),
  ).toBe(true);
  expect(listed.size).toBeGreaterThan(100);
});

test('a season has what distinguishes matches: doubleheaders, split squads, women before men, starts put back, walkovers, abandoned ones', () => {
  const seed = hashText('season');
  const days = Array.from({ length: 40 }, (_, i) => addDays('2026-11-01', i));
  const season = EVERY_LEAGUE.flatMap((league) => days.flatMap((day) => seasonOf(seed, league, day)));
  const of = (sportKey: string) => season.filter(({ league }) => league.sportKey === sportKey);
  const pair = ({ fixture }: (typeof season)[number]) => [fixture.home[0], fixture.away[0]].sort().join();
  const apart = (sportKey: string) => {
    const [first, second] = of(sportKey);
    return [pair(first!) === pair(second!), (second!.fixture.startMs - first!.fixture.startMs) / 3_600_000];
  };
  expect(apart('mlb')).toEqual([true, 4]);
  expect(apart('nhl')).toEqual([false, 0]);
  const men = of('nrl').find(({ fixture }) => fixture.startMs > 0)!;
  expect(
    of('nrlw').some((one) => pair(one) === pair(men) && men.fixture.startMs - one.fixture.startMs === 7_200_000),
  ).toBe(true);
  expect(season.filter(({ fixture }) => fixture.postponed !== null).length).toBeGreaterThan(20);
  expect(new Set(season.map(({ end }) => end.kind))).toEqual(new Set(['played', 'abandoned', 'walkover']));
  const serials = season.map(({ fixture }) => fixture.serial);
  expect(new Set(serials).size).toBe(serials.length);
});

test('a repeated stamp has the same prices; credits run out with the source’s own refusals', async () => {
  const sport = { sourceKey: 'soccer_epl', sportKey: 'soccer_epl' };
  const stamped = async () =>
    [...value((await feedOf().odds(sport)).reply).books].flatMap(([book, matches]) =>
      matches.flatMap(({ sourceId, markets }) =>
        markets.map(
          ({ market, prices, sourceUpdatedAt }) =>
            [`${book} ${sourceId} ${market} ${sourceUpdatedAt}`, prices] as const,
        ),
      ),
    );
  const before = new Map(await stamped());
  expect([...before.values()].some(({ draw }) => draw !== null)).toBe(true);
  nowMs += 20_000;
  const after = await stamped();
  for (const [stamp, prices] of after) expect([stamp, prices]).toEqual([stamp, before.get(stamp)]);
  nowMs = NOW;
  expect(await feedOf('another').odds(sport)).toMatchObject({
    reply: { reason: 'blocked', detail: expect.stringContaining('INVALID_KEY') },
  });
  const few = theOddsApi(1, () => 0, 4);
  const ask = (what: string) =>
    few({
      method: 'GET',
      body: '',
      path: '/v4/sports/soccer_epl/odds',
      url: '',
      baseUrl: '',
      query: new URLSearchParams(what),
      header: () => '',
      nowMs: NOW,
    });
  const key = `apiKey=${SIMULATED_ODDS_KEY}&markets=h2h,spreads,totals&regions=au`;
  expect([ask(key), ask(key)].map(({ status, headers }) => [status, headers?.['x-requests-remaining']])).toEqual([
    [200, '1'],
    [401, '1'],
  ]);
  expect(ask('').body).toContain('MISSING_KEY');
});
