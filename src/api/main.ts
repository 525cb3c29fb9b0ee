// The API process. On SIGTERM or SIGINT it accepts no new connection, finishes the responses in flight and closes the
// database pool.
import '../telemetry/start';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ConfigError, loadConfig } from '../config';
import { createLog } from '../log';
import { judgeDatabase } from '../process/judge-database';
import { afterwards, stopSignal } from '../process/stop-signal';
import { orStopped, StartProblem, untilReady } from '../process/until-ready';
import { createSchemaCheck, unlessBehind } from '../store/pg/schema';
import { isSuperuser } from '../store/pg/server-facts';
import { stopTracing } from '../telemetry/tracing';
import { createWiring } from '../wiring/service';
import { createServing } from '../wiring/serving';
import { createApiServer, drained, LIMITS, serverFailed } from './kernel/http/connection/server';
import { operatorPages } from './operator-pages';

const SCHEMA_WITHIN_MS = 2000;
/** Wall time. Anything still open after it ends with the process. */
const CLOSE_WITHIN_MS = 5000;

async function main(): Promise<void> {
  const stop = stopSignal();
  const config = loadConfig();
  const log = createLog('api', config.log.level);
  const ending = afterwards(stop, config.api.stopDelayMs);
  const cutOff = new AbortController();
  const wiring = createWiring(config, log, 'api');
  let isJudged = false;
  const serving = createServing(wiring, { ending, cutOff: cutOff.signal, isJudged: () => isJudged });
  const { host, port, baseUrl, limits, trustedProxies } = config.api;
  const server = createApiServer(serving.app, { baseUrl, trustedProxies }, { ...LIMITS, ...limits });
  const hasSchema = createSchemaCheck(wiring.pool);
  const operator = await operatorPages(wiring, { server, hasSchema, stop });
  const database = await judgeDatabase(
    { ...config, ...wiring, isSuperuser: () => isSuperuser(wiring.pool) },
    { log, stop },
  );
  const patience = { log, stop, withinMs: config.startWithinMs };
  await untilReady('the schema', () => unlessBehind(hasSchema(SCHEMA_WITHIN_MS)), patience);
  await once(server.listen(port, host), 'listening');
  log.info({ ...(server.address() as AddressInfo), baseUrl }, 'listening');
  log.info({ metrics: operator.url && `${operator.url}/metrics` }, 'metrics');
  const begun = database.judged.then(() => {
    isJudged = true;
    if (!stop.aborted) serving.start();
  });
  await orStopped(Promise.all([serverFailed(server), begun]), ending).catch((error) => {
    if (!ending.aborted) throw error;
  });
  log.info({ signal: stop.reason }, 'stopping');
  await drained(server, cutOff);
  await serving.stop();
  operator.close();
  // Connections to a database that does not answer would keep the process alive.
  setTimeout(() => process.exit(0), CLOSE_WITHIN_MS).unref();
  await Promise.all([serving.close(), wiring.close()]);
  await stopTracing();
}

// Open connections to other servers would keep the process alive.
main().catch((error: unknown) => {
  // Stopped while it waited for its schema.
  if (error === 'SIGTERM' || error === 'SIGINT') process.exit(0);
  const log = createLog('api', 'error');
  const { code, port } = (error ?? {}) as { code?: unknown; port?: unknown };
  if (error instanceof StartProblem || error instanceof ConfigError)
    log.fatal(`the API did not start: ${error.message}`);
  else if (code === 'EADDRINUSE') log.fatal(`the API did not start: port ${port} is in use`);
  else log.fatal({ err: error }, 'the API did not start');
  process.exit(1);
});
