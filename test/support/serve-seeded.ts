// The API over a database of its own that holds a little of everything, as a process: says in one line of JSON where it is and which keys it
// knows, and drops the database when it is told to stop.
import { once } from 'node:events';
import { NOW } from './api';
import { seedEverything, serve } from './served';

async function main(): Promise<void> {
  const served = await serve();
  await seedEverything(served.db);
  const keys = {
    free: await served.addKey({ plan: 'free' }),
    plus: await served.addKey({ plan: 'plus' }),
    internal: await served.addKey({ plan: 'enterprise', role: 'internal' }),
  };
  const startedAt = Date.now();
  // Its day goes on, from the instant for which it was written.
  const ticking = setInterval(() => {
    served.api.now = Date.parse(NOW) + Date.now() - startedAt;
  }, 100);
  process.stdout.write(`${JSON.stringify({ url: served.api.url, keys })}\n`);
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  clearInterval(ticking);
  await served.stop();
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
