// How Temporal is reached: address, namespace, TLS and API key, by Temporal's own variables (`TEMPORAL_*`). A profile
// file is read only if TEMPORAL_CONFIG_FILE names one: never the one in a user's home, or a test could reach a real
// namespace.
import { existsSync } from 'node:fs';
import { type ClientConnectConfig, loadClientConnectConfig } from '@temporalio/envconfig';
import { ConfigError, type Environment, type Variables } from './environment';

/** The SDK's connection options, for a worker and a client alike. */
type TemporalConnection = Pick<ClientConnectConfig['connectionOptions'], 'tls' | 'apiKey' | 'metadata'> & {
  readonly address: string;
};

export interface TemporalTarget {
  readonly namespace: string;
  readonly connection: TemporalConnection;
}

/** A variable overrides the profile, and the profile the default. Throws `ConfigError`. */
export function temporalOf(env: Environment, given: Variables): TemporalTarget {
  const { namespace = env.TEMPORAL_NAMESPACE, connectionOptions } = loaded(given);
  const { address = env.TEMPORAL_ADDRESS, tls, apiKey, metadata } = connectionOptions;
  if (typeof tls === 'object' && !tls?.clientCertPair && has(given, /^TEMPORAL_TLS_CLIENT_/))
    throw new ConfigError("Temporal's client certificate and its key go together (TEMPORAL_TLS_CLIENT_CERT_*, _KEY_*)");
  const more = { ...(tls !== undefined && { tls }), ...(apiKey && { apiKey }), ...(metadata && { metadata }) };
  return { namespace, connection: { address, ...more } };
}

function loaded(given: Variables): ClientConnectConfig {
  const path = given.TEMPORAL_CONFIG_FILE;
  if (path !== undefined && !existsSync(path)) throw new ConfigError(`TEMPORAL_CONFIG_FILE: there is no file ${path}`);
  if (path === undefined && given.TEMPORAL_PROFILE !== undefined)
    throw new ConfigError('TEMPORAL_PROFILE needs TEMPORAL_CONFIG_FILE: no other profile file is read');
  const file = path === undefined ? { disableFile: true } : { configSource: { path }, configFileStrict: true };
  try {
    return loadClientConnectConfig({ ...file, overrideEnvVars: given as Record<string, string> });
  } catch (error) {
    throw new ConfigError(`the settings of Temporal (TEMPORAL_*): ${(error as Error).message}`);
  }
}

const has = (given: Variables, name: RegExp): boolean => Object.keys(given).some((each) => name.test(each));
