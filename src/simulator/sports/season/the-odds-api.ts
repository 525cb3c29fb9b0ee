// The Odds API, filled from the season: its list of sports, events and odds, with its headers, credits and refusals.
// Scores and past odds are not served.
import { SIMULATED_ODDS_KEY } from '../../../config';
import { addDays, aetDay } from '../../../domain/time/aet';
import type {
  OddsBookmaker,
  OddsEvent,
  OddsEventHead,
  OddsRefusal,
  OddsSport,
} from '../../../feeds/the-odds-api/payload';
import { type Book, type BookReply, type BookRequest, json } from '../../books/reply';
import { hashText, mix } from '../../world/random';
import { isPriced, offered } from '../offer';
import type { SportBook } from '../sport-books';
import { atTheSource } from './listing';
import { EVERY_LEAGUE, isOver, type SeasonMatch, seasonOf, startOf } from './season';
import type { SeasonLeague } from './season.data';
import { SOURCE_BOOKS } from './source-books.data';

export const ODDS_API = 'the_odds_api';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DAYS = [-1, 0, 1, 2];
const AHEAD_MS = 48 * HOUR_MS;
const CREDITS = 10_000_000;
/** The real limit of paid plans. Wall. */
const PER_SECOND = 30;
/** How old a market's own time may be. */
const LAG_MINUTES = 4;

const refusal = (status: number, error_code: string, message: string): BookReply =>
  json(status, { message, error_code, details_url: 'https://the-odds-api.example/errors' } satisfies OddsRefusal);

/** `wallMs`: a monotonic wall clock. `credits`: the account's total, never renewed. */
export function theOddsApi(seed: number, wallMs: () => number = () => performance.now(), credits = CREDITS): Book {
  let used = 0;
  let second = 0;
  let calls = 0;
  const mayPass = (): boolean => {
    const now = Math.floor(wallMs() / 1000);
    calls = now === second ? calls + 1 : 1;
    second = now;
    return calls <= PER_SECOND;
  };
  return (request) => {
    const key = request.query.get('apiKey');
    if (key === null) return refusal(401, 'MISSING_KEY', 'API key is missing');
    if (key !== SIMULATED_ODDS_KEY) return refusal(401, 'INVALID_KEY', 'API key is not valid');
    if (!mayPass()) return refusal(429, 'EXCEEDED_FREQ_LIMIT', 'Requests are too frequent');
    const { reply, cost } = answerTo(seed, request);
    const isSpent = used + cost > credits;
    if (!isSpent) used += cost;
    const answer = isSpent ? refusal(401, 'OUT_OF_USAGE_CREDITS', 'Usage quota has been reached') : reply;
    const headers = { used, remaining: credits - used, last: isSpent ? 0 : cost };
    const named = Object.entries(headers).map(([name, value]) => [`x-requests-${name}`, `${value}`]);
    return { ...answer, headers: Object.fromEntries(named) };
  };
}

interface Answered {
  readonly reply: BookReply;
  readonly cost: number;
}

const free = (reply: BookReply): Answered => ({ reply, cost: 0 });

function answerTo(seed: number, { path, query, nowMs }: BookRequest): Answered {
  const [, sourceKey, what] = /^\/v4\/sports(?:\/([\w-]+)\/(events|odds))?\/?$/.exec(path) ?? [];
  if (!path.startsWith('/v4/sports')) return free(refusal(404, 'NOT_FOUND', 'No such endpoint'));
  if (sourceKey === undefined) return free(json(200, EVERY_LEAGUE.map(sportRow)));
  const league = EVERY_LEAGUE.find((one) => one.sourceKey === sourceKey);
  if (!league) return free(refusal(404, 'UNKNOWN_SPORT', `Unknown sport ${sourceKey}`));
  const listed = matchesAt(seed, league, nowMs);
  if (what === 'events')
    return free(
      json(
        200,
        listed.map((one) => headOf(one, nowMs)),
      ),
    );
  const markets = (query.get('markets') ?? 'h2h').split(',');
  const regions = (query.get('regions') ?? 'au').split(',');
  const rows = listed.map((one) => eventOf(one, nowMs, markets));
  return { reply: json(200, rows), cost: rows.length > 0 ? markets.length * regions.length : 0 };
}

const sportRow = ({ sourceKey, group, title }: SeasonLeague): OddsSport => ({
  key: sourceKey,
  group,
  title,
  description: title,
  active: true,
  has_outrights: false,
});

/** The matches that the source lists: started events come first, and stay until they are over. */
function matchesAt(seed: number, league: SeasonLeague, nowMs: number): readonly SeasonMatch[] {
  return DAYS.flatMap((ahead) => seasonOf(seed, league, addDays(aetDay(nowMs), ahead)))
    .filter((match) => !isOver(match, nowMs) && startOf(match, nowMs) - nowMs <= AHEAD_MS)
    .toSorted((a, b) => startOf(a, nowMs) - startOf(b, nowMs));
}

/** 32 hex digits, the same for the fixture forever. */
export const sourceIdOf = ({ fixture, league }: SeasonMatch): string =>
  [1, 2, 3, 4]
    .map((word) => mix(fixture.serial, hashText(league.sourceKey), word).toString(16).padStart(8, '0'))
    .join('');

function headOf(match: SeasonMatch, nowMs: number): OddsEventHead {
  const { fixture, league } = match;
  return {
    id: sourceIdOf(match),
    sport_key: league.sourceKey,
    sport_title: league.title,
    commence_time: new Date(startOf(match, nowMs)).toISOString().replace('.000Z', 'Z'),
    home_team: fixture.home[0]!,
    away_team: fixture.away[0]!,
  };
}

function eventOf(match: SeasonMatch, nowMs: number, markets: readonly string[]): OddsEvent {
  const books = SOURCE_BOOKS.filter((book) => isPriced(match.fixture, book, nowMs));
  return { ...headOf(match, nowMs), bookmakers: books.map((book) => bookmakerOf(match, book, nowMs, markets)) };
}

function bookmakerOf(match: SeasonMatch, book: SportBook, nowMs: number, wanted: readonly string[]): OddsBookmaker {
  const lag = mix(match.fixture.serial, hashText(book.key)) % LAG_MINUTES;
  const stampMs = Math.floor(nowMs / MINUTE_MS - lag) * MINUTE_MS;
  const last_update = new Date(stampMs).toISOString().replace('.000Z', 'Z');
  // The prices of that minute: a repeated stamp has the same prices.
  const { markets } = offered(match, book, stampMs, atTheSource(match));
  const rows = markets
    .filter(({ market_type }) => wanted.includes(market_type))
    .map(({ market_type, selections }) => ({
      key: market_type,
      last_update,
      outcomes: selections.map((one) => ({
        ...one,
        name: market_type === 'totals' ? one.name.split(' ')[0]! : one.name,
      })),
    }));
  const h2h = rows.find(({ key }) => key === 'h2h');
  const lay = book.key.startsWith('betfair') && h2h ? [{ ...h2h, key: 'h2h_lay' }] : [];
  return { key: book.key, title: book.key, last_update, markets: [...rows, ...lay] };
}
