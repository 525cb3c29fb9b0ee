// Runners that moved, over every race inside the capture window (A 4.6).
import { Type } from '@sinclair/typebox';
import {
  aged,
  amount,
  Category,
  count,
  Direction,
  instant,
  named,
  nullable,
  oneOf,
  text,
  yes,
} from '../../wire/vocabulary';
import { ConsensusRace } from '../consensus/consensus-race-schema';
import { intelligenceRunner, methodFacts, Signal } from './intelligence-schema';

export const SCAN_WINDOWS = ['60m', '15m', '5m'] as const;

/** Also a parameter. */
export const ScanWindow = named(
  'ScanWindow',
  oneOf(SCAN_WINDOWS, {
    description: '`60m` is `move_from_t60_pct`, `15m` is `move_from_t15_pct`, `5m` is `move_last_5m_pct`.',
  }),
);

const { race_id, venue, race_number, category, country, start_time, secs_to_jump } = ConsensusRace.properties;

const ScanRace = named(
  'ScanRace',
  Type.Object({ race_id, venue, race_number, category, country, start_time, secs_to_jump }),
);

const ScanResult = named(
  'ScanResult',
  Type.Object({
    race: ScanRace,
    move_pct: amount('The move that `window` selects, in percent. Negative: the runner shortened.'),
    ...intelligenceRunner,
  }),
);

const ScanFilters = named(
  'ScanFilters',
  Type.Object(
    {
      window: ScanWindow,
      min_move_pct: amount(),
      min_books: count(),
      direction: nullable(Direction),
      signal: nullable(Type.Array(Signal)),
      country: nullable(Type.Array(text())),
      categories: nullable(Type.Array(Category)),
      limit: count(),
    },
    { description: 'The filters applied, defaults included; null for a filter that was not set.' },
  ),
);

const ScanMethod = named('ScanMethod', Type.Object(methodFacts, { description: 'How the figures are computed.' }));

export const IntelligenceScan = named(
  'IntelligenceScan',
  Type.Object({
    as_of: aged(instant('Time of the analysis (UTC); all figures refer to it.')),
    window_minutes: count(
      'Length of the capture window in minutes before the advertised start; races inside it are scanned.',
    ),
    races_scanned: count('Number of races in the window that have not jumped and match `country` and `categories`.'),
    filters: ScanFilters,
    method: ScanMethod,
    results: Type.Array(ScanResult, { description: 'Largest move first; equal moves by start, `race_id` and number.' }),
    cached: aged(
      yes(
        'Whether this response was computed for an earlier request: requests with the same filters share it for 15 seconds.',
      ),
    ),
  }),
);
