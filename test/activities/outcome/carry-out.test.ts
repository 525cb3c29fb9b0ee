// A worker must not lose an effect from a newer version's workflow that it does not implement.

import type { ActivityDeps } from '../../../src/activities/deps';
import { carryOut, type WriteEffect } from '../../../src/activities/outcome/carry-out';

test('an effect unknown to this version fails the attempt, after the effects before it are carried out', async () => {
  const saved: unknown[] = [];
  const stores = { races: { savePhase: async (...args: unknown[]) => saved.push(args) } };
  const deps = { stores, now: () => 0 } as unknown as ActivityDeps;
  const current: WriteEffect = { do: 'save_phase', phase: 'live', jumpedAt: null, leftBoardAt: null };
  const newer = { do: 'tell_the_stewards' } as unknown as WriteEffect;
  await expect(carryOut(deps, { raceId: 'r', effects: [current, newer] })).rejects.toThrow(
    'this version has no effect {"do":"tell_the_stewards"}',
  );
  expect(saved).toEqual([['r', 'live', {}, '1970-01-01T00:00:00.000Z']]);
});
