// What a widget shows, races or matches: read, judged and turned into what its readers get.
import type { Reads } from '../../../store/reads/reads';
import type { WidgetSettings } from '../../../store/widgets/widgets';
import type { One, WidgetContent } from '../../../web/widgets/source';
import type { SportsBoard } from '../sports/sports-board';
import { type MatchesRead, matchShown, readMatches } from './matches';
import { type RacesRead, raceShown, readRaces } from './races';

export interface PriceReads {
  readonly reads: Pick<Reads, 'board' | 'findRaces'>;
  readonly sports: Pick<SportsBoard, 'upcoming'>;
}

export type PricesRead = RacesRead | MatchesRead;

/** Which parameter names one of what a widget of this type shows. */
export const ID_OF = { racing: 'race_id', sports: 'event_id' } as const;

/** Null: the `one` that the reader asks for is not open for betting, or not one of the widget's. */
export const readPrices = (
  { reads, sports }: PriceReads,
  widget: WidgetSettings,
  one: One | null,
  nowMs: number,
): Promise<PricesRead | null> => {
  const { shows } = widget;
  const id = one?.id ?? null;
  return shows.type === 'racing'
    ? readRaces(reads, shows, widget, id, nowMs)
    : readMatches(sports, shows, widget, id, nowMs);
};

export const hasPrice = (read: PricesRead): boolean =>
  read.type === 'racing'
    ? read.races.some(({ runners }) => runners.some(({ win, place }) => win !== null || place !== null))
    : read.matches.some(({ selections }) => selections.length > 0);

export function contentOf(read: PricesRead, { linkTemplates }: WidgetSettings, nowMs: number): WidgetContent {
  if (read.type === 'racing')
    return { type: 'racing', races: read.races.map((race) => raceShown(race, linkTemplates, nowMs)) };
  const { type, sportKey, market, matches } = read;
  // A match leaves at its start, also within the minute of a fill.
  const shown = matches.filter(({ startMs }) => startMs > nowMs);
  return { type, sportKey, market, matches: shown.map((match) => matchShown(read, match, linkTemplates, nowMs)) };
}
