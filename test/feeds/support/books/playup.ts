// PlayUp in the conformance suite: JSON:API, where an object's relations are in `included`.
import type {
  PlayUpListedRace,
  PlayUpMeeting,
  PlayUpMeetingsReply,
  PlayUpPrice,
  PlayUpRaceReply,
  PlayUpSelection,
} from '../../../../src/feeds/playup/payload';
import { ABROAD_START, type Abroad, always, type Book, DAY, FACTS, type PlainRunner, STARTS } from '../book';

const GALLOP = { name: 'Gallop' };

const meeting = (id: number, venue: string, code: string, races: readonly PlayUpListedRace[]): PlayUpMeeting => ({
  id: String(id),
  type: 'meetings',
  attributes: {
    name: `${venue} meeting`,
    track: { name: venue },
    start_date: DAY,
    race_type: GALLOP,
    country: { code },
    state: 'VIC',
  },
  relationships: { races: { data: races.map(({ id, type }) => ({ id, type })) } },
});

const race = (id: number, number: number, meetingId: number, start: string): PlayUpListedRace => ({
  id: String(id),
  type: 'races',
  attributes: {
    race_number: number,
    name: `Race ${number} Hcp`,
    start_time_timestamp: Date.parse(start) / 1000,
    status: { name: 'Open' },
    race_type: GALLOP,
    meeting: { id: meetingId },
  },
});

export function playUpList(more: readonly unknown[] = [], abroad: readonly Abroad[] = []): PlayUpMeetingsReply {
  const home = [race(901, 1, 50, STARTS[0]), race(902, 2, 50, STARTS[1])];
  const others = abroad.map(({ venue, country }, i) => {
    const only = race(910 + i, 1, 60 + i, ABROAD_START);
    return { meeting: meeting(60 + i, venue, country, [only]), race: only };
  });
  return {
    data: [meeting(50, 'Flemington', 'AU', home), ...others.map((other) => other.meeting)],
    included: [...home, ...(more as PlayUpListedRace[]), ...others.map((other) => other.race)],
  };
}

const price = (
  selection: string,
  product: string,
  betType: { id: number; name: string },
  value: unknown,
): PlayUpPrice => ({
  id: `${selection}-${product}-${betType.id}`,
  type: 'prices',
  attributes: { product: { name: product }, bet_type: betType, d_price: value as number },
});

function selection(
  { number, name, win, scratched = false }: PlainRunner,
  id: string,
): [PlayUpSelection, ...PlayUpPrice[]] {
  const prices = [
    price(id, 'Top Tote', { id: 2, name: 'Win' }, 99),
    price(id, 'Fixed Price', { id: 2, name: 'Win' }, win),
    price(id, 'Fixed Price', { id: 3, name: 'Place' }, FACTS.place),
  ].filter(({ attributes }) => attributes.d_price !== undefined);
  return [
    {
      id,
      type: 'selections',
      attributes: {
        name,
        number,
        jockey: FACTS.jockey,
        trainer: FACTS.trainer,
        status: scratched ? { id: 4, name: 'Whatever' } : { id: 1, name: 'Active' },
      },
      relationships: { prices: { data: prices.map(({ id, type }) => ({ id, type })) } },
    },
    ...prices,
  ];
}

export function playUpRace(runners: readonly PlainRunner[]): PlayUpRaceReply {
  const rows = runners.map((runner, i) => selection(runner, String(70 + i)));
  const selections = { data: rows.map(([{ id, type }]) => ({ id, type })) };
  return {
    data: { ...race(901, 1, 50, STARTS[0]), relationships: { selections } },
    included: rows.flat(),
  };
}

export const playup: Book = {
  key: 'playup',
  sourceRaceId: '901',
  listPaths: [
    '/v1/meetings/?include=races&filter%5Bstart_date%5D%5Bfrom%5D=2026-11-21&filter%5Bstart_date%5D%5Bto%5D=2026-11-21' +
      '&filter%5Bis_future%5D=0&page%5Bsize%5D=100&page%5Bnumber%5D=1',
  ],
  racePaths: ['/v1/races/901/?include=meeting,available_bet_types,selections.prices'],
  stamped: false,
  lacks: new Set(['barrier', 'weight', 'form', 'tote']),
  list: (more, abroad) => always(playUpList(more, abroad)),
  race: (runners) => always(playUpRace(runners)),
};
