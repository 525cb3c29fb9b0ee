// GET /v1/demo/racing/next-to-go (A 4.13; shapes 3.8): a truncated sample of live data without a key.

import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import type { DemoBoard } from './demo-board';
import { DemoNextToGo } from './racing-demo-schema';

const NOTE = 'A sample of live data. A free key returns every race, runner and book.';
const SHAPE = 'At most 3 Australian races, 5 runners each, 3 books each, best price first.';

export const demoRacingNextToGo = endpoint<{ baseUrl: string; demo: DemoBoard }>()({
  method: 'get',
  path: '/v1/demo/racing/next-to-go',
  operationId: 'demo_racing_next_to_go',
  tag: 'Sandbox',
  summary: 'Sample of next-to-go without a key',
  description: `${SHAPE} The sample is refreshed at most every 30 seconds. Limit: 30 requests a minute per address.`,
  auth: 'none',
  cost: flat(0),
  perMinutePerIp: 30,
  ok: {
    description: 'The sample.',
    schema: DemoNextToGo,
    example: {
      demo: true,
      note: NOTE,
      signup_url: 'https://api.example.com/signup',
      shape: SHAPE,
      truncated: true,
      cached: true,
      races: [
        {
          race_id: '0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10',
          venue: 'Flemington',
          race_number: 7,
          category: 'horse',
          start_time: '2026-11-21T05:20:00.000Z',
          country: 'AU',
          runners: [
            {
              name: 'Gold Trip',
              number: 1,
              bookmakers: [{ key: 'ladbrokes_au', win_price: 5.5, source_url: null }],
            },
          ],
        },
      ],
    },
  },
  async handler({ nowMs, services }) {
    const { races, truncated, cached } = await services.demo.nextToGo(nowMs);
    const about = { note: NOTE, signup_url: `${services.baseUrl}/signup`, shape: SHAPE };
    return { body: { demo: true as const, ...about, truncated, cached, races } };
  },
});
