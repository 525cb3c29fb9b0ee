// An API process on the restored database, with the login that its group had before.
import { launch } from '../process/launch.mjs';
import { freePorts } from '../process/ports.mjs';
import { stopProcess } from '../process/stop.mjs';
import { answersHttp, waitUntil } from '../process/wait-until.mjs';

/** Its running work does not matter. */
const PATIENCE_MS = 2_000;

/**
 * Resolves to how long it took to become ready: the database answers, its schema is the one that the process expects,
 * and changes reach the process. Redis is not available.
 */
export async function serve(ctx, databaseUrl) {
  const [api, metrics, nowhere] = await freePorts(3);
  const env = {
    ...process.env,
    NODE_ENV: 'development',
    DATABASE_URL: databaseUrl,
    DATABASE_DIRECT_URL: '',
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
