// Matches of the year: three a day, which three books push twice, with different prices the second time.
import type { Pool } from 'pg';
import type { Day } from '../../../src/domain/race/race';
import { createKeyStore, hashApiKey } from '../../../src/store/keys/keys';
import { keyRow, newKey } from '../api/api';
import { h2h, totals } from '../sports/push';
import type { YearService } from './service';

const BOOKS = ['boostbet', 'betgold', 'neds'];
const TEAMS = [
  'Brisbane Broncos',
  'Melbourne Storm',
  'Dolphins',
  'Gold Coast Titans',
  'Penrith Panthers',
  'Sydney Roosters',
];
const STARTS_AFTER_MS = 8 * 3_600_000;

export type Push = (day: Day, time: number) => Promise<void>;

export async function openMatches({ api }: YearService, owner: Pool, wallMs: () => number): Promise<Push> {
  const key = newKey();
  const issuedAt = new Date(wallMs()).toISOString();
  await createKeyStore(owner).insert(hashApiKey(key), keyRow(key, { role: 'internal', plan: 'enterprise', issuedAt }));
  return async (day, time) => {
    for (const [shift, book] of BOOKS.entries()) {
      const body = JSON.stringify({ bookmaker_key: book, events: eventsOf(day, time + shift) });
      const headers = { 'Content-Type': 'application/json' };
      const answer = await api.send('POST', `/v1/ingest/sports/${book}`, { key, headers, body });
      if (answer.status !== 200 || answer.body.events_ingested !== 3) throw new Error(`${book} ${day}: ${answer.text}`);
    }
  };
}

/** Other teams play every day. */
function eventsOf(day: Day, shift: number): readonly object[] {
  const turn = Number(day.slice(8)) % TEAMS.length;
  const teams = TEAMS.map((_, i) => TEAMS[(i * (turn % 2 === 0 ? 1 : 5) + turn) % TEAMS.length]!);
  return [0, 1, 2].map((i) => {
    const [home_team, away_team] = [teams[2 * i]!, teams[2 * i + 1]!];
    const commence_time = new Date(Date.parse(day) + STARTS_AFTER_MS + i * 7_200_000).toISOString();
    const markets = [
      h2h(home_team, away_team, [1.8 + shift * 0.02, 2 - shift * 0.02]),
      totals(40.5, [1.9, 1.86 + shift * 0.02]),
    ];
    return { sport_key: 'nrl', home_team, away_team, commence_time, markets };
  });
}
