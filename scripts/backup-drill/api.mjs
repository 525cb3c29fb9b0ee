// An API process on the restored database, with the login of the group that it had before.
import { launch } from '../process/launch.mjs';
import { freePorts } from '../process/ports.mjs';
import { stopProcess } from '../process/stop.mjs';
import { answersHttp, waitUntil } from '../process/wait-until.mjs';

/** What it has under way is of no account. */
const PATIENCE_MS = 2_000;

/**
 * Resolves to how long it took to be ready: the database answers, its schema is the process's, and changes reach the
 * process. Redis is not there.
 */
export async function serve(ctx, databaseUrl) {
  const [api, metrics, nowhere] = await freePorts(3);
  const env = {
    ...process.env,
    NODE_ENV: 'development',
    DATABASE_URL: databaseUrl,
    REDIS_URL: `redis://127.0.0.1:${nowhere}`,
    API_HOST: '127.0.0.1',
    API_PORT: String(api),
    API_METRICS_PORT: String(metrics),
    MAIL_FOLDER: ctx.logs,
  };
  const beganAt = performance.now();
  const running = launch(ctx, {
    name: 'api',
    command: process.execPath,
    args: ['--import', 'tsx', 'src/api/main.ts'],
    env,
    cwd: ctx.root,
  });
  const isReady = async () =>
    (await answersHttp(`http://127.0.0.1:${metrics}/readyz`)) && (await answersHttp(`http://127.0.0.1:${api}/healthz`));
  await waitUntil(isReady, { process: running, signal: ctx.signal });
  const ms = performance.now() - beganAt;
  await stopProcess(running, PATIENCE_MS);
  return { ms };
}
