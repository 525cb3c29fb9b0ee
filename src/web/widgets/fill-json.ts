// A fill of a widget as scripts of customers' sites get it, in the names of the API.
import { instant } from '../format';
import type { WidgetFill, WidgetPrice } from './source';

export const fillJson = ({ asOfMs, cached, nextInSeconds, races }: WidgetFill) => ({
  as_of: instant(asOfMs),
  cached,
  next_fill_in_seconds: nextInSeconds,
  races: races.map((race) => ({
    race_id: race.raceId,
    venue: race.venue,
    race_number: race.raceNumber,
    category: race.category,
    country: race.country,
    race_name: race.raceName,
    start_time: instant(race.startMs),
    runners: race.runners.map(({ number, name, scratched, win, place }) => ({
      ...{ number, name, scratched },
      best_win: quote(win),
      best_place: quote(place),
    })),
  })),
});

const quote = (price: WidgetPrice | null) =>
  price && {
    price: price.price,
    bookmaker: price.bookmaker,
    bookmaker_name: price.bookmakerName,
    last_update: instant(price.updatedMs),
    stale: price.stale,
    url: price.url,
  };
