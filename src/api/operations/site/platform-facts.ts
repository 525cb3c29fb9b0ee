// GET /platform-facts.json (A 4.14). Public and free.

import { ageSeconds } from '../../../domain/time/staleness';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { examplePlatformFacts } from './examples';
import type { MeasuredFacts } from './measure-facts';
import { PlatformFacts } from './platform-facts-schema';

export const platformFacts = endpoint<{ platformFacts: (nowMs: number) => Promise<MeasuredFacts> }>()({
  method: 'get',
  path: '/platform-facts.json',
  operationId: 'platform_facts',
  tag: 'Site',
  summary: 'Measured facts about the service',
  description:
    'Bookmakers, the size of the archive, uptime and latency, each with its time and how it was measured. A fact that cannot be measured is absent and ' +
    'named in `unavailable`; if nothing was measured, the response is a 503 that names them all. No key is required.',
  auth: 'none',
  cost: flat(0),
  ok: { description: 'The facts.', schema: PlatformFacts, example: examplePlatformFacts },
  async handler({ nowMs, services }) {
    const body = await services.platformFacts(nowMs);
    return { body, dataAgeSeconds: ageSeconds(Date.parse(body.as_of), nowMs) };
  },
});
