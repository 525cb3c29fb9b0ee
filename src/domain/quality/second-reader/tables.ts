// Where each polled book's reply for one race has its values (the formats in the headers of `src/feeds/*/payload.ts`,
// read from the notes themselves). Data, and a second statement of what the mappers state: never generated from them,
// and no mapper is imported here.
import type { BookTable } from './book-table';

/** Ladbrokes and Neds send the same format. */
const ENTAIN: BookTable = {
  body: 'json',
  runners: ['/data.runners'],
  number: ['runner_number'],
  name: 'name',
  skipped: ['[primary_market=false]'],
  out: ['[is_scratched=true]'],
  prices: { win: ['odds.fixed_win'], place: ['odds.fixed_place'], tote_win: ['odds.pool_win'] },
};

const OUT_AT_TAB = '[bettingStatus=Scratched|LateScratched]';

const TAB: BookTable = {
  body: 'json',
  runners: ['/runners'],
  number: ['runnerNumber'],
  name: 'runnerName',
  variables: { number: 'runnerNumber' },
  out: [`fixedOdds${OUT_AT_TAB}`, `parimutuel${OUT_AT_TAB}`, `/scratchings[runnerNumber=$number]${OUT_AT_TAB}`],
  unpriced: ['fixedOdds[bettingStatus=Suspended|SUSPENDED|suspended]'],
  notOffered: {
    place: ['/[numberOfFixedOddsPlaces=0]', '/[allowFixedOddsPlace=false]', 'fixedOdds[allowPlace=false]'],
  },
  prices: { win: ['fixedOdds.returnWin'], place: ['fixedOdds.returnPlace'], tote_win: ['parimutuel.returnWin'] },
};

const SPORTSBET_LIVE = 'prices[priceCode=L][0]';

/** A selection can be backed while it is active, or while the race is not priced and shows its last prices. */
const SPORTSBET: BookTable = {
  body: 'json',
  runners: ['/markets[name=Win or Place][0].selections'],
  number: ['runnerNumber'],
  name: 'name',
  out: ['[isOut=true]'],
  unpriced: [['/[bettingStatus=PRICED]', 'statusCode', '[statusCode!=A]']],
  prices: {
    win: [
      `${SPORTSBET_LIVE}.winPrice`,
      { numerator: `${SPORTSBET_LIVE}.winPriceNum`, denominator: `${SPORTSBET_LIVE}.winPriceDen` },
    ],
    place: [
      `${SPORTSBET_LIVE}.placePrice`,
      { numerator: `${SPORTSBET_LIVE}.placePriceNum`, denominator: `${SPORTSBET_LIVE}.placePriceDen` },
    ],
  },
};

const POINTSBET: BookTable = {
  body: 'json',
  runners: ['/runners'],
  number: ['number', 'runnerNumber'],
  name: 'runnerName',
  out: ['[isScratched=true]'],
  prices: { win: ['fluctuations.current'] },
};

const BETR: BookTable = {
  body: 'json',
  runners: ['/Outcomes'],
  number: ['OutcomeId'],
  name: 'OutcomeName',
  out: ['[Scratched=true]'],
  prices: {
    win: ['FixedPrices[MarketTypeCode=WIN][0].Price'],
    place: ['FixedPrices[MarketTypeCode=PLC][0].Price'],
  },
};

const BETRIGHT: BookTable = {
  body: 'json',
  runners: ['/outcomes'],
  number: ['outcomeId'],
  name: 'outcomeName',
  out: ['[scratched=true]'],
  prices: {
    win: ['fixedPrices[marketTypeCode=WIN][0].price'],
    place: ['fixedPrices[marketTypeCode=PLC][0].price'],
  },
};

const BETDELUXE: BookTable = {
  body: 'json',
  runners: ['/data.race.runners'],
  number: [],
  name: 'runnerName',
  out: ['[isScratched=true]'],
  prices: { win: ['winPrices[-1]'] },
};

/** A dog's sequence is its rug; whether a horse's is its saddlecloth is not proven. */
const UNIBET: BookTable = {
  body: 'json',
  runners: ['/data.viewer.event.competitors'],
  number: ['sequence'],
  numberedIn: ['greyhound'],
  name: 'name',
  out: ['[status=Scratched]'],
  unpriced: ['[status!=Starter]'],
  prices: { win: ['prices[betType=FixedWin][0].price'] },
};

/** Its prices are in the second body. */
const PALMERBET: BookTable = {
  body: 'json',
  runners: ['/race.runners'],
  number: ['number'],
  name: 'name',
  variables: { number: 'number' },
  out: ['[isScratched=true]'],
  prices: {
    win: ['/market.outcomes[runnerNumber=$number][0][status=Active].prices[name=Fixed][0].priceSnapshot.current'],
  },
};

const OWN_QUOTES = '/included[type=prices][id=$quotes].attributes[product.name=Fixed Price]';

const PLAYUP: BookTable = {
  body: 'json',
  runners: ['/included[type=selections][id=$listed]', '/included[type=selections]'],
  number: ['attributes.number'],
  name: 'attributes.name',
  variables: { listed: '/data.relationships.selections.data.id', quotes: 'relationships.prices.data.id' },
  out: [['attributes.status', 'attributes[status.id!=1]', 'attributes[status.name!=Active]']],
  prices: {
    win: [`${OWN_QUOTES}[bet_type.name=Win][0].d_price`, `${OWN_QUOTES}[bet_type.id=2][0].d_price`],
    place: [`${OWN_QUOTES}[bet_type.name=Place][0].d_price`],
  },
};

const dabble = (market: string): readonly string[] => [
  `/sportFixtureDetail.prices[selectionId=$id][marketId=$${market}].price`,
];

/** Three tables joined by id; a runner may have one selection for each market. */
const DABBLE: BookTable = {
  body: 'json',
  runners: ['/sportFixtureDetail.selections'],
  number: [],
  name: 'name',
  oneByName: true,
  variables: {
    id: 'id',
    win: '/sportFixtureDetail.markets[resultingType=RacingFixedWin].id',
    place: '/sportFixtureDetail.markets[resultingType=RacingFixedPlace].id',
    top2: '/sportFixtureDetail.markets[resultingType=RacingSrmTop2].id',
    top3: '/sportFixtureDetail.markets[resultingType=RacingSrmTop3].id',
    top4: '/sportFixtureDetail.markets[resultingType=RacingSrmTop4].id',
  },
  skipped: ['[isDisplayed=false]'],
  out: ['[isScratched=true]'],
  prices: {
    win: dabble('win'),
    place: dabble('place'),
    top2: dabble('top2'),
    top3: dabble('top3'),
    top4: dabble('top4'),
  },
};

/** An HTML page: names and win prices are in a table; place prices are only in a model without names. */
const TABTOUCH: BookTable = {
  body: 'page',
  runners: ['/rows'],
  number: [],
  name: 'name',
  out: [],
  prices: { win: ['win'] },
  unread: ['place'],
};

/** A race of a push. The number may be left out for a runner. */
export const PUSHED_TABLE: BookTable = {
  body: 'json',
  runners: ['/races[source_id=$race].runners'],
  number: ['number'],
  numberOptional: true,
  name: 'name',
  out: [],
  prices: {
    win: ['win_price'],
    place: ['place_price'],
    top2: ['top2_price'],
    top3: ['top3_price'],
    top4: ['top4_price'],
  },
};

/** By bookmaker key; every bookmaker that is polled has one. */
export const BOOK_TABLES: Readonly<Record<string, BookTable>> = {
  sportsbet: SPORTSBET,
  tab: TAB,
  tabtouch: TABTOUCH,
  ladbrokes_au: ENTAIN,
  neds: ENTAIN,
  pointsbetau: POINTSBET,
  betr_au: BETR,
  betright: BETRIGHT,
  unibet: UNIBET,
  playup: PLAYUP,
  palmerbet: PALMERBET,
  betdeluxe: BETDELUXE,
  dabble_au: DABBLE,
};
