// A race of the next-to-go list.
import type { Static } from '@sinclair/typebox';
import { exampleIdentity, exampleScratchings } from '../examples';
import type { NextRace } from './next-to-go';

export const exampleNextRace: Static<typeof NextRace> = {
  ...exampleIdentity,
  source_id: null,
  ...facts,
  places_paid: 3,
  ...market,
  scratchings: exampleScratchings,
  runners: [{ ...runner, bookmakers: [{ key: 'ladbrokes_au', win_price: 5.5, place_price: 2.1, ...quoteAge }] }],
  ...raceAge,
};
