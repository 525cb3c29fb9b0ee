// Whatever processes with different keys do at the same moment, and wherever sealing is killed, no secret is lost,
// wrong or readable.
import * as fc from 'fast-check';
import type { KeyRing } from '../../../src/store/secrets/seal';
import { sealStored } from '../../../src/store/secrets/seal-stored';
import { runs } from '../../support/property';
import { ALL, secretsLab } from './secrets-lab';
import { expectNothingLost, ringOf, STEP, startWorld } from './secrets-world';

const lab = secretsLab();
const { reset, dump, linkSecret } = lab;

test('no secret is lost, wrong or readable, for any concurrent work, any keys of each process and any kill of the sealing', async () => {
  const bursts = fc.array(fc.array(STEP, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(bursts, ringOf(ALL.length), async (all, ring) => {
      await reset();
      const link = await linkSecret(ALL);
      const world = startWorld(lab);
      await world.burst([
        { kind: 'create', by: 0 },
        { kind: 'create', by: 1 },
        { kind: 'mail', by: 0 },
      ]);
      for (const steps of all) {
        await world.burst(steps);
        await expectNothingLost(lab, world.known, !world.hasSealed());
        expect(await linkSecret(ALL)).toEqual(link);
      }
      await sealStored(lab.db.pool, ring);
      expect(await sealStored(lab.db.pool, ring)).toEqual({ sealed: 0, resealed: 0, unopened: [] });
      await expectNothingLost(lab, world.known, false);
      expect(await linkSecret([ring[0]!])).toEqual(link);
      const text = await dump();
      for (const plain of [...world.known.everything, link.toString('hex')]) expect(text).not.toContain(plain);
      // What waited for a key is delivered and sent by a process that has the one key.
      const only: KeyRing = [ring[0]!];
      while ((await world.claim(only)).claimed.length > 0);
      await world.send(only);
      expect(world.known.unsent.size).toBe(0);
      const open = await lab.outbox.rows(
        `SELECT status, attempt_count FROM webhook_deliveries WHERE status NOT IN ('delivered', 'cancelled') OR attempt_count > 1`,
      );
      expect(open).toEqual([]);
    }),
    { numRuns: runs(60) },
  );
});
