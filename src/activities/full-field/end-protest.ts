// Ends a protest that no book settles (its flag is stuck, or the book is gone) when the registry's final result has the
// same placings (A 3: before final the placings may change). Time alone never ends a protest.

import { contradictsPlacings } from '../../domain/results/field-agreement';
import { placingsOf } from '../../domain/results/placings';
import type { ResultRunner } from '../../domain/results/result';
import { aetDay, aetDayBounds } from '../../domain/time/aet';
import type { CollectedRace } from '../../store/registry/published-races';
import type { StoredMeeting } from '../../store/registry/published-results';
import { type CollectDeps, instantNow } from '../deps';
import { reopenForResult } from '../races/signal-race';

/**
 * For a document in its final stage. A document read on the race's own day may be older than the ruling, and Topaz has
 * no `final` of its own, so only one read on a later day counts.
 */
export async function endProtest(
  deps: CollectDeps,
  document: StoredMeeting,
  { raceId, startTime }: CollectedRace,
  field: readonly ResultRunner[],
): Promise<void> {
  const { published, results } = deps.stores;
  const dayOverMs = aetDayBounds(aetDay(Date.parse(startTime))).endMs;
  const readAt = await published.readAt(document);
  const stored = await results.read(raceId);
  if (!stored?.placingsKey || readAt === null || Date.parse(readAt) < dayOverMs) return;
  const placings = placingsOf(stored.placingsKey);
  if (contradictsPlacings(field, placings)) return;
  const names = new Map(field.map(({ number, name }) => [number, name]));
  const named = placings.map(({ position, number }) => ({ position, number, name: names.get(number) ?? null }));
  const nothingElse = { straight: [], exotics: [], multiRace: [] } as const;
  const result = { stage: 'final', note: null, protest: false, placings: named, ...nothingElse } as const;
  await results.saveResult({ raceId, source: document.source, result, at: instantNow(deps) });
  await reopenForResult(deps, raceId);
}
