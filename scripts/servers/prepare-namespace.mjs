// A separate program (docker-compose.yml runs it too): gives a Temporal namespace what this service needs, and succeeds
// if it is already there. It is the only script here that uses a package, so it runs only once packages are installed.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';

/** @type {any} The types require a Long, but a number is accepted too. */
const retention = { seconds: 720 * 3600 };
const patienceMs = 300_000;
// Numbers of temporal.api.enums.v1.IndexedValueType.
const types = { Keyword: 2, Datetime: 6 };
const alreadyExists = 6;
const wanted = JSON.parse(readFileSync(new URL('./search-attributes.json', import.meta.url), 'utf8'));

const { TEMPORAL_CONFIG_FILE: path, TEMPORAL_OWN: own } = process.env;
// As in src/config/temporal.ts: a profile file only if one is named, and an empty variable counts as unset.
const { namespace = 'default', connectionOptions } = loadClientConnectConfig({
  ...(path ? { configSource: { path } } : { disableFile: true }),
  overrideEnvVars: /** @type {Record<string, string>} */ (
    Object.fromEntries(Object.entries(process.env).filter(([, value]) => value))
  ),
});

const connection = await connected();
const isNew = own ? await ensureNamespace() : false;
const added = await ensureSearchAttributes();
await connection.close();
console.log(isNew || added > 0 ? `${namespace} is prepared` : `kept: ${namespace} has both`);

async function connected() {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      return await Connection.connect({ ...connectionOptions, connectTimeout: '5s' });
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(200);
    }
  }
}

/** Returns whether it was created. */
async function ensureNamespace() {
  const config = { workflowExecutionRetentionTtl: retention };
  const made = await connection.workflowService
    .registerNamespace({ namespace, ...config, workflowExecutionRetentionPeriod: retention })
    .catch(unlessItExists);
  await connection.workflowService.updateNamespace({ namespace, config });
  return made !== undefined;
}

/** Returns how many were missing. */
async function ensureSearchAttributes() {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(wanted).filter(([name]) => !(name in customAttributes));
  if (missing.length === 0) return 0;
  const searchAttributes = Object.fromEntries(missing.map(([name, type]) => [name, types[type]]));
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes }).catch(unlessItExists);
  return missing.length;
}

function unlessItExists(error) {
  if (error.code !== alreadyExists) throw error;
}
