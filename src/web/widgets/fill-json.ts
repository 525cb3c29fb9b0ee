// A fill of a widget as scripts of customers' sites get it, in the names of the API.
import { instant } from '../format';
import type { WidgetContent, WidgetFill, WidgetMatch, WidgetPrice, WidgetRace } from './source';

export const fillJson = ({ asOfMs, cached, delayed, ageSeconds, nextInSeconds, content }: WidgetFill) => ({
  as_of: instant(asOfMs),
  cached,
  delayed,
  age_seconds: ageSeconds,
  next_fill_in_seconds: nextInSeconds,
  ...contentJson(content),
});

const contentJson = (content: WidgetContent) =>
  content.type === 'racing'
    ? { races: content.races.map(raceJson) }
    : { sport_key: content.sportKey, market: content.market, matches: content.matches.map(matchJson) };

const raceJson = (race: WidgetRace) => ({
  race_id: race.raceId,
  venue: race.venue,
  race_number: race.raceNumber,
  category: race.category,
  country: race.country,
  race_name: race.raceName,
  start_time: instant(race.startMs),
  runners: race.runners.map(({ number, name, scratched, win, place }) => ({
    number,
    name,
    scratched,
    best_win: win && quote(win),
    best_place: place && quote(place),
  })),
});

const matchJson = (match: WidgetMatch) => ({
  event_id: match.eventId,
  home_team: match.homeTeam,
  away_team: match.awayTeam,
  competition: match.competition,
  commence_time: instant(match.startMs),
  selections: match.selections.map(({ name, point, best }) => ({
    name,
    point,
    best: best && { ...quote(best), suspect: best.suspect },
  })),
});

const quote = (price: WidgetPrice) => ({
  price: price.price,
  bookmaker: price.bookmaker,
  bookmaker_name: price.bookmakerName,
  last_update: instant(price.updatedMs),
  stale: price.stale,
  url: price.url,
});
