// The BlueBet platform in our words, pure, in either dialect. No start, place of finish or page link is made of what is not documented:
// a page's path needs the venue and the number, and a race reply has neither.
import type { BookSnapshot, FeedRunner, ListedRace } from '../../domain/race/feed-race';
import type { Category, MarketStatus } from '../../domain/race/race';
import { NO_DETAILS, NO_FACTS, OUT } from '../../domain/race/unsaid';
import { countryOf } from '../reading/country';
import { countDrops, type Drops } from '../reading/drops';
import { winAndPlace } from '../reading/legs';
import { withMeetingDay } from '../reading/meeting-day';
import { asRow, countOf, flagOf, idOf, instantOf, listOf, type Row, rowOf, textOf } from '../reading/read';
import { readRunners } from '../reading/runners';
import type { Mapped } from '../transport/reply';
import type { BlueBetDialect } from './dialects';

/** Null when the reply has none of the keys that hold meetings. */
export function mapRaceCard(payload: unknown, dialect: BlueBetDialect): Mapped<readonly ListedRace[]> | null {
  const body = rowOf(payload);
  const groups = Object.entries(dialect.codes).filter(([key]) => Array.isArray(body[key]));
  if (groups.length === 0) return null;
  const drops = countDrops();
  const value = groups.flatMap(([key, category]) =>
    listOf(body[key]).flatMap((meeting) => racesOfMeeting(meeting, category, dialect, drops)),
  );
  return { value, bookAt: null, dropped: drops.counts() };
}

/** No meeting date is documented: all races of a meeting are given the Sydney day of its first one, so that a card past midnight stays whole. */
function racesOfMeeting(raw: unknown, category: Category, dialect: BlueBetDialect, drops: Drops): ListedRace[] {
  const rows = Array.isArray(raw) ? raw : asRow(raw)?.races;
  if (!Array.isArray(rows)) {
    drops.add('meeting_unreadable');
    return [];
  }
  const races = rows.flatMap((stub) => {
    const race = raceOf(asRow(stub), rowOf(raw), dialect);
    if (typeof race !== 'string') return [{ ...race, category }];
    drops.add(race);
    return [];
  });
  drops.add('country_unknown', races.filter((race) => race.country === null).length);
  return withMeetingDay(races);
}

/** A race of Betr carries its meeting's venue and country itself; a meeting of BetRight has them once. */
function raceOf(
  race: Row | null,
  meeting: Row,
  { field, startField }: BlueBetDialect,
): Omit<ListedRace, 'category' | 'meetingDate'> | string {
  if (!race) return 'race_unreadable';
  const ofBoth = (name: string) => textOf(race[field(name)]) ?? textOf(meeting[field(name)]);
  const sourceRaceId = idOf(race[field('eventId')]);
  const raceNumber = countOf(race[field('raceNumber')]);
  const startTime = instantOf(race[startField]);
  const venue = ofBoth('venue');
  if (!sourceRaceId) return 'race_id_missing';
  if (!raceNumber) return 'race_number_unreadable';
  if (!startTime) return 'start_unreadable';
  if (!venue) return 'venue_missing';
  const country = countryOf(ofBoth('countryCode'));
  const raceName = textOf(race[field('eventName')]);
  return { sourceRaceId, venue, country, raceNumber, startTime, raceName, distanceM: null, ...NO_CONDITIONS };
}

const NO_CONDITIONS = { trackCondition: null, weather: null } as const;

/** Null when it is no race, or another race than was asked for. */
export function mapRace(payload: unknown, sourceRaceId: string, dialect: BlueBetDialect): Mapped<BookSnapshot> | null {
  const { field } = dialect;
  const race = asRow(payload);
  const outcomes = race?.[field('outcomes')];
  if (!race || !Array.isArray(outcomes)) return null;
  if ((idOf(race[field('eventId')]) ?? sourceRaceId) !== sourceRaceId) return null;
  const drops = countDrops();
  const value: BookSnapshot = {
    sourceRaceId,
    startTime: null,
    facts: NO_FACTS,
    marketStatus: marketStatusOf(flagOf(race[field('isOpenForBetting')])),
    inPlay: null,
    runners: runnersOf(outcomes, dialect, drops),
    result: null,
    sourceUrl: null,
  };
  return { value, bookAt: null, dropped: drops.counts() };
}

/** Missing is unknown, not shut: Betr's race reply is not known to say it. */
const marketStatusOf = (open: boolean | null): MarketStatus | null => (open === null ? null : open ? 'OPEN' : 'CLOSED');

function runnersOf(rows: readonly unknown[], { field }: BlueBetDialect, drops: Drops): FeedRunner[] {
  const priceOf = (row: Row, code: string): unknown =>
    listOf(row[field('fixedPrices')])
      .map(rowOf)
      .find((price) => price[field('marketTypeCode')] === code)?.[field('price')];
  return readRunners(
    rows,
    { number: [field('outcomeId')], name: field('outcomeName') },
    (row, number, name) => {
      const scratched = row[field('scratched')] === true;
      const legs = winAndPlace(priceOf(row, 'WIN'), priceOf(row, 'PLC'), scratched, drops);
      return { ...NO_DETAILS, number, name, scratching: scratched ? OUT : null, ...legs };
    },
    drops,
  );
}
