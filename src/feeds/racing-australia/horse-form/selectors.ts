// Where a horse's form page has its values: everything in its structure that a change of the site would move (D53).
// Derived from public readers of the page (2019 to 2026), never seen live: confidence is medium for the tables and the
// line of a run, low for the labels of colours and gear.
export const DETAILS = 'table.horse-search-details';
export const NAME = 'h2.first';
export const RUNS = 'table.interactive-race-fields tr';
export const RESULT = 'td.Pos';
export const RUN = 'td.remain';
/** The result of a trial or jump-out is in italics, its letter in bold. */
export const TRIAL_LETTER = 'i b';

/** Labels of the second details table, folded. */
export const LABELS = {
  trainer: ['trainer'],
  colours: ['racingcolours', 'colours', 'colors'],
  gear: ['lastgearchange', 'gearchanges'],
  career: ['career'],
} as const;

/** Splits of the career by label. */
export const SPLITS = {
  first_up: '1st Up',
  second_up: '2nd Up',
  track: 'Track',
  distance: 'Dist',
  track_distance: 'Track/Dist',
  firm: 'Firm',
  good: 'Good',
  soft: 'Soft',
  heavy: 'Heavy',
  synthetic: 'Synthetic',
} as const;

export const LINKS = { meeting: /Meeting\.aspx/i, jockey: /JockeyLastRuns/i, horse: /Horse(Full|All)Form/i };
