// A race of the next-to-go list.
import type { Static } from '@sinclair/typebox';
import {
  exampleFacts,
  exampleIdentity,
  exampleMarket,
  exampleQuoteAge,
  exampleRaceAge,
  exampleRunner,
  exampleScratchings,
} from '../../wire/examples';
import type { NextRace } from './next-to-go-schema';

export const exampleNextRace: Static<typeof NextRace> = {
  ...exampleIdentity,
  source_id: null,
  ...exampleFacts,
  places_paid: 3,
  ...exampleMarket,
  scratchings: exampleScratchings,
  runners: [
    { ...exampleRunner, bookmakers: [{ key: 'ladbrokes_au', win_price: 5.5, place_price: 2.1, ...exampleQuoteAge }] },
  ],
  ...exampleRaceAge,
};
