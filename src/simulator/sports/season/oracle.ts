// Which true match each row of each book belongs to, now and at any other time: for people and tests, never for the
// service.
import { addDays, aetDay } from '../../../domain/time/aet';
import { isPriced, offered, pushedIdOf } from '../offer';
import { SPORT_BOOKS_PLAYED } from '../sport-books';
import { listingOf } from './listing';
import { EVERY_LEAGUE, isOver, type SeasonMatch, seasonOf, startOf } from './season';
import { SOURCE_BOOKS } from './source-books.data';
import { ODDS_API, sourceIdOf } from './the-odds-api';

/** A league's days are rebuilt for each request. */
const MOST_DAYS = 7;

/** Matches of every league whose start, as of `nowMs`, is in [from, to]. */
export function matchesBetween(seed: number, nowMs: number, fromMs: number, toMs: number) {
  const first = addDays(aetDay(fromMs), -1);
  const days = Array.from({ length: MOST_DAYS }, (_, i) => addDays(first, i)).filter((day) => day <= aetDay(toMs));
  const matches = EVERY_LEAGUE.flatMap((league) => days.flatMap((day) => seasonOf(seed, league, day))).filter(
    (match) => startOf(match, nowMs) >= fromMs && startOf(match, nowMs) <= toMs,
  );
  return { now: iso(nowMs), matches: matches.map((match) => describe(match, nowMs)) };
}

const iso = (ms: number): string => new Date(ms).toISOString();

function describe(match: SeasonMatch, nowMs: number) {
  const { league, fixture, end } = match;
  return {
    id: sourceIdOf(match),
    sport_key: league.sportKey,
    competition: league.title,
    home: fixture.home[0]!,
    away: fixture.away[0]!,
    start: iso(startOf(match, nowMs)),
    postponed_from: fixture.postponed && nowMs >= fixture.postponed.atMs ? iso(fixture.startMs) : null,
    end: { kind: end.kind, at: iso(end.atMs) },
    starts: [fixture.startMs, ...(fixture.postponed ? [fixture.postponed.startMs] : [])].map(iso),
    listed_as: [{ by: ODDS_API, book: null, source_id: sourceIdOf(match), ...namesAt(match) }, ...pushedNames(match)],
    rows: isOver(match, nowMs) ? [] : [...sourceRows(match, nowMs), ...pushedRows(match, nowMs)],
  };
}

function sourceRows(match: SeasonMatch, nowMs: number) {
  const { league, fixture } = match;
  const row = {
    by: ODDS_API,
    source_id: sourceIdOf(match),
    home_team: fixture.home[0]!,
    away_team: fixture.away[0]!,
    competition: league.title,
    commence_time: iso(startOf(match, nowMs)),
  };
  return SOURCE_BOOKS.filter((book) => isPriced(fixture, book, nowMs)).map(({ key }) => ({ ...row, book: key }));
}

function pushedRows(match: SeasonMatch, nowMs: number) {
  return SPORT_BOOKS_PLAYED.filter((book) => isPriced(match.fixture, book, nowMs)).map((book) => {
    const row = offered(match, book, nowMs, listingOf(match, book));
    const { source_id = null, home_team, away_team, competition = null, commence_time } = row;
    return { by: 'push', book: book.key, source_id, home_team, away_team, competition, commence_time };
  });
}

const namesAt = ({ league, fixture }: SeasonMatch) => ({
  sport_key: league.sportKey,
  home: fixture.home[0]!,
  away: fixture.away[0]!,
});

/** The names with which each book ever lists the match; `home` is the true home side in the book's spelling. */
function pushedNames(match: SeasonMatch) {
  return SPORT_BOOKS_PLAYED.map((book) => {
    const { sportKey: sport_key, home, away } = listingOf(match, book);
    return { by: 'push', book: book.key, source_id: pushedIdOf(match.fixture, book), sport_key, home, away };
  });
}
