// Sportsbet in the conformance suite.
import type {
  SportsbetAllRacingReply,
  SportsbetEventStub,
  SportsbetRacecardReply,
  SportsbetSelection,
} from '../../../../src/feeds/sportsbet/payload';
import { ABROAD_START, type Abroad, always, type Book, barrierOf, FACTS, type PlainRunner, STARTS } from '../book';

const ROOT = '/apigw/sportsbook-racing/Sportsbook/Racing';
const seconds = (instant: string): number => Date.parse(instant) / 1000;

const stub = (id: number, raceNumber: number, start: string): SportsbetEventStub => ({
  id,
  raceNumber,
  startTime: seconds(start),
  name: `R${raceNumber} Race ${raceNumber} Hcp`,
  distance: '1400',
  statusCode: 'A',
  bettingStatus: 'PRICED',
  httpLink: `Sportsbook/Racing/Events/${id}/Racecard`,
});

export function sportsbetList(more: readonly unknown[] = [], abroad: readonly Abroad[] = []): SportsbetAllRacingReply {
  const events = [stub(8001, 1, STARTS[0]), stub(8002, 2, STARTS[1]), ...(more as readonly SportsbetEventStub[])];
  const home = { id: 1, name: 'Flemington', className: 'Horses - Aus/NZ', regionName: 'Australia', events };
  const others = abroad.map(({ venue, country }, i) => ({
    id: 2 + i,
    name: venue,
    className: country === 'JP' ? 'Horses - Asia' : 'Horses - International',
    isInternational: true,
    events: [stub(8100 + i, 1, ABROAD_START)],
  }));
  return { dates: [{ sections: [{ raceType: 'horse', meetings: [home, ...others] }] }] };
}

export function sportsbetSelection(runner: PlainRunner): SportsbetSelection {
  const { number, name, win, scratched = false } = runner;
  const live = { priceCode: 'L', winPrice: win as number, placePrice: win === undefined ? undefined : FACTS.place };
  return {
    id: 900 + number,
    name,
    runnerNumber: number,
    drawNumber: barrierOf(runner),
    shortForm: FACTS.form,
    jockey: FACTS.jockey,
    trainer: FACTS.trainer,
    weightGram: FACTS.weightKg * 1000,
    isOut: scratched,
    recentOddsFluctuations: [99, 98],
    prices: [{ priceCode: 'MDP', winPrice: 97 }, { priceCode: 'TMD', winPrice: 96 }, live],
    result: '-',
    statusCode: 'A',
  };
}

export const sportsbetRace = (runners: readonly PlainRunner[]): SportsbetRacecardReply => ({
  ...stub(8001, 1, STARTS[0]),
  className: 'Horses - Aus/NZ',
  competitionName: 'Flemington',
  trackStatus: 'Good (4)',
  markets: [
    { name: 'Head to Head', selections: [] },
    { name: 'Win or Place', statusCode: 'A', selections: runners.map(sportsbetSelection) },
  ],
});

export const sportsbet: Book = {
  key: 'sportsbet',
  sourceRaceId: '8001',
  listPaths: [`${ROOT}/AllRacing/2026-11-21`],
  racePaths: [`${ROOT}/Events/8001/Racecard`],
  stamped: false,
  lacks: new Set(['tote', 'countryAbroad']),
  list: (more, abroad) => always(sportsbetList(more, abroad)),
  race: (runners) => always(sportsbetRace(runners)),
};
