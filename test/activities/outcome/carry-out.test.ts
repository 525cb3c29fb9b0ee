// An effect that a newer version's workflow decided must not be lost on a worker that does not have it.

import type { ActivityDeps } from '../../../src/activities/deps';
import { carryOut, type WriteEffect } from '../../../src/activities/outcome/carry-out';

test('an effect that this version does not have fails the attempt, after those that stand before it', async () => {
  const saved: unknown[] = [];
  const stores = { races: { savePhase: async (...args: unknown[]) => saved.push(args) } };
  const deps = { stores, now: () => 0 } as unknown as ActivityDeps;
  const known: WriteEffect = { do: 'save_phase', phase: 'live', jumpedAt: null, leftBoardAt: null };
  const newer = { do: 'tell_the_stewards' } as unknown as WriteEffect;
  await expect(carryOut(deps, { raceId: 'r', effects: [known, newer] })).rejects.toThrow(
    'this version has no effect {"do":"tell_the_stewards"}',
  );
  expect(saved).toEqual([['r', 'live', {}, '1970-01-01T00:00:00.000Z']]);
});
