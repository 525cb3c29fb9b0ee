// Maps the BlueBet platform, pure, in either dialect. Start, finishing places and page link are undocumented and not
// derived: a page's path needs venue and number, and a race reply has neither.
import type { BookSnapshot, FeedRunner, ListedRace } from '../../domain/race/feed-race';
import { NO_DETAILS, NO_FACTS, OUT } from '../../domain/race/not-reported';
import type { Category, MarketStatus } from '../../domain/race/race';
import { countryOf } from '../reading/country';
import { countDrops, type Drops } from '../reading/drops';
import { winAndPlace } from '../reading/legs';
import { withMeetingDay } from '../reading/meeting-day';
import { asRow, countOf, flagOf, idOf, instantOf, type JsonObject, listOf, rowOf, textOf } from '../reading/read';
import { readRunners } from '../reading/runners';
import type { Mapped } from '../transport/reply';
import type { BlueBetDialect } from './dialects';

/** Null if the reply has none of the keys that hold meetings. */
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

/**
 * No meeting date is documented: every race of a meeting gets the Sydney day of its first race, so a card past midnight
 * stays together.
 */
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

/** Betr repeats venue and country on each race; BetRight has them once per meeting. */
function raceOf(
  race: JsonObject | null,
  meeting: JsonObject,
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

/** Null if it is not a race, or not the requested one. */
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

/** Missing means unknown, not closed: Betr's race reply may omit it. */
const marketStatusOf = (open: boolean | null): MarketStatus | null => (open === null ? null : open ? 'OPEN' : 'CLOSED');

function runnersOf(rows: readonly unknown[], { field }: BlueBetDialect, drops: Drops): FeedRunner[] {
  const priceOf = (row: JsonObject, code: string): unknown =>
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
