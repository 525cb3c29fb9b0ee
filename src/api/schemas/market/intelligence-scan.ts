// Runners that moved, over every race inside the capture window (A 4.6).
import { Type } from '@sinclair/typebox';
import { amount, Category, count, Direction, instant, named, nullable, oneOf, text, yes } from '../vocabulary';
import { ConsensusRace } from './consensus-race';
import { intelligenceRunner, methodFacts, Signal } from './intelligence';

export const SCAN_WINDOWS = ['60m', '15m', '5m'] as const;

const { race_id, venue, race_number, category, country, start_time, secs_to_jump } = ConsensusRace.properties;

const ScanRace = named(
  'ScanRace',
  Type.Object({ race_id, venue, race_number, category, country, start_time, secs_to_jump }),
);

const ScanResult = named(
  'ScanResult',
  Type.Object({
    race: ScanRace,
    move_pct: amount('The move that `window` selects, in percent; negative: the runner shortened.'),
    ...intelligenceRunner,
  }),
);

const ScanFilters = named(
  'ScanFilters',
  Type.Object(
    {
      window: oneOf(SCAN_WINDOWS),
      min_move_pct: amount(),
      min_books: count(),
      direction: nullable(Direction),
      signal: nullable(Type.Array(Signal)),
      country: nullable(Type.Array(text())),
      categories: nullable(Type.Array(Category)),
      limit: count(),
    },
    { description: 'The filters applied, defaults included; null where there was none.' },
  ),
);

const ScanMethod = named('ScanMethod', Type.Object(methodFacts, { description: 'How the figures were made.' }));

export const IntelligenceScan = named(
  'IntelligenceScan',
  Type.Object({
    as_of: instant('The instant of the analysis: all figures are of it.'),
    window_minutes: count('The capture window whose races are scanned: minutes before the advertised start.'),
    races_scanned: count('Races inside it that have not jumped, after `country` and `categories`.'),
    filters: ScanFilters,
    method: ScanMethod,
    results: Type.Array(ScanResult, { description: 'Largest move first; equals by start, `race_id` and number.' }),
    cached: yes('Whether this answer was computed for an earlier request: the same filters share one for 15 seconds.'),
  }),
);
