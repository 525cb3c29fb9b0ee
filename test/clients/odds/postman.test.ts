// Requests of the Postman collection as Postman sends them, to the real service.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectConforms } from '../../support/api/conforms';
import { type Served, seedEverything, serve } from '../../support/api/served';
import { requestsIn, sendAsPostman } from '../../support/clients/postman';

const FILE = join(__dirname, '../../../clients/postman/racing-odds.postman_collection.json');
const requests = requestsIn(readFileSync(FILE, 'utf8'));
let served: Served;

beforeAll(async () => {
  served = await serve();
  await seedEverything(served.db);
});
afterAll(() => served?.stop());

test.each([
  ['/v1/racing/next-to-go', 'next_to_go'],
  ['/v1/racing/best-odds', 'racing_best_odds'],
  ['/v1/racing/venues', 'racing_venues'],
  ['/v1/sports/{sport_key}/odds', 'get_sport_odds'],
  ['/v1/usage', 'usage'],
  ['/v1/demo/racing/next-to-go', 'demo_racing_next_to_go'],
])('%s is answered as it declares', async (path, operation) => {
  const request = requests.find((one) => one.path === path && one.item.request.method === 'GET')!;
  const response = await sendAsPostman(request, served.api.url, await served.addKey({ plan: 'enterprise' }));
  expect([path, response.status]).toEqual([path, 200]);
  expectConforms(operation, await response.json());
});
