// next-to-go for many callers (A 2.3): never held, but a race is written again only where a price or a word changed since it was last
// said; what changes every second are ages.
import type { BoardRace } from '../../store/reads/races/board';
import type { Audience } from '../access/visibility';
import { type AgedRace, agedRace, type RaceText, raceText } from '../present/aged-race';
import type { BetslipLookup } from '../present/prices/betslip';
import { presentNext } from '../present/prices/next-race';

export interface NextRaces {
  /** `links`: null below Plus. */
  textOf(race: BoardRace, audience: Audience, links: BetslipLookup | null): AgedRace;
}

export function createNextRaces(): NextRaces {
  // By what the race is to an audience: the books that it may see are part of it.
  const written = new WeakMap<object, Map<Audience['name'], RaceText>>();
  const write = (race: BoardRace, audience: Audience, links: BetslipLookup | null): RaceText =>
    raceText(race, (holes) => presentNext(race, audience, holes, links));
  return {
    textOf(race, audience, links) {
      if (links !== null || race.content === undefined) return agedRace(race, write(race, audience, links));
      const texts = written.get(race.content) ?? new Map<Audience['name'], RaceText>();
      written.set(race.content, texts);
      const text = texts.get(audience.name) ?? write(race, audience, null);
      texts.set(audience.name, text);
      return agedRace(race, text);
    },
  };
}
