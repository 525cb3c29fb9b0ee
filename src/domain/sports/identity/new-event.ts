// The ids of a match that is new. A second match of the same teams on a day, such as the second game of a
// double-header, has `:2` at the end of its canonical id. The id never changes, also if the match is postponed to
// another day.
import { uuidOf } from '../../race/uuid';
import { aetDay } from '../../time/aet';
import type { ListedEvent } from './listed-event';
import type { Team } from './team-names';

export interface NewEvent {
  readonly eventId: string;
  readonly canonicalId: string;
  readonly home: Team;
  readonly away: Team;
}

interface Named {
  readonly listed: Pick<ListedEvent, 'sport' | 'commenceTime'>;
  readonly home: Team;
  readonly away: Team;
}

/** The namespace of every event id (RFC 9562, 5.5). Changing it changes every id ever published. */
const NAMESPACE = 'a3c1d7a0-5c0e-4f43-9f0b-2d6f8c1e7b95';

/** `ids`: the canonical ids of the pair. Adds its own. */
export function newEvent({ listed, home, away }: Named, ids: Set<string>): NewEvent {
  const day = aetDay(Date.parse(listed.commenceTime));
  const id = [listed.sport.key, home.key, away.key, day].join(':');
  let canonicalId = id;
  for (let n = 2; ids.has(canonicalId); n++) canonicalId = `${id}:${n}`;
  ids.add(canonicalId);
  return { eventId: uuidOf(NAMESPACE, canonicalId), canonicalId, home, away };
}
