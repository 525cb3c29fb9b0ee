// Audits of served prices (A 4.13, shapes 3.8).
import { type Static, Type } from '@sinclair/typebox';
import { AUDITED_MARKET, AUDITED_MARKET_OF_SPORTS, FINDING_STATUSES, VERDICTS } from '../../../domain/quality/audit';
import { AUDITED_MARKETS } from '../../../domain/quality/markets';
import { MARKETS } from '../../../domain/sports/sports';
import {
  AuditedSportKey,
  amount,
  BookmakerKey,
  count,
  instant,
  named,
  nullable,
  oneOf,
  price,
  text,
} from '../../wire/vocabulary';

export const MarketType = named(
  'AuditedMarket',
  oneOf([AUDITED_MARKET, AUDITED_MARKET_OF_SPORTS], {
    description: 'Main market: `win` of races, `h2h` of matches. The other markets are audited with it.',
  }),
);

const AuditStatus = named(
  'AuditStatus',
  oneOf(['running', ...VERDICTS, 'failed'], {
    description:
      '`ok`: every price agreed. `differs`: at least one price differs or is missing on one side. `empty`: no race was near enough, no ' +
      'bookmaker could be read, or nothing was pushed. `failed`: the run failed, or did not end within 15 minutes.',
  }),
);

const rows = (description: string) => nullable(count(description));

/** All of them are null while a run has not ended. */
const figures = {
  api_rows: rows(
    'Number of prices that the API served, on the compared races or matches and bookmakers. Null until the run has ended.',
  ),
  source_rows: rows('Number of prices that the bookmakers showed.'),
  common_rows: rows('Number of prices that both sides have.'),
  exact_matches: rows('Number of these that are equal.'),
  diff_rows: rows('Number of these that differ in every reading.'),
  missing_api: rows('Number of prices that a bookmaker showed and the API did not serve.'),
  missing_source: rows('Number of prices that the API served and the bookmaker did not show.'),
  max_delta: nullable(
    amount('Greatest difference between a served price and the bookmaker’s; null if nothing was compared.'),
  ),
};

export const AuditRun = named(
  'AuditRun',
  Type.Object({
    id: text('Id of the run.'),
    sport_key: AuditedSportKey,
    market_type: MarketType,
    status: AuditStatus,
    ...figures,
    books_checked: rows('Number of bookmakers that were read and compared.'),
    races_checked: rows('Number of races, or of matches, on which a bookmaker was compared.'),
    outliers: rows('Number of served prices of more than twice or less than half the median of the other bookmakers.'),
    cross_checks: rows(
      'Number of bookmakers’ figures over all races that are out of bounds: win prices below place prices, books that add up to what is not sold, and ' +
        'distance from the other bookmakers. Null of runs before 2026-11-27.',
    ),
    started_at: instant('Start of the run (UTC).'),
    finished_at: nullable(instant('End of the run (UTC); null if it has not ended.')),
  }),
);

export const OrderedRun = named(
  'OrderedAuditRun',
  Type.Object({
    run_id: text('Id of the run, as `id` elsewhere.'),
    ...Type.Omit(AuditRun, ['id']).properties,
  }),
);

export const LatestAudit = named(
  'LatestAudit',
  Type.Pick(AuditRun, [
    'id',
    'sport_key',
    'status',
    'api_rows',
    'source_rows',
    'exact_matches',
    'diff_rows',
    'max_delta',
    'finished_at',
  ]),
);

export const FindingStatusSchema = named(
  'AuditFindingStatus',
  oneOf(FINDING_STATUSES, {
    description:
      '`diff`: served prices differ from the bookmaker’s. `missing_api`: the bookmaker shows prices that are not served. `missing_source`: ' +
      'prices are served that the bookmaker does not show. `outlier`: served prices deviate from the consensus; this alone is no fault. ' +
      '`unread`: the bookmaker could not be read. `cross_check`: the stored prices of a bookmaker, over all its races or matches, have a shape that no ' +
      'bookmaker sells, so its responses may be misread.',
  }),
);

const ServedSelection = named(
  'AuditedSelection',
  Type.Object({
    selection: text('Number and name of the runner; of a match the side, with the line if there is one.'),
    price: nullable(price('Price that the API served; null if it served none.')),
    consensus: nullable(price('Median of the other bookmakers’ fresh prices; null with fewer than three.')),
    dev_pct: nullable(amount('How far the price is above the consensus, in percent; negative below it.')),
  }),
);

export const AuditFinding = named(
  'AuditFinding',
  Type.Object({
    bookmaker_key: BookmakerKey,
    event_key: Type.Array(text(), {
      minItems: 3,
      maxItems: 3,
      description:
        'Venue, `R` and the race number, and the day of the race in Sydney. Of a match its two sides and the day of its start; of a `cross_check` the sport, ' +
        '`all races` or `all matches`, and the day.',
    }),
    race_id: nullable(text('Id of the race; null if the finding is about no race.')),
    event_id: nullable(text('Id of the match; null if the finding is about no match.')),
    market: nullable(
      oneOf([...AUDITED_MARKETS, ...MARKETS], {
        description:
          'Market of the prices: `tote_win` is the bookmaker’s estimate of its win pool. Null if the finding is about no single market, and of audits before 2026-11-27.',
      }),
    ),
    status: FindingStatusSchema,
    delta: nullable(
      amount(
        'Greatest difference among the selections: from the bookmaker’s price, or of an outlier from the consensus. Null for the others.',
      ),
    ),
    message: text('What was found, as a sentence.'),
    api: Type.Array(ServedSelection, { description: 'What the API served of the selections concerned.' }),
    source: Type.Record(Type.String(), nullable(price()), {
      description: 'What the bookmaker showed of them, by selection; null if it showed no price or was not compared.',
    }),
  }),
);

export const exampleRun: Static<typeof AuditRun> = {
  id: '3b0a4f1e-6a5c-5a8e-9a53-1f0d7c7e2b11',
  sport_key: 'racing_horse',
  market_type: 'win',
  status: 'differs',
  api_rows: 612,
  source_rows: 613,
  common_rows: 612,
  exact_matches: 611,
  diff_rows: 1,
  missing_api: 1,
  missing_source: 0,
  max_delta: 0.4,
  books_checked: 12,
  races_checked: 5,
  outliers: 1,
  cross_checks: 0,
  started_at: '2026-11-21T03:00:00.000Z',
  finished_at: '2026-11-21T03:00:41.000Z',
};

export const exampleFinding: Static<typeof AuditFinding> = {
  bookmaker_key: 'tab',
  event_key: ['Flemington', 'R4', '2026-11-21'],
  race_id: '5d0c9b7e-2f6a-5c1d-8e4b-7a9f0c3d2e1b',
  event_id: null,
  market: 'win',
  status: 'diff',
  delta: 0.4,
  message:
    '1 win price is served differently from what the bookmaker shows, in every reading. Its last poll is 9 s old.',
  api: [{ selection: '7. Gold Trip (FR)', price: 4.6, consensus: 4.2, dev_pct: 9.52 }],
  source: { '7. Gold Trip (FR)': 4.2 },
};
