// The content of a widget, races or matches: read, checked and turned into what its readers get.
import type { Reads } from '../../../../store/reads/reads';
import type { WidgetSettings } from '../../../../store/widgets/widgets';
import type { One, WidgetContent } from '../../../../web/widgets/source';
import type { SportsBoard } from '../../sports/sports-board';
import { type MatchesRead, matchShown, readMatches } from './matches';
import { type RacesRead, raceShown, readRaces } from './races';

export interface PriceReads {
  readonly reads: Pick<Reads, 'board' | 'findRaces'>;
  readonly sports: Pick<SportsBoard, 'upcoming'>;
}

export type PricesRead = RacesRead | MatchesRead;

/** The parameter that names a single item of this widget type. */
export const ID_OF = { racing: 'race_id', sports: 'event_id' } as const;

/** Null: the requested `one` is not open for betting, or not in the widget. */
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

/** Whether it shows a price: a reading may be some seconds old, and a match leaves at its start. */
export const hasPrice = (read: PricesRead, nowMs: number): boolean =>
  read.type === 'racing'
    ? read.races.some(({ runners }) => runners.some(({ win, place }) => win !== null || place !== null))
    : pricedMatches(read, nowMs).length > 0;

export const pricedMatches = (read: MatchesRead, nowMs: number): MatchesRead['matches'] =>
  openOf(read, nowMs).filter(({ selections }) => selections.some(({ best }) => best !== null));

/** Null: the requested match has started since it was read. */
export function contentOf(
  read: PricesRead,
  { linkTemplates }: WidgetSettings,
  one: One | null,
  nowMs: number,
): WidgetContent | null {
  if (read.type === 'racing')
    return { type: 'racing', races: read.races.map((race) => raceShown(race, linkTemplates, nowMs)) };
  const { type, sportKey, market } = read;
  const open = openOf(read, nowMs);
  if (one !== null && open.length === 0) return null;
  return { type, sportKey, market, matches: open.map((match) => matchShown(read, match, linkTemplates, nowMs)) };
}

const openOf = ({ matches }: MatchesRead, nowMs: number): MatchesRead['matches'] =>
  matches.filter(({ startMs }) => startMs > nowMs);
