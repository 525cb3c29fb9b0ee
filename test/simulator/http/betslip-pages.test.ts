// In the local stack, betslip links open the simulator: every link that `npm start` configures opens there.

import { BOOKMAKERS, bookmaker } from '../../../src/domain/bookmakers';
import { betslipUrl } from '../../../src/domain/prices/betslip';
import { createSimulator, type Simulator } from '../../../src/simulator/http/server';

const { appEnvironment } = require('../../../scripts/app/processes.mjs') as {
  appEnvironment(ctx: object, servers: object): Record<string, string>;
};

let simulator: Simulator;
let url: string;
beforeAll(async () => {
  simulator = createSimulator({ seed: 'a', now: () => Date.parse('2026-11-21T03:10:00Z') });
  url = await simulator.listen(0);
});
afterAll(() => simulator.close());

test.each(BOOKMAKERS.filter((book) => book.betslip).map((book) => book.key))('%s', async (key) => {
  const ports = { simulator: new URL(url).port };
  const env = appEnvironment({ ports, clock: { anchorMs: 0, speed: 1 }, instance: { folder: '/never' } }, {});
  const template = env[`BETSLIP_${key.toUpperCase()}_TEMPLATE`]!;
  const runner = { sourceUrl: null, sourceRaceId: '2026-11-21/R/M/1', number: 4, runnerId: { win: 'a', place: 'a' } };
  for (const market of ['win', 'place'] as const) {
    const link = betslipUrl(template, bookmaker(key)!.betslip!, runner, market)!;
    expect(new URL(link).origin).toBe(url);
    expect((await fetch(link)).status).toBe(200);
    expect((await fetch(`${link}/more/than/that`)).status).not.toBe(200);
  }
});
