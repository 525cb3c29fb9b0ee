// The Betfair exchange's API-NG in the conformance suite: a catalogue with the names, and market books with the prices.
import type { CatalogueRow, MarketBookRow } from '../../../../src/feeds/betfair/payload';
import {
  ABROAD_START,
  type Abroad,
  type Answers,
  always,
  type Book,
  barrierOf,
  FACTS,
  type PlainRunner,
  routes,
  STARTS,
} from '../book';

const CATALOGUE = '/exchange/betting/rest/v1.0/listMarketCatalogue/';
const BOOK = '/exchange/betting/rest/v1.0/listMarketBook/';
export const WIN_ID = '1.200000001';
export const PLACE_ID = '1.200000002';
const SECOND_WIN_ID = '1.200000011';
const FIELD: readonly PlainRunner[] = [
  { number: 1, name: 'Alpha' },
  { number: 2, name: "Bravo's Best" },
];

const meeting = (id: string, venue: string, countryCode: string, openDate: string) => ({
  id,
  name: `${venue} (AUS) 21st Nov`,
  countryCode,
  timezone: 'Australia/Sydney',
  venue,
  openDate,
});
const FLEMINGTON = meeting('31000001', 'Flemington', 'AU', STARTS[0]);

interface Market {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly start: string;
  readonly event?: CatalogueRow['event'];
  readonly runners?: readonly PlainRunner[];
}

const catalogueRow = ({ id, name, type, start, event = FLEMINGTON, runners = FIELD }: Market): CatalogueRow => ({
  marketId: id,
  marketName: name,
  marketStartTime: start,
  totalMatched: 1234.5,
  description: { marketType: type, marketTime: start, bspMarket: true, turnInPlayEnabled: true },
  eventType: { id: '7', name: 'Horse Racing' },
  event,
  runners: runners.map((runner, i) => ({
    selectionId: 42_000_001 + i,
    runnerName: `${runner.number}. ${runner.name}`,
    handicap: 0,
    sortPriority: i + 1,
    metadata: {
      STALL_DRAW: String(barrierOf(runner)),
      JOCKEY_NAME: FACTS.jockey,
      TRAINER_NAME: FACTS.trainer,
      FORM: FACTS.form,
      WEIGHT_VALUE: '57',
      WEIGHT_UNITS: 'unknown',
    },
  })),
});

export const catalogueRows = (runners: readonly PlainRunner[]): CatalogueRow[] => [
  catalogueRow({ id: WIN_ID, name: 'R1 1400m Hcap', type: 'WIN', start: STARTS[0], runners }),
  catalogueRow({ id: PLACE_ID, name: 'To Be Placed', type: 'PLACE', start: STARTS[0], runners }),
];

export function bookRow(marketId: string, runners: readonly PlainRunner[], price: (runner: PlainRunner) => unknown) {
  const row: MarketBookRow = {
    marketId,
    status: 'OPEN',
    inplay: false,
    bspReconciled: false,
    complete: true,
    betDelay: 0,
    numberOfWinners: 1,
    numberOfRunners: runners.length,
    numberOfActiveRunners: runners.filter((runner) => !runner.scratched).length,
    totalMatched: 1234.5,
    version: 4_380_714_800,
    runners: runners.map((runner, i) => ({
      selectionId: 42_000_001 + i,
      handicap: 0,
      status: runner.scratched ? 'REMOVED' : 'ACTIVE',
      ...(runner.scratched && { removalDate: '2026-11-21T01:00:00.000Z' }),
      adjustmentFactor: 12.5,
      ex: {
        availableToBack: price(runner) === undefined ? [] : [{ price: price(runner) as number, size: 25 }],
        availableToLay: [{ price: 20, size: 5 }],
      },
    })),
  };
  return row;
}

const race = (runners: readonly PlainRunner[]): Answers =>
  routes({
    listMarketCatalogue: always(catalogueRows(runners)),
    listMarketBook: always([
      bookRow(PLACE_ID, runners, (runner) => (runner.win === undefined ? undefined : FACTS.place)),
      bookRow(WIN_ID, runners, (runner) => runner.win),
    ]),
  });

function list(more: readonly unknown[] = [], abroad: readonly Abroad[] = []): Answers {
  const home = [
    catalogueRow({ id: WIN_ID, name: 'R1 1400m Hcap', type: 'WIN', start: STARTS[0] }),
    catalogueRow({ id: SECOND_WIN_ID, name: 'R2 1400m Hcap', type: 'WIN', start: STARTS[1] }),
  ];
  const others = abroad.map(({ venue, country }, i) =>
    catalogueRow({
      id: `1.20000010${i}`,
      name: 'R1 1400m Hcap',
      type: 'WIN',
      start: ABROAD_START,
      event: meeting(`3200000${i}`, venue, country, ABROAD_START),
    }),
  );
  return always([...home, ...more, ...others]);
}

export const betfair: Book = {
  key: 'betfair_ex_au',
  sourceRaceId: WIN_ID,
  listPaths: [CATALOGUE],
  racePaths: [CATALOGUE, BOOK],
  stamped: false,
  exchange: true,
  lacks: new Set(['past', 'weight', 'tote', 'start', 'etag']),
  list,
  race,
};
