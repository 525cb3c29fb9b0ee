// The client of a command: its settings are those of the environment, because a key on a command line is in the list of
// processes and in the history of the shell.
import { OddsClient } from '../../../typescript/src/index.ts';
import { UsageError } from './failure.ts';
import type { Io } from './io.ts';

/** `onHeaders`: gets those of each answer. */
export function clientOf({ env }: Io, onHeaders?: (headers: Headers) => void): OddsClient {
  const { ODDS_API_KEY: apiKey = '', ODDS_API_URL: baseUrl = '' } = env;
  if (baseUrl === '')
    throw new UsageError('Set ODDS_API_URL to the address of the service, such as https://api.example.com.');
  if (apiKey.trim() === '') throw new UsageError('Set ODDS_API_KEY to a key of your account.');
  try {
    return new OddsClient({ apiKey, baseUrl, ...(onHeaders && { fetch: observed(onHeaders) }) });
  } catch (error) {
    throw new UsageError(`ODDS_API_URL or ODDS_API_KEY: ${(error as Error).message}`);
  }
}

const observed =
  (onHeaders: (headers: Headers) => void): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    onHeaders(response.headers);
    return response;
  };
