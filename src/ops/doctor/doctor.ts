// `ops doctor`: whether this process, with its settings, would be safe in production and reaches the servers it needs.
// Changes nothing.

import { createPool } from '../../store/pg/pool';
import { isSuperuser, readServerFacts } from '../../store/pg/server-facts';
import { wrongDirect } from '../../store/pg/sessions/direct';
import { lackingSettings } from '../../store/pg/sessions/session';
import { createRedis } from '../../store/redis/redis';
import { readSealing } from '../../store/secrets/stored-secrets';
import type { Wiring } from '../../wiring/service';
import { withTemporal } from '../temporal';
import {
  addressFinding,
  answers,
  backupFinding,
  clockFinding,
  directFinding,
  type Finding,
  imageFinding,
  loginFinding,
  secretFindings,
  sessionFinding,
  transportFinding,
} from './findings';

const ANSWERS_WITHIN_MS = 5000;

/** Throws all findings when one of them fails. */
export async function doctor(wiring: Wiring): Promise<string> {
  const { reached, insecureTransport, imageDigest } = wiring.config;
  const findings = [
    transportFinding('PostgreSQL', reached.database, insecureTransport),
    ...(isPooled(wiring) ? [transportFinding('PostgreSQL without its pooler', reached.direct, insecureTransport)] : []),
    transportFinding('Redis', reached.redis, insecureTransport),
    transportFinding('Temporal', reached.temporal, insecureTransport),
    ...(await Promise.all([databaseFindings(wiring.config), redisFinding(wiring), temporalFinding(wiring)])).flat(),
    imageFinding(imageDigest),
    await baseUrlFinding(wiring),
  ];
  const text = findings.map(({ is, sentence }) => `${is.padEnd(5)}  ${sentence}`).join('\n');
  if (findings.some(({ is }) => is === 'fails')) throw new Error(text);
  return text;
}

/** Not over the wiring's pool, which refuses an address that a finding is about. */
async function databaseFindings(config: Wiring['config']): Promise<Finding[]> {
  const pool = createPool(config.databaseDirectUrl, 1, { timeouts: { ...config.databaseTimeouts, queryMs: null } });
  try {
    // First, so that the comparison of the clocks does not wait for a connection.
    const judged = await isSuperuser(pool);
    const sentMs = Date.now();
    const facts = await readServerFacts(pool);
    // Half-way between the query and its answer.
    const hereMs = (sentMs + Date.now()) / 2;
    const sealing = await readSealing(pool);
    return [
      loginFinding(facts, judged),
      ...(await addressFindings(config, facts.groups)),
      clockFinding(hereMs - Date.parse(facts.now)),
      backupFinding(facts),
      ...secretFindings(
        sealing,
        config.secretKeys.map(({ id }) => id),
      ),
    ];
  } catch (error) {
    return [answers('PostgreSQL', (error as Error).message || String(error))];
  } finally {
    await pool.end();
  }
}

/** Of DATABASE_URL, and of both addresses. */
async function addressFindings(config: Wiring['config'], groups: readonly string[]): Promise<Finding[]> {
  try {
    return [sessionFinding(await lackingInSessions(config, groups)), directFinding(await wrongDirect(config))];
  } catch (error) {
    return [answers('The PostgreSQL of DATABASE_URL', (error as Error).message || String(error))];
  }
}

const isPooled = ({ config }: Wiring): boolean => config.databaseDirectUrl !== config.databaseUrl;

/** Of a process with these settings, which goes through the pooler if there is one. */
async function lackingInSessions(config: Wiring['config'], groups: readonly string[]): Promise<readonly string[]> {
  const needs = {
    ...(groups.includes('racing_worker') && { clock: config.clock }),
    timeouts: config.databaseTimeouts,
  };
  const own = createPool(config.databaseUrl, 1, needs);
  try {
    return await lackingSettings(own, needs);
  } finally {
    await own.end();
  }
}

async function redisFinding({ config }: Wiring): Promise<Finding> {
  const redis = createRedis(config.redisUrl, ANSWERS_WITHIN_MS);
  try {
    await redis.connect();
    await redis.ping();
    return answers('Redis', null);
  } catch (error) {
    return answers('Redis', (error as Error).message);
  } finally {
    redis.disconnect();
  }
}

const temporalFinding = (wiring: Wiring): Promise<Finding> =>
  withTemporal(wiring, ({ workflowService, options }) =>
    workflowService.describeNamespace({ namespace: options.namespace }),
  ).then(
    () => answers('Temporal', null),
    (error: Error) => answers('Temporal', error.message.replace(/\.$/, '')),
  );

async function baseUrlFinding({ config }: Wiring): Promise<Finding> {
  const { baseUrl } = config.api;
  const reply = await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.status;
    },
    (error: Error) => String((error.cause as Error | undefined)?.message ?? error.message),
  );
  return addressFinding(baseUrl, reply);
}
