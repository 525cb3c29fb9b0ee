import { ApiError, ConnectionError, OddsClient } from 'racing-odds-client';

const client = new OddsClient({ timeoutMs: 10_000, maxRetries: 1 });

try {
  await client.racing.consensus({ query: { venue: 'Nowhere', meeting_date: '2026-11-20', race_number: 1 } });
} catch (error) {
  if (error instanceof ApiError) console.log(`${error.code}: ${error.detail} (request ${error.requestId})`);
  else if (error instanceof ConnectionError) console.log('The service is not reachable.');
  else throw error;
}
